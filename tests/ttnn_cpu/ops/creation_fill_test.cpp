// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/creation/creation.hpp>

#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;

using Creation = Movement;

TEST_F(Creation, FillsTensors) {
    const Shape shape{2, 33};
    EXPECT_EQ(ttnn::zeros(shape).to_vector<float>(), std::vector<float>(66, 0.0F));
    EXPECT_EQ(ttnn::zeros(shape).storage_type(), ttnn::StorageType::HOST);
    const Tensor ones = ttnn::ones(shape, DataType::BFLOAT8_B, std::nullopt, *device_, ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(ones.layout(), Layout::TILE);
    EXPECT_EQ(ones.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(ones.to_vector<float>(), std::vector<float>(66, 1.0F));
    EXPECT_EQ(
        ttnn::full(shape, 7, DataType::INT32, Layout::TILE, *device_).to_vector<std::int32_t>(),
        std::vector<std::int32_t>(66, 7));
    EXPECT_EQ(
        ttnn::full(shape, 2.5F, DataType::FLOAT32, Layout::TILE, *device_).to_vector<float>(),
        std::vector<float>(66, 2.5F));
    const Tensor target = make(shape, DataType::BFLOAT16, Layout::TILE);
    (void)ttnn::full(Shape{1}, 4.0F, std::nullopt, std::nullopt, std::nullopt, std::nullopt, target);
    EXPECT_EQ(target.to_vector<float>(), std::vector<float>(66, 4.0F));
    EXPECT_EQ(ttnn::empty(shape, DataType::BFLOAT16, Layout::TILE, device_.get(), {}).logical_shape(), shape);
}

TEST_F(Creation, TakesTheRestFromATensor) {
    const Tensor like = make(Shape{2, 33}, DataType::FLOAT32, Layout::TILE, ttnn::L1_MEMORY_CONFIG);
    for (const Tensor& tensor :
         {ttnn::zeros_like(like), ttnn::ones_like(like), ttnn::full_like(like, 3), ttnn::empty_like(like)}) {
        EXPECT_EQ(tensor.tensor_spec(), like.tensor_spec());
    }
    EXPECT_EQ(ttnn::full_like(like, 3).to_vector<float>(), std::vector<float>(66, 3.0F));
    EXPECT_EQ(ttnn::ones_like(like, DataType::BFLOAT16).dtype(), DataType::BFLOAT16);
}

TEST_F(Creation, CountsAndTakesBuffers) {
    EXPECT_EQ(ttnn::arange(3, 10, 3).to_vector<float>(), (std::vector<float>{3.0F, 6.0F, 9.0F}));
    EXPECT_EQ(
        ttnn::arange(5, 0, -2, DataType::INT32, *device_).to_vector<std::int32_t>(),
        (std::vector<std::int32_t>{5, 3, 1}));
    EXPECT_EQ(ttnn::arange(3).logical_shape(), (Shape{3}));
    EXPECT_EQ(
        ttnn::from_buffer(std::vector<std::uint32_t>{1, 2, 3}, Shape{3}, DataType::UINT32, device_.get())
            .to_vector<std::uint32_t>(),
        (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_THROWS_WITH((void)ttnn::arange(0, 5, 0), "Step must be nonzero");
    EXPECT_THROWS_WITH((void)ttnn::arange(0, 5, -1), "Step direction (-1) does not match range bounds (0, 5)");
    EXPECT_THROWS_WITH((void)ttnn::arange(5, DataType::BFLOAT8_B), "Unsupported dtype BFLOAT8_B");
}

}  // namespace

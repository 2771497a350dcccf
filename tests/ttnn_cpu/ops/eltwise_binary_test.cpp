// SPDX-License-Identifier: Apache-2.0
#include "ttnn/operations/eltwise/binary/binary.hpp"

#include <gtest/gtest.h>

#include "support/device.hpp"
#include "support/matchers.hpp"
#include "support/throws.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace zoo::test;
using ttnn::DataType;
using ttnn::Layout;
using ttnn::Tensor;
using ttnn::operations::unary::EltwiseUnaryWithParam;
using ttnn::operations::unary::UnaryOpType;

using Function = Tensor (*)(const Tensor&, const Tensor&);

Tensor add(const Tensor& a, const Tensor& b) { return ttnn::add(a, b); }
Tensor subtract(const Tensor& a, const Tensor& b) { return ttnn::subtract(a, b); }
Tensor multiply(const Tensor& a, const Tensor& b) { return ttnn::multiply(a, b); }
Tensor divide(const Tensor& a, const Tensor& b) { return ttnn::divide(a, b); }

struct Case {
    std::string name;
    Dims a;
    Dims b;
    DataType dtype;
    Bound bound;
    Layout layout = Layout::TILE;
};

// Measured at worst: bfloat16 PCC 0.99996 and 2.0e-3 (half a step of 2^-8 at each of two roundings), float32 1e-7,
// bfloat8_b 0.99957 and 1.2e-2.
constexpr Bound kBfloat16{.pcc = 0.9999, .relative_error = 2.5e-3};
constexpr Bound kFloat32{.pcc = 0.9999999, .relative_error = 1e-6};
constexpr Bound kBfloat8{.pcc = 0.9995, .relative_error = 1.5e-2};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class BinaryOp : public DeviceTest, public testing::WithParamInterface<Case> {};

TEST_P(BinaryOp, MatchesTorch) {
    const Case& test = GetParam();
    const std::pair<const char*, Function> functions[] = {
        {"add", add}, {"subtract", subtract}, {"multiply", multiply}, {"divide", divide}};
    for (const auto& [name, function] : functions) {
        // Away from zero, so that a quotient is no outlier that hides all others.
        const Array a = to_bfloat16(uniform(test.a, 1, 0.5F, 2.0F));
        const Array b = to_bfloat16(uniform(test.b, 2, -3.0F, -1.0F));
        const Array actual = to_array(
            function(on_device(a, device(), test.dtype, test.layout), on_device(b, device(), test.dtype, test.layout)));
        const Array expected = torch_ref::binary(name, a, b);
        EXPECT_WITHIN(expected, actual, test.bound) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Eltwise, BinaryOp,
    testing::Values(
        Case{"HiddenStates", {1, 384, 1024}, {1, 384, 1024}, DataType::BFLOAT16, kBfloat16},
        Case{"BatchEight", {8, 128, 384}, {8, 128, 384}, DataType::BFLOAT16, kBfloat16},
        Case{"Bias", {2, 3, 40, 50}, {1, 1, 1, 50}, DataType::BFLOAT16, kBfloat16},
        Case{"Column", {2, 3, 40, 50}, {2, 1, 40, 1}, DataType::BFLOAT16, kBfloat16},
        Case{"One", {2, 3, 40, 50}, {1, 1, 1, 1}, DataType::BFLOAT16, kBfloat16},
        Case{"BothGrow", {5, 1, 33, 1}, {1, 4, 1, 70}, DataType::BFLOAT16, kBfloat16},
        Case{"FewerDims", {2, 3, 40, 50}, {50}, DataType::BFLOAT16, kBfloat16},
        Case{"Vector", {7}, {7}, DataType::BFLOAT16, kBfloat16},
        Case{"Float32", {1, 3, 33, 65}, {1, 1, 33, 65}, DataType::FLOAT32, kFloat32},
        Case{"Bfloat8", {1, 1, 64, 128}, {1, 1, 1, 128}, DataType::BFLOAT8_B, kBfloat8},
        Case{"Rows", {2, 5, 7}, {2, 5, 7}, DataType::BFLOAT16, kBfloat16, Layout::ROW_MAJOR}),
    [](const auto& tested) { return tested.param.name; });

class Binary : public DeviceTest {};

TEST_F(Binary, ABoundSeesAWrongBroadcast) {
    const Array a = uniform({4, 32}, 1);
    const Array b = uniform({1, 32}, 2);
    const Array actual = to_array(ttnn::add(on_device(a, device()), on_device(b, device())));
    Array shifted = b;
    std::rotate(shifted.data.begin(), shifted.data.begin() + 1, shifted.data.end());
    EXPECT_OUTSIDE(torch_ref::add(a, shifted), actual, kBfloat16);
}

TEST_F(Binary, MixesDataTypesAndChoosesTheOutputs) {
    const Array a = to_bfloat16(uniform({32, 64}, 1));
    const Array b = to_bfloat16(uniform({32, 64}, 2));
    const Tensor left = on_device(a, device());
    const Tensor right = on_device(b, device(), DataType::BFLOAT8_B);
    EXPECT_EQ(ttnn::add(left, right).dtype(), DataType::BFLOAT16);
    const Tensor wide = ttnn::add(left, right, DataType::FLOAT32);
    EXPECT_EQ(wide.dtype(), DataType::FLOAT32);
    EXPECT_WITHIN(torch_ref::add(a, b), to_array(wide), kBfloat8);
}

TEST_F(Binary, ScalarsAreRoundedToTheTensorsType) {
    const Array a = to_bfloat16(uniform({33, 40}, 3));
    const Tensor input = on_device(a, device());
    EXPECT_WITHIN(torch_ref::binary("multiply", a, 0.125F), to_array(ttnn::multiply(input, 0.125F)), kBfloat16);
    EXPECT_WITHIN(torch_ref::binary("add", a, 3.0F), to_array(ttnn::add(input, 3.0F)), kBfloat16);
}

TEST_F(Binary, FusesActivationsAroundTheFunction) {
    const Array a = to_bfloat16(uniform({32, 64}, 1));
    const Array b = to_bfloat16(uniform({32, 64}, 2));
    const EltwiseUnaryWithParam relu(UnaryOpType::RELU);
    const EltwiseUnaryWithParam square(UnaryOpType::SQUARE);
    const Tensor fused = ttnn::add(
        on_device(a, device()), on_device(b, device()), std::nullopt, std::nullopt, std::nullopt, {&relu, 1},
        {&square, 1});
    const Array expected = torch_ref::unary("relu", torch_ref::add(torch_ref::unary("square", a), b));
    EXPECT_WITHIN(expected, to_array(fused), (Bound{.pcc = 0.9999, .relative_error = 5e-3}));
}

TEST_F(Binary, InPlaceWritesIntoTheLeftOperand) {
    const Array a = to_bfloat16(uniform({1, 64, 64}, 1));
    const Array b = to_bfloat16(uniform({1, 1, 64}, 2));
    const Tensor left = on_device(a, device());
    const Tensor result = ttnn::add_(left, on_device(b, device()));
    EXPECT_EQ(result.buffer()->address(), left.buffer()->address());
    EXPECT_WITHIN(torch_ref::add(a, b), to_array(left), kBfloat16);
}

TEST_F(Binary, ShardsFollowTheLeftOperand) {
    using namespace tt::tt_metal;
    const ShardSpec shard(CoreRangeSet(CoreRange({0, 0}, {1, 1})), {32, 64});
    const MemoryConfig sharded(TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1, shard);
    const Array a = to_bfloat16(uniform({1, 1, 64, 128}, 1));
    const Tensor left = on_device(a, device(), DataType::BFLOAT16, Layout::TILE, sharded);
    const Tensor right = on_device(a, device());
    EXPECT_EQ(ttnn::add(left, right).memory_config(), sharded);
    EXPECT_EQ(ttnn::add(right, left).memory_config(), sharded) << "a sharded right operand beats DRAM";
    EXPECT_EQ(ttnn::add(left, right, std::nullopt, ttnn::DRAM_MEMORY_CONFIG).memory_config(), ttnn::DRAM_MEMORY_CONFIG);
    const Tensor generated = ttnn::add(right, right, std::nullopt, ttnn::L1_HEIGHT_SHARDED_MEMORY_CONFIG);
    EXPECT_EQ(generated.shard_spec()->shape, (std::array<std::uint32_t, 2>{32, 128}));
    EXPECT_WITHIN(torch_ref::add(a, a), to_array(generated), kBfloat16);
}

TEST_F(Binary, BringsDifferentLayoutsToTiles) {
    const Array a = to_bfloat16(uniform({1, 1, 40, 50}, 1));
    const Tensor result =
        ttnn::add(on_device(a, device()), on_device(a, device(), DataType::BFLOAT16, Layout::ROW_MAJOR));
    EXPECT_EQ(result.layout(), Layout::TILE);
    EXPECT_WITHIN(torch_ref::add(a, a), to_array(result), kBfloat16);
}

TEST_F(Binary, ReplaysInATrace) {
    const Array a = to_bfloat16(uniform({1, 1, 64, 64}, 1));
    const Array b = to_bfloat16(uniform({1, 1, 64, 64}, 2));
    const Tensor constant = on_device(a, device());
    const auto op = [&](const Tensor& x) { return ttnn::multiply(x, constant); };
    const Tensor other = on_device(b, device()).cpu();
    EXPECT_EQ(replayed(on_device(a, device()), other, op), op(on_device(b, device())).to_vector<float>());
}

TEST_F(Binary, Refuses) {
    const Tensor a = on_device(uniform({2, 32}, 1), device());
    const Tensor b = on_device(uniform({3, 32}, 1), device());
    EXPECT_THROWS_WITH((void)ttnn::add(a, b), "ttnn::add: Broadcasting rule violation: shapes [2, 32] and [3, 32]");
    EXPECT_THROWS_WITH((void)ttnn::add(a.cpu(), a), "expect device tensors as inputs");
    const Tensor row = on_device(uniform({1, 32}, 1), device());
    EXPECT_THROWS_WITH((void)ttnn::add_(row, a), "the output tensor given has shape [1, 32]");
    const tt::tt_metal::TensorSpec ids(
        ttnn::Shape{1, 32},
        tt::tt_metal::TensorLayout(
            DataType::UINT32, tt::tt_metal::PageConfig(Layout::ROW_MAJOR), ttnn::DRAM_MEMORY_CONFIG));
    const Tensor integers = Tensor::from_vector(std::vector<std::uint32_t>(32, 7), ids, &device());
    EXPECT_EQ(ttnn::add(integers, integers).to_vector<std::uint32_t>(), std::vector<std::uint32_t>(32, 14));
    EXPECT_THROWS_WITH(
        (void)ttnn::divide(integers, integers), "dtype UINT32 is not supported for binary operation DIV");
    Tensor gone = on_device(uniform({2, 32}, 1), device());
    gone.deallocate(true);
    EXPECT_THROWS_WITH((void)ttnn::add(a, gone), "Input Tensor is not allocated");
}

}  // namespace

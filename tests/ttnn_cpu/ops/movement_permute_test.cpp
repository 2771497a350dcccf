// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/permute/permute.hpp>
#include <ttnn/operations/data_movement/transpose/transpose.hpp>

#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"
#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;
using zoo::test::torch_ref::permute;
using zoo::test::torch_ref::transpose;

struct PermuteCase {
    Shape shape;
    ttsl::SmallVector<std::int64_t> dims;
};
void PrintTo(const PermuteCase& test, std::ostream* out) {
    *out << test.shape << " to " << testing::PrintToString(test.dims);
}

class Permute : public Movement, public testing::WithParamInterface<PermuteCase> {};

TEST_P(Permute, MovesEveryElement) {
    const auto& [shape, dims] = GetParam();
    const Array expected = permute(numbers(shape), Dims(dims.begin(), dims.end()));
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
            const Tensor output = ttnn::permute(make(shape, dtype, layout), dims);
            EXPECT_EQ(dims_of(output.logical_shape()), expected.shape);
            EXPECT_EQ(output.layout(), layout);
            EXPECT_EQ(output.to_vector<float>(), expected.data);
        }
    }
}

TEST_P(Permute, MovesBlockFloats) {
    const auto& [shape, dims] = GetParam();
    const Array values{dims_of(shape), small_numbers(shape.volume())};
    const Tensor input = make(values.data, shape, DataType::BFLOAT8_B, Layout::TILE);
    const auto rank = static_cast<std::int64_t>(dims.size());
    if (rank > 4 && std::min(dims[rank - 1], dims[rank - 2]) < rank - 2) {
        EXPECT_EMBEDDED_THROWS_WITH(
            (void)ttnn::permute(input, dims), "typecast it to BFLOAT16 first", "it gives zeros");
        return;
    }
    const Tensor output = ttnn::permute(input, dims);
    EXPECT_EQ(output.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(output.to_vector<float>(), permute(values, Dims(dims.begin(), dims.end())).data);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Permute,
    testing::Values(
        PermuteCase{Shape{1, 128, 12, 64}, {0, 2, 1, 3}}, PermuteCase{Shape{2, 16, 100, 64}, {0, 2, 1, 3}},
        PermuteCase{Shape{1, 12, 100, 64}, {0, 1, 3, 2}}, PermuteCase{Shape{2, 3, 40, 70}, {0, 2, 3, 1}},
        PermuteCase{Shape{2, 3, 40, 70}, {0, 3, 1, 2}}, PermuteCase{Shape{2, 3, 5, 7}, {3, 2, 1, 0}},
        PermuteCase{Shape{2, 3, 5, 7}, {1, 0, 2, 3}}, PermuteCase{Shape{2, 3, 5, 7}, {0, 3, 2, 1}},
        PermuteCase{Shape{2, 3, 5, 7}, {2, 1, 0, 3}}, PermuteCase{Shape{33, 65}, {1, 0}},
        PermuteCase{Shape{4, 33, 65}, {1, 2, 0}}, PermuteCase{Shape{2, 2, 3, 40, 5}, {0, 2, 4, 1, 3}},
        PermuteCase{Shape{2, 3, 2, 40, 5}, {1, 2, 0, 4, 3}}, PermuteCase{Shape{1, 1, 4, 5}, {1, 0, 2, 3}}),
    zoo::test::printed_name);

using Transpose = Movement;

TEST_F(Transpose, SwapsAnyTwoDimensions) {
    const Shape shape{2, 3, 40, 33};
    for (std::int64_t a = 0; a < 4; ++a) {
        for (std::int64_t b = -4; b < 0; ++b) {
            for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
                const Tensor output = ttnn::transpose(make(shape, DataType::BFLOAT16, layout), a, b);
                EXPECT_EQ(output.to_vector<float>(), transpose(numbers(shape), a, b).data) << a << ' ' << b;
            }
        }
    }
}

template <typename T>
void expect_integers_transposed(ttnn::MeshDevice& device, DataType dtype) {
    constexpr std::uint32_t kRows = 70;
    constexpr std::uint32_t kColumns = 200;
    std::vector<T> values(kRows * kColumns);
    std::vector<T> expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<T>(i * 2654435761U >> 7);
        expected[i % kColumns * kRows + i / kColumns] = values[i];
    }
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        const Tensor input = Tensor::from_vector(values, spec_of(Shape{kRows, kColumns}, dtype, layout), &device);
        EXPECT_EQ(ttnn::transpose(input, 0, 1).to_vector<T>(), expected);
    }
}

TEST_F(Transpose, SwapsElementsOfAnyWidth) {
    expect_integers_transposed<std::uint8_t>(*device_, DataType::UINT8);
    expect_integers_transposed<std::uint16_t>(*device_, DataType::UINT16);
    expect_integers_transposed<std::uint32_t>(*device_, DataType::UINT32);
    expect_integers_transposed<std::int32_t>(*device_, DataType::INT32);
}

TEST_F(Transpose, AWrongExpectationFails) {
    const Shape shape{1, 1, 40, 33};
    const Tensor output = ttnn::transpose(make(shape, DataType::BFLOAT16, Layout::TILE), 2, 3);
    EXPECT_NE(output.to_vector<float>(), numbers(shape).data);
}

TEST_F(Transpose, PacksBlocksAnewAcrossTheOtherSide) {
    // A column of large values shares exponents with its row before, and only with itself after.
    const Shape shape{1, 1, 32, 32};
    std::vector<float> values(1024);
    for (std::size_t i = 0; i < 1024; ++i) {
        values[i] = i % 32 == 0 ? 1000.0F : 1.0F + static_cast<float>(i / 32) / 64;
    }
    const Tensor input = make(values, shape, DataType::BFLOAT8_B, Layout::TILE);
    const Array stored{dims_of(shape), input.to_vector<float>()};
    const Tensor output = ttnn::transpose(input, 2, 3);
    EXPECT_EQ(output.to_vector<float>(), transpose(stored, 2, 3).data);
    EXPECT_NE(stored.data, values);
}

TEST_F(Transpose, WhOfOneMatrixTurnsHeightShardsIntoWidthShards) {
    const Shape shape{1, 1, 128, 64};
    const Tensor input =
        make(shape, DataType::BFLOAT16, Layout::TILE, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {3, 0}));
    const Tensor output = ttnn::transpose(input, 2, 3);
    EXPECT_EQ(output.memory_config(), sharded(TensorMemoryLayout::WIDTH_SHARDED, {64, 32}, {3, 0}));
    EXPECT_EQ(output.to_vector<float>(), transpose(numbers(shape), 2, 3).data);
}

TEST_F(Transpose, WhInShardsOfWholeMatricesKeepsHeightShards) {
    const Shape shape{2, 4, 64, 96};
    const Tensor input =
        make(shape, DataType::BFLOAT16, Layout::TILE, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {128, 96}, {3, 0}));
    const Tensor output = ttnn::transpose(input, -1, -2);
    EXPECT_EQ(output.memory_config(), sharded(TensorMemoryLayout::HEIGHT_SHARDED, {192, 64}, {3, 0}));
    EXPECT_EQ(output.to_vector<float>(), transpose(numbers(shape), 2, 3).data);
}

TEST_F(Transpose, BlockShardsGetFreshShards) {
    const Shape shape{1, 1, 128, 64};
    const Tensor input =
        make(shape, DataType::BFLOAT16, Layout::TILE, sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 32}, {1, 1}));
    const Tensor output = ttnn::transpose(input, 2, 3);
    EXPECT_EQ(output.memory_config().memory_layout(), TensorMemoryLayout::BLOCK_SHARDED);
    EXPECT_EQ(output.to_vector<float>(), transpose(numbers(shape), 2, 3).data);
}

TEST_F(Transpose, FillsTheNewPaddingOfHc) {
    const Tensor output =
        ttnn::transpose(make(Shape{1, 5, 32, 32}, DataType::BFLOAT16, Layout::TILE), 1, 2, std::nullopt, 7.0F);
    const Tensor rows = output.cpu();
    EXPECT_EQ(output.padded_shape(), (Shape{1, 32, 32, 32}));
    EXPECT_THROWS_WITH(
        (void)ttnn::transpose(make(Shape{1, 1, 32, 64}, DataType::BFLOAT16, Layout::TILE), 2, 3, std::nullopt, 7.0F),
        "Non-zero padding 7 is not supported for any transpose other than HC.");
}

TEST_F(Transpose, RefusesWhatTtnnRefuses) {
    const Tensor input = make(Shape{1, 2, 32, 32}, DataType::BFLOAT16, Layout::TILE);
    EXPECT_THROWS_WITH((void)ttnn::permute(input, {0, 1, 2}), "does not match the length of the desired ordering (3)");
    EXPECT_THROWS_WITH((void)ttnn::permute(input, {0, 1, 2, 4}), "index out of range. 4 not in [-4, 4)");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::permute(input, {0, 1, 2, 2}), "dimension 2 appears more than once", "it takes a dimension twice");
    EXPECT_THROWS_WITH((void)ttnn::permute(input.cpu(), {0, 1, 3, 2}), "Tensor must already be on device");
    EXPECT_THROWS_WITH((void)ttnn::transpose(input.cpu(), 2, 3), "expect device tensors");
}

TEST_F(Transpose, ReplaysInATrace) {
    expect_same_in_trace(Shape{2, 3, 40, 64}, DataType::BFLOAT16, Layout::TILE, [](const Tensor& input) {
        return ttnn::transpose(input, 2, 3);
    });
    expect_same_in_trace(Shape{1, 128, 4, 32}, DataType::BFLOAT8_B, Layout::TILE, [](const Tensor& input) {
        return ttnn::permute(input, {0, 2, 1, 3});
    });
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/chunk/chunk.hpp>
#include <ttnn/operations/data_movement/concat/concat.hpp>
#include <ttnn/operations/data_movement/slice/slice.hpp>
#include <ttnn/operations/data_movement/split/split.hpp>

#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"
#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;
namespace torch_ref = zoo::test::torch_ref;
using Indices = ttsl::SmallVector<std::int32_t>;

Dims dims_of_indices(const Indices& values) { return Dims(values.begin(), values.end()); }

struct SliceCase {
    Shape shape;
    Indices begins;
    Indices ends;
    Indices steps;
};
void PrintTo(const SliceCase& test, std::ostream* out) {
    *out << test.shape << " from " << testing::PrintToString(test.begins) << " to " << testing::PrintToString(test.ends)
         << " by " << testing::PrintToString(test.steps);
}

class Slice : public Movement, public testing::WithParamInterface<SliceCase> {};

TEST_P(Slice, TakesTheRange) {
    const auto& [shape, begins, ends, steps] = GetParam();
    const Array expected =
        torch_ref::slice(numbers(shape), dims_of_indices(begins), dims_of_indices(ends), dims_of_indices(steps));
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
            const Tensor output = ttnn::slice(make(shape, dtype, layout), begins, ends, steps);
            EXPECT_EQ(dims_of(output.logical_shape()), expected.shape);
            EXPECT_EQ(output.layout(), layout);
            EXPECT_EQ(output.to_vector<float>(), expected.data);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Ranges, Slice,
    testing::Values(
        SliceCase{Shape{1, 1, 128, 96}, {0, 0, 32, 64}, {1, 1, 96, 96}, {1, 1, 1, 1}},
        SliceCase{Shape{2, 3, 128, 96}, {1, 0, 0, 0}, {2, 3, 1, 96}, {1, 1, 1, 1}},
        SliceCase{Shape{2, 3, 50, 70}, {0, 1, 3, 5}, {2, 3, 50, 61}, {1, 1, 1, 1}},
        SliceCase{Shape{2, 3, 50, 70}, {0, 0, 32, 32}, {2, 3, 50, 70}, {1, 1, 1, 1}},
        SliceCase{Shape{2, 4, 50, 70}, {0, 0, 1, 0}, {2, 4, 50, 70}, {1, 2, 3, 2}},
        SliceCase{Shape{50, 70}, {0, 0}, {7, 70}, {1, 1}},
        SliceCase{Shape{1, 384, 2}, {0, 0, 1}, {1, 384, 2}, {1, 1, 1}}),
    zoo::test::printed_name);

using SliceRules = Movement;

TEST_F(SliceRules, CountsNegativeIndicesFromTheEnd) {
    const Shape shape{2, 3, 64, 64};
    const Tensor output = ttnn::slice(
        make(shape, DataType::BFLOAT16, Layout::TILE), Indices{-1, 0, -32, 0}, Indices{2, -1, 64, 64},
        Indices{1, 1, 1, 1});
    EXPECT_EQ(output.to_vector<float>(), torch_ref::slice(numbers(shape), {1, 0, 32, 0}, {2, 2, 64, 64}).data);
}

TEST_F(SliceRules, TakesArraysAndAnOutputTensor) {
    const Shape shape{1, 1, 64, 64};
    const Tensor output = make(Shape{1, 1, 32, 64}, DataType::BFLOAT16, Layout::TILE);
    const Tensor result = ttnn::slice(
        make(shape, DataType::BFLOAT16, Layout::TILE), std::array<std::uint32_t, 4>{0, 0, 32, 0},
        std::array<std::uint32_t, 4>{1, 1, 64, 64}, std::array<std::uint32_t, 4>{1, 1, 1, 1}, std::nullopt, output);
    EXPECT_EQ(result.buffer()->address(), output.buffer()->address());
    EXPECT_EQ(output.to_vector<float>(), torch_ref::slice(numbers(shape), {0, 0, 32, 0}, {1, 1, 64, 64}).data);
}

TEST_F(SliceRules, BlockFloatsStayPackedOnTilesOnly) {
    const Shape shape{1, 1, 96, 96};
    const std::vector<float> values = small_numbers(shape.volume());
    const Tensor input = make(values, shape, DataType::BFLOAT8_B, Layout::TILE);
    const Array stored{dims_of(shape), values};
    const Tensor tiles = ttnn::slice(input, Indices{0, 0, 32, 64}, Indices{1, 1, 96, 96}, Indices{1, 1, 1, 1});
    EXPECT_EQ(tiles.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(tiles.to_vector<float>(), torch_ref::slice(stored, {0, 0, 32, 64}, {1, 1, 96, 96}).data);
    const Tensor rows = ttnn::slice(input, Indices{0, 0, 1, 0}, Indices{1, 1, 96, 96}, Indices{1, 1, 1, 1});
    EXPECT_EQ(rows.dtype(), DataType::BFLOAT16);
    EXPECT_EQ(rows.to_vector<float>(), torch_ref::slice(stored, {0, 0, 1, 0}, {1, 1, 96, 96}).data);
    EXPECT_THROWS_WITH(
        (void)ttnn::slice(input, Indices{0, 0, 0, 0}, Indices{1, 1, 96, 96}, Indices{1, 1, 2, 1}),
        "Strided slice is not supported for BFLOAT8 tensors");
}

TEST_F(SliceRules, ShardsShrinkWithTheShape) {
    const Shape shape{1, 1, 256, 64};
    const Tensor input =
        make(shape, DataType::BFLOAT16, Layout::TILE, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 64}, {3, 0}));
    const Tensor output = ttnn::slice(input, Indices{0, 0, 0, 0}, Indices{1, 1, 128, 32}, Indices{1, 1, 1, 1});
    EXPECT_EQ(output.memory_config(), sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 32}, {3, 0}));
    EXPECT_EQ(output.to_vector<float>(), torch_ref::slice(numbers(shape), {0, 0, 0, 0}, {1, 1, 128, 32}).data);
}

TEST_F(SliceRules, RefusesWhatTtnnRefuses) {
    const Tensor input = make(Shape{1, 1, 64, 64}, DataType::BFLOAT16, Layout::TILE);
    EXPECT_THROWS_WITH(
        (void)ttnn::slice(input, Indices{0, 0, 0}, Indices{1, 1, 64}, Indices{1, 1, 1}), "Input rank 4 and begins 3");
    EXPECT_THROWS_WITH(
        (void)ttnn::slice(input, Indices{0, 0, 40, 0}, Indices{1, 1, 32, 64}, Indices{1, 1, 1, 1}),
        "End 32 must be greater than or equal to start 40");
    EXPECT_THROWS_WITH(
        (void)ttnn::slice(input, Indices{0, 0, 0, 0}, Indices{1, 1, 65, 64}, Indices{1, 1, 1, 1}),
        "Ends 65 must be less than or equal to the shape of the tensor 64");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::slice(input, Indices{0, 0, 0, 0}, Indices{1, 1, 64, 64}, Indices{1, 1, 0, 1}),
        "Step(2) = 0 should be positive", "it divides by the step, and the process ends");
}

struct ConcatCase {
    std::vector<Shape> shapes;
    int dim;
};
void PrintTo(const ConcatCase& test, std::ostream* out) {
    *out << testing::PrintToString(test.shapes) << " along " << test.dim;
}

class Concat : public Movement, public testing::WithParamInterface<ConcatCase> {};

TEST_P(Concat, PutsTensorsAfterOneAnother) {
    const auto& [shapes, dim] = GetParam();
    std::vector<Array> parts;
    for (const Shape& shape : shapes) {
        parts.push_back(numbers(shape));
        parts.back().data.front() = 2.0F + static_cast<float>(parts.size());
    }
    const Array expected = torch_ref::concat(parts, dim);
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
            std::vector<Tensor> tensors;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                tensors.push_back(make(parts[i].data, shapes[i], dtype, layout));
            }
            const Tensor output = ttnn::concat(tensors, dim);
            EXPECT_EQ(dims_of(output.logical_shape()), expected.shape);
            EXPECT_EQ(output.layout(), layout);
            EXPECT_EQ(output.to_vector<float>(), expected.data);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Concat,
    testing::Values(
        ConcatCase{{Shape{1, 1, 32, 64}, Shape{1, 1, 32, 96}}, 3},
        ConcatCase{{Shape{1, 1, 32, 64}, Shape{1, 1, 64, 64}, Shape{1, 1, 32, 64}}, -2},
        ConcatCase{{Shape{2, 1, 33, 70}, Shape{2, 3, 33, 70}}, 1},
        ConcatCase{{Shape{2, 3, 33, 70}, Shape{1, 3, 33, 70}}, 0},
        ConcatCase{{Shape{2, 3, 33, 70}, Shape{2, 3, 33, 5}}, 3},
        ConcatCase{{Shape{2, 3, 33, 70}, Shape{2, 3, 1, 70}}, 2}, ConcatCase{{Shape{33, 7}, Shape{33, 9}}, -1},
        ConcatCase{{Shape{40}, Shape{9}}, 0}),
    zoo::test::printed_name);

using ConcatRules = Movement;

TEST_F(ConcatRules, JoinsManyTensorsInBatches) {
    const Shape shape{1, 1, 32, 32};
    const std::vector<Tensor> tensors(100, make(shape, DataType::BFLOAT16, Layout::TILE));
    EXPECT_EQ(
        ttnn::concat(tensors, 2).to_vector<float>(),
        torch_ref::concat(std::vector<Array>(100, numbers(shape)), 2).data);
}

TEST_F(ConcatRules, JoinsShardsAndBlockFloats) {
    const Shape shape{1, 1, 128, 32};
    const std::vector<float> values = small_numbers(shape.volume());
    const Array stored{dims_of(shape), values};
    const MemoryConfig memory = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 32}, {3, 0});
    const MemoryConfig wide = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {3, 0});
    for (const DataType dtype : {DataType::BFLOAT16, DataType::BFLOAT8_B}) {
        const Tensor tensor = make(values, shape, dtype, Layout::TILE, memory);
        const Tensor output = ttnn::concat({tensor, tensor}, 3, wide);
        EXPECT_EQ(output.memory_config(), wide);
        EXPECT_EQ(output.to_vector<float>(), torch_ref::concat({stored, stored}, 3).data);
        const Tensor interleaved = ttnn::concat({tensor, tensor}, 3);
        EXPECT_EQ(interleaved.memory_config(), ttnn::DRAM_MEMORY_CONFIG);
        EXPECT_EQ(interleaved.to_vector<float>(), output.to_vector<float>());
    }
}

TEST_F(ConcatRules, InterleavesGroups) {
    const Shape shape{1, 1, 64, 32};
    const MemoryConfig memory = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 32}, {1, 0});
    const MemoryConfig wide = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {1, 0});
    Array second = numbers(shape);
    for (float& value : second.data) {
        value = -value;
    }
    const Tensor output = ttnn::concat(
        {make(shape, DataType::BFLOAT16, Layout::ROW_MAJOR, memory),
         make(second.data, shape, DataType::BFLOAT16, Layout::ROW_MAJOR, memory)},
        3, wide, std::nullopt, 2);
    const std::vector<Array> a = torch_ref::split(numbers(shape), 16, 3);
    const std::vector<Array> b = torch_ref::split(second, 16, 3);
    EXPECT_EQ(output.to_vector<float>(), torch_ref::concat({a[0], b[0], a[1], b[1]}, 3).data);
}

TEST_F(ConcatRules, RefusesWhatTtnnRefuses) {
    const Tensor tiles = make(Shape{1, 1, 64, 64}, DataType::BFLOAT16, Layout::TILE);
    const Tensor floats = make(Shape{1, 1, 64, 64}, DataType::FLOAT32, Layout::TILE);
    const MemoryConfig height = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {1, 0});
    const Tensor shards = make(Shape{1, 1, 64, 64}, DataType::BFLOAT16, Layout::TILE, height);
    EXPECT_THROWS_WITH((void)ttnn::concat({}, 0), "expected a non-empty list of Tensors!");
    EXPECT_THROWS_WITH(
        (void)ttnn::concat({tiles, tiles}, 0, std::nullopt, tiles), "optional output tensor currently unsupported!");
    EXPECT_THROWS_WITH(
        (void)ttnn::concat({tiles, floats}, 3), "All Tensors should have same dtypes (BFLOAT16 and FLOAT32 given)");
    EXPECT_THROWS_WITH(
        (void)ttnn::concat({tiles, make(Shape{1, 1, 32, 64}, DataType::BFLOAT16, Layout::TILE)}, 3),
        "All dimensions must be the same size except");
    EXPECT_THROWS_WITH(
        (void)ttnn::concat({shards, tiles}, 3), "All tensors must be sharded or all must be interleaved");
    EXPECT_THROWS_WITH(
        (void)ttnn::concat({shards, shards}, 2, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 64}, {1, 0})),
        "Only support height concat on width-sharded or block-sharded tensors.");
    EXPECT_THROWS_WITH(
        (void)ttnn::concat({shards, shards}, 3, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 128}, {3, 0})),
        "Sharded output and inputs must have the same grid.");
}

using SplitRules = Movement;

TEST_F(SplitRules, SplitsAndChunks) {
    const Shape shape{1, 2, 100, 96};
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        const Tensor input = make(shape, DataType::BFLOAT16, layout);
        const std::vector<Array> expected = torch_ref::split(numbers(shape), 40, 2);
        const std::vector<Tensor> parts = ttnn::split(input, 40, 2);
        ASSERT_EQ(parts.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(parts[i].to_vector<float>(), expected[i].data);
        }
        const std::vector<Tensor> three = ttnn::chunk(input, 3, -1);
        const std::vector<Tensor> sized = ttnn::split(input, ttsl::SmallVector<std::int64_t>{32, 64}, -1);
        ASSERT_EQ(three.size(), 3u);
        EXPECT_EQ(three[2].to_vector<float>(), torch_ref::split(numbers(shape), 32, 3)[2].data);
        EXPECT_EQ(sized[1].logical_shape(), (Shape{1, 2, 100, 64}));
        EXPECT_THROWS_WITH(
            (void)ttnn::split(input, ttsl::SmallVector<std::int64_t>{32, 32}, -1),
            "split sizes sum to 64, but dimension 3");
        EXPECT_THROWS_WITH(
            (void)ttnn::split(input, std::int64_t{0}, -1), "split_size must be greater than 0, but got: 0");
        EXPECT_THROWS_WITH((void)ttnn::chunk(input, 0, -1), "Number of chunks must be greater than zero");
    }
}

TEST_F(SplitRules, ReplaysInATrace) {
    expect_same_in_trace(Shape{1, 1, 64, 96}, DataType::BFLOAT16, Layout::TILE, [](const Tensor& input) {
        const std::vector<Tensor> parts = ttnn::split(input, 32, 3);
        return ttnn::concat({parts[2], parts[0]}, 3);
    });
}

}  // namespace

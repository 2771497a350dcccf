// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/expand/expand.hpp>
#include <ttnn/operations/data_movement/pad/pad.hpp>
#include <ttnn/operations/data_movement/repeat/repeat.hpp>
#include <ttnn/operations/data_movement/repeat_interleave/repeat_interleave.hpp>
#include <ttnn/operations/data_movement/untilize/untilize.hpp>

#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"
#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;
namespace torch_ref = zoo::test::torch_ref;
using Padding = ttsl::SmallVector<std::array<std::uint32_t, 2>>;

using Pad = Movement;

TEST_F(Pad, PutsRowsOnAnySide) {
    const Shape shape{1, 2, 5, 16};
    // The card makes the 32 bits of a FLOAT32 from a bfloat16 and the same again, 0x41104110 for 9.
    for (const auto& [dtype, filled] : {std::pair{DataType::BFLOAT16, 9.0F}, {DataType::FLOAT32, 0x1.20822p+3F}}) {
        const Tensor output =
            ttnn::pad(make(shape, dtype, Layout::ROW_MAJOR), Padding{{0, 0}, {1, 0}, {2, 3}, {16, 8}}, 9.0F);
        EXPECT_EQ(
            output.to_vector<float>(), torch_ref::pad(numbers(shape), {{0, 0}, {1, 0}, {2, 3}, {16, 8}}, filled).data);
    }
}

TEST_F(Pad, PutsTilesAtTheEnd) {
    const Shape shape{1, 2, 50, 33};
    for (const auto& [down, across] : {std::pair{3, 5}, {14, 31}, {40, 0}, {0, 70}}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B}) {
            const std::vector<float> values = small_numbers(shape.volume());
            const Tensor output = ttnn::pad(
                make(values, shape, dtype, Layout::TILE),
                Padding{{0, static_cast<std::uint32_t>(down)}, {0, static_cast<std::uint32_t>(across)}}, 64.0F);
            EXPECT_EQ(output.dtype(), dtype);
            EXPECT_EQ(
                output.to_vector<float>(),
                torch_ref::pad(Array{dims_of(shape), values}, {{0, 0}, {0, 0}, {0, down}, {0, across}}, 64.0F).data);
        }
    }
}

TEST_F(Pad, TakesAnOutputShape) {
    const Shape shape{1, 2, 30, 16};
    const Tensor output = ttnn::pad(
        make(shape, DataType::BFLOAT16, Layout::ROW_MAJOR), ttnn::Array4D{1, 4, 32, 32}, ttnn::Array4D{0, 1, 2, 0},
        0.0F);
    EXPECT_EQ(output.to_vector<float>(), torch_ref::pad(numbers(shape), {{0, 0}, {1, 1}, {2, 0}, {0, 16}}).data);
}

TEST_F(Pad, WidensHeightShards) {
    const Shape shape{1, 1, 64, 16};
    const Tensor output = ttnn::pad(
        make(
            shape, DataType::BFLOAT16, Layout::ROW_MAJOR,
            sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 16}, {1, 0})),
        Padding{{0, 16}}, 1.0F);
    EXPECT_EQ(output.memory_config(), sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 32}, {1, 0}));
    EXPECT_EQ(output.to_vector<float>(), torch_ref::pad(numbers(shape), {{0, 0}, {0, 0}, {0, 0}, {0, 16}}, 1.0F).data);
}

// Wider first, with the value itself, then higher, with the bits of two bfloat16.
TEST_F(Pad, GrowsHeightShardsInTwoSteps) {
    const Shape shape{1, 1, 64, 16};
    const Tensor output = ttnn::pad(
        make(
            shape, DataType::FLOAT32, Layout::ROW_MAJOR, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 16}, {1, 0})),
        Padding{{0, 64}, {0, 16}}, 9.0F);
    EXPECT_EQ(output.memory_config(), sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 32}, {1, 0}));
    const Array wider = torch_ref::pad(numbers(shape), {{0, 0}, {0, 0}, {0, 0}, {0, 16}}, 9.0F);
    EXPECT_EQ(output.to_vector<float>(), torch_ref::pad(wider, {{0, 0}, {0, 0}, {0, 64}, {0, 0}}, 0x1.20822p+3F).data);
}

TEST_F(Pad, RefusesWhatTtnnRefuses) {
    const Tensor tiles = make(Shape{1, 1, 32, 32}, DataType::BFLOAT16, Layout::TILE);
    const Tensor deep = make(Shape{2, 1, 1, 2, 16}, DataType::BFLOAT16, Layout::ROW_MAJOR);
    EXPECT_THROWS_WITH(
        (void)ttnn::pad(tiles, Padding{{0, 0}, {32, 0}}, 0.0F),
        "on device tile padding does not support front padding");
    EXPECT_THROWS_WITH(
        (void)ttnn::pad(tiles, Padding(5, {0, 1}), 0.0F),
        "padding len can't be larger than input tensor rank (5 and 4)");
    EXPECT_THROWS_WITH(
        (void)ttnn::pad(deep, Padding{{0, 1}, {0, 0}, {0, 0}, {0, 0}}, 0.0F),
        "only supports padding on the lowest 3 dimensions for tensors with rank > 4");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::pad(tiles, ttnn::Array4D{1, 1, 16, 32}, ttnn::Array4D{0, 0, 0, 0}, 0.0F),
        "Output size cannot fit input with offset", "it counts in whole tiles, of which these are the same");
}

struct RepeatCase {
    Shape shape;
    ttsl::SmallVector<std::uint32_t> counts;
};
void PrintTo(const RepeatCase& test, std::ostream* out) {
    *out << test.shape << " by " << testing::PrintToString(test.counts);
}

class Repeat : public Movement, public testing::WithParamInterface<RepeatCase> {};

TEST_P(Repeat, RepeatsDimensions) {
    const auto& [shape, counts] = GetParam();
    const Array values{dims_of(shape), small_numbers(shape.volume())};
    const Array expected = torch_ref::repeat(values, Dims(counts.begin(), counts.end()));
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B}) {
            if (dtype == DataType::BFLOAT8_B && layout == Layout::ROW_MAJOR) {
                continue;
            }
            const Tensor output = ttnn::repeat(make(values.data, shape, dtype, layout), counts);
            EXPECT_EQ(dims_of(output.logical_shape()), expected.shape);
            EXPECT_EQ(output.dtype(), dtype);
            EXPECT_EQ(output.to_vector<float>(), expected.data);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Repeat,
    testing::Values(
        RepeatCase{Shape{1, 2, 32, 64}, {2, 1, 3, 2}}, RepeatCase{Shape{1, 2, 33, 40}, {3, 2, 1, 1}},
        RepeatCase{Shape{1, 2, 33, 40}, {1, 1, 2, 3}}, RepeatCase{Shape{33, 40}, {2, 1, 2}},
        RepeatCase{Shape{1, 1, 1, 384}, {1, 1, 5, 1}}),
    zoo::test::printed_name);

using RepeatRules = Movement;

TEST_F(RepeatRules, ExpandsAndInterleaves) {
    const Tensor input = make(Shape{1, 3, 1, 33}, DataType::BFLOAT16, Layout::TILE);
    const Tensor expanded = ttnn::expand(input, std::vector<std::int32_t>{2, -1, 4, 33});
    EXPECT_EQ(expanded.to_vector<float>(), torch_ref::expand(numbers(Shape{1, 3, 1, 33}), {2, 3, 4, 33}).data);
    EXPECT_THROWS_WITH(
        (void)ttnn::expand(input, std::vector<std::int32_t>{1, 6, 1, 33}), "Only size 1 dimensions can be expanded");
    const Tensor pairs = ttnn::repeat_interleave(input, 2, 1);
    const std::vector<Array> rows = torch_ref::split(numbers(Shape{1, 3, 1, 33}), 1, 1);
    EXPECT_EQ(
        pairs.to_vector<float>(), torch_ref::concat({rows[0], rows[0], rows[1], rows[1], rows[2], rows[2]}, 1).data);
    EXPECT_EQ(ttnn::repeat_interleave(input, 3, -1).logical_shape(), (Shape{1, 3, 1, 99}));
    EXPECT_THROWS_WITH((void)ttnn::repeat(input, {1, 1, 1, 2}, std::nullopt, "fast"), "not \"fast\"");
}

TEST_F(RepeatRules, WritesIntoAnOutputTensor) {
    const Shape shape{1, 1, 32, 32};
    const Tensor output = make(Shape{1, 2, 32, 32}, DataType::BFLOAT16, Layout::TILE);
    const Tensor result =
        ttnn::repeat(make(shape, DataType::BFLOAT16, Layout::TILE), {1, 2, 1, 1}, std::nullopt, "auto", output);
    EXPECT_EQ(result.buffer()->address(), output.buffer()->address());
    EXPECT_EQ(output.to_vector<float>(), torch_ref::repeat(numbers(shape), {1, 2, 1, 1}).data);
    EXPECT_THROWS_WITH(
        (void)ttnn::repeat(make(shape, DataType::BFLOAT16, Layout::TILE), {1, 3, 1, 1}, std::nullopt, "auto", output),
        "optional output shape mismatch");
}

TEST_F(RepeatRules, ReplaysInATrace) {
    expect_same_in_trace(Shape{1, 1, 30, 64}, DataType::BFLOAT16, Layout::TILE, [](const Tensor& input) {
        return ttnn::repeat(ttnn::pad(input, Padding{{0, 34}, {0, 0}}, 1.0F), Shape{1, 2, 1, 1});
    });
}

}  // namespace

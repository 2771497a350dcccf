// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/data_movement/fill_pad/fill_pad.hpp>
#include <ttnn/operations/data_movement/tilize/tilize.hpp>
#include <ttnn/operations/data_movement/tilize_with_val_padding/tilize_with_val_padding.hpp>
#include <ttnn/operations/data_movement/untilize/untilize.hpp>
#include <ttnn/operations/data_movement/untilize_with_unpadding/untilize_with_unpadding.hpp>

#include "support/printed_name.hpp"
#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;

class ToLayout : public Movement, public testing::WithParamInterface<Shape> {};

TEST_P(ToLayout, GoesThereAndBack) {
    const Shape& shape = GetParam();
    const std::vector<float> values = numbers(shape).data;
    for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
        const Tensor rows = make(shape, dtype, Layout::ROW_MAJOR);
        const Tensor tiles = ttnn::to_layout(rows, Layout::TILE);
        EXPECT_EQ(tiles.layout(), Layout::TILE);
        EXPECT_EQ(tiles.logical_shape(), shape);
        EXPECT_EQ(tiles.to_vector<float>(), values);
        const Tensor back = ttnn::to_layout(tiles, Layout::ROW_MAJOR);
        EXPECT_EQ(back.layout(), Layout::ROW_MAJOR);
        EXPECT_EQ(back.padded_shape(), shape);
        EXPECT_EQ(back.to_vector<float>(), values);
    }
}

TEST_P(ToLayout, MovesIntegers) {
    const Shape& shape = GetParam();
    std::vector<std::uint32_t> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint32_t>(i * 2654435761U);
    }
    const Tensor rows = Tensor::from_vector(values, spec_of(shape, DataType::UINT32, Layout::ROW_MAJOR), device_.get());
    const Tensor tiles = ttnn::to_layout(rows, Layout::TILE);
    EXPECT_EQ(tiles.to_vector<std::uint32_t>(), values);
    EXPECT_EQ(ttnn::to_layout(tiles, Layout::ROW_MAJOR).to_vector<std::uint32_t>(), values);
}

TEST_P(ToLayout, PacksBlockFloatsOnTheWay) {
    const Shape& shape = GetParam();
    const std::vector<float> values = small_numbers(shape.volume());
    const Tensor packed =
        ttnn::to_layout(make(values, shape, DataType::BFLOAT16, Layout::ROW_MAJOR), Layout::TILE, DataType::BFLOAT8_B);
    EXPECT_EQ(packed.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(packed.to_vector<float>(), values);
    const Tensor rows = ttnn::to_layout(packed, Layout::ROW_MAJOR);
    EXPECT_EQ(rows.dtype(), DataType::BFLOAT16);
    EXPECT_EQ(rows.to_vector<float>(), values);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ToLayout,
    testing::Values(
        Shape{1, 1, 64, 96}, Shape{2, 3, 33, 70}, Shape{8, 128, 768}, Shape{1, 384}, Shape{40}, Shape{2, 1, 3, 5, 7}),
    zoo::test::printed_name);

using Layouts = Movement;

TEST_F(Layouts, FillsThePaddingWithTheValueGiven) {
    const Tensor tiles = ttnn::to_layout(
        make(Shape{1, 1, 30, 31}, DataType::BFLOAT16, Layout::ROW_MAJOR), Layout::TILE, std::nullopt, std::nullopt,
        std::nullopt, 5.0F);
    // Row 0 of the tile without its padding is 31 numbers; what follows is the value.
    const Tensor whole = ttnn::untilize_with_unpadding(tiles, Shape{0, 0, 31, 31});
    const std::vector<float> stored = whole.to_vector<float>();
    EXPECT_EQ(stored[30], 31.0F);
    EXPECT_EQ(stored[31], 5.0F);
    EXPECT_EQ(stored[31 * 32], 5.0F);
    const std::vector<float> refilled =
        ttnn::untilize_with_unpadding(ttnn::fill_implicit_tile_padding(tiles, 7.0F), Shape{0, 0, 31, 31})
            .to_vector<float>();
    EXPECT_EQ(refilled[30], 31.0F);
    EXPECT_EQ(refilled[31], 7.0F);
    EXPECT_EQ(refilled[30 * 32 + 4], 7.0F);
}

TEST_F(Layouts, FillsPaddingInPlaceAndKeepsUnpaddedTensors) {
    const Tensor padded = make(Shape{1, 1, 30, 31}, DataType::BFLOAT16, Layout::TILE);
    EXPECT_EQ(ttnn::fill_implicit_tile_padding(padded, 1.0F).buffer()->address(), padded.buffer()->address());
    const Tensor packed = make(Shape{1, 1, 30, 31}, DataType::BFLOAT8_B, Layout::TILE);
    EXPECT_NE(ttnn::fill_implicit_tile_padding(packed, 1.0F).buffer()->address(), packed.buffer()->address());
    EXPECT_THROWS_WITH(
        (void)ttnn::fill_implicit_tile_padding(make(Shape{1, 1, 30, 31}, DataType::BFLOAT16, Layout::ROW_MAJOR), 1.0F),
        "FillPad should only be used for tile layout");
}

TEST_F(Layouts, KeepShards) {
    const Shape shape{1, 1, 128, 64};
    for (const MemoryConfig& memory :
         {sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {3, 0}),
          sharded(TensorMemoryLayout::WIDTH_SHARDED, {128, 32}, {1, 0}),
          sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 32}, {1, 1})}) {
        const Tensor tiles = ttnn::to_layout(make(shape, DataType::BFLOAT16, Layout::ROW_MAJOR, memory), Layout::TILE);
        EXPECT_EQ(tiles.memory_config(), memory);
        EXPECT_EQ(tiles.to_vector<float>(), numbers(shape).data);
        const Tensor rows = ttnn::to_layout(tiles, Layout::ROW_MAJOR);
        EXPECT_EQ(rows.memory_config(), memory);
        EXPECT_EQ(rows.to_vector<float>(), numbers(shape).data);
        EXPECT_EQ(
            ttnn::to_layout(tiles, Layout::ROW_MAJOR, std::nullopt, ttnn::DRAM_MEMORY_CONFIG).to_vector<float>(),
            numbers(shape).data);
    }
}

// The output's memory config must do for tiles, whichever way the conversion goes.
TEST_F(Layouts, ShardsOfTheOutputAreWholeTiles) {
    const MemoryConfig odd = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {30, 16}, {1, 0});
    const Tensor rows = make(Shape{1, 1, 60, 16}, DataType::BFLOAT16, Layout::ROW_MAJOR, odd);
    EXPECT_THROWS_WITH((void)ttnn::to_layout(rows, Layout::TILE), "Physical shard shape (30, 16) must be tile");
    const Tensor tiles = make(Shape{1, 1, 60, 16}, DataType::BFLOAT16, Layout::TILE);
    EXPECT_THROWS_WITH(
        (void)ttnn::to_layout(tiles, Layout::ROW_MAJOR, std::nullopt, odd),
        "Physical shard shape (30, 16) must be tile");
}

TEST_F(Layouts, PaddingOfHeightShardsBecomesPartOfTheShape) {
    const MemoryConfig tall = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {1, 0});
    const Tensor rows = make(Shape{1, 1, 60, 64}, DataType::BFLOAT16, Layout::ROW_MAJOR, tall);
    const Tensor tiles = ttnn::to_layout(rows, Layout::TILE);
    EXPECT_EQ(tiles.logical_shape(), (Shape{1, 1, 64, 64}));
    EXPECT_EQ(tiles.memory_config(), tall);
    EXPECT_EQ(tiles.to_vector<float>()[64], 65.0F);
    EXPECT_EQ(tiles.to_vector<float>()[60 * 64], 0.0F);
}

TEST_F(Layouts, UnpadsHeightShards) {
    const Shape shape{2, 2, 30, 40};
    const Tensor tiles =
        make(shape, DataType::BFLOAT16, Layout::TILE, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 64}, {1, 0}));
    const Tensor rows = ttnn::to_layout(tiles, Layout::ROW_MAJOR);
    EXPECT_EQ(rows.memory_config(), sharded(TensorMemoryLayout::HEIGHT_SHARDED, {60, 40}, {1, 0}));
    EXPECT_EQ(rows.to_vector<float>(), numbers(shape).data);
}

// In L1 it takes one kernel for bfloat16 rows that are not too wide, which leaves the padding out, and another for the rest.
TEST_F(Layouts, UntilizeInL1KeepsThePaddingOfSome) {
    struct Case {
        Shape shape;
        DataType dtype;
        Shape padded;
    };
    for (const auto& [shape, dtype, padded] :
         {Case{Shape{1, 1, 30, 31}, DataType::BFLOAT16, Shape{1, 1, 30, 31}},
          Case{Shape{1, 1, 64, 31}, DataType::BFLOAT16, Shape{1, 1, 64, 31}},
          Case{Shape{1, 1, 30, 31}, DataType::FLOAT32, Shape{1, 1, 32, 32}},
          Case{Shape{1, 1, 30, 31}, DataType::BFLOAT8_B, Shape{1, 1, 32, 32}},
          Case{Shape{1, 1, 2, 195 * 32}, DataType::BFLOAT16, Shape{1, 1, 2, 195 * 32}},
          Case{Shape{1, 1, 2, 196 * 32}, DataType::BFLOAT16, Shape{1, 1, 32, 196 * 32}}}) {
        const Tensor rows = ttnn::untilize(make(shape, dtype, Layout::TILE, ttnn::L1_MEMORY_CONFIG));
        EXPECT_EQ(rows.logical_shape(), shape);
        EXPECT_EQ(rows.padded_shape(), padded);
        EXPECT_EQ(rows.memory_config(), ttnn::L1_MEMORY_CONFIG);
    }
    const Tensor tiles = make(Shape{1, 1, 30, 31}, DataType::BFLOAT16, Layout::TILE, ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(ttnn::untilize(tiles).to_vector<float>(), numbers(Shape{30, 31}).data);
}

TEST_F(Layouts, RefuseWhatTtnnRefuses) {
    const Tensor rows = make(Shape{1, 1, 30, 31}, DataType::BFLOAT16, Layout::ROW_MAJOR);
    const Tensor tiles = make(Shape{1, 1, 32, 32}, DataType::BFLOAT16, Layout::TILE);
    EXPECT_EQ(ttnn::to_layout(tiles, Layout::TILE).buffer()->address(), tiles.buffer()->address());
    EXPECT_THROWS_WITH(
        (void)ttnn::to_layout(tiles, Layout::ROW_MAJOR, DataType::FLOAT32),
        "dtype cannot be different from tensor dtype");
    EXPECT_THROWS_WITH((void)ttnn::to_layout(tiles, Layout::INVALID), "Unsupported layout conversion");
    EXPECT_THROWS_WITH((void)ttnn::tilize(rows), "Input tensor width (31) must be divisible by tile width (32)");
    EXPECT_THROWS_WITH((void)ttnn::tilize(tiles), "Can only tilize row major data");
    EXPECT_THROWS_WITH((void)ttnn::untilize(rows), "Can only untilize tile major data");
    EXPECT_THROWS_WITH(
        (void)ttnn::untilize_with_unpadding(rows, Shape{0, 0, 1, 1}), "Can only untilize tile major data");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::untilize_with_unpadding(tiles, Shape{0, 0, 32, 1}), "is outside the padded shape [1, 1, 32, 32]",
        "it takes the corner as it is");
    EXPECT_THROWS_WITH(
        (void)ttnn::tilize_with_val_padding(rows, Shape{1, 1, 32, 40}, 0.0F),
        "must be divisible by tile size (32, 32)");
    EXPECT_THROWS_WITH(
        (void)ttnn::tilize_with_val_padding(
            make(Shape{1, 1, 40, 31}, DataType::BFLOAT16, Layout::ROW_MAJOR), Shape{1, 1, 32, 32}, 0.0F),
        "but is smaller in dimension 2");
    EXPECT_THROWS_WITH(
        (void)ttnn::to_layout(
            make(
                Shape{1, 1, 64, 64}, DataType::BFLOAT16, Layout::ROW_MAJOR,
                sharded(TensorMemoryLayout::HEIGHT_SHARDED, {16, 64}, {3, 0})),
            Layout::TILE, std::nullopt, ttnn::DRAM_MEMORY_CONFIG),
        "Sharded tensor must have shard shape that is a multiple of TILE_SIZE!");
    EXPECT_THROWS_WITH(
        (void)ttnn::to_layout(
            make(
                Shape{2, 2, 32, 64}, DataType::BFLOAT8_B, Layout::TILE,
                sharded(TensorMemoryLayout::WIDTH_SHARDED, {128, 32}, {1, 0})),
            Layout::ROW_MAJOR, DataType::BFLOAT4_B),
        "dtype cannot be different");
}

TEST_F(Layouts, ReplayInATrace) {
    expect_same_in_trace(Shape{1, 2, 30, 40}, DataType::BFLOAT16, Layout::ROW_MAJOR, [](const Tensor& input) {
        return ttnn::to_layout(ttnn::to_layout(input, Layout::TILE, DataType::BFLOAT8_B), Layout::ROW_MAJOR);
    });
}

}  // namespace

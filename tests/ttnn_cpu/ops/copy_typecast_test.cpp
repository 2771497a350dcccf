// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/data_movement/clone/clone.hpp>
#include <ttnn/operations/data_movement/copy/copy.hpp>
#include <ttnn/operations/data_movement/move/move.hpp>

#include <cmath>
#include <limits>

#include "support/golden_file.hpp"
#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class GoldenTypecast : public Movement, public testing::WithParamInterface<std::string> {};

TEST_P(GoldenTypecast, MatchesTheCardBitForBit) {
    const zoo::testing::GoldenFile golden = zoo::testing::read_golden(GetParam());
    const auto& input = golden.at("in0");
    const auto& expected = golden.at("out").values;
    const Shape shape{static_cast<std::uint32_t>(input.shape[0]), static_cast<std::uint32_t>(input.shape[1])};
    const DataType dtype = golden.args.at("to") == "BFLOAT8_B" ? DataType::BFLOAT8_B : DataType::BFLOAT4_B;
    const Tensor output = ttnn::typecast(make(input.values, shape, DataType::BFLOAT16, Layout::TILE), dtype);
    EXPECT_EQ(output.dtype(), dtype);
    const std::vector<float> actual = output.to_vector<float>();
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(actual[i]), std::bit_cast<std::uint32_t>(expected[i])) << "at " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GoldenTypecast, testing::ValuesIn(zoo::testing::golden_names("format.typecast.")), [](const auto& tested) {
        std::string name = tested.param;
        std::replace(name.begin(), name.end(), '.', '_');
        return name;
    });

using Typecast = Movement;

std::vector<float> tile_of(std::vector<float> values) {
    values.resize(1024, 0.0F);
    return values;
}

std::vector<float> first(const Tensor& tensor, std::size_t count) {
    std::vector<float> values = tensor.to_vector<float>();
    values.resize(count);
    return values;
}

template <typename T>
std::vector<T> first_of(const Tensor& tensor, std::size_t count) {
    std::vector<T> values = tensor.to_vector<T>();
    values.resize(count);
    return values;
}

const Shape kTile{1, 1, 32, 32};

TEST_F(Typecast, Float32ToBfloat16RoundsToEven) {
    // Halfway cases: 1 + 2^-8 goes down to the even 1, 1 + 3 * 2^-8 up to 1 + 2^-6.
    const Tensor input = make(
        tile_of({1.00390625F, 1.01171875F, -1.01171875F, 1.0039064F, kInfinity}), kTile, DataType::FLOAT32,
        Layout::TILE);
    EXPECT_EQ(
        first(ttnn::typecast(input, DataType::BFLOAT16), 5),
        (std::vector<float>{1.0F, 1.015625F, -1.015625F, 1.0078125F, kInfinity}));
}

TEST_F(Typecast, FloatsToIntegers) {
    const std::vector<float> values{0.0F, 0.5F, 1.5F, 2.9F, -2.9F, 3e9F, -3e9F, 70000.0F};
    const Tensor input = make(tile_of(values), kTile, DataType::FLOAT32, Layout::TILE);
    EXPECT_EQ(
        first_of<std::int32_t>(ttnn::typecast(input, DataType::INT32), 8),
        (std::vector<std::int32_t>{0, 0, 1, 2, -2, INT32_MIN, INT32_MIN, 70000}));
    EXPECT_EQ(
        first_of<std::uint32_t>(ttnn::typecast(input, DataType::UINT32), 8),
        (std::vector<std::uint32_t>{0, 0, 1, 2, 0, 3000000000U, 0, 70000}));
    EXPECT_EQ(
        first_of<std::uint16_t>(ttnn::typecast(input, DataType::UINT16), 8),
        (std::vector<std::uint16_t>{0, 1, 2, 3, 0, 65535, 0, 65535}));
}

TEST_F(Typecast, IntegersToFloatsAndIntegers) {
    std::vector<std::int32_t> values{0, 1, -7, 257, 259, 16777217, -70000};
    values.resize(1024, 0);
    const Tensor input = Tensor::from_vector(values, spec_of(kTile, DataType::INT32, Layout::TILE), device_.get());
    EXPECT_EQ(
        first(ttnn::typecast(input, DataType::FLOAT32), 7),
        (std::vector<float>{0.0F, 1.0F, -7.0F, 257.0F, 259.0F, 16777216.0F, -70000.0F}));
    // 257 lies between 256 and 258, 259 between 258 and 260: both go away from zero.
    EXPECT_EQ(
        first(ttnn::typecast(input, DataType::BFLOAT16), 5), (std::vector<float>{0.0F, 1.0F, -7.0F, 258.0F, 260.0F}));
    EXPECT_EQ(
        first_of<std::uint16_t>(ttnn::typecast(input, DataType::UINT16), 7),
        (std::vector<std::uint16_t>{0, 1, 0, 257, 259, 65535, 0}));
    const Tensor shorts = ttnn::typecast(input, DataType::UINT16);
    EXPECT_EQ(
        first_of<std::uint32_t>(ttnn::typecast(shorts, DataType::UINT32), 5),
        (std::vector<std::uint32_t>{0, 1, 0, 257, 259}));
    EXPECT_EQ(first(ttnn::typecast(shorts, DataType::BFLOAT8_B), 3), (std::vector<float>{0.0F, 0.0F, 0.0F}));
}

TEST_F(Typecast, BlockFloatsUnpackExactly) {
    const std::vector<float> values = small_numbers(1024);
    const Tensor packed = make(values, kTile, DataType::BFLOAT8_B, Layout::TILE);
    EXPECT_EQ(ttnn::typecast(packed, DataType::BFLOAT16).to_vector<float>(), values);
    EXPECT_EQ(ttnn::typecast(packed, DataType::FLOAT32).to_vector<float>(), values);
    EXPECT_EQ(ttnn::typecast(packed, DataType::BFLOAT8_B).to_vector<float>(), values);
    const Tensor small = ttnn::typecast(packed, DataType::BFLOAT4_B);
    EXPECT_EQ(ttnn::typecast(small, DataType::BFLOAT16).to_vector<float>(), small.to_vector<float>());
}

TEST_F(Typecast, PrecisePackingDiffersFromPlainPacking) {
    // In bfloat16 the last bit of 1.0078125 is beyond bfloat8_b; beside 4 it is beyond any rounding but the first.
    std::vector<float> values(1024, 4.0F);
    for (std::size_t i = 1; i < 1024; i += 2) {
        values[i] = 1.0F + static_cast<float>(i % 64) / 128;
    }
    const Tensor input = make(values, kTile, DataType::BFLOAT16, Layout::TILE);
    const Tensor precise = ttnn::typecast(input, DataType::BFLOAT8_B);
    const Tensor plain = ttnn::clone(input, DataType::BFLOAT8_B, std::nullopt, std::nullopt);
    EXPECT_NE(precise.to_vector<float>(), plain.to_vector<float>());
}

TEST_F(Typecast, KeepsShardsAndWritesGivenTensors) {
    const Shape shape{1, 1, 128, 64};
    const std::vector<float> values = small_numbers(shape.volume());
    const MemoryConfig memory = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {3, 0});
    const Tensor input = make(values, shape, DataType::BFLOAT16, Layout::TILE, memory);
    const Tensor output = ttnn::typecast(input, DataType::BFLOAT8_B);
    EXPECT_EQ(output.memory_config(), memory);
    EXPECT_EQ(output.to_vector<float>(), values);
    const Tensor given = make(shape, DataType::FLOAT32, Layout::TILE, memory);
    (void)ttnn::typecast(output, DataType::BFLOAT8_B, DataType::FLOAT32, std::nullopt, given);
    EXPECT_EQ(given.to_vector<float>(), values);
}

TEST_F(Typecast, ConvertsOnTheHostToo) {
    const Tensor host = Tensor::from_vector(small_numbers(1024), spec_of(kTile, DataType::BFLOAT16, Layout::TILE));
    EXPECT_EQ(ttnn::typecast(host, DataType::FLOAT32).to_vector<float>(), small_numbers(1024));
}

TEST_F(Typecast, RefusesWhatTtnnRefuses) {
    const Tensor tiles = make(Shape{1, 1, 64, 64}, DataType::BFLOAT16, Layout::TILE);
    const Tensor rows = make(Shape{1, 1, 64, 64}, DataType::BFLOAT16, Layout::ROW_MAJOR);
    EXPECT_THROWS_WITH(
        (void)ttnn::typecast(tiles, DataType::FLOAT32, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {1, 0})),
        "requires Input and Output memory layout to match. Input layout: INTERLEAVED, Output layout: HEIGHT_SHARDED");
    EXPECT_THROWS_WITH(
        (void)ttnn::typecast(rows, DataType::BFLOAT8_B), "Only TILE layout is supported for BFLOAT8_B dtype!");
    EXPECT_THROWS_WITH(
        (void)ttnn::typecast(tiles, DataType::FLOAT32, std::nullopt, tiles), "provided dtype should match");
    EXPECT_THROWS_WITH(
        (void)ttnn::typecast(tiles, DataType::BFLOAT16, std::nullopt, rows),
        "requires input and output layouts to match");
    EXPECT_THROWS_WITH((void)ttnn::typecast(tiles, DataType::FLOAT32, DataType::BFLOAT16), "provided should match");
}

TEST_F(Typecast, ReplaysInATrace) {
    expect_same_in_trace(Shape{1, 1, 64, 40}, DataType::BFLOAT16, Layout::TILE, [](const Tensor& input) {
        return ttnn::typecast(input, DataType::BFLOAT8_B);
    });
}

using Copies = Movement;

TEST_F(Copies, CloneCopyAndAssign) {
    const Shape shape{1, 1, 64, 64};
    const Tensor input = make(shape, DataType::BFLOAT16, Layout::TILE);
    const Tensor clone = ttnn::clone(input, std::nullopt, ttnn::L1_MEMORY_CONFIG, std::nullopt);
    EXPECT_EQ(clone.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(clone.to_vector<float>(), numbers(shape).data);
    const Tensor target = make(std::vector<float>(shape.volume(), 0.0F), shape, DataType::FLOAT32, Layout::TILE);
    ttnn::copy(input, target);
    EXPECT_EQ(target.to_vector<float>(), numbers(shape).data);
    EXPECT_EQ(ttnn::assign(input, ttnn::L1_MEMORY_CONFIG, DataType::FLOAT32).dtype(), DataType::FLOAT32);
    EXPECT_THROWS_WITH(
        ttnn::copy(input, make(Shape{1, 1, 32, 64}, DataType::BFLOAT16, Layout::TILE)),
        "Input tensor shape [1, 1, 64, 64] does not match output tensor shape [1, 1, 32, 64]");
    EXPECT_THROWS_WITH(
        ttnn::copy(
            make(shape, DataType::BFLOAT16, Layout::ROW_MAJOR), make(shape, DataType::FLOAT32, Layout::ROW_MAJOR)),
        "Only tile layout supports dtype conversion (BFLOAT16 to FLOAT32)");
    EXPECT_THROWS_WITH(
        (void)ttnn::clone(
            input, std::nullopt, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {1, 0}), std::nullopt),
        "Clone: mixed sharded/interleaved layout not currently supported");
}

TEST_F(Copies, ReallocateClosesTheGapThatAFreedTensorLeft) {
    const Shape shape{1, 1, 64, 64};
    const MemoryConfig memory = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {1, 0});
    for (const MemoryConfig& config : {ttnn::L1_MEMORY_CONFIG, memory}) {
        Tensor gap = make(Shape{1, 1, 64, 32}, DataType::BFLOAT16, Layout::TILE, ttnn::L1_MEMORY_CONFIG);
        Tensor tensor = make(shape, DataType::BFLOAT16, Layout::TILE, config);
        const auto before = tensor.buffer()->address();
        gap.deallocate(true);
        const Tensor moved = ttnn::reallocate(tensor, std::nullopt);
        EXPECT_GT(moved.buffer()->address(), before);
        EXPECT_FALSE(tensor.is_allocated());
        EXPECT_EQ(moved.to_vector<float>(), numbers(shape).data);
    }
}

TEST_F(Copies, MoveNeedsTheLastHandle) {
    const Shape shape{1, 1, 64, 64};
    const Tensor interleaved = make(shape, DataType::BFLOAT16, Layout::TILE);
    const Tensor shared = interleaved;
    EXPECT_EQ(ttnn::move(interleaved).buffer()->address(), shared.buffer()->address());
    const Tensor shards =
        make(shape, DataType::BFLOAT16, Layout::TILE, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {1, 0}));
    const Tensor holder = shards;
    EXPECT_THROWS_WITH((void)ttnn::move(shards), "Cannot deallocate before there is probably another consumer");
    const Tensor in_dram = make(shape, DataType::BFLOAT16, Layout::TILE);
    const Tensor in_l1 = ttnn::move(in_dram, ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(in_l1.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(in_l1.to_vector<float>(), numbers(shape).data);
    EXPECT_FALSE(in_dram.is_allocated());
}

}  // namespace

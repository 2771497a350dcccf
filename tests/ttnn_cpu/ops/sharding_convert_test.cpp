// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/sharded/interleaved_to_sharded/interleaved_to_sharded.hpp>
#include <ttnn/operations/data_movement/sharded/reshard/reshard.hpp>
#include <ttnn/operations/data_movement/sharded/sharded_to_interleaved/sharded_to_interleaved.hpp>
#include <ttnn_cpu/records.hpp>

#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;

const Shape kShape{1, 2, 64, 128};

struct Kind {
    const char* name;
    MemoryConfig memory;
};

std::vector<Kind> kinds() {
    return {
        {"Dram", ttnn::DRAM_MEMORY_CONFIG},
        {"L1", ttnn::L1_MEMORY_CONFIG},
        {"Height", sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 128}, {3, 0})},
        {"HeightColumns", sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 128}, {0, 3}, ShardOrientation::COL_MAJOR)},
        {"Width", sharded(TensorMemoryLayout::WIDTH_SHARDED, {128, 32}, {3, 0})},
        {"Block", sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 64}, {1, 1})},
        {"DramWidth",
         sharded(TensorMemoryLayout::WIDTH_SHARDED, {128, 32}, {3, 0}, ShardOrientation::ROW_MAJOR, BufferType::DRAM)}};
}

class MemoryConfigs : public Movement, public testing::WithParamInterface<std::tuple<Kind, Kind>> {};

TEST_P(MemoryConfigs, ConvertIntoOneAnother) {
    const auto& [from, to] = GetParam();
    const std::vector<float> values = small_numbers(kShape.volume());
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B}) {
            if (dtype == DataType::BFLOAT8_B && layout == Layout::ROW_MAJOR) {
                continue;
            }
            const Tensor input = make(values, kShape, dtype, layout, from.memory);
            const Tensor output = ttnn::to_memory_config(input, to.memory);
            EXPECT_EQ(output.memory_config(), to.memory);
            EXPECT_EQ(output.to_vector<float>(), values);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, MemoryConfigs, testing::Combine(testing::ValuesIn(kinds()), testing::ValuesIn(kinds())),
    [](const auto& tested) {
        return std::string(std::get<0>(tested.param).name) + "To" + std::get<1>(tested.param).name;
    });

using Sharding = Movement;

std::string op_of(ttnn::MeshDevice& device, const std::function<void()>& call) {
    ttnn_cpu::start_recording(device);
    call();
    const auto recording = ttnn_cpu::stop_recording(device);
    std::string names;
    for (const auto& op : recording.ops) {
        names += (names.empty() ? "" : " ") + op.name;
    }
    return names;
}

TEST_F(Sharding, ToMemoryConfigPicksTheOpThatTtnnPicks) {
    const auto all = kinds();
    const auto op = [&](const MemoryConfig& from, const MemoryConfig& to, Layout layout = Layout::TILE) {
        const Tensor input = make(kShape, DataType::BFLOAT16, layout, from);
        return op_of(*device_, [&] { (void)ttnn::to_memory_config(input, to); });
    };
    EXPECT_EQ(op(all[0].memory, all[1].memory), "CopyDeviceOperation");
    EXPECT_EQ(op(all[0].memory, all[2].memory), "InterleavedToShardedDeviceOperation");
    EXPECT_EQ(op(all[2].memory, all[0].memory), "ShardedToInterleavedDeviceOperation");
    EXPECT_EQ(op(all[2].memory, all[5].memory), "ReshardDeviceOperation");
    EXPECT_EQ(op(all[2].memory, all[2].memory), "");
    EXPECT_EQ(
        op(all[2].memory, all[5].memory, Layout::ROW_MAJOR),
        "ShardedToInterleavedDeviceOperation InterleavedToShardedDeviceOperation");
    EXPECT_EQ(op(all[6].memory, all[0].memory), "CopyDeviceOperation");
}

TEST_F(Sharding, RowsArePaddedToShardsAndBack) {
    // 100 columns over 4 cores of 32: the last shard has 28 columns that nobody sees.
    const Shape shape{1, 1, 8, 100};
    const MemoryConfig memory = sharded(TensorMemoryLayout::WIDTH_SHARDED, {8, 32}, {3, 0});
    const Tensor input = make(shape, DataType::BFLOAT16, Layout::ROW_MAJOR);
    const Tensor shards = ttnn::interleaved_to_sharded(input, memory);
    EXPECT_EQ(shards.padded_shape(), (Shape{1, 1, 8, 128}));
    EXPECT_EQ(shards.to_vector<float>(), numbers(shape).data);
    const Tensor back = ttnn::sharded_to_interleaved(shards, ttnn::DRAM_MEMORY_CONFIG);
    EXPECT_EQ(back.logical_shape(), shape);
    EXPECT_EQ(back.to_vector<float>(), numbers(shape).data);
}

TEST_F(Sharding, ConvertsTheDataTypeOfTiles) {
    const std::vector<float> values = small_numbers(kShape.volume());
    const MemoryConfig memory = kinds()[5].memory;
    const Tensor input = make(values, kShape, DataType::BFLOAT16, Layout::TILE);
    const Tensor packed = ttnn::interleaved_to_sharded(input, memory, DataType::BFLOAT8_B);
    EXPECT_EQ(packed.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(packed.to_vector<float>(), values);
    EXPECT_EQ(
        ttnn::sharded_to_interleaved(packed, ttnn::DRAM_MEMORY_CONFIG, DataType::BFLOAT16).to_vector<float>(), values);
    EXPECT_EQ(ttnn::to_memory_config(packed, kinds()[2].memory, DataType::BFLOAT16).to_vector<float>(), values);
}

TEST_F(Sharding, TakesAGridBySize) {
    const Tensor input = make(kShape, DataType::BFLOAT16, Layout::TILE);
    const Tensor shards = ttnn::interleaved_to_sharded(
        input, CoreCoord(8, 8), {32, 128}, TensorMemoryLayout::HEIGHT_SHARDED, ShardOrientation::ROW_MAJOR);
    EXPECT_EQ(shards.memory_config(), kinds()[2].memory);
    EXPECT_EQ(shards.to_vector<float>(), numbers(kShape).data);
}

TEST_F(Sharding, ReshardsIntoAGivenTensor) {
    const Tensor input = make(kShape, DataType::BFLOAT16, Layout::TILE, kinds()[2].memory);
    const Tensor output =
        make(std::vector<float>(kShape.volume(), 0.0F), kShape, DataType::BFLOAT16, Layout::TILE, kinds()[5].memory);
    const Tensor result = ttnn::reshard(input, kinds()[5].memory, output);
    EXPECT_EQ(result.buffer()->address(), output.buffer()->address());
    EXPECT_EQ(output.to_vector<float>(), numbers(kShape).data);
}

TEST_F(Sharding, RefusesWhatTtnnRefuses) {
    const Tensor tiles = make(kShape, DataType::BFLOAT16, Layout::TILE);
    const Tensor rows = make(Shape{1, 1, 8, 20}, DataType::BFLOAT16, Layout::ROW_MAJOR);
    const Tensor shards = make(kShape, DataType::BFLOAT16, Layout::TILE, kinds()[2].memory);
    const MemoryConfig block_dram =
        sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 64}, {1, 1}, ShardOrientation::ROW_MAJOR, BufferType::DRAM);
    EXPECT_THROWS_WITH(
        (void)ttnn::interleaved_to_sharded(shards, kinds()[5].memory), "must be INTERLEAVED, but got HEIGHT_SHARDED");
    EXPECT_THROWS_WITH(
        (void)ttnn::interleaved_to_sharded(tiles, ttnn::L1_MEMORY_CONFIG), "Output memory config must be sharded");
    EXPECT_THROWS_WITH((void)ttnn::interleaved_to_sharded(tiles, block_dram), "We don't support DRAM block sharding");
    EXPECT_THROWS_WITH(
        (void)ttnn::interleaved_to_sharded(rows, sharded(TensorMemoryLayout::WIDTH_SHARDED, {8, 5}, {3, 0})),
        "Shard page size must currently have L1 aligned page size");
    EXPECT_THROWS_WITH(
        (void)ttnn::interleaved_to_sharded(
            make(Shape{1, 1, 8, 32}, DataType::BFLOAT16, Layout::ROW_MAJOR),
            sharded(TensorMemoryLayout::WIDTH_SHARDED, {8, 8}, {3, 0}), DataType::FLOAT32),
        "Input tensor layout must be TILE when dtype conversion is needed");
    EXPECT_THROWS_WITH(
        (void)ttnn::sharded_to_interleaved(shards, kinds()[5].memory), "Output memory config must be Interleaved");
    EXPECT_THROWS_WITH((void)ttnn::reshard(tiles, kinds()[5].memory), "input must be sharded");
    EXPECT_THROWS_WITH((void)ttnn::reshard(shards, ttnn::L1_MEMORY_CONFIG), "output must be sharded");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::reshard(shards, kinds()[5].memory, shards), "Mismatched output memory config",
        "it looks at the output tensor's config alone");
    EXPECT_THROWS_WITH((void)ttnn::to_memory_config(tiles, block_dram), "We don't support DRAM block sharding");
    EXPECT_THROWS_WITH((void)ttnn::to_memory_config(tiles.cpu(), kinds()[2].memory), "expect device tensors");
}

TEST_F(Sharding, ReplaysInATrace) {
    expect_same_in_trace(kShape, DataType::BFLOAT8_B, Layout::TILE, [](const Tensor& input) {
        return ttnn::to_memory_config(ttnn::to_memory_config(input, kinds()[2].memory), kinds()[5].memory);
    });
}

}  // namespace

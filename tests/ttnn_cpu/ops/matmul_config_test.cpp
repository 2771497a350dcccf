// SPDX-License-Identifier: Apache-2.0
// The program configs that a matmul gets, and the shards, cores and circular buffers that follow from them.
#include <ttnn/operations/matmul/matmul.hpp>

#include "op_fixture.hpp"

namespace {

using namespace op_test;
using namespace ttnn::operations::matmul;
using nlohmann::json;
using ttnn::CoreGrid;

class MatmulConfig : public OpTest {
protected:
    static Tensor tensor(const Shape& shape, DataType dtype = DataType::BFLOAT16, const MemoryConfig& memory = {}) {
        return Tensor::from_vector(
            std::vector<float>(shape.volume(), 1.0F), spec_of(shape, dtype, Layout::TILE, memory), device_.get());
    }

    template <typename Call>
    static ttnn_cpu::OpRecord record_of(Call&& call) {
        ttnn_cpu::start_recording(*device_);
        const Tensor out = call();
        const auto recording = ttnn_cpu::stop_recording(*device_);
        for (const auto& op : recording.ops) {
            if (op.name == "MatmulDeviceOperation") {
                return op;
            }
        }
        ADD_FAILURE() << "no matmul ran";
        return {};
    }
    static json config_of(const ttnn_cpu::OpRecord& record) {
        return json::parse(record.attributes).at("program_config");
    }
    template <typename Call>
    static json config_for(Call&& call) {
        return config_of(record_of(std::forward<Call>(call)));
    }
    static void expect_fields(const json& config, const json& expected) {
        for (const auto& [key, value] : expected.items()) {
            EXPECT_EQ(config.at(key), value) << key << " of " << config.dump();
        }
    }
};

// Each expectation is worked out by hand from the rules of TTNN 0.77 on 8 x 8 cores.
TEST_F(MatmulConfig, InterleavedInDramGoesToTheGrid) {
    const json config = config_for([] {
        return ttnn::matmul(tensor(Shape{1, 1, 384, 1024}), tensor(Shape{1, 1, 1024, 1024}));
    });
    expect_fields(
        config, {{"type", "MatmulMultiCoreReuseMultiCastProgramConfig"},
                 {"in0_block_w", 4},  // 32 tiles of K over 8 columns
                 {"per_core_M", 2},   // 12 tiles over 8 rows
                 {"per_core_N", 4},
                 {"out_block_h", 2},
                 {"out_block_w", 4},
                 {"out_subblock_h", 2},
                 {"out_subblock_w", 4},
                 {"fuse_batch", false}});
}

TEST_F(MatmulConfig, NarrowShapesShareColumnsOrRows) {
    const json wide = config_for([] {
        return ttnn::matmul(tensor(Shape{1, 1, 32, 1024}), tensor(Shape{1, 1, 1024, 4096}));
    });
    expect_fields(
        wide, {{"type", "MatmulMultiCoreReuseMultiCast1DProgramConfig"},
               {"mcast_in0", true},
               {"in0_block_w", 2},
               {"per_core_M", 1},
               {"per_core_N", 2}});
    const json tall = config_for([] {
        return ttnn::matmul(tensor(Shape{1, 1, 4096, 96}), tensor(Shape{1, 1, 96, 64}));
    });
    expect_fields(
        tall, {{"type", "MatmulMultiCoreReuseMultiCast1DProgramConfig"},
               {"mcast_in0", false},
               {"in0_block_w", 1},
               {"per_core_M", 2},
               {"per_core_N", 2}});
}

TEST_F(MatmulConfig, OutsideOfDramOneTileAtATime) {
    const auto record = record_of([] {
        return ttnn::matmul(
            tensor(Shape{1, 1, 64, 64}), tensor(Shape{1, 1, 64, 64}), false, false, ttnn::L1_MEMORY_CONFIG);
    });
    expect_fields(config_of(record), {{"type", "MatmulMultiCoreProgramConfig"}});
    EXPECT_EQ(record.core_count, 4U);
    EXPECT_EQ(record.circular_buffer_bytes, 2U * (2048 + 2048 + 2048));
}

TEST_F(MatmulConfig, CoreGridGivesBlocksOfFour) {
    const auto record = record_of([] {
        return ttnn::linear(
            tensor(Shape{8, 1, 384, 1024}), tensor(Shape{1, 1, 1024, 4096}, DataType::BFLOAT8_B),
            tensor(Shape{1, 1, 1, 4096}), false, false, std::nullopt, std::nullopt, std::nullopt, "gelu", std::nullopt,
            CoreGrid(8, 8));
    });
    expect_fields(
        config_of(record), {{"type", "MatmulMultiCoreReuseMultiCastProgramConfig"},
                            {"in0_block_w", 4},
                            {"per_core_M", 12},  // 96 tiles with the batch folded in
                            {"per_core_N", 16},
                            {"out_block_h", 12},
                            {"out_block_w", 16},
                            {"out_subblock_h", 1},
                            {"out_subblock_w", 4},
                            {"fuse_batch", true},
                            {"fused_activation", {{"op_type", "GELU"}, {"params", {0}}}}});
    EXPECT_EQ(record.core_count, 64U);
    EXPECT_EQ(record.math_fidelity, "LoFi");
    // in0 and in1 twice, one output block that the bfloat16 partials share, and a row of bias.
    EXPECT_EQ(record.circular_buffer_bytes, 2U * 12 * 4 * 2048 + 2U * 16 * 4 * 1088 + 12U * 16 * 2048 + 16U * 2048);
}

TEST_F(MatmulConfig, BlockFloatOutputKeepsPartialsApart) {
    const auto record = record_of([] {
        return ttnn::matmul(
            tensor(Shape{1, 1, 384, 1024}, DataType::BFLOAT8_B), tensor(Shape{1, 1, 1024, 1024}, DataType::BFLOAT8_B),
            false, false, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, CoreGrid(8, 8));
    });
    EXPECT_EQ(record.circular_buffer_bytes, (2U * 2 * 4 + 2U * 4 * 4) * 1088 + 2U * 4 * (1088 + 2048));
}

TEST_F(MatmulConfig, BatchedOperands) {
    const auto record = record_of([] {
        return ttnn::matmul(
            tensor(Shape{1, 16, 384, 64}), tensor(Shape{1, 16, 64, 384}), false, false, std::nullopt, std::nullopt,
            std::nullopt, std::nullopt, std::nullopt, CoreGrid(8, 8));
    });
    expect_fields(
        config_of(record),
        {{"type", "MatmulMultiCoreReuseProgramConfig"}, {"in0_block_w", 1}, {"per_core_M", 12}, {"per_core_N", 12}});
    EXPECT_EQ(record.core_count, 16U);
    EXPECT_EQ(record.circular_buffer_bytes, 2U * 12 * 2048 + 2U * 12 * 2048 + 12U * 12 * 2048);
}

TEST_F(MatmulConfig, FollowsAShardedA) {
    const auto block = sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 128}, {8, 6});
    const auto record = record_of([&] {
        return ttnn::matmul(
            tensor(Shape{1, 1, 384, 1024}, DataType::BFLOAT16, block), tensor(Shape{1, 1, 1024, 1024}), false, false,
            ttnn::L1_BLOCK_SHARDED_MEMORY_CONFIG);
    });
    expect_fields(
        config_of(record), {{"type", "MatmulMultiCoreReuseMultiCastProgramConfig"},
                            {"in0_block_w", 4},
                            {"per_core_M", 2},
                            {"per_core_N", 4},
                            {"out_subblock_h", 1},
                            {"out_subblock_w", 4},
                            {"fuse_batch", true}});
    EXPECT_EQ(record.core_count, 48U);
    const auto height = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 128}, {8, 1});
    const Tensor tall = ttnn::matmul(
        tensor(Shape{1, 1, 512, 128}, DataType::BFLOAT16, height), tensor(Shape{1, 1, 128, 64}), false, false,
        ttnn::L1_HEIGHT_SHARDED_MEMORY_CONFIG);
    EXPECT_EQ(tall.shard_spec()->shape, (std::array<std::uint32_t, 2>{64, 64}));
    EXPECT_EQ(tall.shard_spec()->grid.num_cores(), 8U);
    const auto width = sharded(TensorMemoryLayout::WIDTH_SHARDED, {32, 64}, {8, 1});
    const Tensor wide = ttnn::matmul(
        tensor(Shape{1, 1, 32, 512}, DataType::BFLOAT16, width), tensor(Shape{1, 1, 512, 256}), false, false,
        ttnn::L1_WIDTH_SHARDED_MEMORY_CONFIG);
    EXPECT_EQ(wide.shard_spec()->shape, (std::array<std::uint32_t, 2>{32, 32}));
    for (const Tensor& out : {tall, wide}) {
        const auto values = out.to_vector<float>();
        EXPECT_EQ(values.front(), out.logical_shape()[-1] == 64 ? 128.0F : 512.0F);
        EXPECT_EQ(values.back(), values.front());
    }
}

TEST_F(MatmulConfig, DefaultFidelities) {
    const Tensor bf16 = tensor(Shape{1, 1, 64, 64});
    const Tensor bfp8 = tensor(Shape{1, 1, 64, 64}, DataType::BFLOAT8_B);
    const Tensor f32 = tensor(Shape{1, 1, 64, 64}, DataType::FLOAT32);
    EXPECT_EQ(record_of([&] { return ttnn::matmul(bf16, bf16); }).math_fidelity, "HiFi2");
    EXPECT_EQ(record_of([&] { return ttnn::matmul(bf16, bfp8); }).math_fidelity, "HiFi2");
    EXPECT_EQ(record_of([&] { return ttnn::matmul(bfp8, bfp8); }).math_fidelity, "LoFi");
    const auto precise = record_of([&] { return ttnn::matmul(f32, f32); });
    EXPECT_EQ(precise.math_fidelity, "HiFi3");
    expect_fields(
        json::parse(precise.attributes).at("compute_kernel_config"),
        {{"fp32_dest_acc_en", true}, {"packer_l1_acc", false}});
}

TEST_F(MatmulConfig, DramShardedWeightsForOneTileOfRows) {
    const auto in = sharded(TensorMemoryLayout::WIDTH_SHARDED, {32, 128}, {8, 1});
    const CoreRangeSet banks(CoreRange(CoreCoord(0, 0), CoreCoord(11, 0)));
    const MemoryConfig weights(TensorMemoryLayout::WIDTH_SHARDED, BufferType::DRAM, ShardSpec(banks, {1024, 128}));
    const Tensor out = ttnn::matmul(
        tensor(Shape{1, 1, 32, 1024}, DataType::BFLOAT16, in),
        tensor(Shape{1, 1, 1024, 1536}, DataType::BFLOAT8_B, weights), false, false,
        ttnn::L1_WIDTH_SHARDED_MEMORY_CONFIG, std::nullopt,
        MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig{.in0_block_w = 4, .per_core_M = 1, .per_core_N = 6});
    EXPECT_EQ(out.shard_spec()->shape, (std::array<std::uint32_t, 2>{32, 192}));
    EXPECT_EQ(out.shard_spec()->grid.num_cores(), 8U);
    EXPECT_EQ(out.to_vector<float>().back(), 1024.0F);
}

}  // namespace

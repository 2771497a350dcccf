// SPDX-License-Identifier: Apache-2.0
// Every rule that TTNN checks at run time, checked here for every size that the zoo promises, without a device.
#include "zoo/encoder/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <variant>

#include "models/albert/placement.hpp"
#include "models/bert/placement.hpp"
#include "zoo/error.hpp"

namespace zoo::encoder {
namespace {

using ::testing::HasSubstr;
using Linear2d = ttnn::operations::matmul::MatmulMultiCoreReuseMultiCastProgramConfig;
using PerHead = ttnn::operations::matmul::MatmulMultiCoreReuseProgramConfig;
using Softmax = ttnn::SoftmaxShardedMultiCoreProgramConfig;
using Norm = ttnn::prim::LayerNormShardedMultiCoreProgramConfig;

const ttnn::CoreCoord kWormhole(8, 8);

struct Case {
    const char* preset;
    std::int64_t batch;
    std::int64_t sequence;
};

void PrintTo(const Case& value, std::ostream* out) {
    *out << value.preset << " batch " << value.batch << " sequence " << value.sequence;
}

std::string name_of(const ::testing::TestParamInfo<Case>& row) {
    std::string name = row.param.preset;
    std::erase_if(name, [](char letter) { return letter == '-'; });
    return name + "Batch" + std::to_string(row.param.batch) + "Sequence" + std::to_string(row.param.sequence);
}

LayerSpec spec_of(std::string_view preset) {
    return preset.starts_with("albert") ? LayerSpec(albert::preset(preset)) : LayerSpec(bert::preset(preset));
}

class EncoderPlacement : public ::testing::TestWithParam<Case> {
protected:
    std::size_t hidden() const { return static_cast<std::size_t>(config_.hidden_size) / 32; }
    std::size_t wide() const { return static_cast<std::size_t>(config_.intermediate_size) / 32; }
    std::size_t head() const { return static_cast<std::size_t>(config_.head_size()) / 32; }
    std::size_t heads() const { return static_cast<std::size_t>(config_.num_attention_heads); }
    std::size_t sequence() const { return static_cast<std::size_t>(GetParam().sequence) / 32; }
    std::size_t batch() const { return static_cast<std::size_t>(GetParam().batch); }

    LayerSpec config_ = spec_of(GetParam().preset);
    Placement place_ = placement_for("test", config_, GetParam().batch, GetParam().sequence, kWormhole);
};

void expect_inside(const ttnn::CoreCoord& grid) {
    EXPECT_GE(grid.x, 1U);
    EXPECT_GE(grid.y, 1U);
    EXPECT_LE(grid.x, kWormhole.x);
    EXPECT_LE(grid.y, kWormhole.y);
}

template <class Program>
void expect_subblocks(const Program& program) {
    EXPECT_LE(program.out_subblock_h * program.out_subblock_w, 8U);
    EXPECT_EQ(program.per_core_M % program.out_subblock_h, 0U);
    EXPECT_EQ(program.per_core_N % program.out_subblock_w, 0U);
    EXPECT_TRUE(program.out_subblock_w == program.per_core_N || program.out_subblock_h == 1U);
}

TEST_P(EncoderPlacement, LinearsCutTheWholeMatrixOverTheGridOfTheirInput) {
    const auto check = [&](const auto& variant, std::size_t inner, std::size_t outer) {
        const auto& program = std::get<Linear2d>(variant);
        const ttnn::CoreCoord grid = program.compute_with_storage_grid_size;
        expect_inside(grid);
        expect_subblocks(program);
        EXPECT_EQ(program.per_core_M * grid.y, batch() * sequence());
        EXPECT_EQ(program.per_core_N * grid.x, outer);
        EXPECT_EQ(inner % grid.x, 0U);
        EXPECT_EQ(inner / grid.x % program.in0_block_w, 0U);
        EXPECT_EQ(program.out_block_h, program.per_core_M);
        EXPECT_EQ(program.out_block_w, program.per_core_N);
        EXPECT_TRUE(program.fuse_batch);
        EXPECT_FALSE(program.transpose_mcast);
        const auto shard = place_.memory.hidden.shard_spec().value();
        EXPECT_EQ(shard.grid.num_cores(), grid.x * grid.y);
        EXPECT_EQ(shard.shape[0], program.per_core_M * 32);
        EXPECT_EQ(shard.shape[1], hidden() * 32 / grid.x);
    };
    check(place_.programs.query_key_value, hidden(), 3 * hidden());
    check(place_.programs.attention_output, hidden(), hidden());
    check(place_.programs.intermediate, hidden(), wide());
    check(place_.programs.output, wide(), hidden());
    EXPECT_TRUE(std::get<Linear2d>(place_.programs.intermediate).fused_activation.has_value());
    EXPECT_FALSE(std::get<Linear2d>(place_.programs.output).fused_activation.has_value());
}

TEST_P(EncoderPlacement, AttentionIsCutEvenlyAndNeverAcrossSequences) {
    const auto check = [&](const auto& variant, std::size_t inner, std::size_t outer) {
        const auto& program = std::get<PerHead>(variant);
        expect_inside(program.compute_with_storage_grid_size);
        expect_subblocks(program);
        EXPECT_EQ(program.in0_block_w, inner);
        EXPECT_EQ(program.per_core_N, outer);
        const std::size_t rows = program.per_core_M;
        EXPECT_TRUE(rows % sequence() == 0 || sequence() % rows == 0);
        EXPECT_EQ(sequence() % program.out_subblock_h, 0U);
        EXPECT_EQ(heads() * sequence() % rows, 0U);
        const ttnn::CoreCoord grid = program.compute_with_storage_grid_size;
        EXPECT_EQ(batch() * heads() * sequence(), rows * grid.x * grid.y);
    };
    check(place_.programs.scores, head(), sequence());
    check(place_.programs.context, sequence(), head());

    const auto& softmax = std::get<Softmax>(place_.programs.softmax);
    const auto& scores = std::get<PerHead>(place_.programs.scores);
    const auto shard = place_.memory.scores.shard_spec().value();
    EXPECT_EQ(softmax.compute_with_storage_grid_size, scores.compute_with_storage_grid_size);
    EXPECT_EQ(
        shard.grid.num_cores(), scores.compute_with_storage_grid_size.x * scores.compute_with_storage_grid_size.y);
    EXPECT_EQ(softmax.block_h * 32, shard.shape[0]);
    EXPECT_EQ(softmax.block_w * 32, shard.shape[1]);
    EXPECT_EQ(softmax.block_h, scores.per_core_M);
    EXPECT_EQ(softmax.block_w, sequence());
    EXPECT_EQ(softmax.block_w % softmax.subblock_w, 0U);
    EXPECT_LE(softmax.subblock_w, 8U);
}

TEST_P(EncoderPlacement, HeadsStayOnTheirCoreOrAreSpread) {
    const auto shard = place_.memory.hidden.shard_spec().value();
    const auto corner = shard.grid.bounding_box().end_coord;
    if (place_.qkv_order == QkvOrder::ByHead) {
        EXPECT_EQ(corner.y + 1, batch()) << "the split wants one row of cores a sequence";
        EXPECT_EQ(heads() % (corner.x + 1), 0U) << "the split wants whole heads on a core";
        EXPECT_EQ(place_.memory.joined, place_.memory.hidden);
        EXPECT_TRUE(place_.memory.query_key_value.is_sharded());
    } else {
        EXPECT_LT(batch(), corner.y + 1) << "by head would use as many cores";
        for (const auto& memory :
             {place_.memory.query_key_value, place_.memory.heads, place_.memory.context, place_.memory.joined}) {
            EXPECT_EQ(memory, ttnn::L1_MEMORY_CONFIG);
        }
    }
}

TEST_P(EncoderPlacement, LayerNormMatchesTheShards) {
    const auto& norm = std::get<Norm>(place_.programs.layer_norm);
    const auto shard = place_.memory.hidden.shard_spec().value();
    EXPECT_EQ(norm.block_h * 32, shard.shape[0]);
    EXPECT_EQ(norm.block_w * 32, shard.shape[1]);
    EXPECT_EQ(norm.block_w * norm.compute_with_storage_grid_size.x, hidden());
    EXPECT_EQ(norm.block_w % norm.subblock_w, 0U);
    EXPECT_LE(norm.subblock_w, 4U) << "float32 accumulation halves the destination register";
    EXPECT_TRUE(norm.inplace);
}

// What one core holds at the two fullest moments, with matmul's own buffers; the device's allocator has the last word.
TEST_P(EncoderPlacement, FitsInL1) {
    constexpr std::size_t kL1Bytes = 1'400'000;
    constexpr std::size_t kBfloat16 = 2048;
    constexpr std::size_t kBfloat8 = 1088;
    const auto buffers = [](const auto& program) {
        const std::size_t inputs =
            2 * program.in0_block_w * (program.per_core_M * kBfloat16 + program.per_core_N * kBfloat8);
        return inputs + program.per_core_M * program.per_core_N * kBfloat16;
    };
    const auto& up = std::get<Linear2d>(place_.programs.intermediate);
    const auto& down = std::get<Linear2d>(place_.programs.output);
    const std::size_t hidden_bytes = down.per_core_M * down.per_core_N * kBfloat16;
    const std::size_t wide_bytes = up.per_core_M * up.per_core_N * kBfloat8;
    EXPECT_LT(hidden_bytes + wide_bytes + buffers(up), kL1Bytes);
    EXPECT_LT(2 * hidden_bytes + wide_bytes + buffers(down), kL1Bytes);

    const auto& scores = std::get<PerHead>(place_.programs.scores);
    const bool by_head = place_.qkv_order == QkvOrder::ByHead;
    const std::size_t split_cores =
        by_head ? place_.memory.hidden.shard_spec().value().grid.num_cores() : kWormhole.x * kWormhole.y;
    const std::size_t split_bytes = 3 * batch() * hidden() * sequence() * kBfloat8 / split_cores;
    const std::size_t scores_bytes = scores.per_core_M * scores.per_core_N * kBfloat8;
    // Sharded operands are their own buffers, and one pass over the inner dimension needs no intermediate one.
    const std::size_t scores_buffers =
        by_head ? 0 : 2 * scores.in0_block_w * (scores.per_core_M + scores.per_core_N) * kBfloat8;
    EXPECT_LT(hidden_bytes + split_bytes + scores_bytes + scores_buffers, kL1Bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, EncoderPlacement,
    ::testing::Values(
        Case{"bert-tiny", 1, 32}, Case{"bert-tiny", 1, 128}, Case{"bert-tiny", 2, 64}, Case{"bert-tiny", 8, 128},
        Case{"minilm-l6", 1, 128}, Case{"minilm-l6", 1, 384}, Case{"minilm-l6", 8, 128}, Case{"minilm-l6", 8, 384},
        Case{"bert-base", 1, 128}, Case{"bert-base", 1, 384}, Case{"bert-base", 8, 128}, Case{"bert-base", 8, 384},
        Case{"bert-base", 1, 512}, Case{"bert-large-squad2", 1, 128}, Case{"bert-large-squad2", 1, 384},
        Case{"bert-large-squad2", 4, 384}, Case{"bert-large-squad2", 7, 384}, Case{"bert-large-squad2", 8, 128},
        Case{"bert-large-squad2", 8, 384}, Case{"albert-tiny", 1, 64}, Case{"albert-imdb-small", 1, 128},
        Case{"albert-imdb-small", 8, 128}, Case{"albert-base-v2", 1, 384}, Case{"albert-large-v2", 8, 384},
        Case{"albert-xlarge-v2", 1, 128}, Case{"albert-xlarge-v2", 1, 384}, Case{"albert-xlarge-v2", 8, 128},
        Case{"albert-xlarge-v2", 4, 384}, Case{"albert-xxlarge-v2", 1, 128}, Case{"albert-xxlarge-v2", 1, 384},
        Case{"albert-xxlarge-v2", 8, 128}, Case{"albert-xxlarge-v2", 2, 384}),
    name_of);

TEST(EncoderPlacementPlan, BertLargeUsesTheWholeGrid) {
    const Placement eight = bert::placement_for(bert::preset("bert-large-squad2"), 8, 384, kWormhole);
    EXPECT_EQ(eight.qkv_order, QkvOrder::ByHead);
    EXPECT_EQ(eight.memory.hidden.shard_spec().value().grid.num_cores(), 64U);
    EXPECT_EQ(std::get<PerHead>(eight.programs.scores).per_core_M, 24U);

    const Placement one = bert::placement_for(bert::preset("bert-large-squad2"), 1, 384, kWormhole);
    EXPECT_EQ(one.qkv_order, QkvOrder::Stacked);
    EXPECT_EQ(one.memory.hidden.shard_spec().value().grid.num_cores(), 48U);
    EXPECT_EQ(one.memory.scores.shard_spec().value().grid.num_cores(), 64U);
    EXPECT_EQ(std::get<PerHead>(one.programs.scores).per_core_M, 3U);
}

TEST(EncoderPlacementPlan, RefusesWhatCannotBeCut) {
    const auto message = [](std::int64_t batch, std::int64_t sequence, const ttnn::CoreCoord& grid) -> std::string {
        try {
            (void)bert::placement_for(bert::preset("bert-base"), batch, sequence, grid);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_THAT(message(0, 128, kWormhole), HasSubstr("batch is 0; it must be positive"));
    EXPECT_THAT(message(1, 100, kWormhole), HasSubstr("sequence is 100; it must be a positive multiple of 32"));
    EXPECT_THAT(
        message(131, 128, kWormhole),
        HasSubstr(
            "batch 131 with 12 heads and a sequence of 128 does not divide over a rectangle of the device's 8x8"));
}

// Eight sequences of 384 tokens: a core's part of the feed forward is wider than its L1.
TEST(EncoderPlacementPlan, RefusesWhatDoesNotFitAndSaysByHowMuch) {
    const auto message = [](const char* preset, std::int64_t batch, std::int64_t sequence) -> std::string {
        try {
            (void)albert::placement_for(albert::preset(preset), batch, sequence, kWormhole);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_THAT(
        message("albert-xxlarge-v2", 8, 384),
        ::testing::MatchesRegex(
            "\\[albert::placement_for\\] batch 8 with 384 tokens: [a-z_]+ needs [0-9]+ bytes of L1 a core, [0-9]+ more "
            "than the 1370000 there are; take a smaller batch or shorter sequences"));
}

TEST(EncoderPlacementPlan, TheMappingReadsTheNarrowEmbeddings) {
    const auto place = albert::placement_for(albert::preset("albert-xxlarge-v2"), 1, 128, kWormhole);
    const auto& mapping = std::get<Linear2d>(place.embedding_hidden_mapping);
    const auto& output = std::get<Linear2d>(place.programs.output);
    EXPECT_EQ(4 % mapping.in0_block_w, 0U) << "128 columns are 4 tiles";
    EXPECT_EQ(mapping.per_core_M, output.per_core_M);
    EXPECT_EQ(mapping.per_core_N, output.per_core_N);
    EXPECT_FALSE(mapping.fused_activation.has_value());
}

}  // namespace
}  // namespace zoo::encoder

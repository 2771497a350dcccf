// SPDX-License-Identifier: Apache-2.0
// TTNN's choice of a matmul program; the expected values were worked out by hand
// from the rules of its config generator.
#include "kernels/wormhole/matrix_program.hpp"

#include <gtest/gtest.h>

namespace ttnn_cpu::kernels::wormhole {
namespace {

MatmulShape tiles(std::size_t m, std::size_t k, std::size_t n) {
    MatmulShape shape;
    shape.m = m;
    shape.k = k;
    shape.n = n;
    return shape;
}

TEST(ChoosePlan, DramWithoutConfigSpreadsKOverTheColumnsOfCores) {
    const MatmulPlan plan = choose_plan(tiles(4, 24, 24));
    EXPECT_EQ(plan.program, MatmulProgram::Mcast2D);
    EXPECT_EQ(plan.in0_block_w, 3U);
    EXPECT_EQ(choose_plan(tiles(4, 4, 3)).in0_block_w, 1U);  // 4 K tiles do not divide by 8
}

TEST(ChoosePlan, NarrowShapesAreOneDimensional) {
    const MatmulPlan wide = choose_plan(tiles(1, 32, 2));
    EXPECT_EQ(wide.program, MatmulProgram::Mcast1DIn0);
    EXPECT_EQ(wide.in0_block_w, 2U);
    EXPECT_EQ(choose_plan(tiles(1, 33, 2)).in0_block_w, 1U);
    EXPECT_EQ(choose_plan(tiles(40, 4, 2)).program, MatmulProgram::Mcast1DIn1);
    EXPECT_EQ(choose_plan(tiles(16, 4, 2)).program, MatmulProgram::Mcast2D);  // a ratio of 8 is not narrow yet
}

TEST(ChoosePlan, GivenGridTakesUpToFourKTiles) {
    MatmulShape shape = tiles(4, 24, 24);
    shape.user_grid = true;
    EXPECT_EQ(choose_plan(shape).in0_block_w, 4U);
    shape.k = 9;
    EXPECT_EQ(choose_plan(shape).in0_block_w, 3U);
    shape.batch_a = shape.batch_b = 12;
    EXPECT_EQ(choose_plan(shape).program, MatmulProgram::Reuse);
    EXPECT_EQ(choose_plan(shape).in0_block_w, 1U);
}

TEST(ChoosePlan, ShardsSetTheBlock) {
    MatmulShape shape = tiles(12, 24, 24);
    shape.all_interleaved = false;
    shape.a_shard = Shard{Shard::Layout::Block, 2, 4, 6, 6, false};
    EXPECT_EQ(choose_plan(shape).program, MatmulProgram::Mcast2D);
    EXPECT_EQ(choose_plan(shape).in0_block_w, 4U);
    shape.a_shard = Shard{Shard::Layout::Height, 1, 24, 6, 2, false};
    EXPECT_EQ(choose_plan(shape).program, MatmulProgram::Mcast1DIn1);
    EXPECT_EQ(choose_plan(shape).in0_block_w, 24U);
    shape.a_shard = Shard{Shard::Layout::Width, 12, 3, 8, 1, false};
    EXPECT_EQ(choose_plan(shape).program, MatmulProgram::Mcast1DIn0);
    EXPECT_EQ(choose_plan(shape).in0_block_w, 3U);
}

TEST(ChoosePlan, OutsideDramSmallProductsStayInTheDestination) {
    MatmulShape shape = tiles(2, 8, 3);
    shape.all_dram = false;
    EXPECT_EQ(choose_plan(shape).program, MatmulProgram::MultiCore);
    shape.all_interleaved = false;
    shape.out_shard = Shard{Shard::Layout::Width, 2, 1, 3, 1, false};
    EXPECT_EQ(choose_plan(shape).program, MatmulProgram::Mcast1DIn0);
    shape.out_shard = Shard{Shard::Layout::Block, 1, 1, 3, 2, false};
    EXPECT_EQ(choose_plan(shape).program, MatmulProgram::Mcast2D);
    EXPECT_EQ(choose_plan(shape).in0_block_w, 2U);
}

TEST(ChoosePlan, LittleMemoryShrinksTheBlockOfK) {
    MatmulShape shape = tiles(16, 64, 16);
    EXPECT_EQ(choose_plan(shape).in0_block_w, 8U);
    shape.l1_bytes = 100000;  // 2x2 outputs leave room for 4 K tiles: (2+2)*4*2*2048 + 4*4096 = 81,920 bytes
    EXPECT_EQ(choose_plan(shape).in0_block_w, 4U);
}

TEST(KBlocking, PackerAccumulatesFromTheThirdBlockOnOrWithBiasTheSecond) {
    MatmulSpec spec{.m = 32, .k = 64, .n = 32};
    set_k_blocking(MatmulProgram::Mcast2D, 1, true, PartialsFormat::BFloat8B, spec);
    EXPECT_EQ(spec.partials, Partials::SpillReload);
    EXPECT_EQ(spec.partials_format, PartialsFormat::BFloat8B);
    spec.has_bias = true;
    set_k_blocking(MatmulProgram::Mcast2D, 1, true, PartialsFormat::BFloat8B, spec);
    EXPECT_EQ(spec.partials, Partials::PackerL1Acc);
    EXPECT_EQ(spec.partials_format, PartialsFormat::BFloat16);
    spec.has_bias = false;
    set_k_blocking(MatmulProgram::Mcast1DIn0, 1, true, PartialsFormat::BFloat16, spec);
    EXPECT_EQ(spec.partials, Partials::PackerL1Acc);
    set_k_blocking(MatmulProgram::Reuse, 1, true, PartialsFormat::BFloat16, spec);
    EXPECT_EQ(spec.partials, Partials::SpillReload);
    spec.fp32_dest = true;
    set_k_blocking(MatmulProgram::MultiCore, 0, true, PartialsFormat::BFloat16, spec);
    EXPECT_EQ(spec.partials_format, PartialsFormat::Float32);
    EXPECT_EQ(spec.k_block_tiles, 2U);
}

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a matmul is spread over the cores. All sizes are in tiles. in0_block_w tiles of K are multiplied before partial
// results leave the destination register, so it also decides where they are rounded.
#include <cstddef>
#include <optional>
#include <variant>

#include <tt-metalium/core_coord.hpp>

#include "ttnn/operations/eltwise/unary/common/unary_op_types.hpp"
#include "ttnn/types.hpp"

namespace ttnn::operations::matmul {

// For batched second operands, as in attention: every core has whole rows of per_core_M x per_core_N, N is per_core_N.
struct MatmulMultiCoreReuseProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t in0_block_w{};
    std::size_t out_subblock_h{};
    std::size_t out_subblock_w{};
    std::size_t per_core_M{};
    std::size_t per_core_N{};
    std::optional<CoreRangeSet> allowed_worker_cores = std::nullopt;
};

// A core has the block at its row and column of the grid; in0 goes along rows, in1 along columns (or the other way
// round with transpose_mcast). out_block_h and out_block_w must be given: zero is refused.
struct MatmulMultiCoreReuseMultiCastProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t in0_block_w{};
    std::size_t out_subblock_h{};
    std::size_t out_subblock_w{};
    std::size_t out_block_h{};
    std::size_t out_block_w{};
    std::size_t per_core_M{};
    std::size_t per_core_N{};
    bool transpose_mcast{};
    std::optional<ttnn::operations::unary::UnaryWithParam> fused_activation;
    bool fuse_batch = true;
    std::optional<CoreRangeSet> allowed_worker_cores = std::nullopt;
};

// Cores share the columns of the output (mcast_in0) or its rows. gather_in0, hop_cores, num_global_cb_receivers and
// stream_in1 belong to the ring of the gather_in0 form.
struct MatmulMultiCoreReuseMultiCast1DProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t in0_block_w{};
    std::size_t out_subblock_h{};
    std::size_t out_subblock_w{};
    std::size_t out_block_h{};
    std::size_t out_block_w{};
    std::size_t per_core_M{};
    std::size_t per_core_N{};
    bool fuse_batch{};
    std::optional<ttnn::operations::unary::UnaryWithParam> fused_activation;
    bool mcast_in0{};
    bool gather_in0{};
    CoreRangeSet hop_cores;
    std::size_t num_global_cb_receivers{};
    bool untilize_out{};
    std::optional<CoreRangeSet> allowed_worker_cores = std::nullopt;
    bool stream_in1 = false;
};

// For one tile of rows: in0 width sharded in L1, weights width sharded over the DRAM banks.
struct MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig {
    std::size_t in0_block_w{};
    std::size_t per_core_M{};
    std::size_t per_core_N{};
    std::optional<ttnn::operations::unary::UnaryWithParam> fused_activation;
};

// Whole batch elements a core: in0 height sharded in L1, in1 height sharded in DRAM.
struct MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig {
    std::size_t in0_block_w{};
    std::size_t per_core_M{};
    std::size_t per_core_N{};
    std::optional<ttnn::operations::unary::UnaryWithParam> fused_activation;
};

// One output tile at a time, everything interleaved.
struct MatmulMultiCoreProgramConfig {
    std::optional<CoreRangeSet> allowed_worker_cores = std::nullopt;
};

using MatmulProgramConfig = std::variant<
    MatmulMultiCoreProgramConfig, MatmulMultiCoreReuseProgramConfig, MatmulMultiCoreReuseMultiCastProgramConfig,
    MatmulMultiCoreReuseMultiCast1DProgramConfig, MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig,
    MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>;

}  // namespace ttnn::operations::matmul

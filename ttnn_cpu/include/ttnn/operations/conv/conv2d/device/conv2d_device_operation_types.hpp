// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tt-metalium/core_coord.hpp>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/eltwise/unary/common/unary_op_types.hpp"
#include "ttnn/operations/sliding_window/op_slicing/op_slicing.hpp"
#include "ttnn/operations/sliding_window/sliding_window.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn::prim {

namespace sliding_window = ttnn::operations::sliding_window;
namespace op_slicing = ttnn::operations::op_slicing;
using Conv2dSliceConfig = op_slicing::Op2DSliceConfig;

struct Conv2dConfig {
    // Of the prepared weights and bias; by default that of the weights given.
    std::optional<tt::tt_metal::DataType> weights_dtype = std::nullopt;
    // Fused, after the bias.
    std::optional<ttnn::operations::unary::UnaryWithParam> activation = std::nullopt;
    // Frees an input that is in L1.
    bool deallocate_activation = false;
    // Moves the halo's output into the room of the freed input.
    bool reallocate_halo_output = true;
    // Index tables go to DRAM instead of L1_SMALL.
    bool config_tensors_in_dram = false;
    // Rows of a block of activations, a multiple of 32; 0: all rows of a core.
    uint32_t act_block_h_override = 0;
    // Width sharding: parts into which a core's channels are cut.
    uint32_t act_block_w_div = 1;
    // For sharded inputs: reshards to what TTNN would have chosen.
    bool reshard_if_not_optimal = false;
    // Uses core_grid, shard_layout and transpose_shards as they are.
    bool override_sharding_config = false;
    // By default the one that takes the least L1.
    std::optional<tt::tt_metal::TensorMemoryLayout> shard_layout;
    std::optional<CoreRangeSet> core_grid = std::nullopt;
    bool transpose_shards = false;
    tt::tt_metal::Layout output_layout = tt::tt_metal::Layout::TILE;
    bool enable_act_double_buffer = false;
    bool enable_weights_double_buffer = false;
    // Block sharding: blocks of K span the whole window instead of one of its rows.
    bool full_inner_dim = false;
    // Rewrites a strided conv as fold plus a conv of stride 1; by default where kernel and stride are equal.
    std::optional<bool> enable_kernel_stride_folding = std::nullopt;
    bool enable_activation_reuse = false;
    std::optional<bool> force_split_reader = std::nullopt;
    // Block sharding: core_grid is that of the output.
    bool override_output_sharding_config = false;
    sliding_window::PaddingMode padding_mode = sliding_window::PaddingMode::Zeros;
};

}  // namespace ttnn::prim

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a program config comes to on the cores: how many, their circular buffers, and what happens to partial results.
#include "ops/matmul/params.hpp"

namespace ttnn_cpu::matmul_op {

struct Placement {
    std::uint32_t cores = 1;
    // Bytes a core, without the buffers that lie on a sharded tensor.
    std::uint64_t circular_buffer_bytes = 0;
    std::uint32_t k_block_tiles = 1;
    // Partials of the K blocks are added up in memory by the packer, else reloaded.
    bool packer_l1_acc = false;
    DataType partials_dtype = DataType::BFLOAT16;
    // A float32 destination comes back from memory whole; else as TF32.
    bool reload_keeps_float32 = true;
};

Placement place(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const Params& params,
    const MatmulProgramConfig& config);

// The spec of a new output. A sharded memory config gets its shards from the program config.
TensorSpec output_spec(const Tensor& a, const Tensor& b, const Params& params, const MatmulProgramConfig& config);

}  // namespace ttnn_cpu::matmul_op

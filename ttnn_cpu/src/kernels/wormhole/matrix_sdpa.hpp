// SPDX-License-Identifier: Apache-2.0
#pragma once
// Scaled dot product attention as TTNN's streaming kernel computes it on Wormhole (16-bit destination), bit for bit.
#include "kernels/wormhole/matrix_engine.hpp"

#include <cstddef>
#include <cstdint>

namespace ttnn_cpu::kernels::wormhole {

// Rows and columns are padded to tiles, matrices are dense: q [heads, q_rows, head_dim], k [heads / heads_per_kv,
// k_rows, head_dim], v [heads / heads_per_kv, k_rows, v_dim], out [heads, q_rows, v_dim].
struct SdpaSpec {
    std::size_t heads = 1;
    std::size_t heads_per_kv = 1;
    std::size_t q_rows = 0;
    std::size_t k_rows = 0;
    std::size_t k_length = 0;  // without padding
    std::size_t head_dim = 0;
    std::size_t v_dim = 0;
    float scale = 1.0F;
    bool causal = false;
    // q_chunk_size and k_chunk_size of the program config (32 rows without one): they decide where partial results
    // round.
    std::size_t q_chunk_tiles = 1;
    std::size_t k_chunk_tiles = 1;
    Fidelity fidelity = Fidelity::HiFi2;
    bool exp_approx = true;   // exp_approx_mode of the program config
    bool math_approx = true;  // math_approx_mode of the compute config
    // A mask added to the scores before they are scaled, that is the caller's mask times 1 / scale: [q_rows, k_rows]
    // bfloat16 at mask + (head / heads_per_batch) * mask_batch_stride + (head % heads_per_batch) * mask_head_stride;
    // null for none.
    const std::uint16_t* mask = nullptr;
    std::size_t heads_per_batch = 1;
    std::size_t mask_batch_stride = 0;
    std::size_t mask_head_stride = 0;
};

// Runs on parallel_for.
void sdpa(
    const SdpaSpec& spec, const std::uint16_t* q, const std::uint16_t* k, const std::uint16_t* v, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels::wormhole

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attention of one new token a user over the caches.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tt-metalium/base_types.hpp>

#include "core/program.hpp"
#include "kernels/stored_matrix.hpp"

namespace ttnn_cpu {

struct SdpaDecodeKernel {
    kernels::StoredMatrix q;  // [users * padded_heads, head_dim]
    kernels::StoredMatrix k;  // [users * kv_heads * positions, head_dim]
    kernels::StoredMatrix v;
    kernels::StoredMatrix out;
    std::size_t users;
    std::size_t heads;
    std::size_t padded_heads;
    std::size_t kv_heads;
    std::size_t positions;
    std::size_t k_chunk;
    float scale;
    bool exp_approx;
    bool math_approx;
    tt::tt_metal::MathFidelity fidelity;
    std::vector<std::uint32_t> cur_pos;  // empty: the last input has them, as int32
};

// Inputs: q, k, v and the positions.
Kernel fast_sdpa_decode(const SdpaDecodeKernel& kernel);
// With the arithmetic of the kernel for whole sequences: chunks of keys in order, on one core a head.
Kernel wormhole_sdpa_decode(const SdpaDecodeKernel& kernel);

}  // namespace ttnn_cpu

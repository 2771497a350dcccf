// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scaled dot product attention over stored matrices.
#include <cstddef>
#include <cstdint>
#include <optional>

#include <tt-metalium/base_types.hpp>

#include "core/program.hpp"
#include "kernels/stored_matrix.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

namespace ttnn_cpu {

struct SdpaKernel {
    kernels::StoredMatrix q;  // [batch * heads * q_rows, head_dim]; the output is stored alike
    kernels::StoredMatrix k;  // [batch * kv_heads * k_rows, head_dim]
    kernels::StoredMatrix v;
    std::size_t batch;
    std::size_t heads;
    std::size_t kv_heads;
    std::size_t q_rows;  // padded
    std::size_t k_rows;  // padded
    std::size_t k_length;
    float scale;
    bool causal;
    std::size_t q_chunk;
    std::size_t k_chunk;
    bool exp_approx;
    bool math_approx;
    tt::tt_metal::MathFidelity fidelity;
    // Added to the scores before they are scaled; [1 or batch, 1 or heads, q_rows, k_rows].
    std::optional<kernels::StoredMatrix> mask;
    bool mask_by_batch = false;
    bool mask_by_head = false;
};

// Inputs: q, k, v and the mask if there is one.
Kernel fast_sdpa(const SdpaKernel& kernel);
Kernel wormhole_sdpa(const SdpaKernel& kernel);

}  // namespace ttnn_cpu

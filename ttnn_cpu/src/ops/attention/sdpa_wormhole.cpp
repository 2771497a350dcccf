// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_sdpa.hpp"
#include "ops/attention/sdpa_kernel.hpp"
#include "ops/fidelity_of.hpp"

namespace ttnn_cpu {

using kernels::StoredMatrix;
using tt::tt_metal::DataType;
using tt::tt_metal::MathFidelity;

namespace {

const std::uint16_t* as_bf16(const StoredMatrix& matrix, const std::byte* data, std::vector<std::uint16_t>& scratch) {
    if (matrix.dtype == DataType::BFLOAT16) {
        return reinterpret_cast<const std::uint16_t*>(data);
    }
    scratch.resize(matrix.size());
    matrix.load_bf16(data, 0, matrix.size(), scratch.data());
    return scratch.data();
}

}  // namespace

Kernel wormhole_sdpa(const SdpaKernel& kernel) {
    kernels::wormhole::SdpaSpec spec;
    spec.heads = kernel.batch * kernel.heads;
    spec.heads_per_kv = kernel.heads / kernel.kv_heads;
    spec.q_rows = kernel.q_rows;
    spec.k_rows = kernel.k_rows;
    spec.k_length = kernel.k_length;
    spec.head_dim = kernel.q.cols;
    spec.v_dim = kernel.v.cols;
    spec.scale = kernel.scale;
    spec.causal = kernel.causal;
    spec.q_chunk_tiles = kernel.q_chunk / 32;
    spec.k_chunk_tiles = kernel.k_chunk / 32;
    spec.fidelity = fidelity_of(kernel.fidelity);
    spec.exp_approx = kernel.exp_approx;
    spec.math_approx = kernel.math_approx;
    spec.heads_per_batch = kernel.heads;
    const std::size_t mask_size = kernel.q_rows * kernel.k_rows;
    spec.mask_head_stride = kernel.mask_by_head ? mask_size : 0;
    spec.mask_batch_stride = kernel.mask_by_batch ? mask_size * (kernel.mask_by_head ? kernel.heads : 1) : 0;
    return [kernel, spec](std::span<const BufferRef> in, std::span<const BufferRef> out) {
        std::vector<std::uint16_t> q;
        std::vector<std::uint16_t> k;
        std::vector<std::uint16_t> v;
        std::vector<std::uint16_t> mask;
        kernels::wormhole::SdpaSpec with_mask = spec;
        with_mask.mask = kernel.mask ? as_bf16(*kernel.mask, in[3].data, mask) : nullptr;
        const std::uint16_t* queries = as_bf16(kernel.q, in[0].data, q);
        const std::uint16_t* keys = as_bf16(kernel.k, in[1].data, k);
        const std::uint16_t* values = as_bf16(kernel.v, in[2].data, v);
        if (kernel.q.dtype == DataType::BFLOAT16) {
            kernels::wormhole::sdpa(with_mask, queries, keys, values, out[0].as<std::uint16_t>());
            return;
        }
        std::vector<std::uint16_t> result(kernel.q.size());
        kernels::wormhole::sdpa(with_mask, queries, keys, values, result.data());
        kernel.q.store_bf16(out[0].data, 0, result.size(), result.data());
    };
}

}  // namespace ttnn_cpu

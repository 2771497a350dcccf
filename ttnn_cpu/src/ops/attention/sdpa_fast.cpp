// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/attention_rows.hpp"
#include "kernels/matmul_primitive.hpp"
#include "kernels/parallel.hpp"
#include "kernels/simd.hpp"
#include "ops/attention/sdpa_kernel.hpp"

namespace ttnn_cpu {

using kernels::exp_close;
using kernels::exp_quick;
using kernels::keep_fraction;
using kernels::largest_of;
using kernels::MatmulPrimitive;
using kernels::multiply;
using kernels::OperandType;
using kernels::StoredMatrix;
using kernels::sum_of;
using kernels::WeightsLayout;
using tt::tt_metal::MathFidelity;

namespace {

// The rows of a chunk of work, which must divide the padded rows: a multiple of 32.
std::size_t block_rows(std::size_t q_rows) {
    for (const std::size_t rows : {128U, 96U, 64U}) {
        if (q_rows % rows == 0) {
            return rows;
        }
    }
    return 32;
}

TTNN_CPU_SIMD_CLONES void add(float* x, const float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        x[i] += y[i];
    }
}

struct Scratch {
    std::vector<float> q;
    std::vector<float> k;
    std::vector<float> v;
    std::vector<float> scores;
    std::vector<float> mask;
    std::vector<float> out;
};

class FastSdpa {
public:
    explicit FastSdpa(const SdpaKernel& kernel)
        : kernel_(kernel),
          rows_(block_rows(kernel.q_rows)),
          head_dim_(kernel.q.cols),
          scores_(rows_, head_dim_, kernel.k_rows, OperandType::Float32, WeightsLayout::Columns),
          values_(rows_, kernel.k_rows, head_dim_, OperandType::Float32, WeightsLayout::Rows) {}

    void run(std::span<const BufferRef> in, const BufferRef& out) const {
        const std::size_t blocks = kernel_.q_rows / rows_;
        kernels::parallel_for(kernel_.batch * kernel_.heads * blocks, [&](std::size_t chunk) {
            block(in, out, chunk / blocks, chunk % blocks * rows_);
        });
    }

private:
    void block(std::span<const BufferRef> in, const BufferRef& out, std::size_t head, std::size_t row) const {
        thread_local Scratch s;
        const std::size_t kv_head =
            head / kernel_.heads * kernel_.kv_heads + head % kernel_.heads / (kernel_.heads / kernel_.kv_heads);
        const std::size_t q_first = (head * kernel_.q_rows + row) * head_dim_;
        load(kernel_.q, in[0], q_first, rows_ * head_dim_, s.q);
        load(kernel_.k, in[1], kv_head * kernel_.k_rows * head_dim_, kernel_.k_rows * head_dim_, s.k);
        load(kernel_.v, in[2], kv_head * kernel_.k_rows * head_dim_, kernel_.k_rows * head_dim_, s.v);
        const bool low = kernel_.fidelity == MathFidelity::LoFi;
        if (low || kernel_.fidelity == MathFidelity::HiFi2) {
            keep_fraction(s.q.data(), s.q.size(), 6);
        }
        if (low) {
            keep_fraction(s.k.data(), s.k.size(), 4);
            keep_fraction(s.v.data(), s.v.size(), 4);
        }
        s.scores.resize(rows_ * kernel_.k_rows);
        scores_.run(s.q.data(), s.k.data(), s.scores.data());
        if (kernel_.mask) {
            const std::size_t batch = kernel_.mask_by_batch ? head / kernel_.heads : 0;
            const std::size_t mask_heads = kernel_.mask_by_head ? kernel_.heads : 1;
            const std::size_t mask_head = kernel_.mask_by_head ? head % kernel_.heads : 0;
            const std::size_t first = ((batch * mask_heads + mask_head) * kernel_.q_rows + row) * kernel_.k_rows;
            load(*kernel_.mask, in[3], first, s.scores.size(), s.mask);
            add(s.scores.data(), s.mask.data(), s.scores.size());
        }
        std::vector<float> inverse(rows_);
        for (std::size_t i = 0; i < rows_; ++i) {
            inverse[i] = softmax_row(s.scores.data() + i * kernel_.k_rows, row + i);
        }
        s.out.resize(rows_ * head_dim_);
        values_.run(s.scores.data(), s.v.data(), s.out.data());
        for (std::size_t i = 0; i < rows_; ++i) {
            multiply(s.out.data() + i * head_dim_, head_dim_, inverse[i]);
        }
        kernel_.q.store_f32(out.data, q_first, s.out.size(), s.out.data());
    }

    // Makes exponentials of a row of scores and returns 1 / their sum.
    float softmax_row(float* x, std::size_t q_row) const {
        // With a mask the card leaves the padding of the last tile to the mask's own padding.
        const std::size_t length = kernel_.mask ? kernel_.k_rows : kernel_.k_length;
        const std::size_t visible = kernel_.causal ? std::min(length, q_row + 1) : length;
        const float largest = largest_of(x, visible);
        std::fill(x + visible, x + kernel_.k_rows, 0.0F);
        if (largest == -std::numeric_limits<float>::infinity()) {
            // Everything is masked: on the card the difference of two infinities is 0, so that all keys count alike.
            std::fill(x, x + visible, 1.0F);
            return 1.0F / static_cast<float>(visible);
        }
        kernel_.exp_approx ? exp_quick(x, visible, largest, kernel_.scale)
                           : exp_close(x, visible, largest, kernel_.scale);
        return 1.0F / sum_of(x, visible);
    }

    static void load(
        const StoredMatrix& matrix, const BufferRef& data, std::size_t first, std::size_t n, std::vector<float>& out) {
        out.resize(n);
        matrix.load_f32(data.data, first, n, out.data());
    }

    SdpaKernel kernel_;
    std::size_t rows_;
    std::size_t head_dim_;
    MatmulPrimitive scores_;
    MatmulPrimitive values_;
};

}  // namespace

Kernel fast_sdpa(const SdpaKernel& kernel) {
    const auto sdpa = std::make_shared<const FastSdpa>(kernel);
    return [sdpa](std::span<const BufferRef> in, std::span<const BufferRef> out) { sdpa->run(in, out[0]); };
}

}  // namespace ttnn_cpu

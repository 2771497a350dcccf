// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_direct.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kDeepest = 256;  // a panel of it and a block of rows fit into L2 with room to spare

#if defined(__x86_64__)

// kRows rows by kVectors * 16 columns: the sums stay in registers.
template <std::size_t kRows, std::size_t kVectors>
TTNN_CPU_AVX512 void tile(const float* in, std::size_t k, const float* panel, float* sums, std::size_t stride) {
    __m512 sum[kRows][kVectors];
    for (auto& row : sum) {
        for (auto& vector : row) {
            vector = _mm512_setzero_ps();
        }
    }
    for (std::size_t i = 0; i < k; ++i) {
        __m512 weight[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) {
            weight[v] = _mm512_loadu_ps(panel + i * kDirectColumns + v * kLanes);
        }
        for (std::size_t row = 0; row < kRows; ++row) {
            const __m512 value = _mm512_set1_ps(in[row * k + i]);
            for (std::size_t v = 0; v < kVectors; ++v) {
                sum[row][v] = _mm512_fmadd_ps(value, weight[v], sum[row][v]);
            }
        }
    }
    for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t v = 0; v < kVectors; ++v) {
            _mm512_storeu_ps(sums + row * stride + v * kLanes, sum[row][v]);
        }
    }
}

// As many rows at a time as there are registers for their sums.
template <std::size_t kVectors, std::size_t kRows>
void rows_of_panel(
    const float* in, std::size_t rows, std::size_t k, const float* panel, float* sums, std::size_t stride) {
    for (; rows >= kRows; rows -= kRows, in += kRows * k, sums += kRows * stride) {
        tile<kRows, kVectors>(in, k, panel, sums, stride);
    }
    if constexpr (kRows > 1) {
        rows_of_panel<kVectors, kRows / 2>(in, rows, k, panel, sums, stride);
    }
}

#endif

}  // namespace

bool direct_supported(std::size_t k) { return cpu_has_avx512() && k <= kDeepest; }

void direct_pack(const float* plain, std::size_t k, std::size_t columns, float* panel) {
    std::fill_n(panel, direct_panel_floats(k), 0.0F);
    for (std::size_t i = 0; i < k; ++i) {
        std::copy_n(plain + i * columns, columns, panel + i * kDirectColumns);
    }
}

void direct_multiply(
    const float* in, std::size_t rows, std::size_t k, const float* panels, std::size_t n, float* sums,
    std::size_t stride) {
#if defined(__x86_64__)
    if (cpu_has_avx512()) {
        for (std::size_t col = 0; col < n; col += kDirectColumns) {
            const float* const panel = panels + col / kDirectColumns * direct_panel_floats(k);
            switch (std::min(kDirectColumns, n - col) / kLanes) {
                case 1:
                    rows_of_panel<1, 12>(in, rows, k, panel, sums + col, stride);
                    break;
                case 2:
                    rows_of_panel<2, 12>(in, rows, k, panel, sums + col, stride);
                    break;
                case 3:
                    rows_of_panel<3, 8>(in, rows, k, panel, sums + col, stride);
                    break;
                default:
                    rows_of_panel<4, 6>(in, rows, k, panel, sums + col, stride);
                    break;
            }
        }
        return;
    }
#endif
    direct_multiply_portable(in, rows, k, panels, n, sums, stride);
}

void direct_multiply_portable(
    const float* in, std::size_t rows, std::size_t k, const float* panels, std::size_t n, float* sums,
    std::size_t stride) {
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t col = 0; col < n; ++col) {
            const float* const panel = panels + col / kDirectColumns * direct_panel_floats(k) + col % kDirectColumns;
            float sum = 0.0F;
            for (std::size_t i = 0; i < k; ++i) {
                sum = std::fma(in[row * k + i], panel[i * kDirectColumns], sum);
            }
            sums[row * stride + col] = sum;
        }
    }
}

}  // namespace ttnn_cpu::kernels

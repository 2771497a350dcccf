// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_direct.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kDeepest = 2048;  // a panel of it and a block of rows fit into L2

#if defined(__x86_64__)

constexpr std::size_t kDirectLanes = 16;

// Operands of a product: side by side, or apart.
struct Dense {
    const float* in;
    TTNN_CPU_ALWAYS_INLINE float at(std::size_t row, std::size_t i) const { return in[row + i]; }
};
struct Apart {
    const float* in;
    const std::uint32_t* offsets;
    TTNN_CPU_ALWAYS_INLINE float at(std::size_t row, std::size_t i) const { return in[row + offsets[i]]; }
};

// kRows rows by kVectors * 16 columns: the sums stay in registers.
template <std::size_t kRows, std::size_t kVectors, typename Operand>
TTNN_CPU_AVX512 void tile(Operand in, std::size_t stride, std::size_t k, const float* panel, float* sums) {
    __m512 sum[kRows][kVectors];
    for (auto& row : sum) {
        for (auto& vector : row) {
            vector = _mm512_setzero_ps();
        }
    }
    for (std::size_t i = 0; i < k; ++i) {
        __m512 weight[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) {
            weight[v] = _mm512_loadu_ps(panel + i * kDirectColumns + v * kDirectLanes);
        }
        for (std::size_t row = 0; row < kRows; ++row) {
            const __m512 value = _mm512_set1_ps(in.at(row * stride, i));
            for (std::size_t v = 0; v < kVectors; ++v) {
                sum[row][v] = _mm512_fmadd_ps(value, weight[v], sum[row][v]);
            }
        }
    }
    for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t v = 0; v < kVectors; ++v) {
            _mm512_storeu_ps(sums + row * kDirectColumns + v * kDirectLanes, sum[row][v]);
        }
    }
}

struct Pairs {
    const std::uint16_t* in;
};

// The same for bfloat16, of which an instruction multiplies and adds two along k.
template <std::size_t kRows, std::size_t kVectors>
TTNN_CPU_AVX512_BF16 void tile(Pairs in, std::size_t stride, std::size_t k, const std::uint16_t* panel, float* sums) {
    __m512 sum[kRows][kVectors];
    for (auto& row : sum) {
        for (auto& vector : row) {
            vector = _mm512_setzero_ps();
        }
    }
    for (std::size_t i = 0; i < k; i += 2) {
        __m512bh weight[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) {
            weight[v] = (__m512bh)_mm512_loadu_si512(panel + i * kDirectColumns + 2 * v * kDirectLanes);
        }
        for (std::size_t row = 0; row < kRows; ++row) {
            int pair;
            std::memcpy(&pair, in.in + row * stride + i, sizeof pair);
            const auto value = (__m512bh)_mm512_set1_epi32(pair);
            for (std::size_t v = 0; v < kVectors; ++v) {
                sum[row][v] = _mm512_dpbf16_ps(sum[row][v], value, weight[v]);
            }
        }
    }
    for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t v = 0; v < kVectors; ++v) {
            _mm512_storeu_ps(sums + row * kDirectColumns + v * kDirectLanes, sum[row][v]);
        }
    }
}

template <typename Operand, typename Panel>
using Tile = void (*)(Operand in, std::size_t stride, std::size_t k, const Panel* panel, float* sums);

// By rows, from one on.
template <typename Operand, typename Panel, std::size_t kVectors, std::size_t... kRows>
constexpr std::array<Tile<Operand, Panel>, sizeof...(kRows)> tiles(std::index_sequence<kRows...>) {
    return {static_cast<Tile<Operand, Panel>>(&tile<kRows + 1, kVectors>)...};
}

// Tiles of nearly equal height, so that none is too small to keep the vector unit busy; at most as many rows as there are
// registers for their sums.
template <std::size_t kVectors, std::size_t kMost, typename Operand, typename Panel>
void rows_of_panel(
    Operand in, std::size_t stride, std::size_t rows, std::size_t k, const Panel* panel, const DirectBlock& take) {
    static constexpr auto kTiles = tiles<Operand, Panel, kVectors>(std::make_index_sequence<kMost>());
    alignas(64) float sums[kMost * kDirectColumns];
    const std::size_t count = (rows + kMost - 1) / kMost;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t first = rows * i / count;
        const std::size_t height = rows * (i + 1) / count - first;
        Operand here = in;
        here.in += first * stride;
        kTiles[height - 1](here, stride, k, panel, sums);
        take(sums, first, height);
    }
}

template <typename Operand, typename Panel>
void multiply_panel(
    Operand in, std::size_t stride, std::size_t rows, std::size_t k, const Panel* panel, std::size_t n,
    const DirectBlock& take) {
    switch (n / kDirectLanes) {
        case 1:
            return rows_of_panel<1, kDirectTile>(in, stride, rows, k, panel, take);
        case 2:
            return rows_of_panel<2, kDirectTile>(in, stride, rows, k, panel, take);
        case 3:
            return rows_of_panel<3, 8>(in, stride, rows, k, panel, take);
        default:
            return rows_of_panel<4, 6>(in, stride, rows, k, panel, take);
    }
}

#endif

}  // namespace

bool direct_supported(std::size_t k, bool bfloat16) {
    return k <= kDeepest && (bfloat16 ? isa() >= Isa::Avx512Bf16 && k % 2 == 0 : cpu_has_avx512());
}

void direct_pack(const float* plain, std::size_t k, std::size_t columns, float* panel) {
    std::fill_n(panel, direct_panel_values(k), 0.0F);
    for (std::size_t i = 0; i < k; ++i) {
        std::copy_n(plain + i * columns, columns, panel + i * kDirectColumns);
    }
}

void direct_pack(const std::uint16_t* plain, std::size_t k, std::size_t columns, std::uint16_t* panel) {
    std::fill_n(panel, direct_panel_values(k), std::uint16_t{0});
    for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t column = 0; column < columns; ++column) {
            panel[(i / 2 * kDirectColumns + column) * 2 + i % 2] = plain[i * columns + column];
        }
    }
}

void direct_multiply(
    const float* in, std::size_t stride, std::size_t rows, std::size_t k, const float* panel, std::size_t n,
    const DirectBlock& take) {
#if defined(__x86_64__)
    if (cpu_has_avx512()) {
        multiply_panel(Dense{in}, stride, rows, k, panel, n, take);
        return;
    }
#endif
    direct_multiply_portable(in, stride, rows, nullptr, k, panel, n, take);
}

void direct_multiply_apart(
    const float* in, std::size_t stride, std::size_t rows, const std::uint32_t* offsets, std::size_t k,
    const float* panel, std::size_t n, const DirectBlock& take) {
#if defined(__x86_64__)
    if (cpu_has_avx512()) {
        multiply_panel(Apart{in, offsets}, stride, rows, k, panel, n, take);
        return;
    }
#endif
    direct_multiply_portable(in, stride, rows, offsets, k, panel, n, take);
}

void direct_multiply(
    const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t k, const std::uint16_t* panel,
    std::size_t n, const DirectBlock& take) {
#if defined(__x86_64__)
    multiply_panel(Pairs{in}, stride, rows, k, panel, n, take);
#endif
}

void direct_multiply_portable(
    const float* in, std::size_t stride, std::size_t rows, const std::uint32_t* offsets, std::size_t k,
    const float* panel, std::size_t n, const DirectBlock& take) {
    float sums[kDirectColumns];
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t col = 0; col < n; ++col) {
            float sum = 0.0F;
            for (std::size_t i = 0; i < k; ++i) {
                const float value = in[row * stride + (offsets == nullptr ? i : offsets[i])];
                sum = std::fma(value, panel[i * kDirectColumns + col], sum);
            }
            sums[col] = sum;
        }
        take(sums, row, 1);
    }
}

}  // namespace ttnn_cpu::kernels

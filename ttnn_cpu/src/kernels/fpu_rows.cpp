// SPDX-License-Identifier: Apache-2.0
#include "kernels/fpu_rows.hpp"

#include "kernels/simd.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

namespace ttnn_cpu::kernels {
namespace {

using namespace wormhole;  // NOLINT: the unit this file models

constexpr std::size_t kSignificands = 128;

// Products of all pairs of significands, b outer. The phases of a product move together with the exponents, so one
// table serves every exponent that keeps the lowest phase normal.
class ProductTable {
public:
    ProductTable() {
        for (std::size_t b = 0; b < kSignificands; ++b) {
            for (std::size_t a = 0; a < kSignificands; ++a) {
                const auto x = static_cast<std::uint16_t>(0x3F80U | a);
                const std::size_t index = b * kSignificands + a;
                positive_[index] =
                    static_cast<std::uint16_t>(fpu_mul_bf16(x, static_cast<std::uint16_t>(0x3F80U | b)) - 0x3F80U);
                negative_[index] =
                    static_cast<std::uint16_t>(fpu_mul_bf16(x, static_cast<std::uint16_t>(0xBF80U | b)) - 0xBF80U);
            }
        }
    }

    [[nodiscard]] avx512::ProductRows of(std::uint16_t b) const {
        const std::size_t start = (b & 0x7FU) * kSignificands;
        return {&positive_[start], &negative_[start]};
    }

    // Of normal numbers whose exponents add up to `exponent`, which keeps every phase normal and the result finite.
    [[nodiscard]] std::uint16_t product(std::uint16_t a, std::uint16_t b, int exponent) const {
        const std::size_t index = (b & 0x7FU) * kSignificands + (a & 0x7FU);
        const unsigned sign = (a ^ b) & 0x8000U;
        const unsigned entry = sign == 0 ? positive_[index] : negative_[index];
        return static_cast<std::uint16_t>(((static_cast<unsigned>(exponent) << 7) + entry) | sign);
    }

private:
    std::uint16_t positive_[kSignificands * kSignificands];
    std::uint16_t negative_[kSignificands * kSignificands];
};

const ProductTable& products() {
    static const ProductTable* const table = new ProductTable;  // outlives every queue thread
    return *table;
}

}  // namespace

std::uint16_t fpu_mul_bf16(std::uint16_t a, std::uint16_t b) {
    return pack_bf16_from_dst16(
        static_cast<std::uint16_t>(fpu_mul(widen_bf16(a), widen_bf16(b), Fidelity::HiFi4, DestWidth::Bits16) >> 16));
}

std::uint16_t fpu_row_sum_bf16(const std::uint16_t* in, std::size_t columns) {
    std::uint32_t ones[16];
    std::uint32_t face[16];
    for (std::uint32_t& one : ones) {
        one = 0x3F800000U;
    }
    std::uint32_t sum = 0;
    for (std::size_t tile = 0; tile < columns; tile += 32) {
        for (int phase = 0; phase < 4; ++phase) {
            for (std::size_t half = 0; half < 32; half += 16) {
                for (std::size_t i = 0; i < 16; ++i) {
                    face[i] = widen_bf16(in[tile + half + i]);
                }
                sum = mvmul(sum, face, ones, phase, DestWidth::Bits16);
            }
        }
    }
    return static_cast<std::uint16_t>(sum >> 16);
}

void fpu_mul_bf16(
    const std::uint16_t* a, std::size_t step_a, const std::uint16_t* b, std::size_t step_b, std::size_t n,
    std::uint16_t* out) {
    const ProductTable& table = products();
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint16_t x = a[i * step_a];
        const std::uint16_t y = b[i * step_b];
        const int exponent = ((x >> 7) & 0xFF) + ((y >> 7) & 0xFF) - 127;
        if ((x & 0x7F80) == 0 || (y & 0x7F80) == 0) {
            out[i] = 0;
        } else {
            out[i] = exponent < 14 || exponent > 252 ? fpu_mul_bf16(x, y) : table.product(x, y, exponent);
        }
    }
}

void fpu_scale_bf16(const std::uint16_t* in, std::uint16_t b, std::size_t n, std::uint16_t* out) {
    if (cpu_has_avx512()) {
        avx512::fpu_scale_bf16(products().of(b), in, b, n, out);
        return;
    }
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = fpu_mul_bf16(in[i], b);
    }
}

void fpu_row_sums_bf16(
    const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns, std::uint16_t* sums) {
    if (cpu_has_avx512()) {
        avx512::fpu_row_sums_bf16(in, stride, rows, columns, sums);
        return;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        sums[row] = fpu_row_sum_bf16(in + row * stride, columns);
    }
}

}  // namespace ttnn_cpu::kernels

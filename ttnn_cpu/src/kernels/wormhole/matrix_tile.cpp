// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_tile.hpp"

#include "kernels/wormhole/matrix_engine_isa.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::size_t kFace = 16;

void multiply(
    Fidelity fidelity, const std::uint32_t* in0, const std::int16_t* in1, std::uint16_t* dst, std::size_t rows) {
    best_engine().mvmul_tile16(fidelity, in0, in1, dst, rows);
}
void multiply(
    Fidelity fidelity, const std::uint32_t* in0, const std::int16_t* in1, std::uint32_t* dst, std::size_t rows) {
    best_engine().mvmul_tile32(fidelity, in0, in1, dst, rows);
}

template <class Dst>
void multiply_tile(Fidelity fidelity, const MatrixView& in0, const MatrixView& in1, std::size_t rows, Dst* dst) {
    std::array<std::uint32_t, kTile * kTile * in0_parts(4)> packed0;
    std::array<std::int16_t, kTile * kTile * in1_parts(4)> packed1;
    best_engine().pack_in0(in0, 0, rows, kTile, fidelity, packed0.data());
    best_engine().pack_in1(in1, 0, kTile, fidelity, packed1.data());
    multiply(fidelity, packed0.data(), packed1.data(), dst, rows);
}

// The scaler sits in the first column of a tile of zeros, and so does the result.
template <class Dst>
void sum_rows(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, Dst* dst) {
    std::array<float, kTile * kTile> scalers{};
    std::array<Dst, kTile * kTile> wide{};
    for (std::size_t i = 0; i < kTile; ++i) {
        scalers[i * kTile] = std::bit_cast<float>(scaler);
        wide[i * kTile] = dst[i];
    }
    multiply_tile(fidelity, tile, {nullptr, scalers.data(), kTile}, kTile, wide.data());
    for (std::size_t i = 0; i < kTile; ++i) {
        dst[i] = wide[i * kTile];
    }
}

// One product per face, the other face multiplied by zeros: adding nothing leaves the destination as it is.
template <class Dst>
void sum_columns(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, Dst* dst) {
    for (std::size_t face = 0; face < 2; ++face) {
        std::array<float, kTile> scalers{};
        std::fill_n(scalers.begin() + face * kFace, kFace, std::bit_cast<float>(scaler));
        multiply_tile(fidelity, {nullptr, scalers.data(), kTile}, tile, 1, dst);
    }
}

// Sign and magnitude as a number that grows with the value.
std::int32_t order_of(std::uint16_t bits) {
    const auto value = static_cast<std::int16_t>(bits);
    return value < 0 ? value ^ 0x7FFF : value;
}

std::uint16_t value_at(const MatrixView& tile, std::size_t row, std::size_t column) {
    const std::size_t index = row * tile.stride + column;
    const std::uint16_t bits =
        tile.bf16 != nullptr ? tile.bf16[index]
                             : static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(tile.float32[index]) >> 16);
    return (bits & 0x7F80) == 0 ? std::uint16_t{0} : bits;
}

std::uint16_t larger(std::uint16_t a, std::uint16_t b) { return order_of(b) > order_of(a) ? b : a; }

}  // namespace

void mvmul_tile(Fidelity fidelity, const MatrixView& in0, const MatrixView& in1, std::size_t rows, std::uint16_t* dst) {
    multiply_tile(fidelity, in0, in1, rows, dst);
}
void mvmul_tile(Fidelity fidelity, const MatrixView& in0, const MatrixView& in1, std::size_t rows, std::uint32_t* dst) {
    multiply_tile(fidelity, in0, in1, rows, dst);
}

void reduce_sum_rows(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint16_t* dst) {
    sum_rows(fidelity, tile, scaler, dst);
}
void reduce_sum_rows(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint32_t* dst) {
    sum_rows(fidelity, tile, scaler, dst);
}
void reduce_sum_columns(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint16_t* dst) {
    sum_columns(fidelity, tile, scaler, dst);
}
void reduce_sum_columns(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint32_t* dst) {
    sum_columns(fidelity, tile, scaler, dst);
}

void reduce_max_rows(const MatrixView& tile, std::uint16_t* dst) {
    for (std::size_t row = 0; row < kTile; ++row) {
        std::uint16_t best = dst[row];
        for (std::size_t column = 0; column < kTile; ++column) {
            best = larger(best, value_at(tile, row, column));
        }
        dst[row] = static_cast<std::uint16_t>(fpu_add(0, widen_bf16(best), DestWidth::Bits16) >> 16);
    }
}

void reduce_max_columns(const MatrixView& tile, std::uint16_t* dst) {
    for (std::size_t row = 0; row < kTile; ++row) {
        for (std::size_t column = 0; column < kTile; ++column) {
            dst[column] = larger(dst[column], value_at(tile, row, column));
        }
    }
}

}  // namespace ttnn_cpu::kernels::wormhole

// SPDX-License-Identifier: Apache-2.0
#include "kernels/rotary.hpp"

#include <array>

#include "kernels/eltwise.hpp"
#include "kernels/formats.hpp"
#include "kernels/fpu_rows.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kTileWidth = 32;
constexpr std::size_t kWidest = 256;

// Rows of turn with an element in each column, found once a tile: a rotation has one a column.
struct Turned {
    std::array<float, kTileWidth> values;
};

Turned turned_tile(const RotaryRow& row, std::size_t first) {
    Turned tile{};
    for (std::size_t k = 0; k < kTileWidth; ++k) {
        const float value = bf16_to_float(row.x[first + k]);
        const std::uint16_t* const factors = row.turn + k * kTileWidth;
        for (std::size_t column = 0; column < kTileWidth; ++column) {
            // Zeros are left out, so that padding that is not finite stays where it is.
            if ((factors[column] & 0x7FFFU) != 0) {
                tile.values[column] += value * bf16_to_float(factors[column]);
            }
        }
    }
    return tile;
}

}  // namespace

void rotate_row_fast(const RotaryRow& row, std::uint16_t* out) {
    for (std::size_t first = 0; first < row.width; first += kTileWidth) {
        const Turned tile = turned_tile(row, first);
        for (std::size_t i = 0; i < kTileWidth; ++i) {
            const std::size_t at = first + i;
            const float turned = bf16_to_float(bf16_round_away(tile.values[i]));
            const float by_sin = bf16_to_float(bf16_round_away(turned * bf16_to_float(row.sin[at])));
            const float by_cos = bf16_to_float(bf16_round_away(bf16_to_float(row.x[at]) * bf16_to_float(row.cos[at])));
            out[at] = bf16_round_away(by_cos + by_sin);
        }
    }
}

void rotate_row_wormhole(const RotaryRow& row, std::uint16_t* out) {
    std::array<std::uint16_t, kWidest> by_sin;
    std::array<std::uint16_t, kWidest> by_cos;
    for (std::size_t first = 0; first < row.width; first += kTileWidth) {
        const Turned tile = turned_tile(row, first);
        for (std::size_t i = 0; i < kTileWidth; ++i) {
            by_sin[first + i] = fpu_mul_bf16(bf16_truncate(tile.values[i]), row.sin[first + i]);
            by_cos[first + i] = fpu_mul_bf16(row.x[first + i], row.cos[first + i]);
        }
    }
    binary_bf16(BinaryFunction::Add, by_cos.data(), by_sin.data(), row.width, out);
}

}  // namespace ttnn_cpu::kernels

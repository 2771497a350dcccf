// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Rotary position embedding of one row of a head, in bfloat16 with the card's roundings between the steps.
namespace ttnn_cpu::kernels {

struct RotaryRow {
    const std::uint16_t* x;
    const std::uint16_t* cos;
    const std::uint16_t* sin;
    const std::uint16_t* turn;  // [32, 32]: each tile of the row is multiplied by it before sin
    std::size_t width;          // a multiple of 32
};

// out = x * cos + (x turn) * sin.
void rotate_row_fast(const RotaryRow& row, std::uint16_t* out);
// With the bits of a bfloat16 destination at HiFi4. The matrix has at most one element other than zero a column.
void rotate_row_wormhole(const RotaryRow& row, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/matmul_epilogue_rows.hpp"
#include "kernels/matmul_operand.hpp"
#include "kernels/sfpu.hpp"

// What happens to a matmul's sums before they are stored, in the order of the card.
namespace ttnn_cpu::kernels {

struct MatmulEpilogue {
    // Without it every step leaves a bfloat16.
    bool float32_destination = false;
    bool has_bias = false;
    bool relu = false;  // in the packer: after the activation
    std::optional<UnaryOp> activation;

    // Made by prepare() for a bfloat16 destination.
    const UnaryTable* table = nullptr;
    std::uint16_t ceiling = 0;  // of a clamp from zero, as a bfloat16; 0 for none

    void prepare();

    // Takes the sums of n columns of a row, which it may change, to the output. bias: n values, if there is one.
    void store_row(
        float* sums, std::size_t n, const float* bias, const OperandMatrix& out, std::size_t row,
        std::size_t col) const;

    // The same for rows that are `stride` floats apart, with one bias for all of them.
    void store_rows(
        float* sums, std::size_t rows, std::size_t stride, std::size_t n, const float* bias, const OperandMatrix& out,
        std::size_t row, std::size_t col) const;

    // The steps of a bfloat16 destination.
    [[nodiscard]] RowSteps steps(const float* bias) const {
        return {has_bias ? bias : nullptr, table != nullptr ? table->data() : nullptr, ceiling};
    }
};

}  // namespace ttnn_cpu::kernels

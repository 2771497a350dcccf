// SPDX-License-Identifier: Apache-2.0
#pragma once

// Softmax over stored matrices: decodes rows, calls the row kernels, encodes.
#include <cstddef>
#include <cstdint>
#include <optional>

#include <ttnn_cpu/device_options.hpp>

#include "kernels/softmax.hpp"
#include "kernels/stored_matrix.hpp"

namespace ttnn_cpu {

struct SoftmaxMask {
    // Line: one row for a whole batch entry. Block: as many rows as a slice of the input, or a divisor. EveryRow: as
    // the input.
    enum class Kind : std::uint8_t { None, Line, Block, EveryRow };

    Kind kind = Kind::None;
    kernels::StoredMatrix stored{};
    std::size_t height = 0;         // rows of one mask, padded
    std::size_t input_height = 0;   // rows of a slice of the input, padded
    std::size_t rows_of_batch = 0;  // rows of the input that belong to one batch entry
    bool one_for_all = false;       // one mask for every batch entry

    std::size_t row_for(std::size_t input_row) const;
};

struct SoftmaxKernel {
    kernels::StoredMatrix matrix;  // of the input and of the output
    std::size_t columns;           // logical
    std::optional<float> scale;
    SoftmaxMask mask;
    bool numeric_stable;
    bool exp_approx;
    bool reciprocal_approx;
    bool float32;  // destination and intermediate results
    Numerics numerics;
};

// Columns past the logical ones become zero. out may be in.
void softmax_over_rows(const SoftmaxKernel& kernel, const std::byte* in, const std::byte* mask, std::byte* out);

// Lines along a dimension that is not the last: element d of line i of block o is at (o * padded_length + d) * inner +
// i.
struct SoftmaxLines {
    std::size_t outer = 1;
    std::size_t length = 1;
    std::size_t padded_length = 1;
    std::size_t inner = 1;
    kernels::SoftmaxSum sum = kernels::SoftmaxSum::TileByTile;
};
void softmax_over_lines(const SoftmaxKernel& kernel, const SoftmaxLines& lines, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu

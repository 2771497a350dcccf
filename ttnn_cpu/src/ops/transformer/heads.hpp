// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moving heads between the columns of a hidden state and slices of their own.
#include <cstddef>

#include "core/program.hpp"
#include "kernels/stored_matrix.hpp"

namespace ttnn_cpu {

// Heads among the columns of a matrix of batch * seq rows. Columns are `groups` equal parts; in each part its share
// of the heads stands side by side from `first_column` on.
struct HeadColumns {
    std::size_t batch;
    std::size_t seq;  // padded
    std::size_t heads;
    std::size_t head_size;
    std::size_t groups = 1;
    std::size_t first_column = 0;
    kernels::StoredMatrix matrix;
};

// [batch, seq, columns] to [batch, heads, seq, head_size], bit for bit.
void split_heads(const HeadColumns& columns, const std::byte* in, std::byte* out);
// The same with the last two dimensions swapped; block floats are packed anew, and FLOAT32 comes as TF32, for it passes through
// the matrix unit.
void split_heads_transposed(const HeadColumns& columns, const std::byte* in, std::byte* out);
void concatenate_heads(const HeadColumns& columns, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/stored_matrix.hpp"

// Rows on their way into a cache of keys or values.
namespace ttnn_cpu::kernels {

// `count` rows of one matrix to rows of another with as many columns, a multiple of 16. Equal formats go bit for bit, others as the
// packer rounds them.
void copy_rows(
    const StoredMatrix& from, const std::byte* in, std::size_t in_row, const StoredMatrix& to, std::byte* out,
    std::size_t out_row, std::size_t count);

}  // namespace ttnn_cpu::kernels

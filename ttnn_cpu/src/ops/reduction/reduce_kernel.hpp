// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reductions over stored matrices: decode, call the kernels, encode.
#include <cstddef>

#include <tt-metalium/base_types.hpp>

#include "kernels/stored_matrix.hpp"
#include "ops/reduction/reduce_step.hpp"

namespace ttnn_cpu {

struct ReduceKernel {
    ReduceMath math;
    float scalar;
    bool correction;
    tt::tt_metal::MathFidelity fidelity;
    bool wide_dest;    // a 32-bit destination
    bool vector_unit;  // FLOAT32: see ReduceStep
    kernels::StoredMatrix in;
    kernels::StoredMatrix out;
    std::size_t height;         // logical rows of a slice
    std::size_t padded_height;  // rows of a slice of the input
    std::size_t out_height;     // rows of a slice of the output, padded
    std::size_t width;          // logical columns
    // For sum_slices: the input is [outer, slices, inner].
    std::size_t outer = 1;
    std::size_t slices = 1;
    std::size_t inner = 1;
};

// What is not a result becomes zero in the output.
void reduce_width(const ReduceKernel& kernel, const std::byte* in, std::byte* out);
void reduce_height(const ReduceKernel& kernel, const std::byte* in, std::byte* out);
void reduce_height_and_width(const ReduceKernel& kernel, const std::byte* in, std::byte* out);
void sum_slices(const ReduceKernel& kernel, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu

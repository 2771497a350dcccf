// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Steps of attention over a row of scores, in float32: what whole sequences and single tokens have in common. Bits do not depend on
// the CPU.
namespace ttnn_cpu::kernels {

// Clears fraction bits that the fidelity does not multiply.
void keep_fraction(float* x, std::size_t n, unsigned bits);

float largest_of(const float* x, std::size_t n);
float sum_of(const float* x, std::size_t n);
void multiply(float* x, std::size_t n, float factor);

// exp((x - largest) * scale) in place.
// The card's quick exponential, within 3 %: the bits of a float32 are nearly the logarithm of its value.
void exp_quick(float* x, std::size_t n, float largest, float scale);
// By 2^n times a polynomial of the rest; relative error below 1e-6.
void exp_close(float* x, std::size_t n, float largest, float scale);

// scores[i] = sum of query[d] * rows[i][d] for `count` rows of `width` floats, a multiple of 16.
void dot_rows(const float* query, const float* rows, std::size_t count, std::size_t width, float* scores);
// out[d] += sum of weights[i] * rows[i][d].
void add_weighted_rows(const float* weights, const float* rows, std::size_t count, std::size_t width, float* out);

}  // namespace ttnn_cpu::kernels

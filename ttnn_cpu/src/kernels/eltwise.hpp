// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Binary functions element by element, bit for bit as TTNN 0.77 computes them on Wormhole; out may be a or b.
namespace ttnn_cpu::kernels {

enum class BinaryFunction : std::uint8_t { Add, Sub, Mul, Div };

// The plain definition, one pair of bfloat16 values (bfloat16 destination). add and sub run on the matrix unit, mul and
// div on the vector unit. Block floats are unpacked to bfloat16 before, and packed with the device rule after.
std::uint16_t binary_bf16(BinaryFunction function, std::uint16_t a, std::uint16_t b);

// The same for FLOAT32 tensors: all on the vector unit, denormals are zero.
float binary_f32(BinaryFunction function, float a, float b);

// out[i] = a[i] op b[i]
void add_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out);
void sub_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out);
void mul_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out);
void div_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out);
void binary_bf16(
    BinaryFunction function, const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out);

// out[i] = a[i] op b: a scalar operand, or a column broadcast over a row.
void binary_bf16(BinaryFunction function, const std::uint16_t* a, std::uint16_t b, std::size_t n, std::uint16_t* out);
// out[i] = a op b[i]
void binary_bf16(BinaryFunction function, std::uint16_t a, const std::uint16_t* b, std::size_t n, std::uint16_t* out);

// Add, Sub and Mul on the matrix unit with a float32 destination, for operands that are not both FLOAT32: it reads 10
// fraction bits of each. out[i] = a[i * step_a] op b[i * step_b].
void fpu_binary_f32(
    BinaryFunction function, const float* a, std::size_t step_a, const float* b, std::size_t step_b, std::size_t n,
    float* out);

void binary_f32(BinaryFunction function, const float* a, const float* b, std::size_t n, float* out);
void binary_f32(BinaryFunction function, const float* a, float b, std::size_t n, float* out);
void binary_f32(BinaryFunction function, float a, const float* b, std::size_t n, float* out);

}  // namespace ttnn_cpu::kernels

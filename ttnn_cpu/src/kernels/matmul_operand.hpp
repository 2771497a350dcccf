// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Matrices in a stored format, row by row, as matmul reads and writes them.
namespace ttnn_cpu::kernels {

enum class StoredFormat : std::uint8_t { Bfloat16, Float32, Bfloat8B, Bfloat4B };

// A whole stored matrix. cols is a multiple of 32; block floats have their exponents behind the values.
struct OperandMatrix {
    std::byte* data = nullptr;
    StoredFormat format = StoredFormat::Bfloat16;
    std::size_t rows = 0;
    std::size_t cols = 0;
};

// Where the parts of a row begin. exponents: of block floats.
struct OperandPlanes {
    std::uint8_t* values = nullptr;
    std::uint8_t* exponents = nullptr;
};

OperandPlanes planes_of(const OperandMatrix& matrix, std::size_t row, std::size_t col);

// Float32 bits that keep `bits` fraction bits of a value.
constexpr std::uint32_t fraction_mask(unsigned bits) { return ~((1U << (23 - bits)) - 1U); }

// n values of a row from col on (a multiple of 16) as float32, denormals as zero, bits outside of mask cleared.
void decode_row(
    const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, std::uint32_t mask, float* out);

// The same as bfloat16, where fits_bf16.
void decode_row(
    const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, std::uint32_t mask,
    std::uint16_t* out);

// The first n values of rows row, row + step, ... (count of them), out_stride values apart with zeros between. T: float or
// std::uint16_t.
template <typename T>
void decode_rows(
    const OperandMatrix& matrix, std::size_t row, std::size_t step, std::size_t count, std::size_t n,
    std::size_t out_stride, std::uint32_t mask, T* out);

// out [rows, n] from the first n values of rows that are `stride` apart.
template <typename T>
void narrow_rows(const T* in, std::size_t rows, std::size_t stride, std::size_t n, T* out);

// Whether bfloat16 holds all that the mask leaves of such values.
bool fits_bf16(StoredFormat format, std::uint32_t mask);

// As bfloat16, denormals too, for the formats that bfloat16 holds.
void decode_row_bf16(const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, std::uint16_t* out);

// What the packer makes of a row of the destination register: bfloat16 or float32. n is a multiple of 16.
void encode_row(const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, const std::uint16_t* in);
void encode_row(const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, const float* in);

// Fills rows with zeros.
void clear_rows(const OperandMatrix& matrix, std::size_t row, std::size_t count);

// out [cols, rows] = in [rows, cols].
void transpose(const float* in, std::size_t rows, std::size_t cols, float* out);
void transpose(const std::uint16_t* in, std::size_t rows, std::size_t cols, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels

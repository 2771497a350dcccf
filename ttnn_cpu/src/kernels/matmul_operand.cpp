// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_operand.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/formats.hpp"
#include "kernels/simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ttnn_cpu::kernels {
namespace {

constexpr std::uint32_t kExponent = 0x7F800000U;

TTNN_CPU_SIMD_CLONES
void decode_bf16(const std::uint16_t* in, std::size_t n, std::uint32_t mask, std::uint32_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t bits = static_cast<std::uint32_t>(in[i]) << 16;
        out[i] = (bits & kExponent) == 0 ? 0 : bits & mask;
    }
}

#if defined(__x86_64__)

// The same for n values of each of some rows, out_stride values apart with zeros between: a call for each would cost more than
// the values of a short one.
TTNN_CPU_AVX512 void decode_bf16_rows_avx512(
    const std::uint16_t* in, std::size_t in_stride, std::size_t rows, std::size_t n, std::uint32_t mask, float* out,
    std::size_t out_stride) {
    const __m512i kept = _mm512_set1_epi32(static_cast<int>(mask));
    const __m512i exponent = _mm512_set1_epi32(static_cast<int>(kExponent));
    for (std::size_t row = 0; row < rows; ++row, in += in_stride, out += out_stride) {
        for (std::size_t i = 0; i < out_stride; i += 16) {
            const auto first = [i](std::size_t end) {
                return static_cast<__mmask16>(end >= i + 16 ? 0xFFFFU : end <= i ? 0U : (1U << (end - i)) - 1U);
            };
            const __m512i bits = _mm512_maskz_slli_epi32(
                0xFFFF, _mm512_maskz_cvtepu16_epi32(0xFFFF, _mm256_maskz_loadu_epi16(first(n), in + i)), 16);
            _mm512_mask_storeu_epi32(
                out + i, first(out_stride), _mm512_maskz_and_epi32(_mm512_test_epi32_mask(bits, exponent), bits, kept));
        }
    }
}

#endif

TTNN_CPU_SIMD_CLONES
void mask_bf16(const std::uint16_t* in, std::size_t n, std::uint16_t mask, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<std::uint16_t>((in[i] & 0x7F80U) == 0 ? 0 : in[i] & mask);
    }
}

TTNN_CPU_SIMD_CLONES
void mask_f32_to_bf16(const std::uint32_t* in, std::size_t n, std::uint32_t mask, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<std::uint16_t>((in[i] & kExponent) == 0 ? 0 : (in[i] & mask) >> 16);
    }
}

TTNN_CPU_SIMD_CLONES
void mask_bits(const std::uint32_t* in, std::size_t n, std::uint32_t mask, std::uint32_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = (in[i] & kExponent) == 0 ? 0 : in[i] & mask;
    }
}

TTNN_CPU_SIMD_CLONES
void widen(const std::uint16_t* in, std::size_t n, std::uint32_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<std::uint32_t>(in[i]) << 16;
    }
}

using Planes = OperandPlanes;

// Block floats come in groups of 16: the last group of a row may hold more than is asked for.
template <typename T, typename Unpack>
void unpack_groups(Unpack unpack, Planes at, std::size_t bytes_per_group, std::size_t n, T* out) {
    const std::size_t whole = n / 16 * 16;
    unpack(at.values, at.exponents, whole, out);
    if (whole < n) {
        T group[16];
        unpack(at.values + whole / 16 * bytes_per_group, at.exponents + whole / 16, 16, group);
        std::copy(group, group + (n - whole), out + whole);
    }
}

template <typename T>
void transpose_blocks(const T* in, std::size_t rows, std::size_t cols, T* out) {
    constexpr std::size_t kBlock = 16;
    for (std::size_t row = 0; row < rows; row += kBlock) {
        const std::size_t row_end = std::min(rows, row + kBlock);
        for (std::size_t col = 0; col < cols; col += kBlock) {
            const std::size_t col_end = std::min(cols, col + kBlock);
            for (std::size_t r = row; r < row_end; ++r) {
                for (std::size_t c = col; c < col_end; ++c) {
                    out[c * rows + r] = in[r * cols + c];
                }
            }
        }
    }
}

}  // namespace

OperandPlanes planes_of(const OperandMatrix& matrix, std::size_t row, std::size_t col) {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(matrix.data);
    const std::size_t index = row * matrix.cols + col;
    const std::size_t elements = matrix.rows * matrix.cols;
    switch (matrix.format) {
        case StoredFormat::Bfloat16:
            return {bytes + 2 * index, nullptr};
        case StoredFormat::Float32:
            return {bytes + 4 * index, nullptr};
        case StoredFormat::Bfloat8B:
            return {bytes + index, bytes + elements + index / 16};
        case StoredFormat::Bfloat4B:
            return {bytes + index / 2, bytes + elements / 2 + index / 16};
    }
    return {};
}

void decode_row(
    const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, std::uint32_t mask, float* out) {
    const Planes at = planes_of(matrix, row, col);
    auto* const bits = reinterpret_cast<std::uint32_t*>(out);
    switch (matrix.format) {
        case StoredFormat::Bfloat16:
            decode_bf16(reinterpret_cast<const std::uint16_t*>(at.values), n, mask, bits);
            return;
        case StoredFormat::Float32:
            mask_bits(reinterpret_cast<const std::uint32_t*>(at.values), n, mask, bits);
            return;
        case StoredFormat::Bfloat8B: {
            unpack_groups([](auto... args) { unpack_bfp8(args...); }, at, 16, n, out);
            // The magnitude has 6 fraction bits.
            if ((mask & fraction_mask(6)) != fraction_mask(6)) {
                mask_bits(bits, n, mask, bits);
            }
            return;
        }
        case StoredFormat::Bfloat4B:
            unpack_groups([](auto... args) { unpack_bfp4(args...); }, at, 8, n, out);
            return;
    }
}

void decode_row(
    const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, std::uint32_t mask,
    std::uint16_t* out) {
    const Planes at = planes_of(matrix, row, col);
    const auto upper = static_cast<std::uint16_t>(mask >> 16);
    switch (matrix.format) {
        case StoredFormat::Bfloat16:
            mask_bf16(reinterpret_cast<const std::uint16_t*>(at.values), n, upper, out);
            return;
        case StoredFormat::Float32:
            mask_f32_to_bf16(reinterpret_cast<const std::uint32_t*>(at.values), n, mask, out);
            return;
        case StoredFormat::Bfloat8B:
            unpack_groups([](auto... args) { unpack_bfp8_to_bf16(args...); }, at, 16, n, out);
            if ((mask & fraction_mask(6)) != fraction_mask(6)) {
                mask_bf16(out, n, upper, out);
            }
            return;
        case StoredFormat::Bfloat4B:
            unpack_groups([](auto... args) { unpack_bfp4_to_bf16(args...); }, at, 8, n, out);
            return;
    }
}

template <typename T>
void narrow_rows(const T* in, std::size_t rows, std::size_t stride, std::size_t n, T* out) {
    // Rows of a few values: longer copies that the next row overwrites, but for the last.
    constexpr std::size_t kAtOnce = 4;
    if (n <= kAtOnce && stride >= kAtOnce && rows > kAtOnce) {
        const std::size_t quick = rows - kAtOnce;
        for (std::size_t row = 0; row < quick; ++row) {
            std::memcpy(out + row * n, in + row * stride, kAtOnce * sizeof(T));
        }
        narrow_rows(in + quick * stride, kAtOnce, stride, n, out + quick * n);
        return;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        std::copy_n(in + row * stride, n, out + row * n);
    }
}

template <typename T>
void decode_rows(
    const OperandMatrix& matrix, std::size_t row, std::size_t step, std::size_t count, std::size_t n,
    std::size_t out_stride, std::uint32_t mask, T* out) {
    if (step == 1 && n == matrix.cols && n == out_stride) {
        const OperandMatrix flat{matrix.data, matrix.format, 1, matrix.rows * matrix.cols};
        decode_row(flat, 0, row * n, count * n, mask, out);
        return;
    }
#if defined(__x86_64__)
    if constexpr (std::is_same_v<T, float>) {
        if (matrix.format == StoredFormat::Bfloat16 && n >= 16 && cpu_has_avx512()) {
            decode_bf16_rows_avx512(
                reinterpret_cast<const std::uint16_t*>(planes_of(matrix, row, 0).values), step * matrix.cols, count, n,
                mask, out, out_stride);
            return;
        }
    }
#endif
    // A call for each row costs more than the few values of a narrow one.
    if (n == out_stride && step * matrix.cols <= 4 * n + 32 && n < 64) {
        constexpr std::size_t kStrip = 1024;
        alignas(64) T strip[kStrip + 256];
        const std::size_t stride = step * matrix.cols;
        const std::size_t rows = std::max<std::size_t>(1, kStrip / stride);
        const OperandMatrix flat{matrix.data, matrix.format, 1, matrix.rows * matrix.cols};
        for (std::size_t done = 0; done < count; done += rows) {
            const std::size_t some = std::min(rows, count - done);
            // Nothing behind the last row that is asked for.
            const std::size_t values = (some - 1) * stride + matrix.cols;
            decode_row(flat, 0, (row + done * step) * matrix.cols, values, mask, strip);
            narrow_rows(strip, some, stride, n, out + done * n);
        }
        return;
    }
    for (std::size_t i = 0; i < count; ++i, out += out_stride) {
        decode_row(matrix, row + i * step, 0, n, mask, out);
        std::fill(out + n, out + out_stride, T{0});
    }
}

template void narrow_rows(const float*, std::size_t, std::size_t, std::size_t, float*);
template void narrow_rows(const std::uint16_t*, std::size_t, std::size_t, std::size_t, std::uint16_t*);
template void decode_rows(
    const OperandMatrix&, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, std::uint32_t, float*);
template void decode_rows(
    const OperandMatrix&, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, std::uint32_t,
    std::uint16_t*);

void decode_row_bf16(const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, std::uint16_t* out) {
    const Planes at = planes_of(matrix, row, col);
    switch (matrix.format) {
        case StoredFormat::Bfloat16:
            std::memcpy(out, at.values, 2 * n);
            return;
        case StoredFormat::Bfloat8B:
            unpack_groups([](auto... args) { unpack_bfp8_to_bf16(args...); }, at, 16, n, out);
            return;
        case StoredFormat::Bfloat4B:
            unpack_groups([](auto... args) { unpack_bfp4_to_bf16(args...); }, at, 8, n, out);
            return;
        case StoredFormat::Float32:
            break;
    }
}

bool fits_bf16(StoredFormat format, std::uint32_t mask) {
    return format != StoredFormat::Float32 || (mask & 0xFFFFU) == 0;
}

void encode_row(const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, const std::uint16_t* in) {
    const Planes at = planes_of(matrix, row, col);
    switch (matrix.format) {
        case StoredFormat::Bfloat16:
            std::memcpy(at.values, in, 2 * n);
            return;
        case StoredFormat::Float32:
            widen(in, n, reinterpret_cast<std::uint32_t*>(at.values));
            return;
        case StoredFormat::Bfloat8B:
            pack_bfp8(in, n, at.values, at.exponents);
            return;
        case StoredFormat::Bfloat4B:
            pack_bfp4(in, n, at.values, at.exponents);
            return;
    }
}

void encode_row(const OperandMatrix& matrix, std::size_t row, std::size_t col, std::size_t n, const float* in) {
    const Planes at = planes_of(matrix, row, col);
    switch (matrix.format) {
        case StoredFormat::Bfloat16:
            pack_bf16(in, n, reinterpret_cast<std::uint16_t*>(at.values));
            return;
        case StoredFormat::Float32:
            std::memcpy(at.values, in, 4 * n);
            return;
        case StoredFormat::Bfloat8B:
            pack_bfp8(in, n, at.values, at.exponents);
            return;
        case StoredFormat::Bfloat4B:
            pack_bfp4(in, n, at.values, at.exponents);
            return;
    }
}

void clear_rows(const OperandMatrix& matrix, std::size_t row, std::size_t count) {
    const Planes from = planes_of(matrix, row, 0);
    const Planes to = planes_of(matrix, row + count, 0);
    std::memset(from.values, 0, static_cast<std::size_t>(to.values - from.values));
    if (from.exponents != nullptr) {
        std::memset(from.exponents, 0, static_cast<std::size_t>(to.exponents - from.exponents));
    }
}

void transpose(const float* in, std::size_t rows, std::size_t cols, float* out) {
    transpose_blocks(in, rows, cols, out);
}
void transpose(const std::uint16_t* in, std::size_t rows, std::size_t cols, std::uint16_t* out) {
    transpose_blocks(in, rows, cols, out);
}

}  // namespace ttnn_cpu::kernels

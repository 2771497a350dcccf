// SPDX-License-Identifier: Apache-2.0
#include "kernels/movement_transpose.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace ttnn_cpu::kernels {
namespace {

// The side of a square whose rows are one cache line. Lines are read and written whole, once: rows whose distance is a
// power of two fall into the same few places of the cache, and would push one another out.
template <typename T>
constexpr std::size_t kSide = 64 / sizeof(T);

template <typename T>
void plain_square(
    const T* in, std::size_t in_stride, T* out, std::size_t out_stride, std::size_t rows, std::size_t columns) {
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; row < rows; ++row) {
            out[column * out_stride + row] = in[row * in_stride + column];
        }
    }
}

#if defined(__x86_64__)

__m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
void store(void* to, __m128i value) { _mm_storeu_si128(static_cast<__m128i*>(to), value); }

// Each pass interleaves row i with row i + n/2: log2(n) passes transpose an n x n square.
void micro_square(const std::uint8_t* in, std::size_t in_stride, std::uint8_t* out, std::size_t out_stride) {
    __m128i a[16];
    __m128i b[16];
    for (std::size_t i = 0; i < 16; ++i) {
        a[i] = load(in + i * in_stride);
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t i = 0; i < 8; ++i) {
            b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
            b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
        }
        for (std::size_t i = 0; i < 8; ++i) {
            a[2 * i] = _mm_unpacklo_epi8(b[i], b[i + 8]);
            a[2 * i + 1] = _mm_unpackhi_epi8(b[i], b[i + 8]);
        }
    }
    for (std::size_t i = 0; i < 16; ++i) {
        store(out + i * out_stride, a[i]);
    }
}

void micro_square(const std::uint16_t* in, std::size_t in_stride, std::uint16_t* out, std::size_t out_stride) {
    __m128i a[8];
    __m128i b[8];
    for (std::size_t i = 0; i < 8; ++i) {
        a[i] = load(in + i * in_stride);
    }
    const auto interleave = [](const __m128i* from, __m128i* to) {
        for (std::size_t i = 0; i < 4; ++i) {
            to[2 * i] = _mm_unpacklo_epi16(from[i], from[i + 4]);
            to[2 * i + 1] = _mm_unpackhi_epi16(from[i], from[i + 4]);
        }
    };
    interleave(a, b);
    interleave(b, a);
    interleave(a, b);
    for (std::size_t i = 0; i < 8; ++i) {
        store(out + i * out_stride, b[i]);
    }
}

void micro_square(const std::uint32_t* in, std::size_t in_stride, std::uint32_t* out, std::size_t out_stride) {
    __m128i a[4];
    __m128i b[4];
    for (std::size_t i = 0; i < 4; ++i) {
        a[i] = load(in + i * in_stride);
    }
    const auto interleave = [](const __m128i* from, __m128i* to) {
        for (std::size_t i = 0; i < 2; ++i) {
            to[2 * i] = _mm_unpacklo_epi32(from[i], from[i + 2]);
            to[2 * i + 1] = _mm_unpackhi_epi32(from[i], from[i + 2]);
        }
    };
    interleave(a, b);
    interleave(b, a);
    for (std::size_t i = 0; i < 4; ++i) {
        store(out + i * out_stride, a[i]);
    }
}

template <typename T>
void whole_square(const T* in, std::size_t in_stride, T* out, std::size_t out_stride) {
    constexpr std::size_t kMicro = 16 / sizeof(T);
    alignas(64) T to[kSide<T> * kSide<T>];
    for (std::size_t row = 0; row < kSide<T>; row += kMicro) {
        for (std::size_t column = 0; column < kSide<T>; column += kMicro) {
            micro_square(in + row * in_stride + column, in_stride, to + column * kSide<T> + row, kSide<T>);
        }
    }
    for (std::size_t column = 0; column < kSide<T>; ++column) {
        std::memcpy(out + column * out_stride, to + column * kSide<T>, 64);
    }
}

#else

template <typename T>
void whole_square(const T* in, std::size_t in_stride, T* out, std::size_t out_stride) {
    plain_square(in, in_stride, out, out_stride, kSide<T>, kSide<T>);
}

#endif

template <typename T>
void transpose(const TransposeShape& shape, const T* in, T* out) {
    for (std::size_t column = 0; column < shape.columns; column += kSide<T>) {
        const std::size_t columns = std::min(kSide<T>, shape.columns - column);
        for (std::size_t row = 0; row < shape.rows; row += kSide<T>) {
            const std::size_t rows = std::min(kSide<T>, shape.rows - row);
            const T* from = in + row * shape.in_stride + column;
            T* to = out + column * shape.out_stride + row;
            if (rows == kSide<T> && columns == kSide<T>) {
                whole_square(from, shape.in_stride, to, shape.out_stride);
            } else {
                plain_square(from, shape.in_stride, to, shape.out_stride, rows, columns);
            }
        }
    }
}

}  // namespace

void transpose_block(const TransposeShape& shape, std::size_t element_bytes, const std::byte* in, std::byte* out) {
    switch (element_bytes) {
        case 1:
            transpose(shape, reinterpret_cast<const std::uint8_t*>(in), reinterpret_cast<std::uint8_t*>(out));
            break;
        case 2:
            transpose(shape, reinterpret_cast<const std::uint16_t*>(in), reinterpret_cast<std::uint16_t*>(out));
            break;
        default:
            transpose(shape, reinterpret_cast<const std::uint32_t*>(in), reinterpret_cast<std::uint32_t*>(out));
            break;
    }
}

}  // namespace ttnn_cpu::kernels

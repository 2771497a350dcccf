// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv_depthwise.hpp"

#if defined(__x86_64__)
#include "kernels/matmul_epilogue_avx512.hpp"

// Sixteen channels of an output row at a time. The window slides along the row in registers: a pixel is read and widened once
// for each row that it counts in.
namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kLanes16 = 16;
constexpr std::size_t kWindow = 3;

struct Column {
    __m512 row[kWindow];
    bool there;  // not in the padding to the left or right, whose taps are left out
};

// Pixels of one column; rows outside of the image have none.
struct ColumnReader {
    const std::uint16_t* rows[kWindow];
    std::size_t step;  // from pixel to pixel
    std::size_t width;

    // x wraps around in front of the row.
    TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE Column at(std::size_t x) const {
        Column column;
        column.there = x < width;
        for (std::size_t h = 0; h < kWindow; ++h) {
            column.row[h] = _mm512_setzero_ps();
            if (rows[h] != nullptr && column.there) {
                const __m512i halves = _mm512_maskz_cvtepu16_epi32(
                    0xFFFF, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows[h] + x * step)));
                const __mmask16 normal = _mm512_test_epi32_mask(halves, _mm512_set1_epi32(0x7F80));
                column.row[h] = _mm512_castsi512_ps(_mm512_maskz_slli_epi32(normal, halves, 16));
            }
        }
        return column;
    }
};

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512
window_sum(const Column& left, const Column& middle, const Column& right, const __m512* weights) {
    __m512 sum = _mm512_setzero_ps();
    if (left.there && middle.there && right.there) [[likely]] {
        for (std::size_t h = 0; h < kWindow; ++h) {
            sum = _mm512_fmadd_ps(left.row[h], weights[kWindow * h], sum);
            sum = _mm512_fmadd_ps(middle.row[h], weights[kWindow * h + 1], sum);
            sum = _mm512_fmadd_ps(right.row[h], weights[kWindow * h + 2], sum);
        }
        return sum;
    }
    const Column* const columns[kWindow] = {&left, &middle, &right};
    for (std::size_t tap = 0; tap < kWindow * kWindow; ++tap) {
        const Column& column = *columns[tap % kWindow];
        sum = column.there ? _mm512_fmadd_ps(column.row[tap / kWindow], weights[tap], sum) : sum;
    }
    return sum;
}

template <bool kBias, bool kTable, bool kClamp>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void put(
    __m512 sum, const RowSteps& steps, std::size_t channel, std::uint16_t* out) {
    const __m512i value = avx512::finish16<kBias, kTable>(sum, steps, channel);
    __m256i halves = _mm512_maskz_cvtepi32_epi16(0xFFFF, kTable ? value : _mm512_maskz_srli_epi32(0xFFFF, value, 16));
    if constexpr (kClamp) {
        halves = _mm256_max_epi16(halves, _mm256_setzero_si256());
        halves = _mm256_min_epi16(halves, _mm256_set1_epi16(static_cast<short>(steps.ceiling)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), halves);
}

template <std::size_t kStride, bool kBias, bool kTable, bool kClamp>
TTNN_CPU_AVX512 void row_of_channels(
    const DepthwiseStored& spec, const ColumnReader& in, const float* weights, const RowSteps& steps,
    std::size_t channel, std::uint16_t* out) {
    __m512 kept[kWindow * kWindow];
    for (std::size_t tap = 0; tap < kWindow * kWindow; ++tap) {
        kept[tap] = _mm512_loadu_ps(weights + tap * spec.channels + channel);
    }
    out += channel;
    if constexpr (kStride == 1) {
        Column a = in.at(0 - spec.pad_left);
        Column b = in.at(1 - spec.pad_left);
        std::size_t x = 0;
        // Three at a time, so that columns need not move from register to register.
        for (; x + 3 <= spec.out_w; x += 3) {
            const Column c = in.at(x + 2 - spec.pad_left);
            put<kBias, kTable, kClamp>(window_sum(a, b, c, kept), steps, channel, out + x * spec.out_cols);
            a = in.at(x + 3 - spec.pad_left);
            put<kBias, kTable, kClamp>(window_sum(b, c, a, kept), steps, channel, out + (x + 1) * spec.out_cols);
            b = in.at(x + 4 - spec.pad_left);
            put<kBias, kTable, kClamp>(window_sum(c, a, b, kept), steps, channel, out + (x + 2) * spec.out_cols);
        }
        for (; x < spec.out_w; ++x) {
            const Column c = in.at(x + 2 - spec.pad_left);
            put<kBias, kTable, kClamp>(window_sum(a, b, c, kept), steps, channel, out + x * spec.out_cols);
            a = b;
            b = c;
        }
    } else {
        Column a = in.at(0 - spec.pad_left);
        for (std::size_t x = 0; x < spec.out_w; ++x) {
            const Column b = in.at(2 * x + 1 - spec.pad_left);
            const Column c = in.at(2 * x + 2 - spec.pad_left);
            put<kBias, kTable, kClamp>(window_sum(a, b, c, kept), steps, channel, out + x * spec.out_cols);
            a = c;
        }
    }
}

template <bool kBias, bool kTable, bool kClamp>
TTNN_CPU_AVX512 void one_row(
    const DepthwiseStored& spec, const std::uint16_t* in, const float* weights, const RowSteps& steps, std::size_t y,
    std::uint16_t* out) {
    for (std::size_t channel = 0; channel < spec.channels; channel += kLanes16) {
        ColumnReader reader{{}, spec.in_cols, spec.in_w};
        for (std::size_t h = 0; h < kWindow; ++h) {
            const std::size_t row = y * spec.stride_h + h - spec.pad_top;  // wraps around above the image
            reader.rows[h] = row < spec.in_h ? in + row * spec.in_w * spec.in_cols + channel : nullptr;
        }
        spec.stride_w == 1 ? row_of_channels<1, kBias, kTable, kClamp>(spec, reader, weights, steps, channel, out)
                           : row_of_channels<2, kBias, kTable, kClamp>(spec, reader, weights, steps, channel, out);
    }
    // Columns behind the channels hold what nothing becomes.
    for (std::size_t channel = spec.channels; channel < spec.out_cols; channel += kLanes16) {
        for (std::size_t x = 0; x < spec.out_w; ++x) {
            put<kBias, kTable, kClamp>(_mm512_setzero_ps(), steps, channel, out + x * spec.out_cols + channel);
        }
    }
}

}  // namespace

void depthwise_stored(
    const DepthwiseStored& spec, const std::uint16_t* in, const float* weights, const RowSteps& steps,
    std::size_t first_row, std::size_t last_row, std::uint16_t* out) {
    avx512::with_steps(steps, [&]<bool kBias, bool kTable, bool kClamp>() {
        for (std::size_t y = first_row; y < last_row; ++y, out += spec.out_w * spec.out_cols) {
            one_row<kBias, kTable, kClamp>(spec, in, weights, steps, y, out);
        }
    });
}

}  // namespace ttnn_cpu::kernels
#endif

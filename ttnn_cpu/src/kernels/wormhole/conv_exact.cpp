// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/conv_exact.hpp"

#include <algorithm>

#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::uint32_t kWhole = 0xFFFFFFFFU;
constexpr std::size_t kRowsAtOnce = 4096;  // of the matrix of windows, which may be large

template <typename T>
void decode(const OperandMatrix& matrix, std::size_t row, std::size_t n, T* to) {
    if constexpr (std::is_same_v<T, float>) {
        decode_row(matrix, row, 0, n, kWhole, to);
    } else {
        decode_row_bf16(matrix, row, 0, n, to);
    }
}

template <typename T>
MatrixView view(const std::vector<T>& values, std::size_t stride) {
    if constexpr (std::is_same_v<T, float>) {
        return {nullptr, values.data(), stride};
    } else {
        return {values.data(), nullptr, stride};
    }
}

// In the engine's order of K.
template <typename T>
std::vector<T> ordered_weights(const ExactConvSpec& spec, const std::byte* weights) {
    const std::size_t cols = spec.images.weight_cols;
    const OperandMatrix stored{const_cast<std::byte*>(weights), spec.weight_format, spec.layout.rows, cols};
    std::vector<T> ordered(spec.layout.rows * cols);
    parallel_for(spec.layout.segments.size(), [&](std::size_t i) {
        const ConvSegment& segment = spec.layout.segments[i];
        for (std::size_t row = 0; row < segment.count; ++row) {
            decode(stored, segment.stored_row + row, cols, ordered.data() + (segment.engine_row + row) * cols);
        }
    });
    return ordered;
}

// The windows of output pixels [first, first + count), one a row. pixels: all input, in_cols wide.
template <typename T>
void gather_windows(
    const ExactConvSpec& spec, const std::vector<T>& pixels, std::size_t first, std::size_t count,
    std::vector<T>& windows) {
    const ConvImages& im = spec.images;
    const std::size_t k = spec.layout.rows;
    parallel_for(count, [&](std::size_t i) {
        T* const row = windows.data() + i * k;
        std::fill_n(row, k, T{});
        const std::size_t pixel = first + i;
        const std::size_t x = pixel % im.out_w;
        const std::size_t y = pixel / im.out_w % im.out_h;
        const std::size_t image = pixel / im.out_w / im.out_h;
        for (const ConvSegment& segment : spec.layout.segments) {
            const std::size_t in_y = y * im.stride[0] + segment.tap_h * im.dilation[0] - im.padding[0];
            const std::size_t in_x = x * im.stride[1] + segment.tap_w * im.dilation[1] - im.padding[2];
            // Wraps around in front of the image.
            if (in_y >= im.in_h || in_x >= im.in_w || segment.channel >= im.in_channels) {
                continue;
            }
            const std::size_t channels = std::min(segment.count, im.in_channels - segment.channel);
            std::copy_n(
                pixels.data() + ((image * im.in_h + in_y) * im.in_w + in_x) * im.in_cols + segment.channel, channels,
                row + segment.engine_row);
        }
        // The windows are packed in the output's format.
        if constexpr (std::is_same_v<T, std::uint16_t>) {
            if (spec.out_format == StoredFormat::Bfloat8B || spec.out_format == StoredFormat::Bfloat4B) {
                round_trip_partials(
                    spec.out_format == StoredFormat::Bfloat8B ? PartialsFormat::BFloat8B : PartialsFormat::BFloat4B,
                    row, k);
            }
        }
    });
}

template <typename T>
std::vector<T> decode_pixels(const ExactConvSpec& spec, const std::byte* in) {
    const ConvImages& im = spec.images;
    const OperandMatrix stored{const_cast<std::byte*>(in), spec.in_format, im.in_rows, im.in_cols};
    std::vector<T> pixels(im.in_rows * im.in_cols);
    parallel_for(im.batch * im.in_h * im.in_w, [&](std::size_t row) {
        T* const to = pixels.data() + row * im.in_cols;
        if constexpr (std::is_same_v<T, std::uint16_t>) {
            if (spec.in_format == StoredFormat::Float32) {
                std::vector<float> values(im.in_cols);
                decode_row(stored, row, 0, im.in_cols, kWhole, values.data());
                pack_bf16(values.data(), im.in_cols, to);
                return;
            }
        }
        decode(stored, row, im.in_cols, to);
    });
    return pixels;
}

template <typename In, typename Weight>
void convolve(
    const ExactConvSpec& spec, const std::byte* in, const std::byte* weights, const std::byte* bias, std::byte* out) {
    const ConvImages& im = spec.images;
    const std::size_t k = spec.layout.rows;
    const std::vector<In> pixels = decode_pixels<In>(spec, in);
    const std::vector<Weight> ordered = ordered_weights<Weight>(spec, weights);
    std::vector<Weight> bias_row(im.weight_cols);
    if (bias != nullptr) {
        decode(
            {const_cast<std::byte*>(bias), spec.bias_format, 32, im.weight_cols}, 0, im.weight_cols, bias_row.data());
    }
    MatmulSpec engine = spec.engine;
    engine.k = k;
    engine.n = im.out_cols;
    engine.k_block_tiles = spec.layout.block_tiles;
    const OperandMatrix stored{out, spec.out_format, im.out_rows, im.out_cols};
    const std::size_t pixels_out = im.batch * im.out_h * im.out_w;
    for (std::size_t first = 0; first < pixels_out; first += kRowsAtOnce) {
        const std::size_t rows = std::min(kRowsAtOnce, pixels_out - first);
        engine.m = rows;
        std::vector<In> windows(engine.m * k);
        gather_windows(spec, pixels, first, engine.m, windows);
        const MatmulOperands operands{view(windows, k), view(ordered, im.weight_cols), view(bias_row, 0)};
        if (!engine.fp32_dest) {
            std::vector<std::uint16_t> sums(engine.m * engine.n);
            matmul(engine, operands, sums.data(), engine.n);
            parallel_for(rows, [&](std::size_t row) {
                encode_row(stored, first + row, 0, engine.n, sums.data() + row * engine.n);
            });
            continue;
        }
        std::vector<float> sums(engine.m * engine.n);
        matmul(engine, operands, sums.data(), engine.n);
        parallel_for(rows, [&](std::size_t row) {
            float* const values = sums.data() + row * engine.n;
            if (spec.float32_activation) {
                apply_unary_f32(std::span(&*spec.float32_activation, 1), values, engine.n, values);
            }
            encode_row(stored, first + row, 0, engine.n, values);
        });
    }
    if (pixels_out < im.out_rows) {
        clear_rows(stored, pixels_out, im.out_rows - pixels_out);
    }
}

}  // namespace

void exact_conv(
    const ExactConvSpec& spec, const std::byte* in, const std::byte* weights, const std::byte* bias, std::byte* out) {
    // Windows take the output's format: float32 only where that is float32 too.
    const bool float_in = spec.in_format == StoredFormat::Float32 && spec.out_format == StoredFormat::Float32;
    const bool float_weights = spec.weight_format == StoredFormat::Float32;
    if (float_in) {
        float_weights ? convolve<float, float>(spec, in, weights, bias, out)
                      : convolve<float, std::uint16_t>(spec, in, weights, bias, out);
    } else {
        float_weights ? convolve<std::uint16_t, float>(spec, in, weights, bias, out)
                      : convolve<std::uint16_t, std::uint16_t>(spec, in, weights, bias, out);
    }
}

}  // namespace ttnn_cpu::kernels::wormhole

// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool_window.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"
#include "kernels/simd.hpp"
#include "kernels/wormhole/matrix_tile.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::uint16_t kMinusInfinity = 0xFF80;

// Patterns ordered as integers: larger magnitudes further out on both sides.
TTNN_CPU_ALWAYS_INLINE std::int16_t ordered(std::uint16_t bits) {
    return static_cast<std::int16_t>(
        bits ^ (static_cast<std::uint16_t>(static_cast<std::int16_t>(bits) >> 15) & 0x7FFFU));
}

TTNN_CPU_SIMD_CLONES void to_order(std::uint16_t* values, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<std::uint16_t>(ordered(values[i]));
    }
}

TTNN_CPU_SIMD_CLONES void keep_largest(const std::uint16_t* in, std::size_t n, std::uint16_t* best) {
    for (std::size_t i = 0; i < n; ++i) {
        best[i] =
            static_cast<std::uint16_t>(std::max(static_cast<std::int16_t>(best[i]), static_cast<std::int16_t>(in[i])));
    }
}

TTNN_CPU_SIMD_CLONES void add_bf16(const std::uint16_t* in, std::size_t n, float* sums) {
    for (std::size_t i = 0; i < n; ++i) {
        sums[i] += std::bit_cast<float>(static_cast<std::uint32_t>(in[i]) << 16);
    }
}

TTNN_CPU_SIMD_CLONES void scale(float* values, std::size_t n, float factor) {
    for (std::size_t i = 0; i < n; ++i) {
        values[i] *= factor;
    }
}

void load_pixels(const PoolImages& im, const std::byte* in, std::size_t pixel, std::size_t count, std::uint16_t* to) {
    if (im.channels == im.in.cols) {
        im.in.load_bf16(in, pixel * im.channels, count * im.channels, to);
        return;
    }
    std::vector<std::uint16_t> row(im.in.cols);
    for (std::size_t i = 0; i < count; ++i) {
        im.in.load_bf16(in, (pixel + i) * im.in.cols, im.in.cols, row.data());
        std::copy_n(row.data(), im.channels, to + i * im.channels);
    }
}

void store_pixel(const PoolImages& im, std::byte* out, std::size_t pixel, const std::uint16_t* values) {
    if (im.channels == im.out.cols) {
        im.out.store_bf16(out, pixel * im.out.cols, im.out.cols, values);
        return;
    }
    thread_local std::vector<std::uint16_t> row;
    row.assign(im.out.cols, 0);
    std::copy_n(values, im.channels, row.data());
    im.out.store_bf16(out, pixel * im.out.cols, im.out.cols, row.data());
}

void clear_padding_rows(const PoolImages& im, std::byte* out) {
    const std::vector<std::uint16_t> zeros(im.out.cols, 0);
    for (std::size_t row = im.batch * im.out_h * im.out_w; row < im.out.rows; ++row) {
        im.out.store_bf16(out, row * im.out.cols, im.out.cols, zeros.data());
    }
}

// Output rows a chunk takes: enough to share the rows of their windows, few enough to spread.
std::size_t rows_at_once(const PoolImages& im) {
    return std::clamp<std::size_t>((im.batch * im.out_h + 15) / 16, 1, std::min<std::size_t>(im.out_h, 16));
}

// The divisor of an output pixel's window.
std::size_t window_area(const PoolImages& im, const AveragePool& average, std::size_t y, std::size_t x) {
    if (average.divisor != 0) {
        return average.divisor;
    }
    std::size_t area = 1;
    const std::array<std::size_t, 2> at{y, x};
    const std::array<std::size_t, 2> size{im.in_h, im.in_w};
    for (int axis = 0; axis < 2; ++axis) {
        // In coordinates of the padded image. What ceil mode adds never counts.
        const std::size_t before = im.padding[2 * axis];
        const std::size_t first = at[axis] * im.stride[axis];
        const std::size_t last = std::min(
            first + im.kernel[axis], before + size[axis] + (average.count_include_pad ? im.padding[2 * axis + 1] : 0));
        const std::size_t counted_first = average.count_include_pad ? first : std::max(first, before);
        area *= last > counted_first ? last - counted_first : 0;
    }
    return area;
}

// The pixel of a tap, or false in the padding.
bool tap_pixel(
    const PoolImages& im, std::size_t image, std::size_t y, std::size_t x, std::size_t tap, std::size_t& pixel) {
    // Wraps around in front of the image.
    const std::size_t in_y = y * im.stride[0] + tap / im.kernel[1] * im.dilation[0] - im.padding[0];
    const std::size_t in_x = x * im.stride[1] + tap % im.kernel[1] * im.dilation[1] - im.padding[2];
    pixel = (image * im.in_h + in_y) * im.in_w + in_x;
    return in_y < im.in_h && in_x < im.in_w;
}

float scaler_of(std::size_t area) {
    return area == 0 ? 0.0F : bf16_to_float(bf16_truncate(1.0F / static_cast<float>(area)));
}

// One output pixel, tile by tile.
void exact_average(
    const PoolImages& im, const AveragePool& average, std::size_t image, std::size_t y, std::size_t x,
    const std::uint16_t* pixels, std::uint16_t* out) {
    const std::size_t taps = im.kernel[0] * im.kernel[1];
    const std::size_t columns = (im.channels + 31) / 32 * 32;
    const auto scaler = std::bit_cast<std::uint32_t>(scaler_of(window_area(im, average, y, x)));
    std::vector<std::uint16_t> tile(32 * columns);
    std::vector<std::uint16_t> narrow(columns, 0);
    std::vector<std::uint32_t> wide(columns, 0);
    for (std::size_t first = 0; first < taps; first += average.tile_rows) {
        std::fill(tile.begin(), tile.end(), std::uint16_t{0});
        for (std::size_t row = 0; row < average.tile_rows && first + row < taps; ++row) {
            std::size_t pixel = 0;
            if (tap_pixel(im, image, y, x, first + row, pixel)) {
                std::copy_n(pixels + pixel * im.channels, im.channels, tile.data() + row * columns);
            }
        }
        for (std::size_t column = 0; column < columns; column += 32) {
            const wormhole::MatrixView view{tile.data() + column, nullptr, columns};
            if (average.float32_destination) {
                reduce_sum_columns(wormhole::Fidelity::HiFi4, view, scaler, wide.data() + column);
            } else {
                reduce_sum_columns(wormhole::Fidelity::HiFi4, view, scaler, narrow.data() + column);
            }
        }
    }
    for (std::size_t c = 0; c < im.channels; ++c) {
        out[c] = average.float32_destination ? bf16_round_away(std::bit_cast<float>(wide[c])) : narrow[c];
    }
}

}  // namespace

void max_pool(const PoolImages& im, const std::byte* in, std::byte* out) {
    const std::size_t band = rows_at_once(im);
    const std::size_t bands = (im.out_h + band - 1) / band;
    const std::size_t width = im.out_w * im.channels;
    parallel_for(im.batch * bands, [&](std::size_t chunk) {
        const std::size_t image = chunk / bands;
        const std::size_t first = chunk % bands * band;
        const std::size_t rows = std::min(band, im.out_h - first);
        const std::size_t in_rows = (rows - 1) * im.stride[0] + im.dilation[0] * (im.kernel[0] - 1) + 1;
        thread_local std::vector<std::uint16_t> pixels;
        thread_local std::vector<std::uint16_t> across;
        pixels.resize(im.in_w * im.channels);
        // Largest along the rows first, then along the columns.
        const auto lowest = static_cast<std::uint16_t>(ordered(kMinusInfinity));
        across.assign(in_rows * width, lowest);
        for (std::size_t i = 0; i < in_rows; ++i) {
            const std::size_t y = first * im.stride[0] + i - im.padding[0];
            if (y >= im.in_h) {
                continue;
            }
            load_pixels(im, in, (image * im.in_h + y) * im.in_w, im.in_w, pixels.data());
            to_order(pixels.data(), im.in_w * im.channels);
            for (std::size_t x = 0; x < im.out_w; ++x) {
                for (std::size_t tap = 0; tap < im.kernel[1]; ++tap) {
                    const std::size_t in_x = x * im.stride[1] + tap * im.dilation[1] - im.padding[2];
                    if (in_x < im.in_w) {
                        keep_largest(
                            pixels.data() + in_x * im.channels, im.channels,
                            across.data() + i * width + x * im.channels);
                    }
                }
            }
        }
        thread_local std::vector<std::uint16_t> best;
        for (std::size_t row = 0; row < rows; ++row) {
            best.assign(width, lowest);
            for (std::size_t tap = 0; tap < im.kernel[0]; ++tap) {
                keep_largest(across.data() + (row * im.stride[0] + tap * im.dilation[0]) * width, width, best.data());
            }
            to_order(best.data(), width);  // its own inverse
            const std::size_t pixel = (image * im.out_h + first + row) * im.out_w;
            if (im.channels == im.out.cols) {
                im.out.store_bf16(out, pixel * im.channels, width, best.data());
                continue;
            }
            for (std::size_t x = 0; x < im.out_w; ++x) {
                store_pixel(im, out, pixel + x, best.data() + x * im.channels);
            }
        }
    });
    clear_padding_rows(im, out);
}

void average_pool(const PoolImages& im, const AveragePool& average, const std::byte* in, std::byte* out) {
    const std::size_t taps = im.kernel[0] * im.kernel[1];
    std::vector<std::uint16_t> pixels(im.batch * im.in_h * im.in_w * im.channels);
    parallel_for(im.batch * im.in_h, [&](std::size_t row) {
        load_pixels(im, in, row * im.in_w, im.in_w, pixels.data() + row * im.in_w * im.channels);
    });
    parallel_for(im.batch * im.out_h, [&](std::size_t chunk) {
        const std::size_t image = chunk / im.out_h;
        const std::size_t y = chunk % im.out_h;
        std::vector<float> sums(im.channels);
        std::vector<std::uint16_t> values(im.channels);
        for (std::size_t x = 0; x < im.out_w; ++x) {
            if (average.exact) {
                exact_average(im, average, image, y, x, pixels.data(), values.data());
            } else {
                std::fill(sums.begin(), sums.end(), 0.0F);
                for (std::size_t tap = 0; tap < taps; ++tap) {
                    std::size_t pixel = 0;
                    if (tap_pixel(im, image, y, x, tap, pixel)) {
                        add_bf16(pixels.data() + pixel * im.channels, im.channels, sums.data());
                    }
                }
                scale(sums.data(), im.channels, scaler_of(window_area(im, average, y, x)));
                pack_bf16(sums.data(), im.channels, values.data());
            }
            store_pixel(im, out, (image * im.out_h + y) * im.out_w + x, values.data());
        }
    });
    clear_padding_rows(im, out);
}

void global_sum(
    const PoolImages& im, std::size_t row_stride, const ReduceSpec& spec, const std::byte* in, std::byte* out) {
    const std::size_t pixels = im.in_h * im.in_w;
    constexpr std::size_t kColumns = 64;
    const std::size_t blocks = (im.in.cols + kColumns - 1) / kColumns;
    std::vector<float> sums(im.batch * im.in.cols);
    parallel_for(im.batch * blocks, [&](std::size_t chunk) {
        const std::size_t image = chunk / blocks;
        const std::size_t first = chunk % blocks * kColumns;
        const std::size_t columns = std::min(kColumns, im.in.cols - first);
        std::vector<std::uint16_t> values(pixels * columns);
        for (std::size_t i = 0; i < pixels; ++i) {
            im.in.load_bf16(in, (image * row_stride + i) * im.in.cols + first, columns, values.data() + i * columns);
        }
        reduce_over_rows_bf16(spec, values.data(), columns, pixels, columns, sums.data() + image * im.in.cols + first);
    });
    std::vector<float> row(im.out.cols);
    for (std::size_t image = 0; image < im.out.rows; ++image) {
        std::fill(row.begin(), row.end(), 0.0F);
        if (image < im.batch) {
            std::copy_n(sums.data() + image * im.in.cols, im.channels, row.data());
        }
        im.out.store_f32(out, image * im.out.cols, im.out.cols, row.data());
    }
}

}  // namespace ttnn_cpu::kernels

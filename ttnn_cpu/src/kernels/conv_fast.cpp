// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv_fast.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kCacheBytes = 1 << 20;  // of a core: what a chunk should not exceed
constexpr std::size_t kChunks = 8;            // wanted, so that a few threads finish together
constexpr std::size_t kStrip = 1024;          // values that the epilogue takes at a time

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

ConvPrimitiveSpec primitive_spec(
    const FastConvSpec& spec, bool gathers, std::size_t images, std::size_t rows, std::size_t channels) {
    const ConvImages& im = spec.images;
    ConvPrimitiveSpec primitive{
        .batch = images,
        .in_channels = im.in_channels,
        .in_h = (rows - 1) * im.stride[0] + im.dilation[0] * (spec.layout.kernel_h - 1) + 1,
        .in_w = im.in_w,
        .out_channels = channels,
        .kernel_h = spec.layout.kernel_h,
        .kernel_w = spec.layout.kernel_w,
        .stride_h = im.stride[0],
        .stride_w = im.stride[1],
        .dilation_h = im.dilation[0],
        .dilation_w = im.dilation[1],
        .pad_left = im.padding[2],
        .pad_right = im.padding[3],
        .groups = im.groups};
    if (gathers) {
        primitive.in_h = rows;
        primitive.in_w = im.out_w;
        primitive.stride_h = 1;
        primitive.stride_w = 1;
        primitive.pad_left = 0;
        primitive.pad_right = 0;
    }
    return primitive;
}

// Pixels of few channels, `step` pixels apart: a call for each would cost more than its values.
TTNN_CPU_SIMD_CLONES
void gather_narrow_bf16(
    const std::uint16_t* in, std::size_t stride, std::size_t pixels, std::size_t channels, std::uint32_t mask,
    float* out) {
    auto* const bits = reinterpret_cast<std::uint32_t*>(out);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t c = 0; c < channels; ++c) {
            const std::uint32_t value = static_cast<std::uint32_t>(in[pixel * stride + c]) << 16;
            bits[pixel * channels + c] = (value & 0x7F800000U) == 0 ? 0 : value & mask;
        }
    }
}

TTNN_CPU_SIMD_CLONES
void keep_bits(float* values, std::size_t n, std::uint32_t mask) {
    auto* const bits = reinterpret_cast<std::uint32_t*>(values);
    for (std::size_t i = 0; i < n; ++i) {
        bits[i] &= mask;
    }
}

template <typename T>
T* scratch(std::vector<T>& buffer, std::size_t size) {
    if (buffer.size() < size) {
        buffer.resize(size);
    }
    return buffer.data();
}

}  // namespace

FastConv::FastConv(const FastConvSpec& spec) : spec_(spec) {
    spec_.epilogue.prepare();
    const ConvImages& im = spec_.images;
    gathers_ = spec_.layout.kernel_h == 1 && spec_.layout.kernel_w == 1 && im.padding == std::array<std::size_t, 4>{} &&
               (im.stride[0] > 1 || im.stride[1] > 1);
    // Where the weights outweigh the pixels, chunks share out the channels, so that each reads its weights once.
    const std::size_t weight_bytes =
        4 * spec_.layout.kernel_h * spec_.layout.kernel_w * im.in_channels / im.groups * im.out_channels;
    const std::size_t pixel_bytes = 4 * (im.in_w * im.in_channels * im.stride[0] + im.out_w * im.out_channels);
    channels_ = im.out_channels;
    rows_ = im.out_h;
    if (im.groups == 1 && weight_bytes > pixel_bytes * im.out_h && im.out_channels % 64 == 0) {
        channels_ = std::max<std::size_t>(64, im.out_channels / kChunks / 64 * 64);
        while (im.out_channels % channels_ != 0) {
            channels_ -= 64;
        }
        images_ = std::clamp<std::size_t>(kCacheBytes / std::max<std::size_t>(1, pixel_bytes * im.out_h), 1, im.batch);
        while (im.batch % images_ != 0) {
            --images_;
        }
    } else {
        const std::size_t for_cache = std::max<std::size_t>(1, kCacheBytes / pixel_bytes);
        const std::size_t for_threads = std::max<std::size_t>(1, divide_up(im.batch * im.out_h, kChunks));
        rows_ = std::min({im.out_h, for_cache, for_threads});
    }
    row_chunks_ = divide_up(im.out_h, rows_);
    rows_ = divide_up(im.out_h, row_chunks_);
    row_chunks_ = divide_up(im.out_h, rows_);
    channel_chunks_ = im.out_channels / channels_;
    primitive_ = std::make_unique<ConvPrimitive>(primitive_spec(spec_, gathers_, images_, rows_, channels_));
    if (const std::size_t left = im.out_h % rows_; left != 0) {
        last_ = std::make_unique<ConvPrimitive>(
            primitive_spec(spec_, gathers_, images_, left, channels_), primitive_.get());
    }
    packed_block_ = divide_up(primitive_->packed_size(), 16) * 16;
    packed_key_ = "conv:" + std::to_string(spec_.mask1) + ":" + std::to_string(channels_) + ":" +
                  std::to_string(im.in_channels) + ":" + std::to_string(im.groups) + ":" +
                  std::to_string(spec_.layout.block_tiles) + ":" + primitive_->packing();
}

std::shared_ptr<const std::vector<float>> FastConv::pack(const std::byte* weights) const {
    const ConvImages& im = spec_.images;
    const std::size_t group_in = im.in_channels / im.groups;
    const std::size_t group_out = im.out_channels / im.groups;
    const OperandMatrix stored{const_cast<std::byte*>(weights), spec_.weight_format, spec_.layout.rows, im.weight_cols};
    const std::size_t taps = spec_.layout.kernel_h * spec_.layout.kernel_w;
    // [channel block][group][tap][channel in group][channel of the block in group]
    const std::size_t block_out = im.groups == 1 ? channels_ : group_out;
    std::vector<float> plain(taps * group_in * im.out_channels);
    std::vector<float> row(im.weight_cols);
    for (const ConvSegment& segment : spec_.layout.segments) {
        const std::size_t tap = segment.tap_h * spec_.layout.kernel_w + segment.tap_w;
        for (std::size_t i = 0; i < segment.count && segment.channel + i < im.in_channels; ++i) {
            const std::size_t channel = segment.channel + i;
            const std::size_t group = channel / group_in;
            decode_row(stored, segment.stored_row + i, 0, im.weight_cols, spec_.mask1, row.data());
            if (im.groups == 1) {
                for (std::size_t block = 0; block < channel_chunks_; ++block) {
                    std::copy_n(
                        row.data() + block * block_out, block_out,
                        plain.data() + ((block * taps + tap) * group_in + channel) * block_out);
                }
            } else {
                std::copy_n(
                    row.data() + group * group_out, group_out,
                    plain.data() + ((group * taps + tap) * group_in + channel % group_in) * group_out);
            }
        }
    }
    auto packed = std::make_shared<std::vector<float>>(packed_block_ * channel_chunks_);
    parallel_for(channel_chunks_, [&](std::size_t block) {
        primitive_->pack(plain.data() + block * taps * group_in * block_out, packed->data() + block * packed_block_);
    });
    return packed;
}

void FastConv::repack(float* pixels, std::size_t count) const {
    // Groups of 16 channels of a pixel; the last may be short. Smaller groups than the card's where its groups span
    // pixels.
    const std::size_t channels = spec_.images.in_channels;
    if (channels % 16 == 0) {
        thread_local std::vector<std::uint8_t> packed;
        const std::size_t n = count * channels;
        std::uint8_t* const planes = scratch(packed, n + n / 16);
        pack_bfp8(pixels, n, planes, planes + n);
        unpack_bfp8(planes, planes + n, n, pixels);
        keep_bits(pixels, n, spec_.mask0);
        return;
    }
    std::uint8_t magnitudes[16];
    std::uint8_t exponent[1];
    float group[16];
    for (std::size_t pixel = 0; pixel < count; ++pixel) {
        for (std::size_t first = 0; first < channels; first += 16) {
            const std::size_t n = std::min<std::size_t>(16, channels - first);
            std::fill_n(group, 16, 0.0F);
            std::copy_n(pixels + pixel * channels + first, n, group);
            pack_bfp8(group, 16, magnitudes, exponent);
            unpack_bfp8(magnitudes, exponent, 16, group);
            for (std::size_t i = 0; i < n; ++i) {
                pixels[pixel * channels + first + i] =
                    std::bit_cast<float>(std::bit_cast<std::uint32_t>(group[i]) & spec_.mask0);
            }
        }
    }
}

void FastConv::load_rows(
    const std::byte* in, std::size_t image, std::ptrdiff_t row, std::size_t count, float* to) const {
    const ConvImages& im = spec_.images;
    const std::size_t channels = im.in_channels;
    const std::size_t width = gathers_ ? im.out_w : im.in_w;
    const std::uint32_t mask = spec_.repack_input ? 0xFFFFFFFFU : spec_.mask0;
    const OperandMatrix pixels{const_cast<std::byte*>(in), spec_.in_format, im.in_rows, im.in_cols};
    const OperandMatrix flat{const_cast<std::byte*>(in), spec_.in_format, 1, im.in_rows * im.in_cols};
    for (std::size_t i = 0; i < count; ++i, to += width * channels) {
        const std::ptrdiff_t y = row + static_cast<std::ptrdiff_t>(i * (gathers_ ? im.stride[0] : 1));
        if (y < 0 || y >= static_cast<std::ptrdiff_t>(im.in_h)) {
            std::fill_n(to, width * channels, 0.0F);
            continue;
        }
        const std::size_t first = (image * im.in_h + static_cast<std::size_t>(y)) * im.in_w;
        if (!gathers_ && channels == im.in_cols) {
            decode_row(flat, 0, first * channels, width * channels, mask, to);
        } else if (channels <= 16 && spec_.in_format == StoredFormat::Bfloat16) {
            const std::size_t step = gathers_ ? im.stride[1] : 1;
            gather_narrow_bf16(
                reinterpret_cast<const std::uint16_t*>(in) + first * im.in_cols, step * im.in_cols, width, channels,
                mask, to);
        } else {
            const std::size_t step = gathers_ ? im.stride[1] : 1;
            for (std::size_t x = 0; x < width; ++x) {
                decode_row(pixels, first + x * step, 0, channels, mask, to + x * channels);
            }
        }
        if (spec_.repack_input) {
            repack(to, width);
        }
    }
}

void FastConv::store(
    const float* sums, std::size_t pixel, std::size_t pixels, std::size_t channel, const float* bias,
    std::byte* out) const {
    const ConvImages& im = spec_.images;
    const OperandMatrix stored{out, spec_.out_format, im.out_rows, im.out_cols};
    auto* const values = const_cast<float*>(sums);
    if (channels_ == im.out_cols) {
        const OperandMatrix flat{out, spec_.out_format, 1, im.out_rows * im.out_cols};
        const std::size_t at_once = std::max<std::size_t>(1, kStrip / channels_);
        for (std::size_t done = 0; done < pixels; done += at_once) {
            const std::size_t n = std::min(at_once, pixels - done);
            spec_.epilogue.store_row(
                values + done * channels_, n * channels_, bias, flat, 0, (pixel + done) * channels_);
        }
        return;
    }
    if (channels_ % 16 == 0 && channels_ != im.out_channels) {
        for (std::size_t i = 0; i < pixels; ++i) {
            spec_.epilogue.store_row(values + i * channels_, channels_, bias + channel, stored, pixel + i, channel);
        }
        return;
    }
    thread_local std::vector<float> row;
    float* const padded = scratch(row, im.out_cols);
    for (std::size_t i = 0; i < pixels; ++i) {
        std::copy_n(values + i * channels_, channels_, padded);
        std::fill(padded + channels_, padded + im.out_cols, 0.0F);
        spec_.epilogue.store_row(padded, im.out_cols, bias, stored, pixel + i, 0);
    }
}

void FastConv::run(
    const std::byte* in, const std::byte* bias, std::byte* out, const std::vector<float>& packed_weights) const {
    const ConvImages& im = spec_.images;
    // One row of bias, repeated for the pixels that are stored together.
    const std::size_t repeats = channels_ == im.out_cols ? std::max<std::size_t>(1, kStrip / channels_) : 1;
    std::vector<float> bias_row(repeats * im.out_cols);
    if (bias != nullptr) {
        const OperandMatrix stored{const_cast<std::byte*>(bias), spec_.bias_format, 32, im.weight_cols};
        decode_row(stored, 0, 0, im.out_cols, 0xFFFFFFFFU, bias_row.data());
        for (std::size_t i = 1; i < repeats; ++i) {
            std::copy_n(bias_row.data(), im.out_cols, bias_row.data() + i * im.out_cols);
        }
    }
    const std::size_t image_chunks = im.batch / images_;
    parallel_for(image_chunks * row_chunks_ * channel_chunks_, [&](std::size_t chunk) {
        const std::size_t block = chunk % channel_chunks_;
        const std::size_t first_row = chunk / channel_chunks_ % row_chunks_ * rows_;
        const std::size_t first_image = chunk / channel_chunks_ / row_chunks_ * images_;
        const std::size_t rows = std::min(rows_, im.out_h - first_row);
        const ConvPrimitiveSpec sizes = primitive_spec(spec_, gathers_, images_, rows, channels_);
        thread_local std::vector<float> inputs;
        thread_local std::vector<float> outputs;
        float* const from = scratch(inputs, sizes.in_size());
        float* const sums = scratch(outputs, sizes.out_size());
        const auto top =
            static_cast<std::ptrdiff_t>(first_row * im.stride[0]) - static_cast<std::ptrdiff_t>(im.padding[0]);
        for (std::size_t i = 0; i < images_; ++i) {
            load_rows(in, first_image + i, top, sizes.in_h, from + i * sizes.in_size() / images_);
        }
        const ConvPrimitive& primitive = rows == rows_ ? *primitive_ : *last_;
        primitive.run(from, packed_weights.data() + block * packed_block_, sums);
        for (std::size_t i = 0; i < images_; ++i) {
            const std::size_t pixel = ((first_image + i) * im.out_h + first_row) * im.out_w;
            store(
                sums + i * sizes.out_size() / images_, pixel, rows * im.out_w, block * channels_, bias_row.data(), out);
        }
    });
    const std::size_t pixels = im.batch * im.out_h * im.out_w;
    if (pixels < im.out_rows) {
        clear_rows({out, spec_.out_format, im.out_rows, im.out_cols}, pixels, im.out_rows - pixels);
    }
}

}  // namespace ttnn_cpu::kernels

// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv_fast.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/conv_depthwise.hpp"
#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"
#include "kernels/scratch.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kCacheBytes = 1 << 20;  // of a core: what a chunk should not exceed
constexpr std::size_t kChunks = 8;            // of channels, at most
constexpr std::size_t kMostChunks = 64;       // of rows, or as many as the cache wants
constexpr std::size_t kStrip = 1024;          // values that the epilogue takes at a time

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// When the last of some threads is done with the chunks of all images, in 16ths of a row. A chunk costs a quarter of a row
// more than its rows.
std::size_t finish_time(std::size_t threads, std::size_t batch, std::size_t height, std::size_t rows) {
    std::vector<std::size_t> load(threads);
    for (std::size_t image = 0; image < batch; ++image) {
        for (std::size_t row = 0; row < height; row += rows) {
            *std::ranges::min_element(load) += 16 * std::min(rows, height - row) + 4;
        }
    }
    return *std::ranges::max_element(load);
}

// Rows of a chunk, so that a few threads have little to wait for each other; eight count least.
std::size_t balanced_rows(std::size_t batch, std::size_t height, std::size_t most) {
    const auto cost = [&](std::size_t rows) {
        return finish_time(2, batch, height, rows) + 2 * finish_time(4, batch, height, rows) +
               finish_time(8, batch, height, rows);
    };
    std::size_t best = most;
    for (std::size_t rows = most - 1; rows > 0 && divide_up(height, rows) * batch <= kMostChunks; --rows) {
        if (cost(rows) < cost(best)) {
            best = rows;
        }
    }
    return best;
}

ConvPrimitiveSpec primitive_spec(
    const FastConvSpec& spec, OperandType type, bool gathers, std::size_t images, std::size_t rows,
    std::size_t channels) {
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
        .groups = im.groups,
        .type = type};
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

template <typename T>
void copy_pixels(const T* in, std::size_t pixels, std::size_t from_stride, std::size_t to_stride, T* out) {
    const std::size_t kept = std::min(from_stride, to_stride);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel, in += from_stride, out += to_stride) {
        std::copy_n(in, kept, out);
        std::fill(out + kept, out + to_stride, T{0});
    }
}

void unpack(const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, float* out) {
    unpack_bfp8(magnitudes, exponents, n, out);
}
void unpack(const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out) {
    unpack_bfp8_to_bf16(magnitudes, exponents, n, out);
}

// Into the output's block float and back.
template <typename T>
void repack(T* values, std::size_t n) {
    thread_local Scratch scratch;
    auto* const planes = reinterpret_cast<std::uint8_t*>(scratch.bytes(n + n / 16));
    pack_bfp8(values, n, planes, planes + n);
    unpack(planes, planes + n, n, values);
}

}  // namespace

FastConv::FastConv(const FastConvSpec& spec) : spec_(spec) {
    spec_.epilogue.prepare();
    const ConvImages& im = spec_.images;
    gathers_ = spec_.layout.kernel_h == 1 && spec_.layout.kernel_w == 1 && im.padding == std::array<std::size_t, 4>{} &&
               (im.stride[0] > 1 || im.stride[1] > 1);
    depthwise_ = im.groups > 1 && im.groups == im.in_channels && im.groups == im.out_channels;
    sparse_ = is_sparse();
    if (!depthwise_ && !sparse_ && isa() >= Isa::Avx512Bf16 &&
        fits_bf16(spec_.in_format, spec_.repack_input ? 0xFFFFFFFFU : spec_.mask0) &&
        fits_bf16(spec_.weight_format, spec_.mask1)) {
        type_ = OperandType::Bfloat16;
    }
    // Where the weights outweigh the pixels, chunks share out the channels, so that each reads its weights once.
    const std::size_t weight_bytes =
        4 * spec_.layout.kernel_h * spec_.layout.kernel_w * im.in_channels / im.groups * im.out_channels;
    const std::size_t pixel_bytes = 4 * (im.in_w * im.in_channels * im.stride[0] + im.out_w * im.out_channels);
    channels_ = im.out_channels;
    rows_ = im.out_h;
    if (im.groups == 1 && !sparse_ && weight_bytes > pixel_bytes * im.out_h && im.out_channels % 64 == 0) {
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
        rows_ = balanced_rows(im.batch, im.out_h, std::min(im.out_h, for_cache));
    }
    row_chunks_ = divide_up(im.out_h, rows_);
    channel_chunks_ = im.out_channels / channels_;
    if (depthwise_) {
        packed_block_ = 4 * spec_.layout.kernel_h * spec_.layout.kernel_w * channels_;
        packed_key_ = "conv_depthwise:" + std::to_string(spec_.mask1) + ":" + std::to_string(channels_) + ":" +
                      std::to_string(spec_.layout.block_tiles);
        return;
    }
    if (sparse_) {
        packed_key_ = "conv_sparse:" + std::to_string(spec_.mask1) + ":" + std::to_string(im.in_channels) + ":" +
                      std::to_string(im.in_w) + ":" + std::to_string(im.padding[2] + im.padding[3]) + ":" +
                      std::to_string(im.dilation[0]) + ":" + std::to_string(im.dilation[1]) + ":" +
                      std::to_string(spec_.layout.block_tiles);
        return;
    }
    make_primitives();
    packed_block_ = divide_up(primitive_->packed_bytes(), 64) * 64;
    packed_key_ = "conv:" + std::to_string(spec_.mask1) + ":" + std::to_string(channels_) + ":" +
                  std::to_string(im.in_channels) + ":" + std::to_string(im.groups) + ":" +
                  std::to_string(spec_.layout.block_tiles) + ":" + primitive_->packing();
}

void FastConv::make_primitives() {
    const auto make = [&](std::size_t rows, const ConvPrimitive* like) {
        return std::make_unique<ConvPrimitive>(primitive_spec(spec_, type_, gathers_, images_, rows, channels_), like);
    };
    const std::size_t out_h = spec_.images.out_h;
    primitive_ = make(rows_, nullptr);
    if (out_h % rows_ == 0) {
        return;
    }
    last_ = make(out_h % rows_, primitive_.get());
    if (!last_->plain_loops()) {
        return;
    }
    // For some heights there is no kernel that reads the weights as those of another height are packed: all chunks are equal then.
    last_.reset();
    while (out_h % rows_ != 0) {
        --rows_;
    }
    row_chunks_ = out_h / rows_;
    primitive_ = make(rows_, nullptr);
}

bool FastConv::plain_loops() const {
    return (primitive_ && primitive_->plain_loops()) || (last_ && last_->plain_loops());
}

template <typename T>
std::vector<T> FastConv::plain_weights(const std::byte* weights) const {
    const ConvImages& im = spec_.images;
    const std::size_t group_in = im.in_channels / im.groups;
    const std::size_t group_out = im.out_channels / im.groups;
    const OperandMatrix stored{const_cast<std::byte*>(weights), spec_.weight_format, spec_.layout.rows, im.weight_cols};
    const std::size_t taps = spec_.layout.kernel_h * spec_.layout.kernel_w;
    std::vector<T> plain(taps * group_in * im.out_channels);
    std::vector<T> row(im.weight_cols);
    for (const ConvSegment& segment : spec_.layout.segments) {
        const std::size_t tap = segment.tap_h * spec_.layout.kernel_w + segment.tap_w;
        for (std::size_t i = 0; i < segment.count && segment.channel + i < im.in_channels; ++i) {
            const std::size_t channel = segment.channel + i;
            const std::size_t group = channel / group_in;
            decode_row(stored, segment.stored_row + i, 0, im.weight_cols, spec_.mask1, row.data());
            if (im.groups == 1) {
                for (std::size_t block = 0; block < channel_chunks_; ++block) {
                    std::copy_n(
                        row.data() + block * channels_, channels_,
                        plain.data() + ((block * taps + tap) * group_in + channel) * channels_);
                }
            } else {
                std::copy_n(
                    row.data() + group * group_out, group_out,
                    plain.data() + ((group * taps + tap) * group_in + channel % group_in) * group_out);
            }
        }
    }
    return plain;
}

template std::vector<float> FastConv::plain_weights(const std::byte*) const;

template <typename T>
void FastConv::pack_blocks(const std::byte* weights, std::byte* packed) const {
    const std::vector<T> plain = plain_weights<T>(weights);
    if (depthwise_) {
        const std::size_t taps = plain.size() / channels_;
        for (std::size_t i = 0; i < plain.size(); ++i) {
            reinterpret_cast<T*>(packed)[i % taps * channels_ + i / taps] = plain[i];
        }
        return;
    }
    parallel_for(channel_chunks_, [&](std::size_t block) {
        primitive_->pack(plain.data() + block * (plain.size() / channel_chunks_), packed + block * packed_block_);
    });
}

std::shared_ptr<const std::byte> FastConv::pack(const std::byte* weights) const {
    if (sparse_) {
        return pack_sparse(weights);
    }
    const auto memory = std::make_shared<Scratch>();
    std::byte* const packed = memory->bytes(packed_block_ * channel_chunks_);
    type_ == OperandType::Float32 ? pack_blocks<float>(weights, packed) : pack_blocks<std::uint16_t>(weights, packed);
    return {memory, packed};
}

template <typename T>
void FastConv::load_rows(const std::byte* in, std::size_t image, std::ptrdiff_t row, std::size_t count, T* to) const {
    const ConvImages& im = spec_.images;
    const std::size_t channels = im.in_channels;
    const std::size_t width = gathers_ ? im.out_w : im.in_w;
    const std::size_t step = gathers_ ? im.stride[1] : 1;
    const std::uint32_t mask = spec_.repack_input ? 0xFFFFFFFFU : spec_.mask0;
    const OperandMatrix pixels{const_cast<std::byte*>(in), spec_.in_format, im.in_rows, im.in_cols};
    for (std::size_t i = 0; i < count; ++i, to += width * channels) {
        const std::ptrdiff_t y = row + static_cast<std::ptrdiff_t>(i * (gathers_ ? im.stride[0] : 1));
        if (y < 0 || y >= static_cast<std::ptrdiff_t>(im.in_h)) {
            std::fill_n(to, width * channels, T{0});
            continue;
        }
        const std::size_t first = (image * im.in_h + static_cast<std::size_t>(y)) * im.in_w;
        // Groups of 16 channels of a pixel share an exponent: smaller ones than the card's where its span pixels.
        if (spec_.repack_input && channels % 16 != 0) {
            const std::size_t whole = divide_up(channels, 16) * 16;
            thread_local Scratch scratch;
            auto* const groups = reinterpret_cast<T*>(scratch.bytes(width * whole * sizeof(T)));
            decode_rows(pixels, first, step, width, std::min(whole, im.in_cols), whole, mask, groups);
            repack(groups, width * whole);
            narrow_rows(groups, width, whole, channels, to);
        } else {
            decode_rows(pixels, first, step, width, channels, channels, mask, to);
            if (spec_.repack_input) {
                repack(to, width * channels);
            }
        }
    }
}

template void FastConv::load_rows(const std::byte*, std::size_t, std::ptrdiff_t, std::size_t, float*) const;

void FastConv::store(
    float* sums, std::size_t pixel, std::size_t pixels, std::size_t channel, const float* bias, std::byte* out) const {
    const ConvImages& im = spec_.images;
    const OperandMatrix flat{out, spec_.out_format, 1, im.out_rows * im.out_cols};
    if (channels_ != im.out_channels) {
        for (std::size_t i = 0; i < pixels; ++i) {
            spec_.epilogue.store_row(
                sums + i * channels_, channels_, bias + channel, flat, 0, (pixel + i) * im.out_cols + channel);
        }
        return;
    }
    thread_local Scratch scratch;
    const std::size_t at_once = pixels_at_once();
    for (std::size_t done = 0; done < pixels; done += at_once) {
        const std::size_t n = std::min(at_once, pixels - done);
        float* row = sums + done * channels_;
        if (channels_ != im.out_cols) {
            float* const padded = scratch.floats(at_once * im.out_cols);
            copy_pixels(row, n, channels_, im.out_cols, padded);
            row = padded;
        }
        spec_.epilogue.store_row(row, n * im.out_cols, bias, flat, 0, (pixel + done) * im.out_cols);
    }
}

bool FastConv::stays_stored() const {
    const ConvImages& im = spec_.images;
    return depthwise_ && cpu_has_avx512() && spec_.layout.kernel_h == 3 && spec_.layout.kernel_w == 3 &&
           im.dilation == std::array<std::size_t, 2>{1, 1} && im.stride[1] <= 2 && im.in_channels % 16 == 0 &&
           spec_.in_format == StoredFormat::Bfloat16 && spec_.out_format == StoredFormat::Bfloat16 &&
           !spec_.repack_input && (spec_.mask0 & fraction_mask(7)) == fraction_mask(7) &&
           !spec_.epilogue.float32_destination;
}

std::size_t FastConv::pixels_at_once() const { return std::max<std::size_t>(1, kStrip / spec_.images.out_cols); }

void FastConv::run(const std::byte* in, const std::byte* bias, std::byte* out, const std::byte* packed) const {
    const ConvImages& im = spec_.images;
    // One row of bias, repeated for the pixels that are stored together.
    thread_local Scratch bias_scratch;
    float* bias_row = nullptr;
    if (bias != nullptr) {
        const std::size_t repeats = pixels_at_once();
        bias_row = bias_scratch.floats(repeats * im.out_cols);
        const OperandMatrix stored{const_cast<std::byte*>(bias), spec_.bias_format, 32, im.weight_cols};
        decode_row(stored, 0, 0, im.out_cols, 0xFFFFFFFFU, bias_row);
        for (std::size_t i = 1; i < repeats; ++i) {
            std::copy_n(bias_row, im.out_cols, bias_row + i * im.out_cols);
        }
    }
    const std::size_t image_chunks = im.batch / images_;
    parallel_for(image_chunks * row_chunks_ * channel_chunks_, [&](std::size_t chunk) {
        const std::size_t block = chunk % channel_chunks_;
        const std::size_t first_row = chunk / channel_chunks_ % row_chunks_ * rows_;
        const std::size_t first_image = chunk / channel_chunks_ / row_chunks_ * images_;
        const std::size_t rows = std::min(rows_, im.out_h - first_row);
        if (sparse_) {
            run_sparse(in, chunk / row_chunks_, first_row, rows, bias_row, out, packed);
            return;
        }
#if defined(__x86_64__)
        if (stays_stored()) {
            const DepthwiseStored stored{im.in_h,      im.in_w,       im.out_w,      im.in_channels, im.stride[0],
                                         im.stride[1], im.padding[0], im.padding[2], im.in_cols,     im.out_cols};
            const std::size_t image = chunk / row_chunks_;
            depthwise_stored(
                stored, reinterpret_cast<const std::uint16_t*>(in) + image * im.in_h * im.in_w * im.in_cols,
                reinterpret_cast<const float*>(packed), spec_.epilogue.steps(bias_row), first_row, first_row + rows,
                reinterpret_cast<std::uint16_t*>(out) + (image * im.out_h + first_row) * im.out_w * im.out_cols);
            return;
        }
#endif
        const ConvPrimitiveSpec sizes = primitive_spec(spec_, type_, gathers_, images_, rows, channels_);
        thread_local Scratch inputs;
        thread_local Scratch outputs;
        std::byte* const from = inputs.bytes(sizes.in_size() * bytes_of(type_));
        float* const sums = outputs.floats(sizes.out_size());
        const auto top =
            static_cast<std::ptrdiff_t>(first_row * im.stride[0]) - static_cast<std::ptrdiff_t>(im.padding[0]);
        const std::size_t image_values = sizes.in_size() / images_;
        for (std::size_t i = 0; i < images_; ++i) {
            if (type_ == OperandType::Float32) {
                load_rows(in, first_image + i, top, sizes.in_h, reinterpret_cast<float*>(from) + i * image_values);
            } else {
                load_rows(
                    in, first_image + i, top, sizes.in_h, reinterpret_cast<std::uint16_t*>(from) + i * image_values);
            }
        }
        if (depthwise_) {
            depthwise_conv(sizes, reinterpret_cast<const float*>(from), reinterpret_cast<const float*>(packed), sums);
        } else {
            (rows == rows_ ? *primitive_ : *last_).run(from, packed + block * packed_block_, sums);
        }
        for (std::size_t i = 0; i < images_; ++i) {
            const std::size_t pixel = ((first_image + i) * im.out_h + first_row) * im.out_w;
            store(sums + i * sizes.out_size() / images_, pixel, rows * im.out_w, block * channels_, bias_row, out);
        }
    });
    const std::size_t pixels = im.batch * im.out_h * im.out_w;
    if (pixels < im.out_rows) {
        clear_rows({out, spec_.out_format, im.out_rows, im.out_cols}, pixels, im.out_rows - pixels);
    }
}

}  // namespace ttnn_cpu::kernels

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/conv_fast.hpp"
#include "kernels/matmul_direct.hpp"
#include "kernels/scratch.hpp"
#include "kernels/simd.hpp"

// Convolutions of pictures: three channels that the card wants padded to eight or sixteen, and a window that a fold of the stride
// padded too. Most of their prepared weights are zeros, which a library would multiply.
namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kSparseChannels = 16;  // at most

// In front of the packed weights: how many rows of them there are, and of each how far its pixels are from the window's first.
struct SparseRows {
    std::size_t count;
    const std::uint32_t* offsets;
    const float* panel;
};

std::size_t offset_bytes(std::size_t rows) { return (4 * (rows + 1) + 63) / 64 * 64; }

SparseRows sparse_rows(const std::byte* packed) {
    const auto* const header = reinterpret_cast<const std::uint32_t*>(packed);
    return {header[0], header + 1, reinterpret_cast<const float*>(packed + offset_bytes(header[0]))};
}

std::size_t padded_width(const ConvImages& im) { return im.padding[2] + im.in_w + im.padding[3]; }

}  // namespace

bool FastConv::is_sparse() const {
    const ConvImages& im = spec_.images;
    return im.groups == 1 && im.in_channels <= kSparseChannels && spec_.layout.kernel_h * spec_.layout.kernel_w > 1 &&
           im.out_channels % 16 == 0 && im.out_channels <= kDirectColumns && im.out_cols == im.out_channels &&
           cpu_has_avx512();
}

std::shared_ptr<const std::byte> FastConv::pack_sparse(const std::byte* weights) const {
    const ConvImages& im = spec_.images;
    const std::vector<float> plain = plain_weights<float>(weights);  // [tap][channel][out channel]
    std::vector<std::uint32_t> kept;
    for (std::size_t row = 0; row < plain.size() / im.out_channels; ++row) {
        const auto first = plain.begin() + static_cast<std::ptrdiff_t>(row * im.out_channels);
        if (std::any_of(
                first, first + static_cast<std::ptrdiff_t>(im.out_channels), [](float w) { return w != 0.0F; })) {
            kept.push_back(static_cast<std::uint32_t>(row));
        }
    }
    const auto memory = std::make_shared<Scratch>();
    std::byte* const packed = memory->bytes(offset_bytes(kept.size()) + 4 * direct_panel_values(kept.size()) + 64);
    auto* const header = reinterpret_cast<std::uint32_t*>(packed);
    auto* const panel = reinterpret_cast<float*>(packed + offset_bytes(kept.size()));
    header[0] = static_cast<std::uint32_t>(kept.size());
    std::fill_n(panel, direct_panel_values(kept.size()), 0.0F);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const std::size_t tap = kept[i] / im.in_channels;
        const std::size_t pixel = tap / spec_.layout.kernel_w * im.dilation[0] * padded_width(im) +
                                  tap % spec_.layout.kernel_w * im.dilation[1];
        header[1 + i] = static_cast<std::uint32_t>(pixel * im.in_channels + kept[i] % im.in_channels);
        std::copy_n(plain.data() + kept[i] * im.out_channels, im.out_channels, panel + i * kDirectColumns);
    }
    return {memory, packed};
}

void FastConv::run_sparse(
    const std::byte* in, std::size_t image, std::size_t first_row, std::size_t rows, const float* bias, std::byte* out,
    const std::byte* packed) const {
    const ConvImages& im = spec_.images;
    const SparseRows weights = sparse_rows(packed);
    const std::size_t width = padded_width(im) * im.in_channels;
    const std::size_t left = im.padding[2] * im.in_channels;
    const std::size_t height = (rows - 1) * im.stride[0] + im.dilation[0] * (spec_.layout.kernel_h - 1) + 1;
    const auto top = static_cast<std::ptrdiff_t>(first_row * im.stride[0]) - static_cast<std::ptrdiff_t>(im.padding[0]);
    thread_local Scratch scratch;
    float* const pixels = scratch.floats(height * width + 64);
    for (std::size_t i = 0; i < height; ++i) {
        float* const row = pixels + i * width;
        std::fill_n(row, left, 0.0F);
        load_rows(in, image, top + static_cast<std::ptrdiff_t>(i), 1, row + left);
        std::fill(row + left + im.in_w * im.in_channels, row + width, 0.0F);
    }
    const OperandMatrix matrix{out, spec_.out_format, im.out_rows, im.out_cols};
    for (std::size_t y = 0; y < rows; ++y) {
        const std::size_t first = (image * im.out_h + first_row + y) * im.out_w;
        direct_multiply_apart(
            pixels + y * im.stride[0] * width, im.stride[1] * im.in_channels, im.out_w, weights.offsets, weights.count,
            weights.panel, im.out_channels, [&](float* sums, std::size_t x, std::size_t count) {
                spec_.epilogue.store_rows(sums, count, kDirectColumns, im.out_channels, bias, matrix, first + x, 0);
            });
    }
}

}  // namespace ttnn_cpu::kernels

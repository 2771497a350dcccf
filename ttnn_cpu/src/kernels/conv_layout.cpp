// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv_layout.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t to_tiles(std::size_t rows) { return (rows + 31) / 32; }

}  // namespace

ConvLayout height_sharded_layout(std::size_t kernel_h, std::size_t kernel_w, std::size_t channels, bool whole_window) {
    return block_sharded_layout(kernel_h, kernel_w, channels, 1, whole_window);
}

ConvLayout block_sharded_layout(
    std::size_t kernel_h, std::size_t kernel_w, std::size_t channels, std::size_t shards, bool whole_window) {
    ConvLayout layout{.kernel_h = kernel_h, .kernel_w = kernel_w, .channels = channels};
    const std::size_t part = channels / shards;
    const std::size_t block_taps_h = whole_window ? kernel_h : 1;
    const std::size_t blocks_h = kernel_h / block_taps_h;
    layout.block_tiles = to_tiles(part * kernel_w * block_taps_h);
    const std::size_t block = layout.block_tiles * 32;
    layout.rows = shards * blocks_h * block;
    for (std::size_t h = 0; h < kernel_h; ++h) {
        const std::size_t block_h = h / block_taps_h;
        for (std::size_t shard = 0; shard < shards; ++shard) {
            for (std::size_t w = 0; w < kernel_w; ++w) {
                const std::size_t inside = (h % block_taps_h * kernel_w + w) * part;
                layout.segments.push_back(
                    {.stored_row = (shard * blocks_h + block_h) * block + inside,
                     .engine_row = (block_h * shards + shard) * block + inside,
                     .tap_h = h,
                     .tap_w = w,
                     .channel = shard * part,
                     .count = part});
            }
        }
    }
    return layout;
}

ConvLayout width_sharded_layout(
    std::size_t kernel_h, std::size_t kernel_w, std::size_t channels, std::size_t shards, std::size_t parts) {
    ConvLayout layout{.kernel_h = kernel_h, .kernel_w = kernel_w, .channels = channels};
    const std::size_t part = channels / shards / parts;
    const std::size_t taps = kernel_h * kernel_w;
    layout.rows = taps * channels;
    layout.block_tiles = taps * part / 32;
    for (std::size_t sent = 0; sent < parts; ++sent) {
        for (std::size_t shard = 0; shard < shards; ++shard) {
            const std::size_t channel = (shard * parts + sent) * part;
            for (std::size_t tap = 0; tap < taps; ++tap) {
                layout.segments.push_back(
                    {.stored_row = tap * channels + channel,
                     .engine_row = ((sent * shards + shard) * taps + tap) * part,
                     .tap_h = tap / kernel_w,
                     .tap_w = tap % kernel_w,
                     .channel = channel,
                     .count = part});
            }
        }
    }
    return layout;
}

}  // namespace ttnn_cpu::kernels

// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool_upsample.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels {
namespace {

std::size_t nearest(std::size_t at, float scale, std::size_t size) {
    return std::min(size - 1, static_cast<std::size_t>(std::floor(static_cast<float>(at) / scale)));
}

// Elements are copied as they are, or block floats decoded.
void copy_pixels(const UpsampleImages& im, const std::byte* in, std::size_t pixel, std::byte* out) {
    const bool wide = im.in.dtype == tt::tt_metal::DataType::FLOAT32 || im.in.dtype == tt::tt_metal::DataType::UINT32 ||
                      im.in.dtype == tt::tt_metal::DataType::INT32;
    if (wide) {
        std::memcpy(out, in + pixel * im.in.cols * 4, im.channels * 4);
    } else if (im.in.dtype == tt::tt_metal::DataType::UINT16) {
        std::memcpy(out, in + pixel * im.in.cols * 2, im.channels * 2);
    } else {
        std::vector<std::uint16_t> row(im.in.cols);
        im.in.load_bf16(in, pixel * im.in.cols, im.in.cols, row.data());
        std::memcpy(out, row.data(), im.channels * 2);
    }
}

// One of the two source pixels of a coordinate, and its share.
struct Side {
    std::size_t first;
    std::size_t second;
    float share;  // of the second
};

Side sides(std::size_t at, float scale, std::size_t size) {
    const float place = std::max(0.0F, (static_cast<float>(at) + 0.5F) / scale - 0.5F);
    const auto first = std::min(size - 1, static_cast<std::size_t>(place));
    return {first, std::min(size - 1, first + 1), place - static_cast<float>(first)};
}

}  // namespace

void upsample_nearest(const UpsampleImages& im, const std::byte* in, std::byte* out) {
    const bool wide = im.out.dtype == tt::tt_metal::DataType::FLOAT32 ||
                      im.out.dtype == tt::tt_metal::DataType::UINT32 || im.out.dtype == tt::tt_metal::DataType::INT32;
    const std::size_t pixel_bytes = im.out.cols * (wide ? 4 : 2);
    // Columns and rows that repeat are copied from the one before.
    parallel_for(im.batch * im.in_h, [&](std::size_t chunk) {
        const std::size_t image = chunk / im.in_h;
        const std::size_t in_y = chunk % im.in_h;
        const std::byte* made = nullptr;
        for (std::size_t y = 0; y < im.out_h; ++y) {
            if (nearest(y, im.scale_h, im.in_h) != in_y) {
                continue;
            }
            std::byte* const row = out + (image * im.out_h + y) * im.out_w * pixel_bytes;
            if (made != nullptr) {
                std::memcpy(row, made, im.out_w * pixel_bytes);
                continue;
            }
            made = row;
            std::size_t last = im.in_w;
            for (std::size_t x = 0; x < im.out_w; ++x) {
                const std::size_t in_x = nearest(x, im.scale_w, im.in_w);
                std::byte* const pixel = row + x * pixel_bytes;
                if (in_x == last) {
                    std::memcpy(pixel, pixel - pixel_bytes, pixel_bytes);
                } else {
                    std::memset(pixel, 0, pixel_bytes);
                    copy_pixels(im, in, (image * im.in_h + in_y) * im.in_w + in_x, pixel);
                }
                last = in_x;
            }
        }
    });
}

void upsample_bilinear(const UpsampleImages& im, const std::byte* in, std::byte* out) {
    const auto* const pixels = reinterpret_cast<const std::uint16_t*>(in);
    auto* const results = reinterpret_cast<std::uint16_t*>(out);
    parallel_for(im.batch * im.out_h, [&](std::size_t chunk) {
        const std::size_t image = chunk / im.out_h;
        const Side v = sides(chunk % im.out_h, im.scale_h, im.in_h);
        for (std::size_t x = 0; x < im.out_w; ++x) {
            const Side h = sides(x, im.scale_w, im.in_w);
            const std::size_t rows[4] = {v.first, v.first, v.second, v.second};
            const std::size_t columns[4] = {h.first, h.second, h.first, h.second};
            const float shares[4] = {
                (1 - v.share) * (1 - h.share), (1 - v.share) * h.share, v.share * (1 - h.share), v.share * h.share};
            std::uint16_t* const to = results + (chunk * im.out_w + x) * im.out.cols;
            for (std::size_t c = 0; c < im.out.cols; ++c) {
                float sum = 0.0F;
                for (int i = 0; i < 4 && c < im.channels; ++i) {
                    const std::size_t pixel = (image * im.in_h + rows[i]) * im.in_w + columns[i];
                    sum += bf16_to_float(bf16_round_even(shares[i])) * bf16_to_float(pixels[pixel * im.in.cols + c]);
                }
                to[c] = bf16_round_away(sum);
            }
        }
    });
}

}  // namespace ttnn_cpu::kernels

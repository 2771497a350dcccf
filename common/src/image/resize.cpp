// SPDX-License-Identifier: Apache-2.0
#include "zoo/image/resize.hpp"

#include <algorithm>
#include <cmath>

#include "zoo/error.hpp"

namespace zoo {

namespace {

constexpr std::int64_t kMaxSide = 65'535;
// Weights are integers of this many bits after the point: 8 bits of a pixel and 2 of carry fill the rest of 32.
constexpr int kPrecision = 22;

// Outputs [begin, begin + count) of a row that is resized from `from` to `to` values.
struct Window {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t begin = 0;
    std::int64_t count = 0;

    [[nodiscard]] bool copies() const { return from == to; }
};

// The inputs that an output is made of, and their weights.
struct Taps {
    std::int64_t first = 0;
    std::vector<std::int32_t> weights;
};

// A triangle as wide as one output, or as one input where the row grows.
std::vector<Taps> taps_of(const Window& window) {
    const double scale = static_cast<double>(window.from) / static_cast<double>(window.to);
    const double support = std::max(scale, 1.0);
    std::vector<Taps> taps(static_cast<std::size_t>(window.count));
    std::vector<double> weights;
    for (std::int64_t i = 0; i < window.count; ++i) {
        const double centre = (static_cast<double>(window.begin + i) + 0.5) * scale;
        const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(centre - support + 0.5), 0);
        const auto last = std::min<std::int64_t>(static_cast<std::int64_t>(centre + support + 0.5), window.from);
        weights.clear();
        double sum = 0;
        for (std::int64_t x = first; x < last; ++x) {
            const double distance = std::abs((static_cast<double>(x) - centre + 0.5) * (1.0 / support));
            weights.push_back(std::max(1.0 - distance, 0.0));
            sum += weights.back();
        }
        Taps& result = taps[static_cast<std::size_t>(i)];
        result.first = first;
        for (const double weight : weights) {
            const double share = sum == 0 ? weight : weight / sum;
            result.weights.push_back(static_cast<std::int32_t>(share * (1 << kPrecision) + 0.5));
        }
    }
    return taps;
}

std::uint8_t rounded(std::int32_t sum) { return static_cast<std::uint8_t>(std::clamp(sum >> kPrecision, 0, 255)); }

// Rows [top, top + rows) of the image, their columns resized.
Image resize_columns(const Image& image, const Window& window, std::int64_t top, std::int64_t rows) {
    Image result{window.count, rows, {}};
    result.pixels.resize(static_cast<std::size_t>(window.count * rows * 3));
    if (window.copies()) {
        for (std::int64_t y = 0; y < rows; ++y) {
            std::copy_n(image.at(window.begin, top + y), window.count * 3, result.at(0, y));
        }
        return result;
    }
    const std::vector<Taps> taps = taps_of(window);
    for (std::int64_t y = 0; y < rows; ++y) {
        std::uint8_t* out = result.at(0, y);
        for (const Taps& tap : taps) {
            const std::uint8_t* in = image.at(tap.first, top + y);
            std::int32_t sums[3] = {1 << (kPrecision - 1), 1 << (kPrecision - 1), 1 << (kPrecision - 1)};
            for (const std::int32_t weight : tap.weights) {
                for (int c = 0; c < 3; ++c) {
                    sums[c] += weight * in[c];
                }
                in += 3;
            }
            for (const std::int32_t sum : sums) {
                *out++ = rounded(sum);
            }
        }
    }
    return result;
}

// taps count from the first row of `image`.
Image resize_rows(const Image& image, const std::vector<Taps>& taps) {
    Image result{image.width, static_cast<std::int64_t>(taps.size()), {}};
    const auto stride = static_cast<std::size_t>(image.width * 3);
    result.pixels.resize(taps.size() * stride);
    std::vector<std::int32_t> sums(stride);
    std::uint8_t* out = result.pixels.data();
    for (const Taps& tap : taps) {
        std::fill(sums.begin(), sums.end(), 1 << (kPrecision - 1));
        const std::uint8_t* in = image.at(0, tap.first);
        for (const std::int32_t weight : tap.weights) {
            for (std::size_t i = 0; i < stride; ++i) {
                sums[i] += weight * in[i];
            }
            in += stride;
        }
        out = std::transform(sums.begin(), sums.end(), out, rounded);
    }
    return result;
}

// First the columns, then the rows, rounded to bytes in between: the order decides the last bit.
Image resize_window(const Image& image, const Window& columns, const Window& rows) {
    if (rows.copies()) {
        return resize_columns(image, columns, rows.begin, rows.count);
    }
    std::vector<Taps> taps = taps_of(rows);
    const std::int64_t top = taps.front().first;
    const std::int64_t bottom = taps.back().first + static_cast<std::int64_t>(taps.back().weights.size());
    const Image narrow = resize_columns(image, columns, top, bottom - top);
    for (Taps& tap : taps) {
        tap.first -= top;
    }
    return resize_rows(narrow, taps);
}

void require_size(const char* where, std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide) {
        fail(where, "size is ", width, " by ", height, "; both must be between 1 and ", kMaxSide);
    }
}

// Half, rounded to even as Python does.
std::int64_t half(std::int64_t value) { return std::llrint(static_cast<double>(value) / 2.0); }

}  // namespace

Image resize(const Image& image, std::int64_t width, std::int64_t height) {
    require_size("resize", width, height);
    return resize_window(image, {image.width, width, 0, width}, {image.height, height, 0, height});
}

Image resize_and_crop(const Image& image, std::int64_t shorter_side, std::int64_t crop) {
    require_size("resize_and_crop", shorter_side, crop);
    if (crop > shorter_side) {
        fail("resize_and_crop", "crop is ", crop, "; it must be at most the shorter side, ", shorter_side);
    }
    const bool wide = image.width > image.height;
    const std::int64_t shorter = wide ? image.height : image.width;
    const std::int64_t longer = wide ? image.width : image.height;
    const std::int64_t longer_side = shorter_side * longer / shorter;
    const std::int64_t width = wide ? longer_side : shorter_side;
    const std::int64_t height = wide ? shorter_side : longer_side;
    return resize_window(
        image, {image.width, width, half(width - crop), crop}, {image.height, height, half(height - crop), crop});
}

Letterbox letterbox(const Image& image, std::int64_t width, std::int64_t height, std::uint8_t ground) {
    require_size("letterbox", width, height);
    Letterbox result{.image = filled_image(width, height, ground, ground, ground)};
    // The side that touches the edge has its full length; the other is rounded down, as Darknet does, and is never nothing.
    if (width * image.height < height * image.width) {
        result.width = width;
        result.height = std::max<std::int64_t>(image.height * width / image.width, 1);
    } else {
        result.height = height;
        result.width = std::max<std::int64_t>(image.width * height / image.height, 1);
    }
    result.left = (width - result.width) / 2;
    result.top = (height - result.height) / 2;
    const Image fitted = resize(image, result.width, result.height);
    for (std::int64_t y = 0; y < result.height; ++y) {
        std::copy_n(fitted.at(0, y), result.width * 3, result.image.at(result.left, result.top + y));
    }
    return result;
}

}  // namespace zoo

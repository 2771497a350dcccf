// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/digits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "zoo/error.hpp"
#include "zoo/random.hpp"

namespace zoo::mnist {
namespace {

constexpr const char* kWhere = "mnist::read_digits";
constexpr std::int64_t kSide = 28;

struct Idx {
    std::vector<std::int64_t> shape;
    std::vector<std::uint8_t> values;
};

// An idx file of bytes: 0, 0, 8, the number of dimensions, each as a big-endian 32-bit number, the values.
Idx read_idx(const std::filesystem::path& file, std::size_t rank) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        fail(kWhere, file.string(), " cannot be read");
    }
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t header = 4 + 4 * rank;
    if (bytes.size() < header || bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 8 || bytes[3] != rank) {
        fail(kWhere, file.string(), " is no idx file of bytes with ", rank, " dimensions");
    }
    Idx idx;
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < rank; ++i) {
        std::uint64_t extent = 0;
        for (std::size_t byte = 0; byte < 4; ++byte) {
            extent = extent << 8U | bytes[4 + 4 * i + byte];
        }
        idx.shape.push_back(static_cast<std::int64_t>(extent));
        // A product of three numbers of 32 bits does not fit 64; what no file can hold is cut off.
        count = extent != 0 && count > bytes.size() ? bytes.size() + 1 : count * extent;
    }
    if (count != bytes.size() - header) {
        fail(
            kWhere, file.string(), " has ", bytes.size() - header, " values; its shape ", to_string(idx.shape),
            " needs another number");
    }
    idx.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(header), bytes.end());
    return idx;
}

struct Point {
    float x, y;
};
// Points of a stroke, joined by straight lines; the pen is lifted between strokes. On a page of 20 by 20.
using Strokes = std::vector<std::vector<Point>>;

// Part of an ellipse, from one angle to another in turns, clockwise from the right.
std::vector<Point> arc(Point centre, float width, float height, float from, float to) {
    std::vector<Point> points;
    constexpr int kSteps = 24;
    for (int i = 0; i <= kSteps; ++i) {
        const float angle =
            2.0F * 3.14159265F * (from + (to - from) * static_cast<float>(i) / static_cast<float>(kSteps));
        points.push_back({centre.x + width * std::cos(angle), centre.y + height * std::sin(angle)});
    }
    return points;
}

std::vector<Point> joined(std::vector<Point> first, const std::vector<Point>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const std::array<Strokes, 10>& alphabet() {
    static const std::array<Strokes, 10> kAlphabet{{
        {arc({10, 10}, 6, 9, 0, 1)},
        {{{6, 5}, {10.5F, 1}, {10, 19}}},
        {joined(arc({10, 6}, 6, 5, 0.5F, 1.1F), {{4, 18.5F}, {17, 18.5F}})},
        {joined(arc({9.5F, 5.5F}, 5.5F, 4.5F, 0.55F, 1.25F), arc({9.5F, 14.3F}, 6, 4.8F, 0.75F, 1.45F))},
        {{{5, 1}, {3.5F, 11}, {16, 11}}, {{13.5F, 3}, {12.5F, 19}}},
        {joined({{16, 1.5F}, {6, 1.5F}, {5, 9}}, arc({9.5F, 13}, 6.3F, 5.7F, 0.65F, 1.42F))},
        {joined({{13, 1}, {8, 5}, {4.6F, 11}}, arc({10, 14}, 5.5F, 5, 0.5F, 1.5F))},
        {{{4, 2}, {16, 2}, {9, 19}}},
        {arc({10, 5.5F}, 4.5F, 4.5F, 0, 1), arc({10, 14.5F}, 5.3F, 4.6F, 0, 1)},
        {joined(arc({9.5F, 6}, 5.3F, 5, 0, 1), {{14.8F, 6}, {13, 19}})},
    }};
    return kAlphabet;
}

float distance_to_segment(Point p, Point a, Point b) {
    const Point along{b.x - a.x, b.y - a.y};
    const float length = along.x * along.x + along.y * along.y;
    const float t =
        length == 0.0F ? 0.0F : std::clamp(((p.x - a.x) * along.x + (p.y - a.y) * along.y) / length, 0.0F, 1.0F);
    return std::hypot(p.x - a.x - t * along.x, p.y - a.y - t * along.y);
}

}  // namespace

Digits read_digits(const std::filesystem::path& directory, std::string_view part) {
    const std::string name(part);
    const std::filesystem::path image_file = directory / (name + "-images-idx3-ubyte");
    Idx images = read_idx(image_file, 3);
    Idx labels = read_idx(directory / (name + "-labels-idx1-ubyte"), 1);
    if (images.shape[0] != labels.shape[0]) {
        fail(kWhere, image_file.string(), " has ", images.shape[0], " digits; there are ", labels.shape[0], " labels");
    }
    return {
        .count = images.shape[0],
        .height = images.shape[1],
        .width = images.shape[2],
        .pixels = std::move(images.values),
        .labels = std::move(labels.values)};
}

Digits drawn_digits(std::int64_t count, std::uint64_t seed) {
    Digits digits{.count = count, .height = kSide, .width = kSide};
    Random random(seed);
    constexpr float kPen = 1.1F;  // half of its width
    for (std::int64_t digit = 0; digit < count; ++digit) {
        digits.labels.push_back(static_cast<std::uint8_t>(digit % 10));
        const float slant = random.uniform(-0.15F, 0.15F);
        const float scale = random.uniform(0.9F, 1.05F);
        const Point shift{14.0F + random.uniform(-1.0F, 1.0F), 14.0F + random.uniform(-1.0F, 1.0F)};
        const Strokes& strokes = alphabet()[static_cast<std::size_t>(digit % 10)];
        for (std::int64_t y = 0; y < kSide; ++y) {
            for (std::int64_t x = 0; x < kSide; ++x) {
                // The page's point under this pixel.
                Point p{(static_cast<float>(x) - shift.x) / scale, (static_cast<float>(y) - shift.y) / scale};
                p = {p.x + slant * p.y + 10.0F, p.y + 10.0F};
                float nearest = 100.0F;
                for (const std::vector<Point>& stroke : strokes) {
                    for (std::size_t i = 1; i < stroke.size(); ++i) {
                        nearest = std::min(nearest, distance_to_segment(p, stroke[i - 1], stroke[i]));
                    }
                }
                // Ink fades over one pixel.
                const float ink = std::clamp(kPen + 0.5F - nearest, 0.0F, 1.0F);
                digits.pixels.push_back(static_cast<std::uint8_t>(std::lround(255.0F * ink)));
            }
        }
    }
    return digits;
}

HostTensor digit_images(const Config& config, const Digits& digits, std::int64_t first, std::int64_t count) {
    if (first < 0 || count < 1 || first > digits.count - count) {
        fail(
            "mnist::digit_images", "digits ", first, " to ", first + count, " are asked for; there are ", digits.count);
    }
    const std::int64_t side = config.image_size;
    if (digits.height > side || digits.width > side) {
        fail(
            "mnist::digit_images", "digits are ", digits.height, "x", digits.width, "; the network takes up to ", side,
            "x", side);
    }
    const std::int64_t top = (side - digits.height) / 2;
    const std::int64_t left = (side - digits.width) / 2;
    HostTensor images = zeros({count, config.num_channels, side, side});
    std::fill(images.data.begin(), images.data.end(), -config.image_mean / config.image_std);
    for (std::int64_t plane = 0; plane < count * config.num_channels; ++plane) {
        const std::int64_t digit = first + plane / config.num_channels;
        for (std::int64_t y = 0; y < digits.height; ++y) {
            for (std::int64_t x = 0; x < digits.width; ++x) {
                const auto from = static_cast<std::size_t>((digit * digits.height + y) * digits.width + x);
                const auto to = static_cast<std::size_t>((plane * side + top + y) * side + left + x);
                const float value = static_cast<float>(digits.pixels[from]) / 255.0F;
                images.data[to] = (value - config.image_mean) / config.image_std;
            }
        }
    }
    return images;
}

}  // namespace zoo::mnist

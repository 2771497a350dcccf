// SPDX-License-Identifier: Apache-2.0
#include "zoo/image/draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include <stb/stb_easy_font.h>

namespace zoo {

namespace {

// stb_easy_font makes a letter of axis-parallel rectangles, four of these each.
struct Vertex {
    float x;
    float y;
    float z;
    std::array<unsigned char, 4> color;
};

// One line of what the font can draw.
std::string drawable(std::string_view text) {
    std::string result(text);
    std::ranges::replace_if(
        result, [](char c) { return c < ' ' || c > '~'; }, '?');
    return result;
}

}  // namespace

Color class_color(std::int64_t class_id) {
    // Hues by the golden ratio: any few in a row are far apart.
    const double turn = std::fmod(static_cast<double>(class_id) * 0.618033988749895 + 0.02, 1.0) * 6.0;
    const auto channel = [&](double shift) {
        const double distance = std::abs(std::fmod(turn + shift, 6.0) - 3.0) - 1.0;
        const double value = std::clamp(distance, 0.0, 1.0);
        return static_cast<std::uint8_t>(std::lround(30.0 + 180.0 * value));
    };
    return {channel(0.0), channel(4.0), channel(2.0)};
}

void fill_rectangle(Image& image, const Rectangle& area, Color color) {
    const std::int64_t left = std::max<std::int64_t>(area.left, 0);
    const std::int64_t right = std::min(area.right, image.width);
    for (std::int64_t y = std::max<std::int64_t>(area.top, 0); y < std::min(area.bottom, image.height); ++y) {
        for (std::int64_t x = left; x < right; ++x) {
            std::uint8_t* pixel = image.at(x, y);
            pixel[0] = color.r;
            pixel[1] = color.g;
            pixel[2] = color.b;
        }
    }
}

void draw_rectangle(Image& image, const Rectangle& area, Color color, std::int64_t thickness) {
    const std::int64_t line = std::min({thickness, (area.right - area.left + 1) / 2, (area.bottom - area.top + 1) / 2});
    fill_rectangle(image, {area.left, area.top, area.right, area.top + line}, color);
    fill_rectangle(image, {area.left, area.bottom - line, area.right, area.bottom}, color);
    fill_rectangle(image, {area.left, area.top, area.left + line, area.bottom}, color);
    fill_rectangle(image, {area.right - line, area.top, area.right, area.bottom}, color);
}

std::int64_t text_width(std::string_view text, std::int64_t scale) {
    std::string letters = drawable(text);
    return stb_easy_font_width(letters.data()) * scale;
}

void draw_text(Image& image, std::int64_t x, std::int64_t y, std::string_view text, Color color, std::int64_t scale) {
    std::string letters = drawable(text);
    // The font's own upper bound is 270 bytes a letter on average.
    std::vector<Vertex> vertices(letters.size() * 1024 / sizeof(Vertex) + 4);
    const int quads = stb_easy_font_print(
        0, 0, letters.data(), nullptr, vertices.data(), static_cast<int>(vertices.size() * sizeof(Vertex)));
    const auto pixel = [&](float value) { return static_cast<std::int64_t>(std::lround(value)) * scale; };
    for (int i = 0; i < quads; ++i) {
        const Vertex& from = vertices[static_cast<std::size_t>(4 * i)];
        const Vertex& to = vertices[static_cast<std::size_t>(4 * i + 2)];
        fill_rectangle(image, {x + pixel(from.x), y + pixel(from.y), x + pixel(to.x), y + pixel(to.y)}, color);
    }
}

void draw_labelled_box(Image& image, const Rectangle& area, std::string_view label, Color color) {
    const std::int64_t shorter = std::min(image.width, image.height);
    const std::int64_t thickness = std::max<std::int64_t>(shorter / 200, 1);
    const std::int64_t scale = std::max<std::int64_t>((shorter + 150) / 300, 1);
    draw_rectangle(image, area, color, thickness);
    const std::int64_t width = text_width(label, scale) + 4 * scale;
    const std::int64_t height = kLineHeight * scale;
    const std::int64_t left = std::clamp<std::int64_t>(area.left, 0, std::max<std::int64_t>(image.width - width, 0));
    const std::int64_t top = area.top >= height ? area.top - height : std::max<std::int64_t>(area.top, 0);
    fill_rectangle(image, {left, top, left + width, top + height}, color);
    draw_text(image, left + 2 * scale, top + 2 * scale, label, {255, 255, 255}, scale);
}

}  // namespace zoo

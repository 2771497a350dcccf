// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "zoo/image/image.hpp"

namespace zoo {

struct Color {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;

    bool operator==(const Color&) const = default;
};

// A colour of its own for each class, far from its neighbours', dark enough for white letters.
[[nodiscard]] Color class_color(std::int64_t class_id);

// In pixels; right and bottom are the first that do not belong to it.
struct Rectangle {
    std::int64_t left = 0;
    std::int64_t top = 0;
    std::int64_t right = 0;
    std::int64_t bottom = 0;
};

// All of these clip at the edges of the image.
void fill_rectangle(Image& image, const Rectangle& area, Color color);
// An outline of `thickness` pixels, inside of the area.
void draw_rectangle(Image& image, const Rectangle& area, Color color, std::int64_t thickness);

// Small block letters, for ASCII; anything else is shown as '?'. A line is 12 * scale pixels high.
inline constexpr std::int64_t kLineHeight = 12;
[[nodiscard]] std::int64_t text_width(std::string_view text, std::int64_t scale);
void draw_text(Image& image, std::int64_t x, std::int64_t y, std::string_view text, Color color, std::int64_t scale);

// A box with its label on a ground of the same colour: above the box, or inside where the image ends. Line and letters grow with the
// image.
void draw_labelled_box(Image& image, const Rectangle& area, std::string_view label, Color color);

}  // namespace zoo

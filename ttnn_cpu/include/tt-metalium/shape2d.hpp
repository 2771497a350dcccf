// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tt::tt_metal {

class Shape2D final {
public:
    Shape2D(std::size_t height, std::size_t width) : height_(height), width_(width) {}

    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }

    bool operator==(const Shape2D&) const = default;

private:
    std::size_t height_;
    std::size_t width_;
};

}  // namespace tt::tt_metal

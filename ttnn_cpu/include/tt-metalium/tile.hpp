// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace tt::tt_metal {

// The unit of TILE layout. The zoo and this implementation use 32x32 tiles only; other shapes throw.
struct Tile {
    Tile(std::array<std::uint32_t, 2> tile_shape = {32, 32}, bool transpose_tile = false);

    std::uint32_t get_height() const { return tile_shape_[0]; }
    std::uint32_t get_width() const { return tile_shape_[1]; }
    std::array<std::uint32_t, 2> get_tile_shape() const { return tile_shape_; }
    std::uint32_t get_tile_hw() const { return tile_shape_[0] * tile_shape_[1]; }

    bool operator==(const Tile& other) const { return tile_shape_ == other.tile_shape_; }

private:
    std::array<std::uint32_t, 2> tile_shape_;
};

}  // namespace tt::tt_metal

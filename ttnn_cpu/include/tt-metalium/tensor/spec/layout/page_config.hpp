// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt-metalium/tensor/spec/layout/layout.hpp>
#include <tt-metalium/tile.hpp>

namespace tt::tt_metal {

// Whether pages are rows or tiles.
class PageConfig {
public:
    PageConfig(Layout layout);
    PageConfig(Layout layout, const std::optional<Tile>& tile);

    Layout get_layout() const { return layout_; }
    Tile get_tile() const { return tile_; }

    bool operator==(const PageConfig&) const = default;

private:
    Layout layout_;
    Tile tile_;
};

}  // namespace tt::tt_metal

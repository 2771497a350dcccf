// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tt_stl/span.hpp>

struct tt_xy_pair {
    constexpr tt_xy_pair() = default;
    constexpr tt_xy_pair(std::size_t x_value, std::size_t y_value) : x(x_value), y(y_value) {}

    auto operator<=>(const tt_xy_pair&) const = default;

    std::string str() const;

    std::size_t x = 0;
    std::size_t y = 0;
};

namespace tt::tt_metal {

using CoreCoord = ::tt_xy_pair;

class CoreRangeSet;

// A rectangle of cores, both corners included.
class CoreRange {
public:
    CoreCoord start_coord;
    CoreCoord end_coord;

    CoreRange(const CoreCoord& point);
    CoreRange(const CoreCoord& start, const CoreCoord& end);

    bool intersects(const CoreRange& other) const;
    bool contains(const CoreCoord& other) const;
    bool contains(const CoreRange& other) const;
    std::size_t size() const;
    CoreCoord grid_size() const;
    std::string str() const;

    auto operator<=>(const CoreRange&) const = default;
};

// Rectangles that do not overlap.
class CoreRangeSet {
public:
    CoreRangeSet() = default;
    CoreRangeSet(ttsl::Span<const CoreRange> core_ranges);
    CoreRangeSet(const std::set<CoreRange>& core_ranges);
    CoreRangeSet(const CoreRange& core_range);
    CoreRangeSet(ttsl::Span<const CoreCoord> core_coords);
    CoreRangeSet(std::vector<CoreRange>&& core_ranges);

    bool empty() const;
    std::size_t size() const;
    bool contains(const CoreCoord& other) const;
    bool contains(const CoreRange& other) const;
    bool contains(const CoreRangeSet& other) const;
    bool intersects(const CoreRange& other) const;
    const std::vector<CoreRange>& ranges() const;
    std::string str() const;
    std::uint32_t num_cores() const;
    CoreRange bounding_box() const;
    CoreRangeSet merge_ranges() const;

private:
    void validate_no_overlap() const;

    std::vector<CoreRange> ranges_;
};

bool operator==(const CoreRangeSet& a, const CoreRangeSet& b);
bool operator!=(const CoreRangeSet& a, const CoreRangeSet& b);

std::vector<CoreCoord> grid_to_cores(
    std::uint32_t num_cores, std::uint32_t grid_size_x, std::uint32_t grid_size_y, bool row_wise = false);
std::vector<CoreCoord> corerange_to_cores(
    const CoreRangeSet& crs, std::optional<std::uint32_t> max_cores = std::nullopt, bool row_wise = false);

}  // namespace tt::tt_metal

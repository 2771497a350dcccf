// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/core_coord.hpp>

#include <algorithm>

#include "core/fatal.hpp"

std::string tt_xy_pair::str() const { return fmt::format("({},{})", x, y); }

namespace tt::tt_metal {

CoreRange::CoreRange(const CoreCoord& point) : start_coord(point), end_coord(point) {}

CoreRange::CoreRange(const CoreCoord& start, const CoreCoord& end) : start_coord(start), end_coord(end) {
    TT_FATAL(
        end.x >= start.x && end.y >= start.y,
        "Invalid core range for start_coord: {}, end_coord: {}: the end must not lie before the start", start.str(),
        end.str());
}

bool CoreRange::intersects(const CoreRange& other) const {
    return start_coord.x <= other.end_coord.x && other.start_coord.x <= end_coord.x &&
           start_coord.y <= other.end_coord.y && other.start_coord.y <= end_coord.y;
}

bool CoreRange::contains(const CoreCoord& other) const {
    return other.x >= start_coord.x && other.x <= end_coord.x && other.y >= start_coord.y && other.y <= end_coord.y;
}

bool CoreRange::contains(const CoreRange& other) const {
    return contains(other.start_coord) && contains(other.end_coord);
}

std::size_t CoreRange::size() const { return grid_size().x * grid_size().y; }

CoreCoord CoreRange::grid_size() const { return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1}; }

std::string CoreRange::str() const { return fmt::format("[{}-{}]", start_coord.str(), end_coord.str()); }

CoreRangeSet::CoreRangeSet(ttsl::Span<const CoreRange> core_ranges) : ranges_(core_ranges.begin(), core_ranges.end()) {
    validate_no_overlap();
}

CoreRangeSet::CoreRangeSet(const std::set<CoreRange>& core_ranges) : ranges_(core_ranges.begin(), core_ranges.end()) {
    validate_no_overlap();
}

CoreRangeSet::CoreRangeSet(const CoreRange& core_range) : ranges_{core_range} {}

CoreRangeSet::CoreRangeSet(ttsl::Span<const CoreCoord> core_coords) {
    ranges_.assign(core_coords.begin(), core_coords.end());
    validate_no_overlap();
}

CoreRangeSet::CoreRangeSet(std::vector<CoreRange>&& core_ranges) : ranges_(std::move(core_ranges)) {
    validate_no_overlap();
}

bool CoreRangeSet::empty() const { return ranges_.empty(); }

std::size_t CoreRangeSet::size() const { return ranges_.size(); }

bool CoreRangeSet::contains(const CoreCoord& other) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const CoreRange& range) { return range.contains(other); });
}

bool CoreRangeSet::contains(const CoreRange& other) const {
    for (std::size_t y = other.start_coord.y; y <= other.end_coord.y; ++y) {
        for (std::size_t x = other.start_coord.x; x <= other.end_coord.x; ++x) {
            if (!contains(CoreCoord(x, y))) {
                return false;
            }
        }
    }
    return true;
}

bool CoreRangeSet::contains(const CoreRangeSet& other) const {
    return std::all_of(
        other.ranges_.begin(), other.ranges_.end(), [&](const CoreRange& range) { return contains(range); });
}

bool CoreRangeSet::intersects(const CoreRange& other) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const CoreRange& range) { return range.intersects(other); });
}

const std::vector<CoreRange>& CoreRangeSet::ranges() const { return ranges_; }

std::string CoreRangeSet::str() const {
    std::string text = "{";
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        text += (i == 0 ? "" : ", ") + ranges_[i].str();
    }
    return text + "}";
}

std::uint32_t CoreRangeSet::num_cores() const {
    std::size_t cores = 0;
    for (const CoreRange& range : ranges_) {
        cores += range.size();
    }
    return static_cast<std::uint32_t>(cores);
}

CoreRange CoreRangeSet::bounding_box() const {
    TT_FATAL(!ranges_.empty(), "Cannot get bounding_box of an empty CoreRangeSet");
    CoreCoord start = ranges_.front().start_coord;
    CoreCoord end = ranges_.front().end_coord;
    for (const CoreRange& range : ranges_) {
        start = {std::min(start.x, range.start_coord.x), std::min(start.y, range.start_coord.y)};
        end = {std::max(end.x, range.end_coord.x), std::max(end.y, range.end_coord.y)};
    }
    return {start, end};
}

CoreRangeSet CoreRangeSet::merge_ranges() const {
    // One range for a full rectangle, which is what callers need to know; other sets stay as they are.
    if (ranges_.size() > 1 && bounding_box().size() == num_cores()) {
        return CoreRangeSet(bounding_box());
    }
    return *this;
}

void CoreRangeSet::validate_no_overlap() const {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        for (std::size_t j = i + 1; j < ranges_.size(); ++j) {
            TT_FATAL(
                !ranges_[i].intersects(ranges_[j]),
                "Cannot create CoreRangeSet with specified core ranges because core ranges {} and {} overlap",
                ranges_[i].str(), ranges_[j].str());
        }
    }
}

bool operator==(const CoreRangeSet& a, const CoreRangeSet& b) { return a.ranges() == b.ranges(); }

bool operator!=(const CoreRangeSet& a, const CoreRangeSet& b) { return !(a == b); }

std::vector<CoreCoord> grid_to_cores(
    std::uint32_t num_cores, std::uint32_t grid_size_x, std::uint32_t grid_size_y, bool row_wise) {
    TT_FATAL(
        num_cores <= grid_size_x * grid_size_y, "Number of cores {} exceeds grid size {}x{}", num_cores, grid_size_x,
        grid_size_y);
    std::vector<CoreCoord> cores;
    cores.reserve(num_cores);
    for (std::uint32_t i = 0; i < num_cores; ++i) {
        cores.emplace_back(row_wise ? i % grid_size_x : i / grid_size_y, row_wise ? i / grid_size_x : i % grid_size_y);
    }
    return cores;
}

std::vector<CoreCoord> corerange_to_cores(
    const CoreRangeSet& crs, std::optional<std::uint32_t> max_cores, bool row_wise) {
    std::vector<CoreCoord> cores;
    for (const CoreRange& range : crs.ranges()) {
        const CoreCoord size = range.grid_size();
        for (std::size_t i = 0; i < range.size(); ++i) {
            if (max_cores && cores.size() == *max_cores) {
                return cores;
            }
            const std::size_t x = row_wise ? i % size.x : i / size.y;
            const std::size_t y = row_wise ? i / size.x : i % size.y;
            cores.emplace_back(range.start_coord.x + x, range.start_coord.y + y);
        }
    }
    return cores;
}

}  // namespace tt::tt_metal

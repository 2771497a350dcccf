// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/work_split.hpp>

#include <algorithm>
#include <vector>

#include "core/fatal.hpp"

namespace tt::tt_metal {

int find_max_divisor(std::uint32_t val, std::uint32_t start_max_div) {
    for (std::uint32_t divisor = start_max_div; divisor > 1; --divisor) {
        if (val % divisor == 0) {
            return static_cast<int>(divisor);
        }
    }
    return 1;
}

CoreRangeSet num_cores_to_corerangeset(
    CoreCoord start_core, std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise) {
    // Cores are numbered along one axis from the start core; what is left of that line, then whole lines, then a rest.
    const std::size_t line = row_wise ? grid_size.x : grid_size.y;
    const std::size_t lines = row_wise ? grid_size.y : grid_size.x;
    const std::size_t first = row_wise ? start_core.y * line + start_core.x : start_core.x * line + start_core.y;
    TT_FATAL(
        first + target_num_cores <= line * lines,
        "Target number of cores {} is greater than the number of cores available {} in a grid of {}x{} from core {}",
        target_num_cores, line * lines - std::min(first, line * lines), grid_size.x, grid_size.y, start_core.str());

    const auto core_at = [&](std::size_t along, std::size_t across) {
        return row_wise ? CoreCoord(along, across) : CoreCoord(across, along);
    };
    std::vector<CoreRange> ranges;
    std::size_t position = first;
    std::size_t left = target_num_cores;
    while (left > 0) {
        const std::size_t along = position % line;
        const std::size_t across = position / line;
        if (along == 0 && left >= line) {
            const std::size_t whole = left / line;
            ranges.emplace_back(core_at(0, across), core_at(line - 1, across + whole - 1));
            position += whole * line;
            left -= whole * line;
        } else {
            const std::size_t count = std::min(left, line - along);
            ranges.emplace_back(core_at(along, across), core_at(along + count - 1, across));
            position += count;
            left -= count;
        }
    }
    return CoreRangeSet(std::move(ranges));
}

CoreRangeSet num_cores_to_corerangeset(std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise) {
    return num_cores_to_corerangeset(CoreCoord(0, 0), target_num_cores, grid_size, row_wise);
}

std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet, std::uint32_t, std::uint32_t> split_work_to_cores(
    CoreCoord grid_size, std::uint32_t units_to_divide, bool row_wise) {
    const auto cores = static_cast<std::uint32_t>(grid_size.x * grid_size.y);
    const std::uint32_t used = std::min(cores, units_to_divide);
    if (used == 0) {
        return {0, {}, {}, {}, 0, 0};
    }
    const CoreRangeSet all = num_cores_to_corerangeset(used, grid_size, row_wise);
    const std::uint32_t units = units_to_divide / used;
    const std::uint32_t with_more = units_to_divide % used;
    if (with_more == 0) {
        return {used, all, all, {}, units, 0};
    }
    const CoreRangeSet group_1 = num_cores_to_corerangeset(with_more, grid_size, row_wise);
    const std::size_t line = row_wise ? grid_size.x : grid_size.y;
    const CoreCoord next =
        row_wise ? CoreCoord(with_more % line, with_more / line) : CoreCoord(with_more / line, with_more % line);
    const CoreRangeSet group_2 = num_cores_to_corerangeset(next, used - with_more, grid_size, row_wise);
    return {used, all, group_1, group_2, units + 1, units};
}

}  // namespace tt::tt_metal

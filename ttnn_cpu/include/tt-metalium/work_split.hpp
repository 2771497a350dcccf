// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tuple>

#include <tt-metalium/core_coord.hpp>

namespace tt::tt_metal {

int find_max_divisor(std::uint32_t val, std::uint32_t start_max_div);

// The first `target_num_cores` cores of a grid, by columns unless row_wise. Throws when the grid is too small.
CoreRangeSet num_cores_to_corerangeset(std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise = false);
CoreRangeSet num_cores_to_corerangeset(
    CoreCoord start_core, std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise = false);

// Splits `units_to_divide` over a grid: number of cores, all cores, the cores with one unit more, the rest, and the
// units a core has in either group.
std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet, std::uint32_t, std::uint32_t> split_work_to_cores(
    CoreCoord grid_size, std::uint32_t units_to_divide, bool row_wise = false);

}  // namespace tt::tt_metal

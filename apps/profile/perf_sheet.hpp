// SPDX-License-Identifier: Apache-2.0
#pragma once

// The performance folder of tt-metal's device profiler: ops_perf_results_<name>.csv, which tt-perf-report opens, and
// profile_log_device.csv, which ttnn-visualizer wants beside it.
#include <filesystem>
#include <string>

#include "profile/run.hpp"

namespace zoo::apps::profile {

// Columns in the order of tt-metal v0.77.0, then CLOCK, which says by which clock the row's times are.
[[nodiscard]] std::string performance_sheet(const Run& run, Clock clock);
[[nodiscard]] std::string device_log(const Run& run, Clock clock);

// Writes both into `directory`. Returns the path of the sheet.
std::filesystem::path write_performance(const Run& run, Clock clock, const std::filesystem::path& directory);

}  // namespace zoo::apps::profile

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The memory report of ttnn-visualizer: db.sqlite (schema 3.3), config.json and cluster_descriptor.yaml.
#include <filesystem>

#include "profile/run.hpp"

namespace zoo::apps::profile {

// Writes the report into `directory`. Its device ops are those of the performance sheet, in the same order, so that
// the visualizer links the two.
void write_memory_report(const Run& run, const std::filesystem::path& directory);

}  // namespace zoo::apps::profile

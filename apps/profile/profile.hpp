// SPDX-License-Identifier: Apache-2.0
#pragma once

// `tt-zoo profile MODEL`: one run under the profiler, and the reports it leaves behind.
#include <filesystem>

#include "model_bench.hpp"
#include "profile/run.hpp"
#include "registry.hpp"

namespace zoo::apps {

void add_profile(const ModelEntry& model, CLI::App& command);

namespace profile {

// Runs the bench once under the profiler. The device must have recorded since its opening: traces are captured while the bench is set up,
// and their calls and buffers are known from there alone.
[[nodiscard]] Run profile_run(const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags);

struct Written {
    std::filesystem::path memory;      // directory, for ttnn-visualizer
    std::filesystem::path card;        // directory of the modelled times
    std::filesystem::path cpu;         // directory of the measured times; empty where nothing was computed
    std::filesystem::path card_sheet;  // for tt-perf-report
    std::filesystem::path timeline;    // for Perfetto
};

// Below `out` in the layout of tt-metal: generated/ttnn/reports and generated/profiler/reports.
Written write_reports(const Run& run, const std::filesystem::path& out);

}  // namespace profile

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures through a network, as `run`, `bench` and the demo do it.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vision/vision_model.hpp"
#include "zoo/metrics.hpp"

namespace zoo::apps {

struct Picture {
    std::string name;  // of the file, without its directory
    Image image;
};

// Error naming the first file that is no picture.
[[nodiscard]] std::vector<Picture> read_pictures(std::span<const std::string> files);

// Prepares the pictures and joins them: [pictures, 3, height, width].
[[nodiscard]] HostTensor prepare_all(const VisionModel& model, std::span<const Picture> pictures);

// What one version of a network says of pictures.
struct VersionRun {
    std::string version;              // golden, functional or optimized
    std::vector<HostTensor> outputs;  // of all pictures
    double milliseconds = 0;          // of all runs; without set-up
};

// In runs of `options.batch` pictures each. `repeats` > 1 takes the quickest of so many.
[[nodiscard]] VersionRun run_on_device(
    const VisionModel& model, ttnn::MeshDevice& device, const VisionRunnerOptions& options, const HostTensor& pictures,
    int repeats = 1);
[[nodiscard]] VersionRun run_golden(const VisionModel& model, const HostTensor& pictures, int repeats = 1);

// All outputs together.
[[nodiscard]] Comparison compare_runs(const VersionRun& golden, const VersionRun& run);

// Pictures [begin, begin + count) of a batch.
[[nodiscard]] HostTensor slice_batch(const HostTensor& pictures, std::int64_t begin, std::int64_t count);

}  // namespace zoo::apps

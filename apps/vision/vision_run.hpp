// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "vision/pictures.hpp"
#include "vision/vision_model.hpp"

namespace zoo::apps {

// Flags of `run` that classifiers and detectors share.
struct VisionRunFlags {
    ModelFlags model;
    DeviceFlags device;
    PlanFlags plan;
    std::vector<std::string> images;
    std::int64_t batch = 0;  // 0: the largest of the network's batches that the pictures fill
    bool check = true;
    bool json = false;

    void add_to(CLI::App& command, std::span<const std::string_view> presets, const std::string& weights_are);
    // `batches` are those of the VisionSpec.
    [[nodiscard]] VisionRunnerOptions runner_options(
        std::int64_t pictures, const std::vector<std::int64_t>& batches) const;
};

// One line that says what runs; and a second when the weights are random.
void print_head(std::string_view name, const VisionModel& model, const VisionRunFlags& flags);

// The pictures of the flags through the network and, with --check, through the golden.
struct PictureRun {
    std::vector<Picture> pictures;
    VersionRun run;
    std::optional<VersionRun> golden;
    std::optional<Comparison> comparison;
};

[[nodiscard]] PictureRun run_pictures(
    const VisionModel& model, const VisionRunFlags& flags, std::size_t l1_small_size,
    const std::vector<std::int64_t>& batches);
// One line: time and, where there is a golden, PCC.
[[nodiscard]] std::string footer(const PictureRun& run);
// What every JSON result begins with.
[[nodiscard]] nlohmann::json json_head(
    std::string_view name, const VisionModel& model, const VisionRunFlags& flags, const PictureRun& run);

void add_classify(CLI::App& command, const VisionSpec<Classifier>& spec);
void add_detect(CLI::App& command, const VisionSpec<Detector>& spec);

}  // namespace zoo::apps

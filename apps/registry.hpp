// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cli_fwd.hpp"

namespace zoo::apps {

struct Measure;
class Classifier;
class Detector;
template <class Model>
struct VisionSpec;

// What the program knows of a model. Each function adds the model's flags to a subcommand and its callback.
struct ModelEntry {
    std::string_view name;
    std::string_view summary;
    std::vector<std::string_view> presets;
    std::vector<std::string_view> tasks;
    std::function<void(CLI::App&)> add_run;
    std::function<void(CLI::App&)> add_check;
    // Sets the model up to run again and again, and hands it to the measure: `bench` times it, `profile` writes reports of it.
    std::function<void(CLI::App&, const Measure&)> add_bench;
    std::function<void(CLI::App&)> add_info;
    // Of networks for pictures, for `demo vision`; one of the two, or none.
    std::shared_ptr<const VisionSpec<Classifier>> classifier = nullptr;
    std::shared_ptr<const VisionSpec<Detector>> detector = nullptr;
};

// Every model of the zoo. A new model is one entry here.
std::span<const ModelEntry> models();

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/golden_case.hpp"
#include "ttnn/types.hpp"
#include "zoo/metrics.hpp"

namespace zoo::conformance {

// How the device answers one case.
struct GoldenRow {
    std::string name;
    std::string op;
    std::string problem;  // why there are no numbers; empty when there are
    UlpHistogram ulp;
    Comparison comparison;  // the device against the real library
    // The error of the real library's answer against exact arithmetic, where that is defined.
    std::optional<double> own_error;
};

struct GoldenReport {
    std::vector<GoldenRow> rows;

    std::size_t answered() const;
    std::size_t exact() const;  // cases with every value exact
};

// A Markdown table of the report, a row a family of cases ("conv2d" of "conv2d.3x3s1").
std::string markdown(const GoldenReport& report);

// The golden files of a directory, sorted. Error when it is none, or holds no .safetensors file.
std::vector<std::filesystem::path> golden_files(const std::filesystem::path& directory);

GoldenRow run_case(const GoldenCase& golden, ttnn::MeshDevice& device);

// Runs every file. A file that cannot be read, or a case that is not known, is a row that says so. `progress` is called before each.
GoldenReport run_directory(
    const std::filesystem::path& directory, ttnn::MeshDevice& device,
    const std::function<void(std::size_t done, std::size_t total, const std::string& name)>& progress = {});

}  // namespace zoo::conformance

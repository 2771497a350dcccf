// SPDX-License-Identifier: Apache-2.0
#pragma once

// The modelled clock beside figures that were published for real cards.
#include <functional>
#include <string>
#include <vector>

#include "cli_fwd.hpp"
#include "profile/run.hpp"

namespace zoo::apps::profile {

struct Published {
    std::string title;                   // "ResNet-50, 224 pixels"
    std::string model;                   // of the registry
    std::vector<std::string> arguments;  // of `profile`
    std::string board;
    std::int64_t batch = 1;
    double samples_per_second = 0;
    bool device = false;  // kernels alone; else with all that lies between them
    bool fitted = false;  // constants of the model were chosen by it
};

// Tenstorrent's own figures, of tt-metal v0.77.0's model table and device performance tests.
[[nodiscard]] const std::vector<Published>& published();

struct Calibrated {
    const Published* figure = nullptr;
    std::size_t ops = 0;
    double device_ms = 0;  // of the kernels, products at LoFi, as all published runs have them
    double own_ms = 0;     // of the kernels, products at the zoo's own fidelity
    double total_ms = 0;   // with the gaps

    [[nodiscard]] double samples_per_second() const;
    [[nodiscard]] double ratio() const { return samples_per_second() / figure->samples_per_second; }
};

// A matmul with its left side and result block sharded in L1 and its right side in DRAM, as tt-metal's own table of tuned matmuls on an
// n150 has them (tech_reports/GEMM_FLOPS).
struct PublishedMatmul {
    std::uint32_t m = 0;
    std::uint32_t k = 0;
    std::uint32_t n = 0;
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    std::string fidelity;
    double utilization = 0;  // in percent, by the device's clock, on 8x8 cores

    [[nodiscard]] double published_ns() const;
    [[nodiscard]] double modelled_ns() const;
};
[[nodiscard]] const std::vector<PublishedMatmul>& published_matmuls();

// Records the model's ops without computing them.
[[nodiscard]] Calibrated calibrate(const Published& figure);

}  // namespace zoo::apps::profile

namespace zoo::apps {

// `tt-zoo profile calibration`.
void add_calibration(CLI::App& profile);

}  // namespace zoo::apps

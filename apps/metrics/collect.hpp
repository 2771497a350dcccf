// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "metrics/conversion.hpp"
#include "registry.hpp"

namespace zoo::apps::metrics {

// What does not depend on the machine: which ops there are.
struct OpFigures {
    std::string model;
    std::string preset;
    std::string size;  // for people: "batch 1, 128 tokens"
    Conversions conversions;
    std::size_t to_device = 0;    // tensors written in one run
    std::size_t from_device = 0;  // and read
    std::size_t device_ops = 0;
};

// What one run takes here, and would take on the card.
struct RunFigures {
    std::string weights;
    double torch_ms = 0;        // libtorch in float32, at its best
    double cpu_ms = 0;          // the embedded device, traced: by the clock of this computer
    double card_ms = 0;         // the card, traced: by the model of its clock
    double pcc = 0;             // of the outputs with libtorch's
    std::uint64_t peak_l1 = 0;  // bytes over all cores
    std::uint64_t l1 = 0;       // that there are
};

struct Metrics {
    std::string model;
    std::string preset;
    std::optional<OpFigures> ops;
    std::optional<RunFigures> run;
    std::string failure;  // why one of them is not there
};

// Records one run without computing it, and traces the golden with random weights.
[[nodiscard]] OpFigures collect_ops(const ModelEntry& model, const std::string& preset);
// Runs it, traced, with the weights that are at hand.
[[nodiscard]] RunFigures collect_run(const ModelEntry& model, const std::string& preset);
// Both; what is thrown becomes the failure.
[[nodiscard]] Metrics collect(const ModelEntry& model, const std::string& preset);

}  // namespace zoo::apps::metrics

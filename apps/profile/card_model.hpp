// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long an op would take on the card: an analytic model, not a measurement. docs/profiling.md derives it and compares it with
// published figures (`tt-zoo profile --calibration`).
//
//     time = start + max(compute, reading, writing, DRAM, network)
//
// Reader, compute and writer of a core run side by side, each on the busiest core.
#include <array>
#include <cstdint>
#include <string_view>

#include "profile/run.hpp"

namespace zoo::apps::profile {

enum class Kind { Matmul, Conv, Attention, Normalization, Elementwise, Pool, DataMovement };
inline constexpr std::size_t kKinds = 7;

std::string_view to_string(Kind kind);
// By the name of the device operation; Elementwise for a name that is not known.
Kind kind_of(std::string_view op_name);

// What an op has to do, from its tensors and attributes, over all cores.
struct Work {
    Kind kind = Kind::Elementwise;
    double operations = 0;         // multiplications and additions of a matmul or convolution, on logical shapes
    double slowest_tensor_ns = 0;  // the largest tensor in DRAM at the peak bandwidth
    int fidelity_phases = 4;
};

Work work_of(const ttnn_cpu::OpRecord& op, const Card& card);

// The performance model columns of tt-metal: what a perfect implementation over the whole grid would take.
struct Ideal {
    double compute_ns = 1;
    double bandwidth_ns = 1;

    [[nodiscard]] double ns() const { return compute_ns > bandwidth_ns ? compute_ns : bandwidth_ns; }
};

Ideal ideal_of(const Work& work, const Card& card);

// What the model says of an op, part by part.
struct Estimate {
    double start_ns = 0;    // launch, first reads, last writes
    double compute_ns = 0;  // products and passes over tiles
    double reader_ns = 0;   // what a core fetches
    double writer_ns = 0;   // what a core sends
    double dram_ns = 0;     // all that DRAM gives and takes
    double network_ns = 0;  // all that crosses the network between cores

    [[nodiscard]] double ns() const;
    // What it waits for: "compute", "reads", "writes", "DRAM", "network", or "start" where that is the most of it.
    [[nodiscard]] std::string_view bound() const;
};

Estimate estimate(const ttnn_cpu::OpRecord& op, const Card& card);

// Fills run.card_time: one op after the other, with the gap of a traced run between them.
void model_card_times(Run& run);

}  // namespace zoo::apps::profile

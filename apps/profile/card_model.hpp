// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long an op would take on the card: an analytic model, not a measurement. docs/profiling.md derives it and compares it with
// published figures.
//
//     time    = start + max(compute, network, DRAM)
//     compute = tiles of the busiest core x cycles a tile / clock
//     network = bytes that a core fetches or sends / bytes a cycle / clock
//     DRAM    = bytes in DRAM that the op touches / bandwidth
#include <cstdint>
#include <string_view>

#include "profile/run.hpp"

namespace zoo::apps::profile {

enum class Kind { Matmul, Conv, Attention, Normalization, Elementwise, Pool, DataMovement };

std::string_view to_string(Kind kind);
// By the name of the device operation; Elementwise for a name that is not known.
Kind kind_of(std::string_view op_name);

// The published peaks, and the shares of them that ops reach. The shares are fitted to published device times of whole models.
struct CardConstants {
    double dram_gb_per_s = 258;         // Wormhole; 512 on Blackhole
    double dram_share = 0.75;           // of it that a whole op reaches
    double matmul_share = 0.55;         // of the matrix engine's 4096 operations a cycle and core
    double conv_share = 0.45;           // the same, for convolutions
    double network_bytes_a_cycle = 18;  // a core reads or writes over the network on chip
    double local_bytes_a_cycle = 40;    // a core moves inside its own L1
    double start_ns = 900;              // of any kernel: arguments, first reads, barriers
    double gap_ns = 700;                // from one op of a trace to the next
};

CardConstants constants_of(const Card& card);

// What an op has to do, from its tensors and attributes.
struct Work {
    Kind kind = Kind::Elementwise;
    double operations = 0;         // multiplications and additions of a matmul or convolution, on logical shapes
    double padded_operations = 0;  // the same on whole tiles: what the engine does
    double tiles = 0;              // of the larger of inputs and outputs
    double dram_bytes = 0;         // of tensors in DRAM
    double network_bytes = 0;      // of interleaved tensors: they are spread over all banks
    double local_bytes = 0;        // of shards
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

double modelled_ns(const Work& work, const ttnn_cpu::OpRecord& op, const Card& card, const CardConstants& constants);

// Fills run.card_time: one op after the other, with the gap of a traced run between them.
void model_card_times(Run& run);

}  // namespace zoo::apps::profile

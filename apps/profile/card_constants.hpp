// SPDX-License-Identifier: Apache-2.0
#pragma once

// The figures that the model of the card stands on. Where each comes from is said beside it; docs/profiling.md has the formulas.
#include <string_view>

namespace zoo::apps::profile {

struct CardConstants {
    // Peaks of the chip, as tt-metal v0.77.0's performance model has them.
    double dram_gb_per_s = 258;
    double operations_a_cycle = 4096;  // a core's matrix engine at LoFi: 8x16 by 16x16

    // Transfers over the network on chip, tt-metal's measured tables (data_movement/common): a transfer takes its bytes at this rate, but
    // no less than the time to issue it.
    double network_gb_per_s = 28;
    double dram_issue_ns = 37;
    double l1_issue_ns = 18.5;
    // What all cores together draw: DRAM by one network and by both, and L1 of other cores.
    double dram_one_way_gb_per_s = 190;
    double dram_both_ways_gb_per_s = 265;
    double network_all_gb_per_s = 512;

    // The matrix engine, from tt-metal's table of tuned matmuls on an n150 (tech_reports/GEMM_FLOPS): a product of two tiles takes its
    // phases, or the unpacking of the operand that is not kept, and then a few cycles; a sender reads a tile, then multicasts it.
    double phase_cycles = 16;
    double unpack_bytes_a_cycle = 48;
    double product_overhead_cycles = 6;
    double sender_issue_ns = 45;
    double sender_gb_per_s = 16;

    // The vector engine: 32 values an instruction, so 32 of each for a tile.
    double vectors_a_tile = 32;

    // Fitted to the published device times of ResNet-50, BERT-large and MobileNetV2 on an n150.
    double start_ns = 1500;   // of any op: launch of all cores, arguments, first reads, last writes
    double fill_ns = 1500;    // of matmuls and convolutions on top: the first blocks, before the engine has work
    double pass_cycles = 80;  // of a tile through unpacker, engine and packer, with its circular buffers

    double gap_ns = 700;  // from one op of a trace to the next; not part of any op
};

CardConstants constants_of(std::string_view arch);

}  // namespace zoo::apps::profile

// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run of a model as the profiler saw it: what all reports are written from.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ttnn_cpu/execution.hpp>
#include <ttnn_cpu/records.hpp>

#include "ttnn/types.hpp"

namespace zoo::apps::profile {

// Times are by one of two clocks, and no figure mixes them.
enum class Clock {
    Cpu,   // measured: how long this computer took
    Card,  // modelled: how long the card would take, by card_model.hpp
};

std::string_view to_string(Clock clock);  // "cpu", "card"
std::string_view describe(Clock clock);   // for the sheet's column: "measured on this CPU", "modelled for the card"

// What the reports say of the board.
struct Card {
    std::string board;  // "n150"
    std::string arch;   // "wormhole_b0"
    std::uint32_t grid_x = 0;
    std::uint32_t grid_y = 0;
    std::uint64_t l1_bytes = 0;   // of a core
    std::uint64_t l1_usable = 0;  // for buffers and circular buffers
    std::uint64_t l1_base = 0;    // where that starts, and circular buffers with it
    std::uint32_t dram_banks = 0;
    double ghz = 1.0;

    [[nodiscard]] std::uint32_t cores() const { return grid_x * grid_y; }
};

Card card_of(const ttnn::MeshDevice& device, const std::string& board);

struct Span {
    std::uint64_t start_ns = 0;
    std::uint64_t duration_ns = 0;

    [[nodiscard]] std::uint64_t end_ns() const { return start_ns + duration_ns; }
};

struct Run {
    std::string model;  // "bert"
    std::string title;  // for people: "bert bert-base, optimized, batch 1, traced"
    std::string name;   // for files: "bert_bert-base_optimized_b1_trace"
    Card card;
    // Ops in the order in which they ran, with the calls and buffers among which they were issued; a replayed op was issued at its capture.
    ttnn_cpu::Recording recording;
    std::vector<ttnn_cpu::CommandRecord> commands;  // of the run in the profiled mode
    // When each op of the recording ran, by each clock; starts count from the start of the run. Nothing by the CPU's where the ops were
    // recorded but not computed.
    std::vector<Span> cpu;
    std::vector<Span> card_time;

    [[nodiscard]] bool measured() const { return !cpu.empty(); }
    [[nodiscard]] const std::vector<Span>& spans(Clock clock) const { return clock == Clock::Cpu ? cpu : card_time; }
};

// The sum of all durations.
[[nodiscard]] std::uint64_t total_ns(const std::vector<Span>& spans);

}  // namespace zoo::apps::profile

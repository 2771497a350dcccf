// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recorded calls made once more on the real TTNN, on its mock device.
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <ttnn_cpu/call_script.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "passes/passes.hpp"

namespace zoo::conformance {

// The real library cannot be had here, for the reason given.
class OutOfReach : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Peaks within one call, bytes a core.
struct L1Usage {
    std::uint64_t circular_buffers = 0;
    std::uint64_t buffers = 0;

    [[nodiscard]] std::uint64_t total() const { return circular_buffers + buffers; }
};

// What the real library said to a call that the embedded device was given.
struct ReplayedCall {
    std::string function;
    std::string inputs;                    // shapes, dtypes and places
    bool refused_here = false;             // by the embedded device
    std::optional<std::string> refused;    // by the real library, with this message
    std::vector<std::string> differences;  // of the outputs
    std::string not_replayed;              // why it could not be tried
    L1Usage here;
    std::optional<L1Usage> there;

    // Both take it, with the same outputs, or both refuse it.
    [[nodiscard]] bool agrees() const {
        return not_replayed.empty() && differences.empty() && refused_here == refused.has_value();
    }
};

struct Replay {
    std::vector<ReplayedCall> calls;
    std::string broken_off;  // the real library ended, with this
};

// Throws OutOfReach.
[[nodiscard]] Replay replay(const ttnn_cpu::CallScript& script, std::size_t l1_small_size, ttnn_cpu::Board board);

// Runs the pass on an embedded device and replays what it called.
[[nodiscard]] Replay replay(const apps::ModelPass& pass, ttnn_cpu::Board board);

[[nodiscard]] std::string_view to_string(ttnn_cpu::Board board);

// Of an exception's text: the library's messages go on with places in its sources.
[[nodiscard]] std::string first_sentence(const std::string& text);

}  // namespace zoo::conformance

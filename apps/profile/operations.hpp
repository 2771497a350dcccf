// SPDX-License-Identifier: Apache-2.0
#pragma once

// A recording seen from the application: its calls of the TTNN API, each with the device ops it became.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <ttnn_cpu/records.hpp>

namespace zoo::apps::profile {

struct Operation {
    std::string name;  // "ttnn.linear"
    std::vector<std::pair<std::string, std::string>> arguments;
    std::vector<ttnn_cpu::TensorRecord> inputs;
    std::vector<ttnn_cpu::TensorRecord> outputs;
    std::vector<std::size_t> ops;  // into the recording's ops
    // Places in the order of issue: after the op before, and of its own last op. Buffers in between belong to it.
    std::uint64_t sequence = 0;
    std::uint64_t end_sequence = 0;
};

// In the order of the device ops: every op belongs to one operation, and the ops of one follow each other. A call that ran no device op
// (a view, a slice of nothing) is left out; an op that no call made stands alone under its own name.
[[nodiscard]] std::vector<Operation> operations_of(const ttnn_cpu::Recording& recording);

}  // namespace zoo::apps::profile

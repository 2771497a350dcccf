// SPDX-License-Identifier: Apache-2.0
#pragma once

// What became of each aten op of a golden in the run of a model on the device.
#include <string>
#include <utility>
#include <vector>

#include "modules/modules.hpp"
#include "profile/operations.hpp"

namespace zoo::apps::metrics {

enum class Status {
    Device,    // TTNN ops of its own
    Fused,     // part of another TTNN op
    Prepared,  // depends on weights alone: done once, when the model is set up
    View,      // libtorch moves no value for it, and nothing is left to do
    Host,      // nothing on the device does it
};

struct Conversion {
    std::string aten;  // "aten.addmm.default"
    std::size_t count = 0;
    Status status = Status::Host;
    std::string became;  // "`ttnn.linear` 8, in `ttnn.conv2d` 3"
};

struct Conversions {
    std::vector<Conversion> rows;                              // by name
    std::vector<std::pair<std::string, std::size_t>> besides;  // TTNN ops that no aten op became: data movement, mostly

    [[nodiscard]] std::size_t ops() const;
    [[nodiscard]] std::size_t host_ops() const;
    [[nodiscard]] std::size_t host_unique() const;
};

// A rule says which TTNN ops an aten op may become; it counts only where the run has such an op, and for a fused function only where the
// call names it.
[[nodiscard]] Conversions convert(const modules::Network& golden, const std::vector<profile::Operation>& run);

}  // namespace zoo::apps::metrics

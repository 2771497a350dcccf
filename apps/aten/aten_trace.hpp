// SPDX-License-Identifier: Apache-2.0
#pragma once

// The aten ops that a libtorch computation runs, as a tracer of the FX graph would list them: composite ops are replaced by what they
// call, and what a kernel calls inside itself is not seen. No torch header is needed to use this one.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace zoo::apps::aten {

struct TensorInfo {
    std::vector<std::int64_t> shape;
    std::string dtype;  // "torch.float32"

    [[nodiscard]] double bytes() const;
};

struct Argument {
    std::vector<TensorInfo> tensors;  // one, or those of a list; empty for anything else
    std::string value;                // as JSON; empty for a tensor
};

struct Op {
    std::string type;  // "aten.addmm.default"
    std::vector<Argument> arguments;
    std::vector<TensorInfo> outputs;
    bool backward = false;
    std::uint64_t start_ns = 0;
    std::uint64_t duration_ns = 0;
};

// Of everything that `run` computes on this thread.
[[nodiscard]] std::vector<Op> trace(const std::function<void()>& run);

}  // namespace zoo::apps::aten

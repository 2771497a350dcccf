// SPDX-License-Identifier: Apache-2.0
#pragma once

// The aten ops that a libtorch computation runs, as a tracer of the FX graph would list them: composite ops are replaced by what they
// call, and what a kernel calls inside itself is not seen. No torch header is needed to use this one.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zoo/checkpoint.hpp"

namespace zoo::apps::aten {

inline constexpr std::int64_t kNone = -1;

struct TensorInfo {
    std::vector<std::int64_t> shape;
    std::string dtype;               // "torch.float32"
    std::int64_t producer = kNone;   // the op that made it; none of what was there before
    std::int64_t parameter = kNone;  // its place in the list that trace() was given, where it is one of those
    std::int64_t input = kNone;      // the number of what is neither: an input of the network, a cache

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
    std::int64_t scope = kNone;  // the golden function that called it, the innermost
    bool backward = false;
    std::uint64_t start_ns = 0;
    std::uint64_t duration_ns = 0;
};

// One call of a golden function (zoo/torch_tensor.hpp, TorchScope).
struct Scope {
    std::string name;  // "self_attention"
    std::int64_t parent = kNone;
};

struct Trace {
    std::vector<Op> ops;
    std::vector<Scope> scopes;  // a parent before its children
};

// Of everything that `run` computes on this thread. `parameters` are the tensors that the computation reads as its weights. With `backward`
// also of the gradients of all of them, but for running statistics, when those of the results are one.
[[nodiscard]] Trace trace(const std::function<void()>& run, const NamedTensors& parameters = {}, bool backward = false);

}  // namespace zoo::apps::aten

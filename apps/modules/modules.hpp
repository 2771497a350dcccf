// SPDX-License-Identifier: Apache-2.0
#pragma once

// A network as its golden computes it: the functions that call each other, the layers of which the weights' names tell, and the aten ops
// of each. What `summary` prints and `graph` draws.
#include <cstdint>
#include <string>
#include <vector>

#include "aten/aten_trace.hpp"

namespace zoo::apps::modules {

struct Module {
    std::string kind;  // the golden's function, "self_attention", or the class of a layer, "Linear"
    std::string
        path;  // of its parameters' names what they share: "bert.encoder.layer.0.attention.self"; empty for nothing
    std::string detail;  // of a layer: "768 -> 3072"
    bool layer = false;  // has parameters of its own and calls nothing
    std::int64_t parameters =
        0;  // with those of its children, running statistics left out, each counted where it is read first
    bool shared = false;           // has parameters that were counted before
    double multiply_adds = 0;      // with those of its children
    std::vector<std::size_t> ops;  // its own, as places in the trace
    std::vector<std::int64_t> output;
    std::vector<Module> children;  // in the order in which they run

    // All ops, its children's too, in order.
    [[nodiscard]] std::vector<std::size_t> all_ops() const;
};

struct Network {
    aten::Trace trace;  // forward alone
    Module root;
    // For each op of the trace whether it depends on no input: made of weights and constants, once for all.
    std::vector<bool> constant;
    std::int64_t unused_parameters = 0;  // of the list that no op reads
};

[[nodiscard]] Network network_of(aten::Trace trace, const NamedTensors& parameters, const std::string& name);

// Whether two modules do the same, with other weights perhaps.
[[nodiscard]] bool alike(const Network& network, const Module& one, const Module& other);

// "bmm" of "aten.bmm.default".
[[nodiscard]] std::string short_name(const aten::Op& op);
// Whether an op only looks at a tensor in another way, or copies it.
[[nodiscard]] bool is_view(const aten::Op& op);
// "bmm 2, softmax, view 6", the most frequent of a kind once.
[[nodiscard]] std::string describe_ops(const Network& network, const std::vector<std::size_t>& ops);

}  // namespace zoo::apps::modules

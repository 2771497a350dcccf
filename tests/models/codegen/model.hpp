// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/codegen/runner.hpp"
#include "models/codegen/torch_codegen.hpp"

namespace zoo::test {

// CodeGen for the tests of causal models.
struct CodeGenModel {
    using Config = codegen::Config;
    using Weights = codegen::Weights;
    using Runner = codegen::Runner;
    using Decoder = codegen::golden::Decoder;
    static constexpr const char* kName = "codegen";
    static constexpr const char* kTiny = "codegen-tiny";
    static constexpr const char* kReal = "codegen-350m-mono";

    static Config preset(const char* name) { return codegen::preset(name); }
    static Weights random(const Config& config, std::uint64_t seed) { return codegen::random(config, seed); }
    static HostTensor golden_logits(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
        return codegen::golden::logits(config, weights, ids);
    }
    static const Weights& peaked(const Weights& weights) { return weights; }
};

}  // namespace zoo::test

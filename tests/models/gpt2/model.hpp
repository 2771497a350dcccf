// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "models/gpt2/runner.hpp"
#include "models/gpt2/torch_gpt2.hpp"

namespace zoo::test {

// GPT-2 for the tests of causal models.
struct Gpt2Model {
    using Config = gpt2::Config;
    using Weights = gpt2::Weights;
    using Runner = gpt2::Runner;
    using Decoder = gpt2::golden::Decoder;
    static constexpr const char* kName = "gpt2";
    static constexpr const char* kTiny = "gpt2-tiny";
    static constexpr const char* kReal = "gpt2";

    static Config preset(const char* name) { return gpt2::preset(name); }
    static Weights random(const Config& config, std::uint64_t seed) { return gpt2::random(config, seed); }
    static HostTensor golden_logits(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
        return gpt2::golden::logits(config, weights, ids);
    }
    // A tied head likes to repeat the token it has just read; louder layers drown it.
    static Weights peaked(Weights weights) {
        for (gpt2::LayerWeights& layer : weights.h) {
            for (HostTensor* weight : {&layer.attn.c_proj.weight, &layer.mlp.c_proj.weight}) {
                std::ranges::transform(weight->data, weight->data.begin(), [](float value) { return 4.0F * value; });
            }
        }
        return weights;
    }
};

}  // namespace zoo::test

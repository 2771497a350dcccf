// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/gpt2/config.hpp"
#include "models/gpt2/placement.hpp"
#include "models/gpt2/preprocess.hpp"
#include "models/gpt2/weights.hpp"
#include "zoo/causal_attention.hpp"
#include "zoo/causal_pipeline.hpp"
#include "zoo/plan.hpp"

namespace zoo::gpt2 {

// GPT-2 as a library call: weights and caches lie on the device, prompts go in, token after token comes out.
//
//     Runner runner(device, config, weights, {.mode = Mode::TracedTwoQueues});
//     Generator generator(runner, tokenizer);
//     generator.generate("Once upon a time", {.max_new_tokens = 40}, print);
class Runner : public CausalLm {
public:
    struct Options {
        std::int64_t batch = 1;    // users, 1 to 32
        std::int64_t context = 0;  // tokens of a text; 0: all of n_positions
        Mode mode = Mode::Plain;
        Plan plan = Plan::Optimized;
    };

    // The weights are not needed afterwards. The device must have been opened with the queues and the trace region that the mode
    // needs.
    Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options);

    [[nodiscard]] std::int64_t batch() const override { return pipeline_->batch(); }
    [[nodiscard]] std::int64_t context() const override { return pipeline_->context(); }
    [[nodiscard]] std::int64_t vocab_size() const override { return pipeline_->vocab_size(); }
    [[nodiscard]] NextToken prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) override;
    [[nodiscard]] std::vector<NextToken> decode(
        std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) override;

    [[nodiscard]] const Options& options() const { return options_; }

private:
    Options options_;
    Config config_;
    Placement place_;
    Parameters parameters_;
    std::vector<KeyValueCache> caches_;
    std::unique_ptr<CausalPipeline> pipeline_;
};

}  // namespace zoo::gpt2

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpt2/config.hpp"
#include "models/gpt2/placement.hpp"
#include "models/gpt2/preprocess.hpp"
#include "models/gpt2/weights.hpp"
#include "zoo/causal/runner.hpp"

namespace zoo::gpt2 {

// GPT-2 as a library call: weights and caches lie on the device, prompts go in, token after token comes out.
//
//     Runner runner(device, config, weights, {.mode = Mode::TracedTwoQueues});
//     Generator generator(runner, tokenizer);
//     generator.generate("Once upon a time", {.max_new_tokens = 40}, print);
class Runner : public causal::Runner {
public:
    // The weights are not needed afterwards. The device must have been opened with the queues and the trace region that the mode
    // needs.
    Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options);

private:
    Config config_;
    Placement place_;
    Parameters parameters_;
};

}  // namespace zoo::gpt2

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/codegen/config.hpp"
#include "models/codegen/placement.hpp"
#include "models/codegen/preprocess.hpp"
#include "models/codegen/weights.hpp"
#include "zoo/causal/runner.hpp"

namespace zoo::codegen {

// CodeGen as a library call: weights and caches lie on the device, prompts go in, token after token comes out.
//
//     Runner runner(device, config, weights, {.mode = Mode::TracedTwoQueues});
//     Generator generator(runner, tokenizer);
//     generator.generate("def hello_world():", {.max_new_tokens = 40}, print);
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

}  // namespace zoo::codegen

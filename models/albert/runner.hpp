// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/albert/config.hpp"
#include "models/albert/inputs.hpp"
#include "models/albert/preprocess.hpp"
#include "models/albert/weights.hpp"
#include "zoo/encoder/runner.hpp"

namespace zoo::albert {

using encoder::Task;
using encoder::task_from_string;

// ALBERT as a library call: what it offers is encoder::Runner's.
//
//     Runner runner(device, config, weights, {.task = Task::QuestionAnswering, .mode = Mode::TracedTwoQueues});
//     const HostTensor logits = runner.run(inputs);
class Runner final : public encoder::Runner {
public:
    // The weights are not needed afterwards. Error when they lack the task's head, or the placement refuses the size; the
    // device must have been opened with the queues and the trace region that the mode needs.
    Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options);
};

}  // namespace zoo::albert

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>

#include "models/bert/config.hpp"
#include "models/bert/inputs.hpp"
#include "models/bert/placement.hpp"
#include "models/bert/preprocess.hpp"
#include "models/bert/weights.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/pipeline.hpp"
#include "zoo/plan.hpp"

namespace zoo::bert {

// What the model is run for, and so what comes back.
enum class Task {
    HiddenState,             // [batch, sequence, hidden_size]
    QuestionAnswering,       // start and end logits: [batch, sequence, 2]
    SentenceEmbedding,       // [batch, hidden_size], of length 1
    MaskedLm,                // [batch, sequence, vocab_size]
    SequenceClassification,  // [batch, num_labels]
};

[[nodiscard]] std::string_view to_string(Task task);  // hidden-state, question-answering, ...
// Error for any other name, listing the known ones.
[[nodiscard]] Task task_from_string(std::string_view name);

// BERT as a library call: weights go to the device once, then batch after batch runs through one pipeline.
//
//     Runner runner(device, config, weights, {.task = Task::QuestionAnswering, .mode = Mode::TracedTwoQueues});
//     const HostTensor logits = runner.run(inputs);
class Runner {
public:
    struct Options {
        Task task = Task::QuestionAnswering;
        std::int64_t batch = 1;       // sequences of one run, at most
        std::int64_t sequence = 384;  // tokens of a sequence, at most; rounded up to a multiple of 32
        Mode mode = Mode::Plain;
        Plan plan = Plan::Optimized;
    };

    // The weights are not needed afterwards. Error when they lack the task's head, or the placement refuses the size; the
    // device must have been opened with the queues and the trace region that the mode needs.
    Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Up to `batch` sequences of up to `sequence` tokens; the result has the shape of `inputs`. Error for more.
    [[nodiscard]] HostTensor run(const Inputs& inputs);

    // run in two halves, so that transfers overlap with computing. Results come in the order of submission.
    void submit(const Inputs& inputs);
    [[nodiscard]] HostTensor next();

    [[nodiscard]] const Options& options() const { return options_; }

private:
    [[nodiscard]] ttnn::Tensor compute(const DeviceInputs& inputs) const;
    [[nodiscard]] HostTensor crop(const HostTensor& result, const Shape& asked) const;

    Options options_;
    Config config_;
    Placement place_;
    Parameters parameters_;
    std::deque<Shape> submitted_;  // batch and sequence of each run not yet fetched
    std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace zoo::bert

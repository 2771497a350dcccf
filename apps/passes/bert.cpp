// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/bert/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

namespace {

struct Size {
    const char* preset;
    bert::Task task;
    std::int64_t batch;
    std::int64_t sequence;
};

ModelPass pass(const Size& size, Plan plan) {
    return {
        .model = "bert",
        .name = std::string(size.preset) + " " + std::string(to_string(plan)) + ", batch " +
                std::to_string(size.batch) + ", " + std::to_string(size.sequence) + " tokens",
        .run = [size, plan](ttnn::MeshDevice& device) {
            bert::Config config = bert::preset(size.preset);
            config.num_hidden_layers = 2;
            // The pipeline runs once when it is made.
            const bert::Runner runner(
                device, config, bert::random(config, 1),
                {.task = size.task, .batch = size.batch, .sequence = size.sequence, .plan = plan});
        }};
}

}  // namespace

std::vector<ModelPass> bert_passes() {
    using bert::Task;
    std::vector<ModelPass> result;
    for (const Size& size : {
             Size{"bert-tiny", Task::QuestionAnswering, 1, 32},
             Size{"bert-large-squad2", Task::QuestionAnswering, 1, 384},
             Size{"bert-large-squad2", Task::QuestionAnswering, 8, 384},
             Size{"bert-base", Task::MaskedLm, 1, 128},
             Size{"bert-base", Task::SequenceClassification, 8, 128},
             Size{"minilm-l6", Task::SentenceEmbedding, 1, 128},
             Size{"minilm-l6", Task::SentenceEmbedding, 8, 32},
         }) {
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            result.push_back(pass(size, plan));
        }
    }
    return result;
}

}  // namespace zoo::apps

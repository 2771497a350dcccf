// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/albert/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

namespace {

struct Size {
    const char* preset;
    albert::Task task;
    std::int64_t batch;
    std::int64_t sequence;
};

ModelPass pass(const Size& size, Plan plan) {
    return {
        .model = "albert",
        .name = std::string(size.preset) + " " + std::string(to_string(plan)) + ", batch " +
                std::to_string(size.batch) + ", " + std::to_string(size.sequence) + " tokens",
        .run = [size, plan](ttnn::MeshDevice& device) {
            albert::Config config = albert::preset(size.preset);
            config.num_hidden_layers = 2;
            // The pipeline runs once when it is made.
            const albert::Runner runner(
                device, config, albert::random(config, 1),
                {.task = size.task, .batch = size.batch, .sequence = size.sequence, .plan = plan});
        }};
}

}  // namespace

std::vector<ModelPass> albert_passes() {
    using albert::Task;
    std::vector<ModelPass> result;
    for (const Size& size : {
             Size{"albert-tiny", Task::QuestionAnswering, 1, 32},
             Size{"albert-base-v2", Task::QuestionAnswering, 1, 384},
             Size{"albert-base-v2", Task::SequenceClassification, 8, 128},
             Size{"albert-base-v2", Task::MaskedLm, 1, 128},
             Size{"albert-xlarge-v2", Task::HiddenState, 1, 384},
         }) {
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            result.push_back(pass(size, plan));
        }
    }
    return result;
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/mnist/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

std::vector<ModelPass> mnist_passes() {
    std::vector<ModelPass> result;
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        for (const std::int64_t batch : {1, 64}) {
            result.push_back(
                {.model = "mnist",
                 .name = "mnist " + std::string(to_string(plan)) + ", batch " + std::to_string(batch),
                 .l1_small_size = mnist::kL1SmallBytes,
                 .run = [plan, batch](ttnn::MeshDevice& device) {
                     const mnist::Config config = mnist::preset("mnist");
                     // The pipeline runs once when it is made.
                     const mnist::Runner runner(
                         device, config, mnist::random(config, 1), {.batch = batch, .plan = plan});
                 }});
        }
    }
    return result;
}

}  // namespace zoo::apps

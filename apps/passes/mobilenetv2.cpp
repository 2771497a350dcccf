// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/mobilenetv2/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

std::vector<ModelPass> mobilenetv2_passes() {
    std::vector<ModelPass> result;
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        for (const std::int64_t batch : {1, 10}) {
            result.push_back(
                {.model = "mobilenetv2",
                 .name = "mobilenetv2 " + std::string(to_string(plan)) + ", batch " + std::to_string(batch),
                 .l1_small_size = mobilenetv2::kL1SmallBytes,
                 .run = [plan, batch](ttnn::MeshDevice& device) {
                     const mobilenetv2::Config config = mobilenetv2::preset("mobilenetv2");
                     // The pipeline runs once when it is made.
                     const mobilenetv2::Runner runner(
                         device, config, mobilenetv2::random(config, 1), {.batch = batch, .plan = plan});
                 }});
        }
    }
    return result;
}

}  // namespace zoo::apps

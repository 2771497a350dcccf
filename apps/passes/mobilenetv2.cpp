// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/mobilenetv2/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

namespace {

ModelPass pass(const char* preset, Plan plan, std::int64_t batch) {
    return {
        .model = "mobilenetv2",
        .name = std::string(preset) + " " + std::string(to_string(plan)) + ", batch " + std::to_string(batch),
        .l1_small_size = mobilenetv2::kL1SmallBytes,
        .run = [preset, plan, batch](ttnn::MeshDevice& device) {
            const mobilenetv2::Config config = mobilenetv2::preset(preset);
            // The pipeline runs once when it is made.
            const mobilenetv2::Runner runner(
                device, config, mobilenetv2::random(config, 1), {.batch = batch, .plan = plan});
        }};
}

}  // namespace

std::vector<ModelPass> mobilenetv2_passes() {
    std::vector<ModelPass> result;
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        result.push_back(pass("mobilenetv2-tiny", plan, 1));
        result.push_back(pass("mobilenetv2", plan, 1));
        result.push_back(pass("mobilenetv2", plan, 10));
    }
    return result;
}

}  // namespace zoo::apps

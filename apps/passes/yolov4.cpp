// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/yolov4/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

namespace {

ModelPass pass(const std::string& preset, Plan plan) {
    return {
        .model = "yolov4",
        .name = preset + " " + std::string(to_string(plan)),
        .l1_small_size = 32 << 10,
        .run = [preset, plan](ttnn::MeshDevice& device) {
            yolov4::Config config = yolov4::preset(preset);
            if (!config.resblocks.empty()) {
                config.resblocks = {1, 2, 2, 2};
            }
            // The pipeline runs once when it is made.
            const yolov4::Runner runner(device, config, yolov4::random(config, 1), {.plan = plan});
        }};
}

}  // namespace

std::vector<ModelPass> yolov4_passes() {
    std::vector<ModelPass> result;
    for (const char* preset : {"yolov4-320", "yolov4-640", "yolov4-tiny", "yolov4-nano"}) {
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            result.push_back(pass(preset, plan));
        }
    }
    return result;
}

}  // namespace zoo::apps

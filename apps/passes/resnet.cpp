// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "models/resnet/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

namespace {

ModelPass pass(const char* preset, std::int64_t batch, Plan plan) {
    return {
        .model = "resnet",
        .name = std::string(preset) + " " + std::string(to_string(plan)) + ", batch " + std::to_string(batch),
        .l1_small_size = resnet::kL1SmallSize,
        .run = [preset, batch, plan](ttnn::MeshDevice& device) {
            resnet::Config config = resnet::preset(preset);
            for (std::int64_t& depth : config.depths) {
                depth = std::min<std::int64_t>(depth, 2);
            }
            // The pipeline runs once when it is made.
            const resnet::Runner runner(device, config, resnet::random(config, 1), {.batch = batch, .plan = plan});
        }};
}

}  // namespace

std::vector<ModelPass> resnet_passes() {
    std::vector<ModelPass> result;
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        result.push_back(pass("resnet-tiny", 1, plan));
    }
    for (const char* preset : {"resnet18", "resnet50", "resnet50-v1", "resnet18-cifar"}) {
        for (const std::int64_t batch : {1, 16}) {
            for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
                result.push_back(pass(preset, batch, plan));
            }
        }
    }
    return result;
}

}  // namespace zoo::apps

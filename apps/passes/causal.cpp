// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/codegen/runner.hpp"
#include "models/gpt2/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

namespace {

struct Size {
    const char* preset;
    std::int64_t batch;
    std::int64_t context;
    std::int32_t prompt;
};

// A prompt and one token more, at the model's widths with two layers.
void continue_text(CausalLm& model, std::int32_t length) {
    const std::vector<std::int32_t> prompt(static_cast<std::size_t>(length), 1);
    (void)model.prefill(0, prompt, false);
    const std::vector<std::int32_t> tokens(static_cast<std::size_t>(model.batch()), 1);
    const std::vector<std::int32_t> places(tokens.size(), length);
    (void)model.decode(tokens, places, true);
}

std::string name_of(const Size& size, Plan plan) {
    return std::string(size.preset) + " " + std::string(to_string(plan)) + ", batch " + std::to_string(size.batch) +
           ", prompt and a token";
}

}  // namespace

std::vector<ModelPass> gpt2_passes() {
    std::vector<ModelPass> result;
    for (const Size& size : {Size{"gpt2-tiny", 1, 64, 20}, Size{"gpt2", 1, 256, 100}, Size{"gpt2", 32, 256, 100}}) {
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            result.push_back(
                {.model = "gpt2", .name = name_of(size, plan), .run = [size, plan](ttnn::MeshDevice& device) {
                     gpt2::Config config = gpt2::preset(size.preset);
                     config.n_layer = 2;
                     gpt2::Runner runner(
                         device, config, gpt2::random(config, 1),
                         {.batch = size.batch, .context = size.context, .plan = plan});
                     continue_text(runner, size.prompt);
                 }});
        }
    }
    return result;
}

std::vector<ModelPass> codegen_passes() {
    std::vector<ModelPass> result;
    for (const Size& size :
         {Size{"codegen-tiny", 1, 64, 20}, Size{"codegen-350m-mono", 1, 256, 100},
          Size{"codegen-350m-mono", 32, 256, 100}}) {
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            result.push_back(
                {.model = "codegen", .name = name_of(size, plan), .run = [size, plan](ttnn::MeshDevice& device) {
                     codegen::Config config = codegen::preset(size.preset);
                     config.n_layer = 2;
                     codegen::Runner runner(
                         device, config, codegen::random(config, 1),
                         {.batch = size.batch, .context = size.context, .plan = plan});
                     continue_text(runner, size.prompt);
                 }});
        }
    }
    return result;
}

}  // namespace zoo::apps

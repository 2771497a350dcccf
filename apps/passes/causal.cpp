// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/codegen/runner.hpp"
#include "models/gpt2/runner.hpp"
#include "passes/passes.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

namespace {

// A prompt and one token more, at the model's widths with two layers.
void continue_text(CausalLm& model, std::int32_t length) {
    const std::vector<std::int32_t> prompt(static_cast<std::size_t>(length), 1);
    (void)model.prefill(0, prompt, false);
    const std::vector<std::int32_t> tokens(static_cast<std::size_t>(model.batch()), 1);
    const std::vector<std::int32_t> places(tokens.size(), length);
    (void)model.decode(tokens, places, true);
}

std::string name_of(const std::string& preset, Plan plan, std::int64_t batch) {
    return preset + " " + std::string(to_string(plan)) + ", batch " + std::to_string(batch) + ", prompt and a token";
}

}  // namespace

std::vector<ModelPass> gpt2_passes() {
    std::vector<ModelPass> result;
    for (const std::int64_t batch : {1, 32}) {
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            result.push_back(
                {.model = "gpt2", .name = name_of("gpt2", plan, batch), .run = [batch, plan](ttnn::MeshDevice& device) {
                     gpt2::Config config = gpt2::preset("gpt2");
                     config.n_layer = 2;
                     gpt2::Runner runner(
                         device, config, gpt2::random(config, 1), {.batch = batch, .context = 256, .plan = plan});
                     continue_text(runner, 100);
                 }});
        }
    }
    return result;
}

std::vector<ModelPass> codegen_passes() {
    std::vector<ModelPass> result;
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        result.push_back(
            {.model = "codegen",
             .name = name_of("codegen-350m-mono", plan, 1),
             .run = [plan](ttnn::MeshDevice& device) {
                 codegen::Config config = codegen::preset("codegen-350m-mono");
                 config.n_layer = 2;
                 codegen::Runner runner(device, config, codegen::random(config, 1), {.context = 256, .plan = plan});
                 continue_text(runner, 100);
             }});
    }
    return result;
}

}  // namespace zoo::apps

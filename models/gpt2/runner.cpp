// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/runner.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "models/gpt2/ttnn_gpt2.hpp"
#include "models/gpt2/ttnn_optimized_gpt2.hpp"
#include "zoo/error.hpp"

namespace zoo::gpt2 {

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : options_(options), config_(config) {
    validate(config);
    if (options.context < 0 || options.context > config.n_positions) {
        fail("gpt2::Runner", "context is ", options.context, "; it must be at most n_positions ", config.n_positions);
    }
    options_.context = options.context == 0 ? config.n_positions : options.context;
    place_ = placement_for(config, options.batch, device.compute_with_storage_grid_size());
    const bool tuned = options.plan == Plan::Optimized;
    parameters_ = preprocess(config, weights, tuned ? place_.weight_dtype : ttnn::DataType::BFLOAT16, device);
    caches_ = make_caches(device, config.n_layer, options.batch, config.n_head, options_.context, config.head_size());
    CausalBody body;
    body.prefill = [this, tuned](const StepInputs& inputs, std::int64_t user, std::int64_t length) {
        return tuned ? optimized::prefill(config_, parameters_, place_, caches_, inputs, user, length)
                     : functional::prefill(config_, parameters_, caches_, inputs, user, length);
    };
    body.decode = [this, tuned](const StepInputs& inputs) {
        return tuned ? optimized::decode(config_, parameters_, place_, caches_, inputs)
                     : functional::decode(config_, parameters_, caches_, inputs);
    };
    pipeline_ = std::make_unique<CausalPipeline>(
        device, options.mode,
        CausalPipeline::Sizes{.batch = options.batch, .context = options_.context, .vocab_size = config.vocab_size},
        std::move(body));
}

NextToken Runner::prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) {
    return pipeline_->prefill(user, tokens, logits);
}

std::vector<NextToken> Runner::decode(
    std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) {
    return pipeline_->decode(tokens, positions, logits);
}

}  // namespace zoo::gpt2

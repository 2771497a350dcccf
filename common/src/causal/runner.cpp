// SPDX-License-Identifier: Apache-2.0
#include "zoo/causal/runner.hpp"

#include <utility>

#include "zoo/error.hpp"

namespace zoo::causal {

Runner::Runner(const Options& options, std::int64_t n_positions, std::string_view where) : options_(options) {
    if (options.context < 0 || options.context > n_positions) {
        fail(where, "context is ", options.context, "; it must be at most n_positions ", n_positions);
    }
    options_.context = options.context == 0 ? n_positions : options.context;
}

void Runner::make_caches(ttnn::MeshDevice& device, std::int64_t layers, std::int64_t heads, std::int64_t head_size) {
    caches_ = zoo::make_caches(device, layers, options_.batch, heads, options_.context, head_size);
}

void Runner::start(ttnn::MeshDevice& device, std::int64_t vocab_size, CausalBody body) {
    pipeline_ = std::make_unique<CausalPipeline>(
        device, options_.mode,
        CausalPipeline::Sizes{.batch = options_.batch, .context = options_.context, .vocab_size = vocab_size},
        std::move(body));
}

NextToken Runner::prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) {
    return pipeline_->prefill(user, tokens, logits);
}

std::vector<NextToken> Runner::decode(
    std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) {
    return pipeline_->decode(tokens, positions, logits);
}

}  // namespace zoo::causal

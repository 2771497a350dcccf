// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "zoo/causal_attention.hpp"
#include "zoo/causal_pipeline.hpp"
#include "zoo/plan.hpp"

namespace zoo::causal {

struct RunnerOptions {
    std::int64_t batch = 1;    // users, 1 to 32
    std::int64_t context = 0;  // tokens of a text; 0: all of n_positions
    Mode mode = Mode::Plain;
    Plan plan = Plan::Optimized;
};

// What the runners of causal models share: options, caches and the pipeline. A model's runner adds its parameters and starts it.
class Runner : public CausalLm {
public:
    using Options = RunnerOptions;

    [[nodiscard]] std::int64_t batch() const override { return pipeline_->batch(); }
    [[nodiscard]] std::int64_t context() const override { return pipeline_->context(); }
    [[nodiscard]] std::int64_t vocab_size() const override { return pipeline_->vocab_size(); }
    [[nodiscard]] NextToken prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) override;
    [[nodiscard]] std::vector<NextToken> decode(
        std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) override;

    [[nodiscard]] const Options& options() const { return options_; }

protected:
    // Error in `where` for a context that is longer than n_positions.
    Runner(const Options& options, std::int64_t n_positions, std::string_view where);

    [[nodiscard]] bool tuned() const { return options_.plan == Plan::Optimized; }
    void make_caches(ttnn::MeshDevice& device, std::int64_t layers, std::int64_t heads, std::int64_t head_size);
    [[nodiscard]] const std::vector<KeyValueCache>& caches() const { return caches_; }
    // Last: runs the body once, and captures it where the mode asks for it.
    void start(ttnn::MeshDevice& device, std::int64_t vocab_size, CausalBody body);

private:
    Options options_;
    std::vector<KeyValueCache> caches_;
    std::unique_ptr<CausalPipeline> pipeline_;
};

}  // namespace zoo::causal

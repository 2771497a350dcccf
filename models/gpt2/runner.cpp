// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/runner.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "models/gpt2/ttnn_gpt2.hpp"
#include "models/gpt2/ttnn_optimized_gpt2.hpp"

namespace zoo::gpt2 {

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : causal::Runner(options, config.n_positions, "gpt2::Runner"), config_(config) {
    validate(config);
    place_ = placement_for(config, options.batch, device.compute_with_storage_grid_size());
    parameters_ = preprocess(config, weights, tuned() ? place_.weight_dtype : ttnn::DataType::BFLOAT16, device);
    make_caches(device, config.n_layer, config.n_head, config.head_size());
    CausalBody body;
    body.prefill = [this](const StepInputs& inputs, std::int64_t user, std::int64_t length) {
        return tuned() ? optimized::prefill(config_, parameters_, place_, caches(), inputs, user, length)
                       : functional::prefill(config_, parameters_, caches(), inputs, user, length);
    };
    body.decode = [this](const StepInputs& inputs) {
        return tuned() ? optimized::decode(config_, parameters_, place_, caches(), inputs)
                       : functional::decode(config_, parameters_, caches(), inputs);
    };
    start(device, config.vocab_size, std::move(body));
}

}  // namespace zoo::gpt2

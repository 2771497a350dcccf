// SPDX-License-Identifier: Apache-2.0
#include "models/bert/runner.hpp"

#include "models/bert/ttnn_bert.hpp"
#include "models/bert/ttnn_optimized_bert.hpp"

namespace zoo::bert {
namespace {

constexpr const char* kWhere = "bert::Runner";

constexpr encoder::FunctionalTasks<Config, Parameters> kFunctional{
    functional::bert, functional::for_question_answering, functional::sentence_embedding, functional::for_masked_lm,
    functional::for_sequence_classification};

constexpr encoder::OptimizedTasks<Config, Parameters, Placement> kOptimized{
    optimized::bert, optimized::for_question_answering, optimized::sentence_embedding, optimized::for_masked_lm,
    optimized::for_sequence_classification};

encoder::RunnerOptions whole(const Config& config, const encoder::RunnerOptions& options) {
    return encoder::whole_tiles(kWhere, config, options);
}

}  // namespace

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : encoder::Runner(
          device, kWhere, config, whole(config, options),
          encoder::bind(kWhere, device, config, weights, whole(config, options), kFunctional, kOptimized)) {}

}  // namespace zoo::bert

// SPDX-License-Identifier: Apache-2.0
#include "models/albert/runner.hpp"

#include "models/albert/ttnn_albert.hpp"
#include "models/albert/ttnn_optimized_albert.hpp"

namespace zoo::albert {
namespace {

constexpr const char* kWhere = "albert::Runner";

constexpr encoder::FunctionalTasks<Config, Parameters> kFunctional{
    functional::albert, functional::for_question_answering, functional::sentence_embedding, functional::for_masked_lm,
    functional::for_sequence_classification};

constexpr encoder::OptimizedTasks<Config, Parameters, Placement> kOptimized{
    optimized::albert, optimized::for_question_answering, optimized::sentence_embedding, optimized::for_masked_lm,
    optimized::for_sequence_classification};

encoder::RunnerOptions whole(const Config& config, const encoder::RunnerOptions& options) {
    return encoder::whole_tiles(kWhere, config, options);
}

}  // namespace

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : encoder::Runner(
          device, kWhere, config, whole(config, options),
          encoder::bind(kWhere, device, config, weights, whole(config, options), kFunctional, kOptimized)) {}

}  // namespace zoo::albert

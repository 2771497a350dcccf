// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/runner.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "models/mnist/ttnn_mnist.hpp"
#include "models/mnist/ttnn_optimized_mnist.hpp"

namespace zoo::mnist {
namespace {

ImageRunner make_runner(
    ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Runner::Options& options) {
    validate(config);
    ImageRunner::Options pipeline{
        .where = "mnist::Runner", .size = config.size(), .batch = options.batch, .mode = options.mode};
    if (options.plan == Plan::Functional) {
        const ParameterFormat format = functional_format();
        pipeline.padded_channels = format.input_channels;
        return {
            device, pipeline, [config, parameters = preprocess(config, weights, format, device)](const auto& images) {
                return functional::mnist(config, parameters, images);
            }};
    }
    const Placement place = placement_for(config, options.batch, device.compute_with_storage_grid_size());
    const ParameterFormat format = optimized_format(place);
    pipeline.padded_channels = format.input_channels;
    return {
        device, pipeline,
        [config, place, parameters = preprocess(config, weights, format, device)](const auto& images) {
            return optimized::mnist(config, parameters, place, images);
        }};
}

}  // namespace

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : options_(options), runner_(make_runner(device, config, weights, options)) {}

}  // namespace zoo::mnist

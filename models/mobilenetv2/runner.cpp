// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/runner.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "models/mobilenetv2/ttnn_mobilenetv2.hpp"
#include "models/mobilenetv2/ttnn_optimized_mobilenetv2.hpp"

namespace zoo::mobilenetv2 {
namespace {

ImageRunner make_runner(
    ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Runner::Options& options) {
    validate(config);
    ImageRunner::Options pipeline{
        .where = "mobilenetv2::Runner", .size = config.size(), .batch = options.batch, .mode = options.mode};
    if (options.plan == Plan::Functional) {
        const ParameterFormat format = functional_format();
        pipeline.padded_channels = format.input_channels;
        return {
            device, pipeline, [config, parameters = preprocess(config, weights, format, device)](const auto& images) {
                return functional::mobilenetv2(config, parameters, images);
            }};
    }
    const Placement place = placement_for(config, options.batch, device.compute_with_storage_grid_size());
    const ParameterFormat format = optimized_format(place);
    pipeline.padded_channels = format.input_channels;
    return {
        device, pipeline,
        [config, place, parameters = preprocess(config, weights, format, device)](const auto& images) {
            return optimized::mobilenetv2(config, parameters, place, images);
        }};
}

}  // namespace

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : options_(options), runner_(make_runner(device, config, weights, options)) {}

}  // namespace zoo::mobilenetv2

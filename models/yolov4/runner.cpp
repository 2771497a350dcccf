// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/runner.hpp"

#include <array>
#include <span>

#include <tt-metalium/mesh_device.hpp>

#include "models/yolov4/ttnn_optimized_yolov4.hpp"
#include "models/yolov4/ttnn_yolov4.hpp"
#include "zoo/error.hpp"

namespace zoo::yolov4 {

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : options_(options), config_(config) {
    if ((config.architecture == Architecture::Full) != weights.full.has_value()) {
        fail(
            "yolov4::Runner", "the weights are those of ", weights.full ? "yolov4" : "yolov4-tiny",
            "; the config is that of ", to_string(config.architecture));
    }
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    if (options_.plan == Plan::Optimized) {
        place_ = placement_for(config, device.compute_with_storage_grid_size());
        dtype = place_.weight_dtype;
    }
    parameters_ = preprocess(config, weights, dtype, device);
    const std::array specs{preprocess(config_, zeros({1, 3, config.height, config.width})).tensor_spec()};
    pipeline_ = std::make_unique<Pipeline>(
        device, options_.mode, specs, [this](std::span<const ttnn::Tensor> inputs) { return compute(inputs[0]); });
}

std::vector<ttnn::Tensor> Runner::compute(const ttnn::Tensor& picture) const {
    const std::vector<ScalePredictions> scales = options_.plan == Plan::Optimized
                                                     ? optimized::yolov4(config_, parameters_, place_, picture)
                                                     : functional::yolov4(config_, parameters_, picture);
    std::vector<ttnn::Tensor> outputs;
    for (const ScalePredictions& scale : scales) {
        outputs.push_back(scale.boxes);
        outputs.push_back(scale.scores);
    }
    return outputs;
}

Predictions Runner::run(const HostTensor& picture) {
    submit(picture);
    return next();
}

void Runner::submit(const HostTensor& picture) {
    const std::array inputs{preprocess(config_, picture)};
    pipeline_->submit(inputs);
}

Predictions Runner::next() {
    const std::vector<ttnn::Tensor> outputs = pipeline_->next();
    std::vector<ScalePredictions> scales;
    for (std::size_t i = 0; i + 1 < outputs.size(); i += 2) {
        scales.push_back({outputs[i], outputs[i + 1]});
    }
    return postprocess(config_, scales);
}

}  // namespace zoo::yolov4

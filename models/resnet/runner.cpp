// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/runner.hpp"

#include <span>
#include <vector>

#include <tt-metalium/mesh_device.hpp>

#include "models/resnet/images.hpp"
#include "models/resnet/ttnn_optimized_resnet.hpp"
#include "models/resnet/ttnn_resnet.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"

namespace zoo::resnet {

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : options_(options), config_(config), format_(functional_format()) {
    validate(config);
    if (options_.batch <= 0) {
        fail("resnet::Runner", "batch is ", options_.batch, "; it must be positive");
    }
    if (options_.plan == Plan::Optimized) {
        place_ = placement_for(config, options_.batch, device.compute_with_storage_grid_size());
        format_ = optimized_format(place_);
    }
    parameters_ = preprocess(config, weights, format_, device);
    const std::vector specs{images_spec(config, options_.batch, format_)};
    pipeline_ = std::make_unique<Pipeline>(device, options_.mode, specs, [this](std::span<const ttnn::Tensor> inputs) {
        return std::vector{compute(inputs.front())};
    });
}

ttnn::Tensor Runner::compute(const ttnn::Tensor& pixels) const {
    const FeatureMap images = images_map(config_, pixels);
    return options_.plan == Plan::Functional ? functional::resnet(config_, parameters_, images)
                                             : optimized::resnet(config_, parameters_, place_, images);
}

HostTensor Runner::run(const HostTensor& images) {
    submit(images);
    return next();
}

void Runner::submit(const HostTensor& images) {
    validate(config_, images);
    const std::int64_t count = images.shape[0];
    if (count > options_.batch) {
        fail("resnet::Runner", "there are ", count, " images; this runner takes up to ", options_.batch);
    }
    if (count == options_.batch) {
        pipeline_->submit(std::vector{preprocess_images(config_, images, format_)});
    } else {
        HostTensor padded = images;
        padded.shape[0] = options_.batch;
        padded.data.resize(element_count(padded.shape));
        pipeline_->submit(std::vector{preprocess_images(config_, padded, format_)});
    }
    submitted_.push_back(count);
}

HostTensor Runner::next() {
    const std::vector<ttnn::Tensor> outputs = pipeline_->next();
    HostTensor logits = to_host(outputs.front());
    logits.shape = {submitted_.front(), config_.num_labels};
    logits.data.resize(element_count(logits.shape));
    submitted_.pop_front();
    return logits;
}

}  // namespace zoo::resnet

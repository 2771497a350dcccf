// SPDX-License-Identifier: Apache-2.0
#include "zoo/image_runner.hpp"

#include <array>
#include <utility>
#include <vector>

#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

std::array<tt::tt_metal::TensorSpec, 1> input_specs(const ImageRunner::Options& options) {
    if (options.batch < 1) {
        fail(options.where, "batch is ", options.batch, "; it must be positive");
    }
    return {images_spec(options.batch, options.size, options.padded_channels)};
}

Pipeline::Body body(const ImageSize& size, ImageRunner::Network network) {
    return [size, network = std::move(network)](std::span<const ttnn::Tensor> inputs) {
        return std::vector{network(images_map(inputs.front(), size))};
    };
}

}  // namespace

ImageRunner::ImageRunner(ttnn::MeshDevice& device, Options options, Network network)
    : options_(std::move(options)),
      pipeline_(device, options_.mode, input_specs(options_), body(options_.size, std::move(network))) {}

HostTensor ImageRunner::run(const HostTensor& images) {
    submit(images);
    return next();
}

void ImageRunner::submit(const HostTensor& images) {
    validate_images(options_.where, images, options_.size);
    const std::int64_t count = images.shape.front();
    if (count > options_.batch) {
        fail(options_.where, "there are ", count, " images; this runner takes up to ", options_.batch);
    }
    if (count == options_.batch) {
        pipeline_.submit(std::array{preprocess_images(images, options_.padded_channels)});
    } else {
        // The rest of the batch is images of zeros.
        HostTensor filled = images;
        filled.shape.front() = options_.batch;
        filled.data.resize(element_count(filled.shape));
        pipeline_.submit(std::array{preprocess_images(filled, options_.padded_channels)});
    }
    submitted_.push_back(count);
}

HostTensor ImageRunner::next() {
    HostTensor rows = to_host(pipeline_.next().front());
    const std::int64_t width = rows.shape.back();
    rows.shape = {submitted_.front(), width};
    rows.data.resize(element_count(rows.shape));
    submitted_.pop_front();
    return rows;
}

}  // namespace zoo

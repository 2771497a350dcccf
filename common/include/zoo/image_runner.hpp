// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "zoo/pipeline.hpp"
#include "zoo/pixels.hpp"

namespace zoo {

// Runs a network from images to one row of results an image, batch after batch, through a pipeline: what the runners of
// classification models have in common.
class ImageRunner {
public:
    struct Options {
        std::string where;  // opens messages: "mobilenetv2::Runner"
        ImageSize size;
        std::int64_t padded_channels = 0;  // of the pixels on the device
        std::int64_t batch = 1;            // images of one run, at most
        Mode mode = Mode::Plain;
    };

    // From pixels to [1, 1, batch, width]. Does not free its input.
    using Network = std::function<ttnn::Tensor(const FeatureMap& images)>;

    ImageRunner(ttnn::MeshDevice& device, Options options, Network network);

    // images [up to batch, channels, height, width], normalised: [count, width]. Error for any other shape.
    [[nodiscard]] HostTensor run(const HostTensor& images);

    // run in two halves, so that transfers overlap with computing. Results come in the order of submission.
    void submit(const HostTensor& images);
    [[nodiscard]] HostTensor next();

private:
    Options options_;
    std::deque<std::int64_t> submitted_;  // images of each run not yet fetched
    Pipeline pipeline_;
};

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/yolov4/boxes.hpp"
#include "models/yolov4/config.hpp"
#include "models/yolov4/placement.hpp"
#include "models/yolov4/preprocess.hpp"
#include "models/yolov4/weights.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/pipeline.hpp"
#include "zoo/plan.hpp"

namespace zoo::yolov4 {

// YOLOv4 as a library call: weights go to the device once, then picture after picture runs through one pipeline.
//
//     Runner runner(device, config, weights, {.mode = Mode::TracedTwoQueues});
//     for (const Detection& found : detections(runner.run(picture))) { ... }
class Runner {
public:
    struct Options {
        Mode mode = Mode::Plain;
        Plan plan = Plan::Optimized;
    };

    // The weights are not needed afterwards. Error when they are not those of the config, or the placement refuses its size; the device
    // must have been opened with L1_SMALL for the tables of convolutions (32 KB a core will do), and with the queues and the trace region
    // that the mode needs.
    Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // A picture [1, 3, height, width], red, green and blue from 0 to 1. Error for another size.
    [[nodiscard]] Predictions run(const HostTensor& picture);

    // run in two halves, so that transfers overlap with computing. Results come in the order of submission.
    void submit(const HostTensor& picture);
    [[nodiscard]] Predictions next();

    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const Config& config() const { return config_; }

private:
    [[nodiscard]] std::vector<ttnn::Tensor> compute(const ttnn::Tensor& picture) const;

    Options options_;
    Config config_;
    Placement place_;
    Parameters parameters_;
    std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace zoo::yolov4

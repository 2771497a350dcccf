// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/mobilenetv2/config.hpp"
#include "models/mobilenetv2/placement.hpp"
#include "models/mobilenetv2/preprocess.hpp"
#include "models/mobilenetv2/weights.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/image_runner.hpp"
#include "zoo/plan.hpp"

namespace zoo::mobilenetv2 {

// What a device must be opened with: convolutions keep their index tables in this part of L1.
inline constexpr std::size_t kL1SmallBytes = 24576;

// MobileNetV2 as a library call: weights go to the device once, then batch after batch runs through one pipeline.
//
//     Runner runner(device, config, weights, {.batch = 10, .mode = Mode::TracedTwoQueues});
//     const HostTensor logits = runner.run(images);
class Runner {
public:
    struct Options {
        std::int64_t batch = 1;  // images of one run, at most
        Mode mode = Mode::Plain;
        Plan plan = Plan::Optimized;
    };

    // The weights are not needed afterwards. Error when the placement refuses the batch; the device must have been opened with
    // kL1SmallBytes, and with the queues and the trace region that the mode needs.
    Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options);

    // images [up to batch, 3, image_size, image_size], normalised by the config: logits [count, num_classes].
    [[nodiscard]] HostTensor run(const HostTensor& images) { return runner_.run(images); }

    // run in two halves, so that transfers overlap with computing. Results come in the order of submission.
    void submit(const HostTensor& images) { runner_.submit(images); }
    [[nodiscard]] HostTensor next() { return runner_.next(); }

    [[nodiscard]] const Options& options() const { return options_; }

private:
    Options options_;
    ImageRunner runner_;
};

}  // namespace zoo::mobilenetv2

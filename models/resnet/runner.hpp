// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "models/resnet/config.hpp"
#include "models/resnet/placement.hpp"
#include "models/resnet/preprocess.hpp"
#include "models/resnet/weights.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/pipeline.hpp"
#include "zoo/plan.hpp"

namespace zoo::resnet {

// What a device must be opened with: room on each core for the index tables of convolutions and pools.
inline constexpr std::size_t kL1SmallSize = 32 << 10;

// ResNet as a library call: weights go to the device once, then batch after batch runs through one pipeline.
//
//     Runner runner(device, config, weights, {.batch = 16, .mode = Mode::TracedTwoQueues});
//     const HostTensor logits = runner.run(images);
class Runner {
public:
    struct Options {
        std::int64_t batch = 1;  // images of one run, at most
        Mode mode = Mode::Plain;
        Plan plan = Plan::Optimized;
    };

    // The weights are not needed afterwards. Error when the placement refuses the size; the device must have been opened
    // with kL1SmallSize, and with the queues and the trace region that the mode needs.
    Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Up to `batch` images [n, 3, image_size, image_size], see images.hpp: logits [n, num_labels]. Error for more.
    [[nodiscard]] HostTensor run(const HostTensor& images);

    // run in two halves, so that transfers overlap with computing. Results come in the order of submission.
    void submit(const HostTensor& images);
    [[nodiscard]] HostTensor next();

    [[nodiscard]] const Options& options() const { return options_; }

private:
    [[nodiscard]] ttnn::Tensor compute(const ttnn::Tensor& pixels) const;

    Options options_;
    Config config_;
    ParameterFormat format_;
    Placement place_;
    Parameters parameters_;
    std::deque<std::int64_t> submitted_;  // images of each run not yet fetched
    std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace zoo::resnet

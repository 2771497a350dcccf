// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tt-metalium/mesh_device.hpp>

#include "zoo/encoder/inputs.hpp"
#include "zoo/encoder/parameters.hpp"
#include "zoo/encoder/placement.hpp"
#include "zoo/encoder/tasks.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/pipeline.hpp"
#include "zoo/plan.hpp"

namespace zoo::encoder {

struct RunnerOptions {
    Task task = Task::QuestionAnswering;
    std::int64_t batch = 1;       // sequences of one run, at most
    std::int64_t sequence = 384;  // tokens of a sequence, at most; rounded up to a multiple of 32
    Mode mode = Mode::Plain;
    Plan plan = Plan::Optimized;
};

// The options with the sequence in whole tiles. Error in `where` when that is not between 1 and the model's positions.
[[nodiscard]] RunnerOptions whole_tiles(std::string_view where, const Limits& limits, RunnerOptions options);

// From a batch on the device to a task's result, [batch, 1 or sequence, width].
using Compute = std::function<ttnn::Tensor(const DeviceInputs& inputs)>;

// An encoder as a library call: weights go to the device once, then batch after batch of token sequences of up to a fixed
// size runs through one pipeline. Pads on the way in, crops on the way out. A model's Runner is one of these.
class Runner {
public:
    using Options = RunnerOptions;

    virtual ~Runner() = default;
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Up to `batch` sequences of up to `sequence` tokens; the result has the shape of `inputs`. Error for more.
    [[nodiscard]] HostTensor run(const Inputs& inputs);

    // run in two halves, so that transfers overlap with computing. Results come in the order of submission.
    void submit(const Inputs& inputs);
    [[nodiscard]] HostTensor next();

    [[nodiscard]] const Options& options() const { return options_; }

protected:
    // `options` as whole_tiles() returns them; the device must have been opened with the queues and the trace region that
    // the mode needs. `where` is for messages.
    Runner(ttnn::MeshDevice& device, std::string where, const Limits& limits, const Options& options, Compute compute);

private:
    [[nodiscard]] HostTensor crop(const HostTensor& result, const Shape& asked) const;

    std::string where_;
    Limits limits_;
    Options options_;
    std::deque<Shape> submitted_;  // batch and sequence of each run not yet fetched
    Pipeline pipeline_;
};

// A model's functions in the order of Task: of the functional version, and of the optimized one.
template <class Config, class Parameters>
using FunctionalTasks =
    std::array<ttnn::Tensor (*)(const Config& config, const Parameters& parameters, const DeviceInputs& inputs), 5>;
template <class Config, class Parameters, class Placement>
using OptimizedTasks = std::array<
    ttnn::Tensor (*)(
        const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs),
    5>;

// Puts what the task needs on the device and ties it to the function that computes the task. placement_for() and
// preprocess() are the model's.
template <class Config, class Weights, class Parameters, class Placement>
[[nodiscard]] Compute bind(
    std::string_view where, ttnn::MeshDevice& device, const Config& config, const Weights& weights,
    const RunnerOptions& options, const FunctionalTasks<Config, Parameters>& functional,
    const OptimizedTasks<Config, Parameters, Placement>& optimized) {
    require_heads(where, options.task, weights);
    const Heads heads = heads_of(options.task);
    const auto task = static_cast<std::size_t>(options.task);
    if (options.plan == Plan::Functional) {
        const auto parameters =
            std::make_shared<const Parameters>(preprocess(config, weights, functional_format(), device, heads));
        return [config, parameters, function = functional[task]](const DeviceInputs& inputs) {
            return function(config, *parameters, inputs);
        };
    }
    const Placement place =
        placement_for(config, options.batch, options.sequence, device.compute_with_storage_grid_size());
    const auto parameters =
        std::make_shared<const Parameters>(preprocess(config, weights, optimized_format(place), device, heads));
    return [config, place, parameters, function = optimized[task]](const DeviceInputs& inputs) {
        return function(config, *parameters, place, inputs);
    };
}

}  // namespace zoo::encoder

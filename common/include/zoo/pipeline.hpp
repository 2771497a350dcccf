// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ttnn/events.hpp"
#include "ttnn/operations/trace.hpp"
#include "ttnn/types.hpp"

namespace zoo {

inline constexpr ttnn::QueueId kComputeQueue(0);
inline constexpr ttnn::QueueId kTransferQueue(1);

// How a pipeline runs its body.
enum class Mode {
    Plain,            // op by op, one queue
    Traced,           // a captured trace, one queue
    TwoQueues,        // op by op, inputs written by a second queue
    TracedTwoQueues,  // a captured trace, inputs written by a second queue
};

[[nodiscard]] std::string_view to_string(Mode mode);  // plain, trace, 2cq, trace-2cq
// Error for any other name, listing these.
[[nodiscard]] Mode mode_from_string(std::string_view name);
[[nodiscard]] constexpr bool traced(Mode mode) { return mode == Mode::Traced || mode == Mode::TracedTwoQueues; }
[[nodiscard]] constexpr bool two_queues(Mode mode) { return mode == Mode::TwoQueues || mode == Mode::TracedTwoQueues; }
// Error where the device cannot run in this mode: too few queues, or tt-metal's mock device, which runs op by op alone.
void require_mode(std::string_view where, Mode mode, ttnn::MeshDevice& device);

// Owns a captured trace. The body runs once at capture, recorded and not computed; what it returns holds the results of each
// replay.
class Trace {
public:
    using Body = std::function<std::vector<ttnn::Tensor>()>;

    // The programs of the body must be in the program cache: run it once before. If the body throws, the capture is ended and
    // released.
    Trace(ttnn::MeshDevice& device, ttnn::QueueId queue, const Body& body);
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    // Does not wait for the end.
    void replay();
    [[nodiscard]] const std::vector<ttnn::Tensor>& outputs() const { return outputs_; }

private:
    ttnn::MeshDevice& device_;
    ttnn::QueueId queue_;
    ttnn::MeshTraceId id_;
    std::vector<ttnn::Tensor> outputs_;
};

// Runs a model over batch after batch: inputs go to the same device tensors each time, results come back to the host. All modes
// give the same bits.
//
//     Pipeline pipeline(device, Mode::TracedTwoQueues, specs, [&](auto inputs) { return std::vector{model(inputs[0])}; });
//     pipeline.submit(first);
//     pipeline.submit(second);           // written while the first computes
//     auto a = pipeline.next(), b = pipeline.next();
class Pipeline {
public:
    // From device inputs to device outputs. Must not free its inputs, and must run the same ops every time.
    using Body = std::function<std::vector<ttnn::Tensor>(std::span<const ttnn::Tensor> inputs)>;

    // Allocates inputs of these specs, zeros at first, runs the body once to warm the program cache and, where the mode asks for it, captures it.
    // Two queues need a device that was opened with two; Error otherwise.
    Pipeline(ttnn::MeshDevice& device, Mode mode, std::span<const tt::tt_metal::TensorSpec> input_specs, Body body);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    // Starts a run on host tensors of the input specs, and returns. Runs finish in the order in which they were submitted.
    void submit(std::span<const ttnn::Tensor> host_inputs);
    // Waits for the oldest run that was submitted and not fetched; its outputs as host tensors. Error when there is none.
    [[nodiscard]] std::vector<ttnn::Tensor> next();
    // submit, then next.
    [[nodiscard]] std::vector<ttnn::Tensor> run(std::span<const ttnn::Tensor> host_inputs);

    [[nodiscard]] Mode mode() const { return mode_; }

private:
    struct Pending {
        std::vector<ttnn::Tensor> outputs;  // host tensors, valid once `done` is reached
        ttnn::MeshEvent done;
    };

    void write_inputs(std::span<const ttnn::Tensor> host_inputs);
    std::vector<ttnn::Tensor> compute();

    ttnn::MeshDevice& device_;
    Mode mode_;
    bool events_;  // whether the device can wait for them
    Body body_;
    std::vector<ttnn::Tensor> inputs_;   // what the body reads
    std::vector<ttnn::Tensor> staging_;  // with two queues: what the transfer queue writes
    std::optional<ttnn::MeshEvent> staging_read_;
    std::unique_ptr<Trace> trace_;
    std::deque<Pending> pending_;
};

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "zoo/pipeline.hpp"

#include <array>
#include <utility>

#include "ttnn/operations/data_movement/copy/copy.hpp"
#include "ttnn/tensor/tensor_ops.hpp"
#include "zoo/error.hpp"
#include "zoo/mock_device.hpp"

namespace zoo {

using ttnn::Tensor;
namespace events = ttnn::events;
namespace trace_api = ttnn::operations::trace;

namespace {

constexpr std::array<std::pair<Mode, std::string_view>, 4> kModes{{
    {Mode::Plain, "plain"},
    {Mode::Traced, "trace"},
    {Mode::TwoQueues, "2cq"},
    {Mode::TracedTwoQueues, "trace-2cq"},
}};

// A device's memory holds what was there before: ids read from it would have no row in a table.
Tensor zeros_on(ttnn::MeshDevice& device, const tt::tt_metal::TensorSpec& spec) {
    const std::size_t count = spec.logical_shape().volume();
    switch (spec.data_type()) {
        case ttnn::DataType::UINT32:
            return Tensor::from_vector(std::vector<std::uint32_t>(count), spec, &device);
        case ttnn::DataType::INT32:
            return Tensor::from_vector(std::vector<std::int32_t>(count), spec, &device);
        case ttnn::DataType::UINT16:
            return Tensor::from_vector(std::vector<std::uint16_t>(count), spec, &device);
        case ttnn::DataType::UINT8:
            return Tensor::from_vector(std::vector<std::uint8_t>(count), spec, &device);
        default:
            return Tensor::from_vector(std::vector<float>(count), spec, &device);
    }
}

void deallocate(std::vector<Tensor>& tensors) {
    for (Tensor& tensor : tensors) {
        tensor.deallocate(/*force=*/true);
    }
}

}  // namespace

std::string_view to_string(Mode mode) {
    for (const auto& [value, name] : kModes) {
        if (value == mode) {
            return name;
        }
    }
    return "";
}

Mode mode_from_string(std::string_view name) {
    for (const auto& [value, known] : kModes) {
        if (known == name) {
            return value;
        }
    }
    fail("pipeline", "mode '", name, "' is not known; it must be plain, trace, 2cq or trace-2cq");
}

void require_mode(std::string_view where, Mode mode, ttnn::MeshDevice& device) {
    if (two_queues(mode) && device.num_hw_cqs() < 2) {
        fail(
            where, "mode '", to_string(mode), "' needs a device opened with 2 command queues; this one has ",
            static_cast<int>(device.num_hw_cqs()));
    }
    if (mode != Mode::Plain && is_mock(device)) {
        fail(
            where, "mode '", to_string(mode),
            "' needs traces or events, which tt-metal's mock device does not have; use mode 'plain'");
    }
}

Trace::Trace(ttnn::MeshDevice& device, ttnn::QueueId queue, const Body& body)
    : device_(device), queue_(queue), id_(trace_api::begin_trace_capture(&device, queue)) {
    try {
        outputs_ = body();
    } catch (...) {
        trace_api::end_trace_capture(&device_, id_, queue_);
        trace_api::release_trace(&device_, id_);
        throw;
    }
    trace_api::end_trace_capture(&device_, id_, queue_);
}

Trace::~Trace() { trace_api::release_trace(&device_, id_); }

void Trace::replay() { trace_api::execute_trace(&device_, id_, queue_, /*blocking=*/false); }

Pipeline::Pipeline(
    ttnn::MeshDevice& device, Mode mode, std::span<const tt::tt_metal::TensorSpec> input_specs, Body body)
    : device_(device), mode_(mode), events_(!is_mock(device)), body_(std::move(body)) {
    require_mode("pipeline", mode, device);
    for (const tt::tt_metal::TensorSpec& spec : input_specs) {
        inputs_.push_back(zeros_on(device, spec));
        if (two_queues(mode)) {
            staging_.push_back(zeros_on(device, spec));
        }
    }
    std::vector<Tensor> outputs = body_(inputs_);
    deallocate(outputs);
    for (std::size_t i = 0; i < staging_.size(); ++i) {
        ttnn::copy(staging_[i], inputs_[i]);
    }
    if (two_queues(mode)) {
        // The first transfer must not overtake what this queue still writes and reads.
        staging_read_ = events::record_mesh_event(&device_, kComputeQueue);
    }
    if (traced(mode)) {
        trace_ = std::make_unique<Trace>(device, kComputeQueue, [this] { return body_(inputs_); });
    }
}

Pipeline::~Pipeline() {
    // Whatever was submitted still uses the tensors that go away now.
    while (!pending_.empty()) {
        (void)next();
    }
}

void Pipeline::write_inputs(std::span<const Tensor> host_inputs) {
    if (!two_queues(mode_)) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            ttnn::copy_to_device(host_inputs[i], inputs_[i], kComputeQueue);
        }
        return;
    }
    // The transfer queue may overwrite the staging tensors as soon as the last run has copied them on.
    if (staging_read_) {
        events::wait_for_mesh_event(kTransferQueue, *staging_read_);
    }
    for (std::size_t i = 0; i < staging_.size(); ++i) {
        ttnn::copy_to_device(host_inputs[i], staging_[i], kTransferQueue);
    }
    const ttnn::MeshEvent written = events::record_mesh_event(&device_, kTransferQueue);
    events::wait_for_mesh_event(kComputeQueue, written);
    for (std::size_t i = 0; i < staging_.size(); ++i) {
        ttnn::copy(staging_[i], inputs_[i]);
    }
    staging_read_ = events::record_mesh_event(&device_, kComputeQueue);
}

std::vector<Tensor> Pipeline::compute() {
    if (!trace_) {
        return body_(inputs_);
    }
    trace_->replay();
    return trace_->outputs();
}

void Pipeline::submit(std::span<const Tensor> host_inputs) {
    if (host_inputs.size() != inputs_.size()) {
        fail("pipeline", host_inputs.size(), " inputs were given; the body takes ", inputs_.size());
    }
    write_inputs(host_inputs);
    std::vector<Tensor> outputs = compute();
    std::vector<Tensor> on_host;
    for (const Tensor& output : outputs) {
        on_host.push_back(output.cpu(/*blocking=*/false, kComputeQueue));
    }
    if (!trace_) {
        deallocate(outputs);
    }
    pending_.push_back({std::move(on_host), events::record_mesh_event(&device_, kComputeQueue)});
}

std::vector<Tensor> Pipeline::next() {
    if (pending_.empty()) {
        fail("pipeline", "next was called with no run submitted");
    }
    const Pending oldest = std::move(pending_.front());
    pending_.pop_front();
    if (events_) {
        events::event_synchronize(oldest.done);
    }
    return oldest.outputs;
}

std::vector<Tensor> Pipeline::run(std::span<const Tensor> host_inputs) {
    submit(host_inputs);
    return next();
}

}  // namespace zoo

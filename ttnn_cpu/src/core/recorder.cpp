// SPDX-License-Identifier: Apache-2.0
#include "core/recorder.hpp"

#include <chrono>
#include <exception>

#include "core/buffer_log.hpp"
#include "core/device_impl.hpp"
#include "core/tensor_impl.hpp"

namespace ttnn_cpu {

namespace {

thread_local std::uint64_t current_call = 0;
std::atomic<std::uint64_t> last_call = 0;

}  // namespace

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(
        std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

void Recorder::start(std::vector<BufferRecord> live) {
    const std::lock_guard lock(mutex_);
    recording_ = {};
    runs_.clear();
    recording_.buffers = std::move(live);
    last_call.store(next_id_ - 1, std::memory_order_relaxed);
    on_.store(true, std::memory_order_relaxed);
}

Recording Recorder::stop() {
    const std::lock_guard lock(mutex_);
    on_.store(false, std::memory_order_relaxed);
    Recording recording = std::exchange(recording_, {});
    recording.ops.reserve(runs_.size());
    for (const OpRun& run : std::exchange(runs_, {})) {
        OpRecord& record = recording.ops.emplace_back(*run.op);
        record.id = run.id;
        record.trace_id = run.trace_id;
        record.device_start_ns = run.start_ns;
        record.device_end_ns = run.end_ns;
    }
    return recording;
}

void Recorder::add_run(OpRun run) {
    const std::lock_guard lock(mutex_);
    run.id = next_id_++;
    runs_.push_back(std::move(run));
}

void Recorder::add_buffer(BufferRecord record) {
    const std::lock_guard lock(mutex_);
    record.sequence = next_sequence();
    record.time_ns = now_ns();
    recording_.buffers.push_back(record);
}

std::uint64_t Recorder::add_call(CallRecord record) {
    const std::lock_guard lock(mutex_);
    record.id = next_id_++;
    last_call.store(record.id, std::memory_order_relaxed);
    recording_.calls.push_back(std::move(record));
    return recording_.calls.back().id;
}

void Recorder::finish_call(std::uint64_t call_id, std::vector<TensorRecord> outputs, bool refused) {
    const std::lock_guard lock(mutex_);
    for (auto call = recording_.calls.rbegin(); call != recording_.calls.rend(); ++call) {
        if (call->id == call_id) {
            call->outputs = std::move(outputs);
            call->refused = refused;
            return;
        }
    }
}

std::uint64_t last_call_begun() { return last_call.load(std::memory_order_relaxed); }

TensorRecord record_of(const ttnn::Tensor& tensor) {
    const TensorImpl& impl = tensor.impl();
    const bool on_device = impl.buffer() != nullptr;
    return {
        .tensor_id = impl.id(),
        .on_device = on_device,
        .address = on_device ? impl.buffer()->address() : 0,
        .spec = impl.spec()};
}

Recorder* ApiCall::recorder_for(std::span<const ttnn::Tensor* const> inputs) {
    for (const ttnn::Tensor* input : inputs) {
        if (input != nullptr && input->shared_impl() != nullptr && input->device() != nullptr) {
            Recorder& recorder = input->device()->impl().recorder();
            return recorder.on() ? &recorder : nullptr;
        }
    }
    return nullptr;
}

void ApiCall::start(std::string_view function, std::span<const ttnn::Tensor* const> inputs, std::string arguments) {
    CallRecord record;
    record.parent_id = current_call;
    record.function = function;
    record.arguments = std::move(arguments);
    for (const ttnn::Tensor* input : inputs) {
        if (input != nullptr) {
            record.inputs.push_back(record_of(*input));
        }
    }
    parent_ = current_call;
    id_ = recorder_->add_call(std::move(record));
    current_call = id_;
    uncaught_ = std::uncaught_exceptions();
}

ApiCall::~ApiCall() {
    if (recorder_ != nullptr) {
        current_call = parent_;
        recorder_->finish_call(id_, std::move(outputs_), std::uncaught_exceptions() > uncaught_);
    }
}

ttnn::Tensor ApiCall::returns(ttnn::Tensor output) {
    if (recorder_ != nullptr) {
        outputs_.push_back(record_of(output));
    }
    return output;
}

std::vector<ttnn::Tensor> ApiCall::returns(std::vector<ttnn::Tensor> outputs) {
    if (recorder_ != nullptr) {
        for (const ttnn::Tensor& output : outputs) {
            outputs_.push_back(record_of(output));
        }
    }
    return outputs;
}

std::uint64_t ApiCall::current() { return current_call; }

}  // namespace ttnn_cpu

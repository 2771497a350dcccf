// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps records of calls and ops while it is on.
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ttnn/tensor/tensor.hpp>
#include <ttnn_cpu/records.hpp>

#include "core/json_text.hpp"

namespace ttnn_cpu {

std::uint64_t now_ns();

// One run of an op. A trace runs the same op many times.
struct OpRun {
    std::shared_ptr<const OpRecord> op;
    std::uint32_t trace_id = 0;
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;
    std::uint64_t id = 0;  // filled in
};

class Recorder {
public:
    bool on() const { return on_.load(std::memory_order_relaxed); }
    // `live` are the buffers that are there already.
    void start(std::vector<BufferRecord> live);
    Recording stop();

    // Called when an op has run. Kept short: what the record says is copied when the recording stops.
    void add_run(OpRun run);
    // Sequence and time are filled in.
    void add_buffer(BufferRecord record);
    // The next place among ops and buffers.
    std::uint64_t next_sequence() { return sequence_.fetch_add(1, std::memory_order_relaxed); }
    std::uint64_t add_call(CallRecord record);
    void finish_call(std::uint64_t call_id, std::vector<TensorRecord> outputs, bool refused);

private:
    std::atomic<bool> on_ = false;
    std::mutex mutex_;
    std::uint64_t next_id_ = 1;
    std::atomic<std::uint64_t> sequence_ = 1;
    Recording recording_;  // but for its ops
    std::vector<OpRun> runs_;
};

TensorRecord record_of(const ttnn::Tensor& tensor);

// One call of the public API, from construction to the end of its scope. Free unless the device records.
//
//     ApiCall call("ttnn::linear", {&a, &b}, [&](JsonText& json) { json.tensor("input_tensor_a", 0)...; });
//     ...
//     return call.returns(result);
class ApiCall {
public:
    template <typename WriteArguments>
    ApiCall(std::string_view function, std::initializer_list<const ttnn::Tensor*> inputs, WriteArguments&& write) {
        if ((recorder_ = recorder_for({inputs.begin(), inputs.size()})) != nullptr) {
            JsonText arguments;
            write(arguments);
            start(function, {inputs.begin(), inputs.size()}, arguments.str());
        }
    }
    // For functions that take a list of tensors.
    template <typename WriteArguments>
    ApiCall(std::string_view function, std::span<const ttnn::Tensor> inputs, WriteArguments&& write) {
        std::vector<const ttnn::Tensor*> pointers;
        for (const ttnn::Tensor& input : inputs) {
            pointers.push_back(&input);
        }
        if ((recorder_ = recorder_for(pointers)) != nullptr) {
            JsonText arguments;
            write(arguments);
            start(function, pointers, arguments.str());
        }
    }
    ~ApiCall();
    ApiCall(const ApiCall&) = delete;
    ApiCall& operator=(const ApiCall&) = delete;

    ttnn::Tensor returns(ttnn::Tensor output);
    std::vector<ttnn::Tensor> returns(std::vector<ttnn::Tensor> outputs);

    // The call that the current thread is in, 0 outside any.
    static std::uint64_t current();

private:
    // Null inputs are absent optional tensors.
    static Recorder* recorder_for(std::span<const ttnn::Tensor* const> inputs);
    void start(std::string_view function, std::span<const ttnn::Tensor* const> inputs, std::string arguments);

    Recorder* recorder_ = nullptr;
    std::uint64_t id_ = 0;
    std::uint64_t parent_ = 0;
    std::vector<TensorRecord> outputs_;
    int uncaught_ = 0;
};

}  // namespace ttnn_cpu

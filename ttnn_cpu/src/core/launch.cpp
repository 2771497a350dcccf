// SPDX-License-Identifier: Apache-2.0
#include "core/launch.hpp"

#include "core/device_impl.hpp"
#include "core/fatal.hpp"
#include "core/queue_of.hpp"
#include "core/tensor_impl.hpp"

namespace ttnn_cpu {

using ttnn::Tensor;

namespace {

std::string program_key(const LaunchRequest& request, const std::vector<Tensor>& outputs, Numerics numerics) {
    std::string key(request.name);
    key += numerics == Numerics::Fast ? '|' : '#';
    key += request.attributes;
    for (const Tensor& input : request.inputs) {
        key += '|';
        key += input.impl().spec_text();
    }
    for (const Tensor& output : outputs) {
        key += '>';
        key += output.impl().spec_text();
    }
    return key;
}

std::shared_ptr<const OpRecord> make_record(
    const LaunchRequest& request, const std::vector<Tensor>& outputs, const Program& program, bool cache_hit,
    std::uint32_t queue_id, std::uint64_t host_start_ns, DeviceImpl& device) {
    auto record = std::make_shared<OpRecord>();
    record->call_id = ApiCall::current();
    record->sequence = device.recorder().next_sequence();
    record->name = request.name;
    record->attributes = request.attributes;
    for (const Tensor& input : request.inputs) {
        record->inputs.push_back(record_of(input));
    }
    for (const Tensor& output : outputs) {
        record->outputs.push_back(record_of(output));
    }
    record->math_fidelity = to_string(program.math_fidelity);
    record->core_count = program.core_count;
    record->queue = queue_id;
    record->program_cache_hit = cache_hit;
    record->circular_buffer_bytes = program.circular_buffer_bytes;
    record->l1_allocated_bytes = device.memory()->allocator(tt::tt_metal::BufferType::L1).usage().allocated;
    record->host_start_ns = host_start_ns;
    record->host_end_ns = now_ns();
    return record;
}

void add(std::vector<BufferRef>& refs, Command& command, const Tensor& tensor) {
    const BufferImpl& buffer = tensor.impl().buffer()->impl();
    refs.push_back({buffer.data(), buffer.packed().get(), buffer.size()});
    command.keep_alive.push_back(buffer.packed());
}

}  // namespace

void check_device_tensors(std::string_view op, std::initializer_list<const Tensor*> tensors) {
    const tt::tt_metal::distributed::MeshDevice* device = nullptr;
    std::size_t index = 0;
    for (const Tensor* tensor : tensors) {
        TT_FATAL(tensor->shared_impl() != nullptr, "{}: input tensor {} is empty", op, index);
        TT_FATAL(
            tensor->storage_type() == ttnn::StorageType::DEVICE,
            "{}: Device Operations expect device tensors as inputs; input tensor {} is on the host", op, index);
        TT_FATAL(
            tensor->is_allocated(), "{}: Input Tensor is not allocated (input tensor {} was deallocated)", op, index);
        TT_FATAL(tensor->device() != nullptr, "{}: the device of input tensor {} is gone", op, index);
        TT_FATAL(device == nullptr || device == tensor->device(), "{}: input tensors must be on the same device", op);
        device = tensor->device();
        ++index;
    }
}

std::vector<Tensor> launch(const LaunchRequest& request) {
    for (const Tensor& input : request.inputs) {
        check_device_tensors(request.name, {&input});
    }
    tt::tt_metal::distributed::MeshDevice* mesh_device =
        request.inputs.empty() ? request.outputs.front().device() : request.inputs.front().device();
    DeviceImpl& device = mesh_device->impl();
    const std::uint32_t queue_id = queue_of(std::nullopt);
    const bool recording = device.recorder().on();
    const std::uint64_t host_start = recording ? now_ns() : 0;

    std::vector<Tensor> outputs = request.outputs;
    if (outputs.empty()) {
        for (const tt::tt_metal::TensorSpec& spec : request.output_specs) {
            outputs.push_back(make_device_tensor(spec, mesh_device));
        }
    }
    for (const Tensor& output : outputs) {
        TT_FATAL(output.is_allocated(), "{}: the output tensor given is not allocated", request.name);
    }

    const Numerics numerics = device.numerics();
    const std::string key = program_key(request, outputs, numerics);
    std::shared_ptr<const Program> program = device.find_program(key);
    const bool hit = program != nullptr;
    if (!hit) {
        program = std::make_shared<const Program>(request.create_program(numerics));
    }
    device.check_circular_buffers(request.name, *program);
    if (!hit) {
        device.keep_program(key, program, request.name);
    }

    Command command;
    command.program = program;
    command.compute = device.computes();
    for (const Tensor& input : request.inputs) {
        add(command.inputs, command, input);
    }
    for (const Tensor& output : outputs) {
        add(command.outputs, command, output);
    }
    if (recording || device.capturing(queue_id)) {
        command.record = make_record(request, outputs, *program, hit, queue_id, host_start, device);
    }
    device.issue(queue_id, std::move(command));
    return outputs;
}

}  // namespace ttnn_cpu

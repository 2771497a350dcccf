// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/move/move.hpp>

#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/data_movement/copy/copy.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "core/tensor_impl.hpp"
#include "kernels/movement_move.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/move.hpp"

namespace ttnn_cpu {

void launch_move(const ttnn::Tensor& output, std::ptrdiff_t distance) {
    const std::size_t bytes = output.tensor_spec().compute_packed_buffer_size_bytes();
    launch(
        {.name = "MoveDeviceOperation",
         .attributes = JsonText()
                           .field("output_mem_config", output.memory_config())
                           .field("input_distance_bytes", distance)
                           .str(),
         .inputs = {},
         .output_specs = {},
         .outputs = {output},
         .create_program = [&](Numerics) {
             Program program;
             program.core_count = cores_for(output.tensor_spec(), *output.device());
             program.copy = Program::Copy{.bytes = bytes, .distance = distance};
             program.kernel = [bytes, distance](std::span<const BufferRef>, std::span<const BufferRef> outputs) {
                 kernels::move_bytes(bytes, outputs[0].data + distance, outputs[0].data);
             };
             return program;
         }});
}

}  // namespace ttnn_cpu

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

TensorSpec moved_spec(const Tensor& input, const std::optional<MemoryConfig>& memory) {
    if (!memory) {
        return input.tensor_spec();
    }
    MemoryConfig target = *memory;
    if (input.memory_config().is_sharded()) {
        TT_FATAL(memory->is_sharded(), "move: Expected output tensor memory config to be sharded");
        target = MemoryConfig(memory->memory_layout(), memory->buffer_type(), input.shard_spec());
    }
    return TensorSpec(input.logical_shape(), TensorLayout(input.dtype(), PageConfig(input.layout()), target));
}

}  // namespace

Tensor move(const Tensor& input_tensor, const std::optional<MemoryConfig>& output_mem_config) {
    ApiCall call("ttnn::move", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("output_mem_config", output_mem_config);
    });
    check_device_tensors("move", {&input_tensor});
    const TensorSpec spec = moved_spec(input_tensor, output_mem_config);
    MeshDevice* device = input_tensor.device();
    const bool sharded = input_tensor.memory_config().is_sharded();
    const auto& buffer = input_tensor.impl().buffer()->impl();
    const std::byte* from = buffer.data();
    const std::shared_ptr<PackedForms> forms = buffer.packed();
    const bool same_memory = buffer.type() == spec.memory_config().buffer_type() &&
                             spec.physical_shape() == input_tensor.tensor_spec().physical_shape();
    const auto give_up = [&] {
        const_cast<Tensor&>(input_tensor).deallocate(false);
        const bool freed = !input_tensor.is_allocated();
        TT_FATAL(
            freed || !sharded,
            "Expect input tensor to be deallocated after move op. Cannot deallocate before there is probably another "
            "consumer.");
        return freed;
    };
    if (!same_memory) {
        const Tensor output = make_device_tensor(spec, device);
        copy(input_tensor, output);
        return call.returns(give_up() ? output : input_tensor);
    }
    if (!give_up()) {
        return call.returns(input_tensor);
    }
    const Tensor output = make_device_tensor(spec, device);
    const std::ptrdiff_t distance = from - output.impl().buffer()->impl().data();
    if (distance != 0) {
        launch_move(output, distance);
    } else {
        output.impl().buffer()->impl().continue_forms(forms);
    }
    return call.returns(output);
}

namespace operations::core {

Tensor reallocate(const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config) {
    return ttnn::move(input_tensor, memory_config);
}

}  // namespace operations::core

}  // namespace ttnn

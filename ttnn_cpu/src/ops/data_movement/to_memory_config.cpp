// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/sharding.hpp"

namespace ttnn {

using namespace ttnn_cpu;

namespace {

bool is_dram_block(const MemoryConfig& memory) {
    return memory.memory_layout() == TensorMemoryLayout::BLOCK_SHARDED && memory.is_dram();
}

Tensor shards_to_shards(
    const Tensor& tensor, const MemoryConfig& memory, const std::optional<DataType>& dtype,
    const std::optional<Tensor>& output) {
    const bool both_have_specs = tensor.shard_spec().has_value() && memory.shard_spec().has_value();
    // The reshard op cannot cut rows at other places when the way of sharding changes too.
    const bool recut_rows = both_have_specs && tensor.layout() == Layout::ROW_MAJOR &&
                            tensor.shard_spec()->shape[1] != memory.shard_spec()->shape[1] &&
                            tensor.memory_config().memory_layout() != memory.memory_layout();
    if (!recut_rows && dtype) {
        return copy_op(tensor, memory, *dtype, output);
    }
    if (!recut_rows && reshard_refusal(tensor, memory, output).empty()) {
        return reshard(tensor, memory, output);
    }
    const DataType target = dtype.value_or(tensor.dtype());
    if (sharded_to_interleaved_refusal(tensor, DRAM_MEMORY_CONFIG, target, std::nullopt).empty()) {
        const Tensor interleaved = sharded_to_interleaved_op(tensor, DRAM_MEMORY_CONFIG, target);
        if (interleaved_to_sharded_refusal(interleaved, memory, target, output).empty()) {
            return interleaved_to_sharded(interleaved, memory, target, false, output);
        }
    }
    return copy_op(tensor, memory, target, output);
}

}  // namespace

Tensor to_memory_config(
    const Tensor& tensor, const MemoryConfig& memory_config, std::optional<DataType> dtype,
    const std::optional<Tensor>& output_tensor) {
    check_device_tensors("to_memory_config", {&tensor});
    if (tensor.memory_config() == memory_config && !output_tensor) {
        return tensor;
    }
    ApiCall call("ttnn::to_memory_config", {&tensor, output_tensor ? &*output_tensor : nullptr}, [&](JsonText& json) {
        json.tensor("tensor", 0)
            .field("memory_config", memory_config)
            .field("dtype", dtype)
            .tensor("output_tensor", output_tensor ? std::optional<std::size_t>(1) : std::nullopt);
    });
    TT_FATAL(
        !is_dram_block(tensor.memory_config()) && !is_dram_block(memory_config),
        "to_memory_config: We don't support DRAM block sharding");
    const DataType target = dtype.value_or(tensor.dtype());
    if (memory_config.is_sharded()) {
        if (tensor.is_sharded()) {
            return call.returns(shards_to_shards(tensor, memory_config, dtype, output_tensor));
        }
        if (interleaved_to_sharded_refusal(tensor, memory_config, target, output_tensor).empty()) {
            return call.returns(interleaved_to_sharded(tensor, memory_config, target, false, output_tensor));
        }
    } else if (
        tensor.is_sharded() && sharded_to_interleaved_refusal(tensor, memory_config, target, output_tensor).empty()) {
        return call.returns(sharded_to_interleaved_op(tensor, memory_config, target, output_tensor));
    }
    return call.returns(copy_op(tensor, memory_config, target, output_tensor));
}

}  // namespace ttnn

// SPDX-License-Identifier: Apache-2.0
#include "ops/data_movement/sharding.hpp"

#include <fmt/format.h>

#include <tt-metalium/work_split.hpp>
#include <ttnn/operations/data_movement/sharded/interleaved_to_sharded/interleaved_to_sharded.hpp>
#include <ttnn/operations/data_movement/sharded/reshard/reshard.hpp>
#include <ttnn/operations/data_movement/sharded/sharded_to_interleaved/sharded_to_interleaved.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"

namespace ttnn_cpu {

using tt::tt_metal::BufferType;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

std::string output_refusal(
    const Tensor& input, const MemoryConfig& memory, DataType dtype, const std::optional<Tensor>& output) {
    if (!output) {
        return "";
    }
    if (!is_device_tensor(*output) || !output->is_allocated()) {
        return "Operands to shard need to be allocated in buffers on device!";
    }
    if (output->logical_shape() != input.logical_shape()) {
        return "Mismatched output shape";
    }
    if (output->memory_config() != memory) {
        return "Mismatched output memory config";
    }
    if (output->dtype() != dtype) {
        return "Mismatched output dtype";
    }
    if (output->device() != input.device()) {
        return "Operands to shard need to be on the same device!";
    }
    if (output->layout() != input.layout()) {
        return "Output tensor layout must match input tensor layout";
    }
    return "";
}

std::string row_alignment_refusal(const char* side, std::uint32_t width, DataType dtype) {
    const std::size_t bytes = storage_bytes(dtype, width);
    return bytes % kL1Alignment == 0 ? ""
                                     : fmt::format(
                                           "{} row-major shard width {} with data type {} gives page size {} bytes, "
                                           "which must be aligned to {} "
                                           "bytes for reshard",
                                           side, width, to_string(dtype), bytes, kL1Alignment);
}

void refuse(std::string_view op, const std::string& reason) { TT_FATAL(reason.empty(), "{}: {}", op, reason); }

TensorSpec spec_in(const Tensor& input, const MemoryConfig& memory, DataType dtype) {
    return TensorSpec(input.logical_shape(), TensorLayout(dtype, PageConfig(input.layout()), memory));
}

Tensor interleaved_to_sharded_op(
    const Tensor& input, const MemoryConfig& memory, DataType dtype, bool keep_l1_aligned,
    const std::optional<Tensor>& output) {
    check_device_tensors("interleaved_to_sharded", {&input});
    refuse("interleaved_to_sharded", interleaved_to_sharded_refusal(input, memory, dtype, output));
    const TensorSpec spec = spec_in(input, memory, dtype);
    return launch_copy(
        "InterleavedToShardedDeviceOperation",
        JsonText()
            .field("output_mem_config", memory)
            .field("output_dtype", dtype)
            .field("keep_l1_aligned", keep_l1_aligned)
            .str(),
        input, spec, output, kernels::ConvertRule::Pack, interleaved_to_sharded_buffers(input, spec));
}

}  // namespace

std::string interleaved_to_sharded_refusal(
    const Tensor& input, const MemoryConfig& memory, DataType dtype, const std::optional<Tensor>& output) {
    if (is_block_float(dtype) && input.layout() == Layout::ROW_MAJOR) {
        return "Output dtype BFLOAT8_B/BFLOAT4_B requires TILE layout, but input tensor layout is ROW_MAJOR";
    }
    if (std::string reason = output_refusal(input, memory, dtype, output); !reason.empty()) {
        return reason;
    }
    if (input.memory_config().is_sharded()) {
        return fmt::format(
            "Input tensor memory layout must be INTERLEAVED, but got {}",
            to_string(input.memory_config().memory_layout()));
    }
    if (!memory.is_sharded()) {
        return "Output memory config must be sharded";
    }
    if (!memory.shard_spec()) {
        return fmt::format("Output memory config {} must have a shard spec", to_string(memory));
    }
    if (memory.memory_layout() == TensorMemoryLayout::BLOCK_SHARDED && memory.buffer_type() != BufferType::L1) {
        return "We don't support DRAM block sharding";
    }
    if (input.layout() == Layout::ROW_MAJOR &&
        storage_bytes(input.dtype(), memory.shard_spec()->shape[1]) % kL1Alignment != 0) {
        return fmt::format(
            "Shard page size must currently have L1 aligned page size: {} elements of {} are no multiple of {} bytes",
            memory.shard_spec()->shape[1], to_string(input.dtype()), kL1Alignment);
    }
    if (input.dtype() != dtype && input.layout() != Layout::TILE) {
        return "Input tensor layout must be TILE when dtype conversion is needed";
    }
    return "";
}

std::string sharded_to_interleaved_refusal(
    const Tensor& input, const MemoryConfig& memory, DataType dtype, const std::optional<Tensor>& output) {
    if (!input.memory_config().is_sharded()) {
        return "Input tensor must be sharded";
    }
    if (input.memory_config().buffer_type() != BufferType::L1) {
        return "Input tensor must be in L1";
    }
    if (std::string reason = output_refusal(input, memory, dtype, output); !reason.empty()) {
        return reason;
    }
    if (memory.is_sharded()) {
        return "Output memory config must be Interleaved";
    }
    if (input.layout() == Layout::ROW_MAJOR &&
        storage_bytes(input.dtype(), input.shard_spec()->shape[1]) % kL1Alignment != 0) {
        return fmt::format("Shard page size must be aligned to {}B for L1 Tensor", kL1Alignment);
    }
    if (input.dtype() != dtype && input.layout() != Layout::TILE) {
        return "If diff output type, tensor must be TILED";
    }
    return "";
}

std::string reshard_refusal(const Tensor& input, const MemoryConfig& memory, const std::optional<Tensor>& output) {
    if (!input.memory_config().is_sharded()) {
        return "input must be sharded";
    }
    if (!memory.is_sharded() || !memory.shard_spec()) {
        return "output must be sharded";
    }
    if (std::string reason = output_refusal(input, memory, input.dtype(), output); !reason.empty()) {
        return reason;
    }
    if (input.layout() == Layout::ROW_MAJOR) {
        const bool by_height = input.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED &&
                               memory.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED;
        const bool some_l1 = input.memory_config().is_l1() || memory.is_l1();
        const bool all_dram = !some_l1;
        if (!(by_height && some_l1) && !all_dram) {
            for (const std::string& reason :
                 {row_alignment_refusal("Input", input.shard_spec()->shape[1], input.dtype()),
                  row_alignment_refusal("Output", memory.shard_spec()->shape[1], input.dtype())}) {
                if (!reason.empty()) {
                    return reason;
                }
            }
        }
    }
    const bool same_way = input.memory_config().memory_layout() == memory.memory_layout() &&
                          memory.memory_layout() != TensorMemoryLayout::BLOCK_SHARDED;
    const bool page_copy = same_way ? !input.memory_config().is_l1() && !memory.is_l1() : !memory.is_l1();
    if (page_copy) {
        const std::size_t in_page = input.tensor_spec().compute_page_size_bytes();
        const std::size_t out_page = spec_in(input, memory, input.dtype()).compute_page_size_bytes();
        if (in_page != out_page) {
            return fmt::format(
                "Input and output tensors must have the same page size. Input page size: {}, Output page size: {}",
                in_page, out_page);
        }
    }
    return "";
}

Tensor sharded_to_interleaved_op(
    const Tensor& input, const MemoryConfig& memory, DataType dtype, const std::optional<Tensor>& output) {
    check_device_tensors("sharded_to_interleaved", {&input});
    refuse("sharded_to_interleaved", sharded_to_interleaved_refusal(input, memory, dtype, output));
    // The rows keep the padding of the shards.
    const TensorSpec spec =
        spec_with_padding(input.logical_shape(), dtype, input.layout(), memory, input.padded_shape());
    return launch_copy(
        "ShardedToInterleavedDeviceOperation",
        JsonText()
            .field("output_mem_config", memory)
            .field("output_dtype", dtype)
            .field("num_slices", 1)
            .field("slice_index", 0)
            .str(),
        input, spec, output, kernels::ConvertRule::Pack, sharded_to_interleaved_buffers(input, spec));
}

}  // namespace ttnn_cpu

namespace ttnn {

using ttnn_cpu::ApiCall;
using ttnn_cpu::JsonText;

Tensor interleaved_to_sharded(
    const Tensor& input_tensor, const MemoryConfig& sharded_memory_config, const std::optional<DataType>& data_type_arg,
    const std::optional<bool>& keep_l1_aligned, const std::optional<Tensor>& preallocated_output) {
    ApiCall call(
        "ttnn::interleaved_to_sharded", {&input_tensor, preallocated_output ? &*preallocated_output : nullptr},
        [&](JsonText& json) {
            json.tensor("input_tensor", 0)
                .field("sharded_memory_config", sharded_memory_config)
                .field("data_type_arg", data_type_arg)
                .field("keep_l1_aligned", keep_l1_aligned)
                .tensor("preallocated_output", preallocated_output ? std::optional<std::size_t>(1) : std::nullopt);
        });
    return call.returns(ttnn_cpu::interleaved_to_sharded_op(
        input_tensor, sharded_memory_config, data_type_arg.value_or(input_tensor.dtype()),
        keep_l1_aligned.value_or(false), preallocated_output));
}

Tensor interleaved_to_sharded(
    const Tensor& input_tensor, const std::variant<CoreCoord, CoreRangeSet>& grid, std::array<uint32_t, 2> shard_shape,
    TensorMemoryLayout shard_scheme, tt::tt_metal::ShardOrientation shard_orientation,
    const std::optional<DataType>& data_type_arg, const std::optional<bool>& keep_l1_aligned) {
    CoreRangeSet cores;
    if (const auto* size = std::get_if<CoreCoord>(&grid)) {
        const auto& physical = input_tensor.tensor_spec().physical_shape();
        const std::size_t down = ttnn_cpu::divide_up(physical.height(), shard_shape[0]);
        const std::size_t across = ttnn_cpu::divide_up(physical.width(), shard_shape[1]);
        TT_FATAL(
            shard_scheme != TensorMemoryLayout::INTERLEAVED, "interleaved_to_sharded: Unsupported sharding scheme");
        const std::size_t shards = shard_scheme == TensorMemoryLayout::HEIGHT_SHARDED  ? down
                                   : shard_scheme == TensorMemoryLayout::WIDTH_SHARDED ? across
                                                                                       : down * across;
        cores = tt::tt_metal::num_cores_to_corerangeset(
            static_cast<std::uint32_t>(shards), *size, shard_orientation == tt::tt_metal::ShardOrientation::ROW_MAJOR);
    } else {
        cores = std::get<CoreRangeSet>(grid);
    }
    return interleaved_to_sharded(
        input_tensor,
        MemoryConfig(shard_scheme, BufferType::L1, tt::tt_metal::ShardSpec(cores, shard_shape, shard_orientation)),
        data_type_arg, keep_l1_aligned);
}

Tensor sharded_to_interleaved(
    const Tensor& input_tensor, const MemoryConfig& memory_config, const std::optional<DataType>& output_dtype) {
    if (!input_tensor.shard_spec()) {
        return input_tensor;
    }
    ApiCall call("ttnn::sharded_to_interleaved", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("memory_config", memory_config).field("output_dtype", output_dtype);
    });
    return call.returns(
        ttnn_cpu::sharded_to_interleaved_op(input_tensor, memory_config, output_dtype.value_or(input_tensor.dtype())));
}

Tensor reshard(
    const Tensor& input_tensor, const MemoryConfig& memory_config,
    const std::optional<Tensor>& optional_output_tensor) {
    ApiCall call(
        "ttnn::reshard", {&input_tensor, optional_output_tensor ? &*optional_output_tensor : nullptr},
        [&](JsonText& json) {
            json.tensor("input_tensor", 0)
                .field("memory_config", memory_config)
                .tensor(
                    "optional_output_tensor", optional_output_tensor ? std::optional<std::size_t>(1) : std::nullopt);
        });
    ttnn_cpu::check_device_tensors("reshard", {&input_tensor});
    const std::string reason = ttnn_cpu::reshard_refusal(input_tensor, memory_config, optional_output_tensor);
    TT_FATAL(reason.empty(), "reshard: {}", reason);
    return call.returns(ttnn_cpu::launch_copy(
        "ReshardDeviceOperation", JsonText().field("output_mem_config", memory_config).str(), input_tensor,
        tt::tt_metal::TensorSpec(
            input_tensor.logical_shape(),
            tt::tt_metal::TensorLayout(
                input_tensor.dtype(), tt::tt_metal::PageConfig(input_tensor.layout()), memory_config)),
        optional_output_tensor, ttnn_cpu::kernels::ConvertRule::Pack, /*circular_buffer_bytes=*/0));
}

}  // namespace ttnn

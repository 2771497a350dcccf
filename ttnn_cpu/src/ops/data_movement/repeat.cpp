// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/repeat/repeat.hpp>

#include <algorithm>

#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/copy/copy.hpp>
#include <ttnn/operations/data_movement/expand/expand.hpp>
#include <ttnn/operations/data_movement/repeat_interleave/repeat_interleave.hpp>
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/tensor/tensor_ops.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/shard_shapes.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

using Counts = std::vector<std::size_t>;

Shape multiplied(const Shape& shape, const Counts& counts) {
    Shape result = shape;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        result[static_cast<std::int32_t>(i)] *= static_cast<std::uint32_t>(counts[i]);
    }
    return result;
}

// Whether each repeated dimension of a tiled tensor consists of whole tiles.
bool repeats_tiles(const Tensor& input, const Counts& counts) {
    const std::size_t rank = counts.size();
    const Shape& shape = input.logical_shape();
    return rank >= 2 && (counts[rank - 1] == 1 || shape[-1] % kTileSide == 0) &&
           (counts[rank - 2] == 1 || shape[-2] % kTileSide == 0);
}

// One op for all dimensions; `inner` repeats elements in place of the whole dimension.
Tensor repeat_op(const Tensor& input, const Counts& counts, bool inner, const MemoryConfig& memory) {
    const Shape shape = multiplied(input.logical_shape(), counts);
    const std::size_t rank = shape.rank();
    const TensorSpec spec(shape, TensorLayout(input.dtype(), PageConfig(input.layout()), memory));
    const std::vector<std::size_t> in_strides = strides_at_rank(input.tensor_spec(), rank);
    const std::vector<std::size_t> out_strides = strides_at_rank(spec, rank);
    std::vector<std::size_t> sizes = sizes_at_rank(input.logical_shape(), rank);
    Transfer transfer;
    if (input.layout() == Layout::TILE) {
        sizes[rank - 1] = input.padded_shape()[-1];
        sizes[rank - 2] = input.padded_shape()[-2];
    } else if (matrix_of(spec).padded()) {
        transfer.fill = 0;
    }
    kernels::StridedMove& move = transfer.move;
    for (std::size_t i = 0; i < rank; ++i) {
        move.sizes.insert(move.sizes.end(), {counts[i], sizes[i]});
        move.in_strides.insert(move.in_strides.end(), {std::size_t{0}, in_strides[i]});
        move.out_strides.insert(
            move.out_strides.end(),
            {inner ? out_strides[i] : sizes[i] * out_strides[i], inner ? counts[i] * out_strides[i] : out_strides[i]});
    }
    return launch_movement(
        {.name = "RepeatDeviceOperation",
         .attributes =
             JsonText().field("repetitions", counts).field("elements", inner).field("output_mem_config", memory).str(),
         .inputs = {input},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {transfer}});
}

Tensor into(const Tensor& result, const std::optional<Tensor>& output) {
    return output ? copy(result, *output) : result;
}

void check_output(const Tensor& input, const Shape& shape, const Tensor& output) {
    TT_FATAL(output.device() == input.device(), "repeat: optional output must be on the same device");
    TT_FATAL(output.dtype() == input.dtype(), "repeat: optional output dtype mismatch");
    TT_FATAL(output.layout() == input.layout(), "repeat: optional output layout mismatch");
    TT_FATAL(
        output.logical_shape() == shape, "repeat: optional output shape mismatch ({} given, {} needed)",
        to_string(output.logical_shape()), to_string(shape));
    TT_FATAL(output.buffer() != input.buffer(), "repeat: optional_output_tensor must not alias the input buffer");
}

}  // namespace

Tensor repeat(
    const Tensor& input_tensor, const ttsl::SmallVector<uint32_t>& repetition_vector,
    const std::optional<MemoryConfig>& memory_config, const std::string& implementation,
    const std::optional<Tensor>& optional_output_tensor) {
    ApiCall call(
        "ttnn::repeat", {&input_tensor, optional_output_tensor ? &*optional_output_tensor : nullptr},
        [&](JsonText& json) {
            json.tensor("input_tensor", 0)
                .field("repetition_vector", repetition_vector)
                .field("memory_config", memory_config)
                .field("implementation", implementation)
                .tensor(
                    "optional_output_tensor", optional_output_tensor ? std::optional<std::size_t>(1) : std::nullopt);
        });
    TT_FATAL(
        implementation == "auto" || implementation == "native" || implementation == "codegen",
        "repeat: implementation must be \"auto\", \"native\" or \"codegen\", not \"{}\"", implementation);
    check_device_tensors("repeat", {&input_tensor});
    const std::size_t rank = std::max(input_tensor.logical_shape().rank(), repetition_vector.size());
    TT_FATAL(input_tensor.logical_shape().rank() > 0, "repeat does not support rank 0 tensors");
    Counts counts(rank - repetition_vector.size(), 1);
    counts.insert(counts.end(), repetition_vector.begin(), repetition_vector.end());
    const Shape start = input_tensor.logical_shape().to_rank(rank);
    Tensor input = start == input_tensor.logical_shape() ? input_tensor : reshape(input_tensor, start);
    const Shape shape = multiplied(start, counts);
    if (optional_output_tensor) {
        check_output(input_tensor, shape, *optional_output_tensor);
    }
    const MemoryConfig& from = input_tensor.memory_config();
    const MemoryConfig memory = optional_output_tensor ? optional_output_tensor->memory_config()
                                : memory_config        ? *memory_config
                                : from.is_sharded()    ? MemoryConfig(from.memory_layout(), from.buffer_type())
                                                       : from;
    const MemoryConfig working =
        memory.is_sharded() ? MemoryConfig(TensorMemoryLayout::INTERLEAVED, memory.buffer_type()) : memory;
    if (shape.volume() == 0) {
        return call.returns(
            optional_output_tensor
                ? *optional_output_tensor
                : create_device_tensor(
                      TensorSpec(shape, TensorLayout(input.dtype(), PageConfig(input.layout()), working)),
                      input.device()));
    }
    if (std::all_of(counts.begin(), counts.end(), [](std::size_t count) { return count == 1; })) {
        return call.returns(into(input, optional_output_tensor));
    }
    if (input.is_sharded()) {
        input = to_memory_config(input, L1_MEMORY_CONFIG);
    }
    Tensor output;
    if (input.layout() == Layout::ROW_MAJOR || repeats_tiles(input, counts)) {
        output = repeat_op(input, counts, false, working);
    } else {
        output = repeat_op(to_layout(input, Layout::ROW_MAJOR), counts, false, working);
        output = to_layout(output, Layout::TILE, input_tensor.dtype());
    }
    if (memory.is_sharded()) {
        output = to_memory_config(output, with_shards(output, output.padded_shape(), memory));
    }
    return call.returns(into(output, optional_output_tensor));
}

Tensor repeat(
    const Tensor& input_tensor, const Shape& repeat_dims, const std::string& implementation,
    const std::optional<Tensor>& optional_output_tensor) {
    return repeat(
        input_tensor, ttsl::SmallVector<std::uint32_t>(repeat_dims.begin(), repeat_dims.end()), std::nullopt,
        implementation, optional_output_tensor);
}

Tensor repeat_interleave(
    const Tensor& input_a, uint32_t repeats, int32_t dim, const std::optional<MemoryConfig>& output_mem_config) {
    ApiCall call("ttnn::repeat_interleave", {&input_a}, [&](JsonText& json) {
        json.tensor("input_a", 0)
            .field("repeats", repeats)
            .field("dim", dim)
            .field("output_mem_config", output_mem_config);
    });
    check_device_tensors("repeat_interleave", {&input_a});
    TT_FATAL(repeats > 0, "repeat_interleave: repeats must be greater than 0");
    const std::size_t axis = input_a.logical_shape().get_normalized_index(dim);
    const MemoryConfig memory =
        output_mem_config.value_or(input_a.is_sharded() ? DRAM_MEMORY_CONFIG : input_a.memory_config());
    if (repeats == 1) {
        return call.returns(to_memory_config(input_a, output_mem_config.value_or(input_a.memory_config())));
    }
    const bool through_bf16 = is_block_float(input_a.dtype());
    Tensor input = input_a.is_sharded() ? to_memory_config(input_a, DRAM_MEMORY_CONFIG) : input_a;
    if (through_bf16) {
        input = typecast(input, DataType::BFLOAT16);
    }
    input = to_layout(input, Layout::ROW_MAJOR);
    Counts counts(input.logical_shape().rank(), 1);
    counts[axis] = repeats;
    const MemoryConfig working =
        memory.is_sharded() ? MemoryConfig(TensorMemoryLayout::INTERLEAVED, memory.buffer_type()) : memory;
    Tensor output = to_layout(repeat_op(input, counts, true, working), input_a.layout());
    if (through_bf16) {
        output = typecast(output, input_a.dtype());
    }
    return call.returns(to_memory_config(output, memory));
}

Tensor expand(
    const Tensor& tensor, ttsl::Span<const int32_t> shape_vector, const std::optional<MemoryConfig>& memory_config) {
    const Shape& shape = tensor.logical_shape();
    TT_FATAL(
        shape.rank() <= shape_vector.size(),
        "expand: Only size 1 dimensions can be expanded in the output shape (rank {} to {})", shape.rank(),
        shape_vector.size());
    ttsl::SmallVector<std::uint32_t> counts;
    for (std::size_t i = 0; i < shape_vector.size(); ++i) {
        const bool keeps =
            i < shape.rank() && (shape_vector[i] == -1 ||
                                 shape_vector[i] == static_cast<std::int32_t>(shape[static_cast<std::int32_t>(i)]));
        TT_FATAL(
            keeps || i >= shape.rank() || shape[static_cast<std::int32_t>(i)] == 1,
            "expand: Only size 1 dimensions can be expanded in the output shape (dimension {} of {} to {})", i,
            to_string(shape), shape_vector[i]);
        counts.push_back(keeps ? 1 : static_cast<std::uint32_t>(shape_vector[i]));
    }
    return repeat(tensor, counts, memory_config);
}

}  // namespace ttnn

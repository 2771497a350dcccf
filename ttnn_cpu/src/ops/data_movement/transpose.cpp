// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/transpose/transpose.hpp>

#include <numeric>

#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/clone/clone.hpp>
#include <ttnn/operations/data_movement/permute/permute.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"
#include "ops/data_movement/permute.hpp"
#include "ops/data_movement/shard_shapes.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

enum class Swap { WH, HC, CN };

std::vector<std::uint32_t> order_of(Swap swap) {
    switch (swap) {
        case Swap::WH:
            return {0, 1, 3, 2};
        case Swap::HC:
            return {0, 2, 1, 3};
        default:
            return {1, 0, 2, 3};
    }
}

Shape swapped_shape(const Tensor& input, Swap swap) {
    Shape shape = input.logical_shape();
    const std::vector<std::uint32_t> order = order_of(swap);
    for (std::size_t i = 0; i < 4; ++i) {
        shape[static_cast<std::int32_t>(i)] = input.logical_shape()[static_cast<std::int32_t>(order[i])];
    }
    return shape;
}

// Shards of the output of a transpose that works on the shards themselves.
MemoryConfig memory_in_shards(const Tensor& input, Swap swap, const std::optional<MemoryConfig>& asked) {
    const MemoryConfig& from = input.memory_config();
    const MemoryConfig seed = asked.value_or(from);
    const MemoryConfig fallback = asked ? MemoryConfig(asked->memory_layout(), asked->buffer_type()) : L1_MEMORY_CONFIG;
    if (swap == Swap::CN || (swap == Swap::HC && input.layout() == Layout::ROW_MAJOR)) {
        return seed;
    }
    const Shape& padded = input.padded_shape();
    const bool tiled = input.layout() == Layout::TILE;
    if (swap == Swap::WH && !asked && padded[0] == 1 && padded[1] == 1 && input.shard_spec()->shape[1] == padded[3]) {
        ShardSpec shards = *input.shard_spec();
        std::swap(shards.shape[0], shards.shape[1]);
        return tiled && !tile_sized(shards)
                   ? fallback
                   : MemoryConfig(TensorMemoryLayout::WIDTH_SHARDED, seed.buffer_type(), shards);
    }
    const auto scaled =
        scaled_shards(*input.shard_spec(), padded, tile_padded(swapped_shape(input, swap), input.layout()));
    const bool same_layout = !asked || asked->memory_layout() == from.memory_layout();
    if (!scaled || !same_layout || (tiled && !tile_sized(*scaled))) {
        return fallback;
    }
    return MemoryConfig(seed.memory_layout(), seed.buffer_type(), scaled);
}

MemoryConfig output_memory(const Tensor& input, Swap swap, const std::optional<MemoryConfig>& asked) {
    if (asked && (!asked->is_sharded() || asked->shard_spec())) {
        return *asked;
    }
    if (input.is_sharded() && transposes_in_shards(input.tensor_spec())) {
        return memory_in_shards(input, swap, asked);
    }
    if (asked) {
        return *asked;
    }
    return input.is_sharded() ? MemoryConfig(input.memory_config().memory_layout(), input.memory_config().buffer_type())
                              : input.memory_config();
}

Tensor transpose_op(const Tensor& input, Swap swap, const MemoryConfig& memory, float pad_value) {
    check_device_tensors("transpose", {&input});
    TT_FATAL(
        swap == Swap::HC || pad_value == 0.0F,
        "transpose: Non-zero padding {} is not supported for any transpose other than HC.", pad_value);
    const Shape shape = swapped_shape(input, swap);
    const MemoryConfig target = with_shards(input, tile_padded(shape, input.layout()), memory);
    const TensorSpec spec(shape, TensorLayout(input.dtype(), PageConfig(input.layout()), target));
    static constexpr const char* kNames[] = {"WH", "HC", "CN"};
    return launch_movement(
        {.name = "TransposeDeviceOperation",
         .attributes = JsonText()
                           .field("dim", kNames[static_cast<int>(swap)])
                           .field("output_mem_config", target)
                           .field("pad_value", pad_value)
                           .str(),
         .inputs = {input},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {permuted_transfer(
             input.tensor_spec(), spec, order_of(swap), padding_bits(input.dtype(), pad_value))},
         .circular_buffer_bytes = permute_buffers(input, swap == Swap::WH)});
}

Tensor swap_dims(
    const Tensor& input, std::uint32_t dim1, std::uint32_t dim2, const std::optional<MemoryConfig>& memory,
    float pad_value) {
    const auto is = [&](std::uint32_t a, std::uint32_t b) {
        return std::min(dim1, dim2) == a && std::max(dim1, dim2) == b;
    };
    if (!is(2, 3) && !is(1, 2) && !is(0, 1)) {
        ttsl::SmallVector<std::int64_t> order{0, 1, 2, 3};
        std::swap(order[dim1], order[dim2]);
        return permute(input, order, memory, pad_value);
    }
    const Swap swap = is(2, 3) ? Swap::WH : is(1, 2) ? Swap::HC : Swap::CN;
    const MemoryConfig target = output_memory(input, swap, memory);
    if (!input.is_sharded() && input.layout() == Layout::ROW_MAJOR) {
        return permute_op(input, order_of(swap), target, pad_value);
    }
    return transpose_op(input, swap, target, pad_value);
}

}  // namespace

Tensor transpose(
    const Tensor& input_tensor, int64_t dim1, int64_t dim2, const std::optional<MemoryConfig>& memory_config_arg,
    float pad_value) {
    ApiCall call("ttnn::transpose", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("dim1", dim1)
            .field("dim2", dim2)
            .field("memory_config_arg", memory_config_arg)
            .field("pad_value", pad_value);
    });
    check_device_tensors("transpose", {&input_tensor});
    const std::size_t rank = input_tensor.logical_shape().rank();
    std::uint32_t first = input_tensor.logical_shape().get_normalized_index(dim1);
    std::uint32_t second = input_tensor.logical_shape().get_normalized_index(dim2);
    Tensor input = input_tensor;
    std::optional<MemoryConfig> memory = memory_config_arg;
    if (irregular_rows_in_shards(input)) {
        if (memory && memory->is_sharded() && !memory->shard_spec()) {
            Shape padded = input.padded_shape();
            std::swap(padded[static_cast<std::int32_t>(first)], padded[static_cast<std::int32_t>(second)]);
            memory = MemoryConfig(
                memory->memory_layout(), memory->buffer_type(), fresh_shards(input, padded, memory->memory_layout()));
        }
        input = to_memory_config(input, L1_MEMORY_CONFIG);
    }
    if (rank > 4) {
        ttsl::SmallVector<std::int64_t> order(rank);
        std::iota(order.begin(), order.end(), std::int64_t{0});
        std::swap(order[first], order[second]);
        return call.returns(permute(input, order, memory, pad_value));
    }
    input = unsqueeze_to_4D(input);
    first += static_cast<std::uint32_t>(4 - rank);
    second += static_cast<std::uint32_t>(4 - rank);
    // Block floats stay packed when whole rows of tiles, or the tiles themselves, change places.
    const bool keeps_blocks = first + second == 5 || first + second == 1;
    const bool through_bf16 = input.dtype() == DataType::BFLOAT8_B && !keeps_blocks;
    if (through_bf16) {
        input = typecast(input, DataType::BFLOAT16);
    }
    const Shape& padded = input.padded_shape();
    Tensor output = input;
    if (first == second ||
        (padded[static_cast<std::int32_t>(first)] == 1 && padded[static_cast<std::int32_t>(second)] == 1)) {
        if (memory && *memory != input.memory_config()) {
            output = clone(input, std::nullopt, memory, std::nullopt);
        }
    } else {
        output = swap_dims(input, first, second, memory, pad_value);
    }
    if (rank < 4) {
        output = squeeze_from_4D(output, static_cast<int>(rank));
    }
    return call.returns(through_bf16 ? typecast(output, DataType::BFLOAT8_B) : output);
}

Tensor transpose(const Tensor& input_tensor, int64_t dim1, int64_t dim2, float pad_value) {
    return transpose(input_tensor, dim1, dim2, std::nullopt, pad_value);
}

}  // namespace ttnn

// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/permute/permute.hpp>

#include <algorithm>
#include <numeric>

#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/transpose/transpose.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"
#include "ops/data_movement/permute.hpp"
#include "ops/data_movement/shard_shapes.hpp"

namespace ttnn_cpu {

using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

Shape tile_padded(const Shape& shape, Layout layout) {
    Shape padded = shape;
    if (layout == Layout::TILE) {
        padded[-1] = static_cast<std::uint32_t>(round_up(padded[-1], kTileSide));
        padded[-2] = static_cast<std::uint32_t>(round_up(padded[-2], kTileSide));
    }
    return padded;
}

namespace {

// Only whole tiles, or the sides of tiles, change places.
bool keeps_tiles(Layout layout, const std::vector<std::uint32_t>& dims) {
    const std::size_t rank = dims.size();
    return layout == Layout::TILE && dims[rank - 1] >= rank - 2 && dims[rank - 2] >= rank - 2;
}

}  // namespace

Transfer permuted_transfer(
    const TensorSpec& from, const TensorSpec& to, const std::vector<std::uint32_t>& dims, std::uint32_t fill) {
    const std::size_t rank = dims.size();
    const std::vector<std::size_t> in_strides = strides_at_rank(from, rank);
    const bool with_padding = keeps_tiles(from.layout(), dims);
    Transfer transfer;
    transfer.move.sizes = sizes_at_rank(with_padding ? to.padded_shape() : to.logical_shape(), rank);
    transfer.move.out_strides = strides_at_rank(to, rank);
    for (const std::uint32_t dim : dims) {
        transfer.move.in_strides.push_back(in_strides[dim]);
    }
    if (!with_padding && matrix_of(to).padded()) {
        transfer.fill = fill;
    }
    return transfer;
}

Tensor permute_op(
    const Tensor& input, const std::vector<std::uint32_t>& dims, const MemoryConfig& memory, float pad_value) {
    check_device_tensors("permute", {&input});
    TT_FATAL(
        !is_block_float(input.dtype()) || keeps_tiles(input.layout(), dims),
        "permute: {} shares exponents within a tile, so its tiles cannot be taken apart; typecast it to BFLOAT16 first",
        to_string(input.dtype()));
    Shape::Container sizes;
    for (const std::uint32_t dim : dims) {
        sizes.push_back(input.logical_shape()[static_cast<std::int32_t>(dim)]);
    }
    const Shape shape(std::move(sizes));
    const MemoryConfig target = with_shards(input, tile_padded(shape, input.layout()), memory);
    const TensorSpec spec(shape, TensorLayout(input.dtype(), PageConfig(input.layout()), target));
    return launch_movement(
        {.name = "PermuteDeviceOperation",
         .attributes =
             JsonText().field("dims", dims).field("output_mem_config", target).field("pad_value", pad_value).str(),
         .inputs = {input},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {permuted_transfer(input.tensor_spec(), spec, dims, padding_bits(input.dtype(), pad_value))},
         .circular_buffer_bytes = permute_buffers(input, dims.back() != dims.size() - 1)});
}

}  // namespace ttnn_cpu

namespace ttnn {

using namespace ttnn_cpu;

namespace {

using Order = std::vector<std::uint32_t>;

bool changes_nothing(const Tensor& tensor, const Order& dims) {
    const std::size_t rank = dims.size();
    if (rank <= 1 || std::is_sorted(dims.begin(), dims.end())) {
        return true;
    }
    const std::size_t fixed = tensor.layout() == Layout::TILE ? 2 : 1;
    for (std::size_t i = rank - fixed; i < rank; ++i) {
        if (dims[i] != i) {
            return false;
        }
    }
    const Shape& shape = tensor.logical_shape();
    for (std::size_t i = 0; i < rank; ++i) {
        const auto dim = static_cast<std::int32_t>(i);
        if (dims[i] != i && (shape[dim] > 1 || shape[static_cast<std::int32_t>(dims[i])] > 1)) {
            return false;
        }
    }
    return true;
}

MemoryConfig without_shards(const MemoryConfig& memory) {
    return memory.is_sharded() ? MemoryConfig(memory.memory_layout(), memory.buffer_type()) : memory;
}

Tensor permute_4d(const Tensor& input, const Order& dims, const std::optional<MemoryConfig>& memory, float pad_value) {
    const auto wh = [&](const Tensor& tensor, const std::optional<MemoryConfig>& to) {
        return transpose(tensor, -2, -1, to);
    };
    const auto hc = [&](const Tensor& tensor, const std::optional<MemoryConfig>& to) {
        return transpose(tensor, 1, -2, to, pad_value);
    };
    const bool in_shards = input.is_sharded();
    const bool keeps_blocks = dims == Order{0, 1, 3, 2} || dims == Order{1, 0, 2, 3} || dims == Order{1, 0, 3, 2};
    const bool through_bf16 = input.dtype() == DataType::BFLOAT8_B && !keeps_blocks && !in_shards;
    const Tensor tensor = through_bf16 ? typecast(input, DataType::BFLOAT16) : input;
    Tensor output;
    if (dims == Order{0, 1, 3, 2}) {
        output = wh(tensor, memory);
    } else if (dims == Order{0, 2, 1, 3}) {
        output = hc(tensor, memory);
    } else if (dims == Order{1, 0, 2, 3}) {
        output = transpose(tensor, 0, 1, memory);
    } else if (in_shards && dims == Order{0, 2, 3, 1}) {
        output = wh(hc(tensor, std::nullopt), memory);
    } else if (in_shards && dims == Order{0, 3, 1, 2}) {
        output = hc(wh(tensor, std::nullopt), memory);
    } else if (in_shards && dims == Order{0, 3, 2, 1}) {
        output = wh(hc(wh(tensor, std::nullopt), std::nullopt), memory);
    } else {
        output = permute_op(tensor, dims, memory.value_or(without_shards(input.memory_config())), pad_value);
    }
    return through_bf16 ? typecast(output, DataType::BFLOAT8_B) : output;
}

}  // namespace

Tensor permute(
    const Tensor& input_tensor, const ttsl::SmallVector<int64_t>& dims,
    const std::optional<MemoryConfig>& memory_config, float pad_value) {
    const std::size_t rank = input_tensor.logical_shape().rank();
    TT_FATAL(
        rank == dims.size(),
        "permute: The number of dimensions in the tensor input ({}) does not match the length of the desired ordering "
        "({})",
        rank, dims.size());
    TT_FATAL(is_device_tensor(input_tensor), "permute: Tensor must already be on device");
    ApiCall call("ttnn::permute", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("dims", dims)
            .field("memory_config", memory_config)
            .field("pad_value", pad_value);
    });
    Order order;
    for (const std::int64_t dim : dims) {
        order.push_back(input_tensor.logical_shape().get_normalized_index(dim));
        TT_FATAL(
            std::count(order.begin(), order.end(), order.back()) == 1,
            "permute: dimension {} appears more than once in the ordering", order.back());
    }
    if (changes_nothing(input_tensor, order)) {
        return call.returns(to_memory_config(input_tensor, memory_config.value_or(input_tensor.memory_config())));
    }
    TT_FATAL(
        input_tensor.layout() != Layout::ROW_MAJOR || !memory_config || !memory_config->shard_spec() ||
            memory_config->shard_spec()->shape[1] * input_tensor.element_size() % kL1Alignment == 0,
        "permute: Shard page size must be aligned to {}B for L1 Tensor", kL1Alignment);
    Tensor input = input_tensor;
    std::optional<MemoryConfig> memory = memory_config;
    if (irregular_rows_in_shards(input)) {
        if (memory && memory->is_sharded() && !memory->shard_spec()) {
            Shape::Container padded;
            for (const std::uint32_t dim : order) {
                padded.push_back(input.padded_shape()[static_cast<std::int32_t>(dim)]);
            }
            memory = MemoryConfig(
                memory->memory_layout(), memory->buffer_type(),
                fresh_shards(input, Shape(padded), memory->memory_layout()));
        }
        input = to_memory_config(input, L1_MEMORY_CONFIG);
    }
    if (rank > 4) {
        return call.returns(
            permute_op(input, order, memory.value_or(without_shards(input.memory_config())), pad_value));
    }
    Order order_4d(4 - rank);
    std::iota(order_4d.begin(), order_4d.end(), 0U);
    for (const std::uint32_t dim : order) {
        order_4d.push_back(dim + static_cast<std::uint32_t>(4 - rank));
    }
    const Tensor output = permute_4d(unsqueeze_to_4D(input), order_4d, memory, pad_value);
    return call.returns(rank < 4 ? squeeze_from_4D(output, static_cast<int>(rank)) : output);
}

Tensor permute(const Tensor& input_tensor, const ttsl::SmallVector<int64_t>& dims, float pad_value) {
    return permute(input_tensor, dims, std::nullopt, pad_value);
}

}  // namespace ttnn

// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/split/split.hpp>

#include <algorithm>
#include <numeric>

#include <ttnn/operations/data_movement/chunk/chunk.hpp>
#include <ttnn/operations/data_movement/slice/slice.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/permute.hpp"
#include "ops/data_movement/shard_shapes.hpp"

namespace ttnn {

using namespace ttnn_cpu;

namespace {

// Equal parts of a sharded tensor are sharded alike where tiles allow it; everything else goes to DRAM.
MemoryConfig part_memory(
    const Tensor& input, const ttsl::SmallVector<std::int64_t>& sizes, std::size_t dim,
    const std::optional<MemoryConfig>& asked) {
    const MemoryConfig memory = asked.value_or(input.memory_config());
    if (!memory.is_sharded() || (asked && memory.shard_spec())) {
        return memory;
    }
    const bool equal =
        std::all_of(sizes.begin(), sizes.end(), [&](std::int64_t size) { return size == sizes.front(); });
    if (!equal) {
        return DRAM_MEMORY_CONFIG;
    }
    Shape part = input.logical_shape();
    part[static_cast<std::int32_t>(dim)] = static_cast<std::uint32_t>(sizes.front());
    const Shape padded = tile_padded(part, input.layout());
    if (asked) {
        return with_shards(input, padded, memory);
    }
    const auto shards = scaled_shards(*input.shard_spec(), input.padded_shape(), padded);
    if (!shards || (input.layout() == Layout::TILE && !tile_sized(*shards))) {
        return DRAM_MEMORY_CONFIG;
    }
    return MemoryConfig(memory.memory_layout(), memory.buffer_type(), shards);
}

}  // namespace

std::vector<Tensor> split(
    const Tensor& input_tensor, const ttsl::SmallVector<int64_t>& split_sizes, int64_t dim,
    const std::optional<MemoryConfig>& memory_config) {
    ApiCall call("ttnn::split", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("split_sizes", split_sizes)
            .field("dim", dim)
            .field("memory_config", memory_config);
    });
    check_device_tensors("split", {&input_tensor});
    const Shape& shape = input_tensor.logical_shape();
    const std::size_t axis = shape.get_normalized_index(dim);
    const std::int64_t size = shape[static_cast<std::int32_t>(axis)];
    const std::int64_t sum = std::accumulate(split_sizes.begin(), split_sizes.end(), std::int64_t{0});
    TT_FATAL(!split_sizes.empty(), "split: split_sizes must not be empty");
    TT_FATAL(
        std::all_of(split_sizes.begin(), split_sizes.end(), [](std::int64_t part) { return part > 0; }),
        "split: every split size must be greater than 0");
    TT_FATAL(
        sum == size, "split: split sizes sum to {}, but dimension {} of {} has size {}", sum, axis, to_string(shape),
        size);
    const MemoryConfig memory = part_memory(input_tensor, split_sizes, axis, memory_config);
    ttsl::SmallVector<std::uint32_t> begins(shape.rank(), 0);
    ttsl::SmallVector<std::uint32_t> ends(shape.begin(), shape.end());
    const ttsl::SmallVector<std::uint32_t> steps(shape.rank(), 1);
    std::vector<Tensor> parts;
    for (const std::int64_t part : split_sizes) {
        ends[axis] = begins[axis] + static_cast<std::uint32_t>(part);
        parts.push_back(slice(input_tensor, begins, ends, steps, memory));
        begins[axis] = ends[axis];
    }
    return call.returns(std::move(parts));
}

std::vector<Tensor> split(
    const Tensor& input_tensor, int64_t split_size, int64_t dim, const std::optional<MemoryConfig>& memory_config) {
    TT_FATAL(split_size > 0, "split: split_size must be greater than 0, but got: {}", split_size);
    const Shape& shape = input_tensor.logical_shape();
    std::int64_t left = shape[static_cast<std::int32_t>(shape.get_normalized_index(dim))];
    ttsl::SmallVector<std::int64_t> sizes;
    for (; left > 0; left -= split_size) {
        sizes.push_back(std::min(left, split_size));
    }
    return split(input_tensor, sizes, dim, memory_config);
}

std::vector<Tensor> chunk(const Tensor& input_tensor, uint32_t num_chunks, int dim) {
    TT_FATAL(num_chunks > 0, "chunk: Number of chunks must be greater than zero");
    ApiCall call("ttnn::chunk", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("num_chunks", num_chunks).field("dim", dim);
    });
    check_device_tensors("chunk", {&input_tensor});
    const Shape& shape = input_tensor.logical_shape();
    const auto rank = static_cast<int>(shape.rank());
    TT_FATAL(
        dim >= -rank && dim < rank, "chunk: Invalid dimension for chunk operation, {} needs to be greater than {}",
        rank, dim);
    const std::size_t axis = shape.get_normalized_index(dim);
    const std::uint32_t size = shape[static_cast<std::int32_t>(axis)];
    const std::uint32_t part = (size + num_chunks - 1) / num_chunks;
    ttsl::SmallVector<std::uint32_t> begins(shape.rank(), 0);
    ttsl::SmallVector<std::uint32_t> ends(shape.begin(), shape.end());
    const ttsl::SmallVector<std::uint32_t> steps(shape.rank(), 1);
    std::vector<Tensor> parts;
    for (std::uint32_t begin = 0; begin < size; begin += part) {
        begins[axis] = begin;
        ends[axis] = std::min(size, begin + part);
        parts.push_back(slice(input_tensor, begins, ends, steps));
    }
    return call.returns(std::move(parts));
}

}  // namespace ttnn

// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/experimental/paged_cache/paged_cache.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/cache_rows.hpp"
#include "kernels/parallel.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn::experimental {

using namespace ttnn_cpu;

namespace {

constexpr std::string_view kFunction = "ttnn::experimental::paged_update_cache";

void check_cache(const Tensor& cache, const Tensor& input) {
    TT_FATAL(input.layout() == Layout::TILE, "{}: Input tensor in non-fused update_cache must be tilized", kFunction);
    TT_FATAL(cache.layout() == Layout::TILE, "{}: Cache tensor in update_cache must be tilized", kFunction);
    TT_FATAL(
        tt::tt_metal::is_floating_point(cache.dtype()),
        "{}: Data type of cache tensor must be FLOAT32, BFLOAT16, BFLOAT8_B, or BFLOAT4_B and is {}", kFunction,
        ttnn_cpu::to_string(cache.dtype()));
    TT_FATAL(
        cache.logical_shape().rank() == 4 && input.logical_shape().rank() == 4,
        "{}: cache and input must have rank 4; their shapes are {} and {}", kFunction,
        ttnn_cpu::to_string(cache.logical_shape()), ttnn_cpu::to_string(input.logical_shape()));
    TT_FATAL(input.padded_shape()[0] == 1, "{}: Dim 0 of input tensor must be 1", kFunction);
    TT_FATAL(!cache.is_sharded(), "{}: Only interleaved cache is supported", kFunction);
    TT_FATAL(
        input.padded_shape()[3] == cache.padded_shape()[3],
        "{}: Last dim of input tensor ({}) must match last dim of cache tensor ({}) in non-paged mode", kFunction,
        input.padded_shape()[3], cache.padded_shape()[3]);
    TT_FATAL(
        input.padded_shape()[1] == cache.padded_shape()[0],
        "{}: Expect batch in input tensor match the batch in cache tensor; they are {} and {}", kFunction,
        input.padded_shape()[1], cache.padded_shape()[0]);
    // The card trusts the caller here.
    TT_FATAL(
        input.logical_shape()[2] == cache.logical_shape()[1], "{}: the input has {} heads and the cache {}", kFunction,
        input.logical_shape()[2], cache.logical_shape()[1]);
    TT_FATAL(
        input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::BFLOAT16,
        "{}: Data type of input tensor for update cache must be FLOAT32 or BFLOAT16 and is {}", kFunction,
        ttnn_cpu::to_string(input.dtype()));
}

void check_shards(const Tensor& input) {
    TT_FATAL(input.is_sharded(), "{}: Expect input_tensor to be sharded", kFunction);
    const tt::tt_metal::ShardSpec& shard = *input.shard_spec();
    TT_FATAL(
        input.memory_config().memory_layout() != TensorMemoryLayout::WIDTH_SHARDED,
        "{}: Expect input_tensor to NOT have memory layout WIDTH SHARDED", kFunction);
    TT_FATAL(
        shard.shape[1] == input.padded_shape()[3],
        "{}: Expect input_tensor to have shard width ({}) equal to the last dimension of the input tensor padded shape "
        "({})",
        kFunction, shard.shape[1], input.padded_shape()[3]);
    TT_FATAL(
        shard.orientation == tt::tt_metal::ShardOrientation::ROW_MAJOR, "{}: Only ROW_MAJOR sharding is supported",
        kFunction);
    TT_FATAL(
        shard.num_cores() == input.padded_shape()[1],
        "{}: Input tensor shard grid must have num_cores ({}) equal to the number of users / batch ({}). The kernel "
        "dispatches one user per core",
        kFunction, shard.num_cores(), input.padded_shape()[1]);
}

void check_positions(const Tensor& cache, const std::vector<uint32_t>& given, const Tensor* tensor, std::size_t users) {
    TT_FATAL(
        (tensor != nullptr) != !given.empty(),
        "{}: Only an update tensor or an update vector can be provided. Not both or neither.", kFunction);
    std::size_t count = given.size();
    if (tensor != nullptr) {
        TT_FATAL(
            tensor->dtype() == DataType::INT32, "{}: Expected update_idxs to have datatype INT32, not {}", kFunction,
            ttnn_cpu::to_string(tensor->dtype()));
        TT_FATAL(
            tensor->layout() == Layout::ROW_MAJOR, "{}: Expected update_idxs to have memory layout in ROW MAJOR",
            kFunction);
        TT_FATAL(
            !tensor->is_sharded() && tensor->memory_config().buffer_type() == BufferType::DRAM,
            "{}: Expect update_idxs to be DRAM INTERLEAVED", kFunction);
        count = tensor->padded_shape()[0];
    }
    TT_FATAL(count == users, "{}: Number of update_idxs ({}) should match batch size ({})", kFunction, count, users);
    for (const uint32_t position : given) {
        TT_FATAL(
            position < cache.padded_shape()[2], "{}: position {} is past the {} positions of the cache", kFunction,
            position, cache.padded_shape()[2]);
    }
}

}  // namespace

Tensor paged_update_cache(
    const Tensor& cache_tensor, const Tensor& input_tensor, const std::vector<uint32_t>& update_idxs,
    const std::optional<const Tensor>& update_idxs_tensor, std::optional<bool> share_cache,
    const std::optional<const Tensor>& page_table, uint32_t batch_offset,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config,
    const std::optional<const std::set<MeshCoordinate>>& mesh_coords, std::optional<uint32_t> block_size_override,
    std::optional<uint32_t> num_kv_heads_override, std::optional<uint32_t> cache_position_modulo) {
    const Tensor* positions = update_idxs_tensor ? &*update_idxs_tensor : nullptr;
    ApiCall call(kFunction, {&cache_tensor, &input_tensor, positions}, [&](JsonText& json) {
        json.tensor("cache_tensor", 0)
            .tensor("input_tensor", 1)
            .field("update_idxs", update_idxs)
            .tensor("update_idxs_tensor", positions != nullptr ? std::optional<std::size_t>(2) : std::nullopt)
            .field("share_cache", share_cache)
            .field("batch_offset", batch_offset);
    });
    check_device_tensors(kFunction, {&cache_tensor, &input_tensor});
    TT_FATAL(
        !page_table && !block_size_override && !num_kv_heads_override && !cache_position_modulo && !mesh_coords &&
            !share_cache.value_or(false),
        "{}: the embedded provider has no page tables, shared caches or mesh coordinates", kFunction);
    check_cache(cache_tensor, input_tensor);
    if (positions != nullptr) {
        check_device_tensors(kFunction, {&cache_tensor, positions});
    }
    const std::size_t users = input_tensor.padded_shape()[1];
    check_positions(cache_tensor, update_idxs, positions, users);
    check_shards(input_tensor);
    TT_FATAL(batch_offset == 0, "{}: batch_offset must be 0", kFunction);

    const bool float32 = compute_kernel_config && compute_kernel_config->fp32_dest_acc_en;
    const std::size_t heads = input_tensor.logical_shape()[2];
    const std::size_t input_rows = input_tensor.padded_shape()[2];
    const std::size_t length = cache_tensor.padded_shape()[2];
    launch(
        {.name = "PagedUpdateCacheDeviceOperation",
         .attributes = JsonText().field("update_idxs", update_idxs).str(),
         .inputs =
             positions != nullptr ? std::vector<Tensor>{input_tensor, *positions} : std::vector<Tensor>{input_tensor},
         .output_specs = {},
         .outputs = {cache_tensor},
         .create_program = [&](Numerics) {
             Program program;
             program.core_count = static_cast<std::uint32_t>(users);
             const std::uint64_t tiles = input_tensor.padded_shape()[3] / kTile;
             // Rows of tiles, two of the cache and two twice between, one for each user on its way out; the positions.
             const std::uint64_t between = ttnn_cpu::tile_bytes(float32 ? DataType::FLOAT32 : DataType::BFLOAT16);
             program.circular_buffer_bytes =
                 tiles * ((2 + users) * ttnn_cpu::tile_bytes(cache_tensor.dtype()) + 4 * between) +
                 (positions != nullptr ? ttnn_cpu::tile_bytes(positions->dtype()) : 0);
             program.kernel = [=, from = stored_matrix(input_tensor), to = stored_matrix(cache_tensor)](
                                  std::span<const BufferRef> in, std::span<const BufferRef> out) {
                 kernels::parallel_for(users, [&](std::size_t user) {
                     const std::int64_t position =
                         in.size() > 1 ? in[1].as<const std::int32_t>()[user] : std::int64_t{update_idxs[user]};
                     // Past the end the card would write somewhere else.
                     if (position < 0 || position >= static_cast<std::int64_t>(length)) {
                         return;
                     }
                     for (std::size_t head = 0; head < heads; ++head) {
                         kernels::copy_rows(
                             from, in[0].data, user * input_rows + head, to, out[0].data,
                             (user * heads + head) * length + static_cast<std::size_t>(position), 1);
                     }
                 });
             };
             return program;
         }});
    return call.returns(cache_tensor);
}

}  // namespace ttnn::experimental

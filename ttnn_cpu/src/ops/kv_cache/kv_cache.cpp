// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/kv_cache/kv_cache.hpp>

#include <tt-metalium/mesh_device.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/cache_rows.hpp"
#include "kernels/parallel.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn {

using namespace ttnn_cpu;

namespace {

void check_format(std::string_view function, std::string_view name, const Tensor& tensor) {
    TT_FATAL(
        tensor.layout() == Layout::TILE, "{}: Inputs to update_cache must be tilized; the {} is not", function, name);
    TT_FATAL(
        tensor.dtype() == DataType::FLOAT32 || tensor.dtype() == DataType::BFLOAT16 ||
            tensor.dtype() == DataType::BFLOAT8_B,
        "{}: {} tensor dtype must be FLOAT32, BFLOAT16, or BFLOAT8_B but got {}", function, name,
        ttnn_cpu::to_string(tensor.dtype()));
    TT_FATAL(
        tensor.logical_shape().rank() == 4, "{}: the {} has shape {}; it must have rank 4", function, name,
        ttnn_cpu::to_string(tensor.logical_shape()));
}

void check(std::string_view function, const Tensor& cache, const Tensor& input) {
    check_device_tensors(function, {&cache, &input});
    check_format(function, "Cache", cache);
    check_format(function, "Input", input);
    const auto& in = input.padded_shape();
    const auto& to = cache.padded_shape();
    TT_FATAL(in[3] == to[3], "{}: Input tensor width ({}) must equal cache tensor width ({})", function, in[3], to[3]);
    TT_FATAL(in[0] == 1, "{}: Input tensor batch size must be 1 but got {}", function, in[0]);
    TT_FATAL(
        in[1] == to[1], "{}: Input tensor height ({}) must equal cache tensor height ({})", function, in[1], to[1]);
    TT_FATAL(
        !cache.is_sharded(), "{}: Cache tensor memory layout must be INTERLEAVED but got {}", function,
        ttnn_cpu::to_string(cache.memory_config().memory_layout()));
    if (input.is_sharded()) {
        TT_FATAL(
            input.memory_config().memory_layout() != TensorMemoryLayout::WIDTH_SHARDED,
            "{}: Input tensor memory layout must not be WIDTH_SHARDED", function);
        TT_FATAL(
            input.shard_spec()->shape[1] == in[3], "{}: Input tensor shard width ({}) must equal padded width ({})",
            function, input.shard_spec()->shape[1], in[3]);
    }
}

// `copy` moves the rows of one head.
template <typename CopyHead>
Tensor run(const Tensor& cache, const Tensor& input, JsonText attributes, std::uint64_t buffers, const CopyHead& copy) {
    launch(
        {.name = "UpdateKVCacheOperation",
         .attributes = attributes.str(),
         .inputs = {input},
         .output_specs = {},
         .outputs = {cache},
         .create_program = [&](Numerics) {
             Program program;
             const std::uint32_t heads = input.logical_shape()[1];
             program.core_count = ttnn_cpu::cores_for(input, std::size_t{heads} * input.padded_shape()[2] / kTile);
             program.circular_buffer_bytes = buffers;
             program.kernel = [heads, copy](std::span<const BufferRef> in, std::span<const BufferRef> out) {
                 kernels::parallel_for(heads, [&](std::size_t head) { copy(head, in[0].data, out[0].data); });
             };
             return program;
         }});
    return cache;
}

Tensor fill(
    std::string_view function, const Tensor& cache, const Tensor& input, uint32_t batch_idx, uint32_t update_idx) {
    ApiCall call(function, {&cache, &input}, [&](JsonText& json) {
        json.tensor("cache_tensor", 0)
            .tensor("input_tensor", 1)
            .field("batch_idx", batch_idx)
            .field("update_idx", update_idx);
    });
    check(function, cache, input);
    const std::size_t rows = input.padded_shape()[2];
    const std::size_t positions = cache.padded_shape()[2];
    TT_FATAL(
        input.dtype() == cache.dtype(), "{}: Input and cache tensors must have same dtype! They are {} and {}",
        function, ttnn_cpu::to_string(input.dtype()), ttnn_cpu::to_string(cache.dtype()));
    TT_FATAL(
        !input.is_sharded() || rows % input.shard_spec()->shape[0] == 0,
        "{}: Seq len must be divisible by shard height!", function);
    TT_FATAL(
        batch_idx < cache.padded_shape()[0], "{}: Batch index ({}) must be less than cache tensor batch size ({})",
        function, batch_idx, cache.padded_shape()[0]);
    TT_FATAL(
        update_idx % kTile == 0, "{}: Fill update_idx ({}) must be a multiple of TILE_HEIGHT ({})", function,
        update_idx, kTile);
    TT_FATAL(
        update_idx <= positions && rows <= positions - update_idx,
        "{}: Fill update_idx ({}) + input tensor height ({}) must be <= cache tensor height ({})", function, update_idx,
        rows, positions);
    const std::size_t heads = cache.padded_shape()[1];
    return call.returns(
        run(cache, input, JsonText().field("fill", true).field("batch_idx", batch_idx).field("update_idx", update_idx),
            input.is_sharded() ? 0 : 2 * ttnn_cpu::tile_bytes(input.dtype()),
            [from = stored_matrix(input), to = stored_matrix(cache), rows, positions, first = batch_idx * heads,
             update_idx](std::size_t head, const std::byte* in, std::byte* out) {
                kernels::copy_rows(from, in, head * rows, to, out, (first + head) * positions + update_idx, rows);
            }));
}

// Rows of tiles of two users' caches on their way in, twice between, and of the input, all double; those of all users on
// their way out.
std::uint64_t update_buffers(const Tensor& cache, const Tensor& input) {
    const std::uint64_t row = input.padded_shape()[3] / kTile;
    const std::uint64_t users = std::min<std::uint64_t>(2, cache.padded_shape()[0]);
    const std::uint64_t between = ttnn_cpu::tile_bytes(DataType::BFLOAT16);
    return 2 * users * row * (ttnn_cpu::tile_bytes(cache.dtype()) + 2 * between) +
           (input.is_sharded() ? 0 : 2 * row * ttnn_cpu::tile_bytes(input.dtype())) +
           input.padded_shape()[2] * row * ttnn_cpu::tile_bytes(cache.dtype());
}

Tensor update(
    std::string_view function, const Tensor& cache, const Tensor& input, uint32_t update_idx, uint32_t batch_offset) {
    ApiCall call(function, {&cache, &input}, [&](JsonText& json) {
        json.tensor("cache", 0).tensor("input", 1).field("update_idx", update_idx).field("batch_offset", batch_offset);
    });
    check(function, cache, input);
    const std::size_t rows = input.padded_shape()[2];
    const std::size_t users = cache.padded_shape()[0];
    const std::size_t heads = cache.padded_shape()[1];
    const std::size_t positions = cache.padded_shape()[2];
    TT_FATAL(
        users <= rows, "{}: Cache tensor batch size ({}) must be <= input tensor height ({})", function, users, rows);
    // The card goes over the users two at a time, up to 32 of them for each row of tiles of the input; what is left over stays as
    // it was, and the next head is read from the wrong place.
    TT_FATAL(
        rows == kTile ? users == 1 || users % 2 == 0 : users == rows,
        "{}: a cache of {} users cannot be updated from an input of padded height {}; with height 32 it must have 1 "
        "user or an even number, else as many as the height",
        function, users, rows);
    TT_FATAL(
        users < kTile ? batch_offset + users <= kTile : batch_offset == 0,
        "{}: Batch offset ({}) + cache tensor batch size ({}) must be <= 32", function, batch_offset, users);
    TT_FATAL(
        update_idx < positions, "{}: update_idx ({}) must be less than the {} positions of the cache", function,
        update_idx, positions);
    return call.returns(
        run(cache, input,
            JsonText().field("fill", false).field("update_idx", update_idx).field("batch_offset", batch_offset),
            update_buffers(cache, input),
            [from = stored_matrix(input), to = stored_matrix(cache), rows, users, heads, positions, batch_offset,
             update_idx](std::size_t head, const std::byte* in, std::byte* out) {
                for (std::size_t user = 0; user < users; ++user) {
                    kernels::copy_rows(
                        from, in, head * rows + batch_offset + user, to, out,
                        (user * heads + head) * positions + update_idx, 1);
                }
            }));
}

}  // namespace

Tensor fill_cache(const Tensor& cache_tensor, const Tensor& input_tensor, uint32_t batch_idx, uint32_t update_idx) {
    return fill("ttnn::fill_cache", cache_tensor, input_tensor, batch_idx, update_idx);
}

Tensor fill_cache_for_user_(const Tensor& cache, const Tensor& input, uint32_t batch_index, uint32_t update_idx) {
    return fill("ttnn::fill_cache_for_user_", cache, input, batch_index, update_idx);
}

Tensor update_cache(
    const Tensor& cache, const Tensor& input, uint32_t update_idx, uint32_t batch_offset,
    std::optional<const DeviceComputeKernelConfig> /*compute_kernel_config*/) {
    return update("ttnn::update_cache", cache, input, update_idx, batch_offset);
}

Tensor update_cache_for_token_(
    const Tensor& cache, const Tensor& input, uint32_t update_index, uint32_t batch_offset,
    std::optional<const DeviceComputeKernelConfig> /*compute_kernel_config*/) {
    return update("ttnn::update_cache_for_token_", cache, input, update_index, batch_offset);
}

}  // namespace ttnn

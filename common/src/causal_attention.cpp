// SPDX-License-Identifier: Apache-2.0
#include "zoo/causal_attention.hpp"

#include <array>

#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/work_split.hpp>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/experimental/paged_cache/paged_cache.hpp"
#include "ttnn/operations/experimental/transformer/nlp_concat_heads/nlp_concat_heads.hpp"
#include "ttnn/operations/experimental/transformer/nlp_create_qkv_heads/nlp_create_qkv_heads.hpp"
#include "ttnn/operations/kv_cache/kv_cache.hpp"
#include "ttnn/operations/reduction/argmax/argmax.hpp"
#include "ttnn/operations/transformer/sdpa_decode/sdpa_decode.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace zoo {
namespace {

using ttnn::Tensor;
using ttnn::operations::transformer::SDPAProgramConfig;

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kLongestChunk = 128;

std::uint32_t narrow(std::int64_t value) { return static_cast<std::uint32_t>(value); }

// The exact exponential: the quick one is off by up to 3 %. A chunk size of 0 leaves the choice to TTNN.
SDPAProgramConfig program(const Tensor& query, std::uint32_t q_chunk, std::uint32_t k_chunk) {
    return {
        .compute_with_storage_grid_size = query.device()->compute_with_storage_grid_size(),
        .sub_core_grids = std::nullopt,
        .q_chunk_size = q_chunk,
        .k_chunk_size = k_chunk,
        .exp_approx_mode = false};
}

Tensor rows(const Tensor& tensor, std::uint32_t first, std::uint32_t end) {
    const auto& shape = tensor.logical_shape();
    return ttnn::slice(
        tensor, std::array<std::uint32_t, 4>{0, 0, first, 0}, std::array<std::uint32_t, 4>{1, 1, end, shape[3]},
        std::array<std::uint32_t, 4>{1, 1, 1, 1});
}

}  // namespace

std::vector<KeyValueCache> make_caches(
    ttnn::MeshDevice& device, std::int64_t layers, std::int64_t users, std::int64_t heads, std::int64_t positions,
    std::int64_t head_size) {
    const std::int64_t padded = (positions + kTile - 1) / kTile * kTile;
    const ttnn::Shape shape = device_shape(Shape{users, heads, padded, head_size});
    const auto zeros = [&] { return ttnn::zeros(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, device); };
    std::vector<KeyValueCache> caches;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        caches.push_back({.key = zeros(), .value = zeros()});
    }
    return caches;
}

Heads split_sequence_heads(
    const Tensor& fused, std::int64_t num_heads, const std::optional<ttnn::MemoryConfig>& memory) {
    auto [query, key, value] = ttnn::experimental::nlp_create_qkv_heads(
        fused, std::nullopt, narrow(num_heads), std::nullopt, /*transpose_k_heads=*/false, memory);
    return {query, key, value};
}

Heads split_token_heads(const Tensor& fused, std::int64_t num_heads) {
    std::optional<std::array<Tensor, 3>> none;
    auto [query, key, value] =
        ttnn::experimental::nlp_create_qkv_heads_decode(fused, narrow(num_heads), std::nullopt, none);
    return {query, key, value};
}

void store_sequence(const KeyValueCache& cache, const Heads& heads, std::int64_t user) {
    ttnn::fill_cache(cache.key, heads.key, narrow(user));
    ttnn::fill_cache(cache.value, heads.value, narrow(user));
}

void store_token(const KeyValueCache& cache, const Heads& heads, const Tensor& cur_pos) {
    const auto update = [&](const Tensor& to, const Tensor& from) {
        ttnn::experimental::paged_update_cache(
            to, from, {}, cur_pos, std::nullopt, std::nullopt, /*batch_offset=*/0, std::nullopt, std::nullopt);
    };
    update(cache.key, heads.key);
    update(cache.value, heads.value);
}

Tensor attend_sequence(
    const Heads& heads, const ttnn::DeviceComputeKernelConfig& kernel,
    const std::optional<ttnn::MemoryConfig>& memory) {
    const std::uint32_t length = heads.query.logical_shape()[2];
    std::uint32_t chunk = kTile;
    while (2 * chunk <= kLongestChunk && length % (2 * chunk) == 0) {
        chunk *= 2;
    }
    Tensor context = ttnn::transformer::scaled_dot_product_attention(
        heads.query, heads.key, heads.value, std::nullopt, /*is_causal=*/true, std::nullopt, std::nullopt, memory,
        program(heads.query, chunk, chunk), kernel);
    Tensor joined = ttnn::experimental::nlp_concat_heads(context, memory);
    ttnn::deallocate(context);
    return joined;
}

Tensor attend_token(
    const Tensor& query, const KeyValueCache& cache, const Tensor& cur_pos,
    const ttnn::DeviceComputeKernelConfig& kernel, const std::optional<ttnn::MemoryConfig>& memory) {
    Tensor context = ttnn::transformer::scaled_dot_product_attention_decode(
        query, cache.key, cache.value, /*is_causal=*/true, std::nullopt, {}, cur_pos, std::nullopt, std::nullopt,
        std::nullopt, std::nullopt, program(query, 0, 0), kernel);
    // One user a core again, as the queries lie.
    Tensor by_user = ttnn::to_memory_config(context, query.memory_config());
    ttnn::deallocate(context);
    const std::uint32_t users = query.logical_shape()[1];
    // Users whose cores are no rectangle need to be told where the heads may go: anywhere.
    const ttnn::CoreCoord grid = query.device()->compute_with_storage_grid_size();
    Tensor by_head = ttnn::experimental::nlp_concat_heads_decode(
        by_user, query.logical_shape()[2], std::nullopt, std::nullopt,
        ttnn::CoreRangeSet(ttnn::CoreRange({0, 0}, {grid.x - 1, grid.y - 1})));
    ttnn::deallocate(by_user);
    Tensor joined = ttnn::to_memory_config(by_head, memory.value_or(ttnn::DRAM_MEMORY_CONFIG));
    ttnn::deallocate(by_head);
    if (users == joined.logical_shape()[2]) {
        return joined;
    }
    Tensor result = rows(joined, 0, users);
    ttnn::deallocate(joined);
    return result;
}

Tensor as_hidden(const Tensor& found) {
    const auto& shape = found.logical_shape();
    return ttnn::reshape(found, ttnn::Shape{1, 1, shape[1], shape[2]});
}

Tensor take_token(const Tensor& hidden, std::int64_t index) { return rows(hidden, narrow(index), narrow(index) + 1); }

StepOutputs pick_likeliest(const Tensor& logits) {
    const Tensor in_rows = ttnn::to_layout(logits, ttnn::Layout::ROW_MAJOR);
    return {.logits = in_rows, .best = ttnn::argmax(in_rows, /*dim=*/-1)};
}

}  // namespace zoo

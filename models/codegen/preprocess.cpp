// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/preprocess.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/work_split.hpp>

#include "zoo/device_tensor.hpp"

namespace zoo::codegen {
namespace {

using ttnn::MeshDevice;

constexpr std::int64_t kParts = 4;
constexpr std::int64_t kTile = 32;

// Tiles below each other that turn neighbours.
HostTensor turning_tiles(std::int64_t count) {
    HostTensor tiles = zeros({1, 1, kTile * count, kTile});
    for (std::int64_t row = 0; row < kTile * count; row += 2) {
        const std::int64_t column = row % kTile;
        tiles.data[static_cast<std::size_t>(row * kTile + column + 1)] = 1.0F;
        tiles.data[static_cast<std::size_t>((row + 1) * kTile + column)] = -1.0F;
    }
    return tiles;
}

}  // namespace

HostTensor reorder_qkv(const Config& config, const HostTensor& qkv_proj) {
    const std::int64_t width = qkv_proj.shape[1];
    const std::int64_t part_rows = config.n_embd / kParts;   // of the queries, values or keys of a part
    constexpr std::array<std::int64_t, 3> kPlaces{0, 2, 1};  // of queries, keys, values within a part
    HostTensor result{qkv_proj.shape, {}};
    result.data.reserve(qkv_proj.data.size());
    for (const std::int64_t place : kPlaces) {
        for (std::int64_t part = 0; part < kParts; ++part) {
            const auto from = qkv_proj.data.begin() + (part * 3 + place) * part_rows * width;
            result.data.insert(result.data.end(), from, from + part_rows * width);
        }
    }
    return result;
}

Angles rotary_angles(const Config& config) {
    Angles angles{zeros({config.n_positions, config.head_size()}), zeros({config.n_positions, config.head_size()})};
    std::ranges::fill(angles.cos.data, 1.0F);
    for (std::int64_t position = 0; position < config.n_positions; ++position) {
        for (std::int64_t column = 0; column < config.rotary_dim; ++column) {
            const double frequency =
                std::pow(10000.0, -static_cast<double>(column / 2 * 2) / static_cast<double>(config.rotary_dim));
            const double angle = static_cast<double>(position) * frequency;
            const auto at = static_cast<std::size_t>(position * config.head_size() + column);
            angles.cos.data[at] = static_cast<float>(std::cos(angle));
            angles.sin.data[at] = static_cast<float>(std::sin(angle));
        }
    }
    return angles;
}

RotaryParameters rotary_parameters(const Config& config, std::int64_t batch, MeshDevice& device) {
    const Angles angles = rotary_angles(config);
    const auto cores = tt::tt_metal::num_cores_to_corerangeset(
        static_cast<std::uint32_t>(batch), device.compute_with_storage_grid_size(), /*row_wise=*/true);
    const ttnn::MemoryConfig by_user(
        ttnn::TensorMemoryLayout::HEIGHT_SHARDED, ttnn::BufferType::L1, tt::tt_metal::ShardSpec(cores, {kTile, kTile}));
    return {
        .cos = table_parameter(angles.cos, device),
        .sin = table_parameter(angles.sin, device),
        .turn = from_host(turning_tiles(1), {}, &device),
        .turn_by_user = from_host(turning_tiles(batch), {.memory_config = by_user}, &device)};
}

LayerParameters preprocess(
    const Config& config, const LayerWeights& weights, ttnn::DataType weight_dtype, MeshDevice& device) {
    return {
        .ln_1 = layer_norm_parameters(weights.ln_1, device),
        .attn =
            {.qkv_proj = linear_parameters(
                 reorder_qkv(config, weights.attn.qkv_proj.weight), weights.attn.qkv_proj.bias, weight_dtype, device),
             .out_proj = linear_parameters(weights.attn.out_proj, weight_dtype, device)},
        .mlp = {
            .fc_in = linear_parameters(weights.mlp.fc_in, weight_dtype, device),
            .fc_out = linear_parameters(weights.mlp.fc_out, weight_dtype, device)}};
}

Parameters preprocess(
    const Config& config, const Weights& weights, ttnn::DataType weight_dtype, std::int64_t batch, MeshDevice& device) {
    Parameters parameters;
    parameters.wte = table_parameter(weights.wte, device);
    for (const LayerWeights& layer : weights.h) {
        parameters.h.push_back(preprocess(config, layer, weight_dtype, device));
    }
    parameters.ln_f = layer_norm_parameters(weights.ln_f, device);
    parameters.lm_head = linear_parameters(weights.lm_head, weight_dtype, device);
    parameters.rotary = rotary_parameters(config, batch, device);
    return parameters;
}

}  // namespace zoo::codegen

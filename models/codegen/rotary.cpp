// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/rotary.hpp"

#include <cstdint>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "ttnn/operations/experimental/transformer/rotary_embedding_llama/rotary_embedding_llama.hpp"

namespace zoo::codegen {
namespace {

using ttnn::Tensor;

// Products keep all their bits; the card rounds each of the three steps to bfloat16.
const ttnn::DeviceComputeKernelConfig kRotary{
    .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false};

Tensor look_up(const Tensor& positions, const Tensor& table, const ttnn::Shape& shape) {
    return ttnn::reshape(ttnn::embedding(positions, table, /*pad_token=*/std::nullopt, ttnn::Layout::TILE), shape);
}

}  // namespace

StepAngles sequence_angles(const RotaryParameters& parameters, const Tensor& positions) {
    const ttnn::Shape shape{1, 1, positions.logical_shape()[1], parameters.cos.logical_shape()[1]};
    return {look_up(positions, parameters.cos, shape), look_up(positions, parameters.sin, shape)};
}

StepAngles token_angles(const RotaryParameters& parameters, const Tensor& positions) {
    const std::uint32_t width = parameters.cos.logical_shape()[1];
    const ttnn::Shape shape{1, positions.logical_shape()[1], 1, width};
    // On the cores that have a tile to turn with.
    tt::tt_metal::ShardSpec shard = *parameters.turn_by_user.shard_spec();
    shard.shape[1] = width;
    const ttnn::MemoryConfig by_user(ttnn::TensorMemoryLayout::HEIGHT_SHARDED, ttnn::BufferType::L1, shard);
    const auto place = [&](const Tensor& table) {
        Tensor angles = look_up(positions, table, shape);
        Tensor placed = ttnn::to_memory_config(angles, by_user);
        ttnn::deallocate(angles);
        return placed;
    };
    return {place(parameters.cos), place(parameters.sin)};
}

Tensor rotate(const Tensor& x, const StepAngles& angles, const Tensor& turn, bool step) {
    return ttnn::experimental::rotary_embedding_llama(x, angles.cos, angles.sin, turn, step, std::nullopt, kRotary);
}

}  // namespace zoo::codegen

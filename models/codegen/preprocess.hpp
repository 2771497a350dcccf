// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/codegen/config.hpp"
#include "models/codegen/weights.hpp"
#include "ttnn/types.hpp"
#include "zoo/layer_parameters.hpp"

namespace zoo::codegen {

// Parameters are weights on the device, in the structure of Weights.

struct AttentionParameters {
    LinearParameters qkv_proj;  // [n_embd, 3 * n_embd]: all queries, all keys, all values
    LinearParameters out_proj;
};

struct MlpParameters {
    LinearParameters fc_in;
    LinearParameters fc_out;
};

struct LayerParameters {
    LayerNormParameters ln_1;
    AttentionParameters attn;
    MlpParameters mlp;
};

// Angles of all positions, BFLOAT16; columns past rotary_dim have cos 1 and sin 0, so that nothing turns there.
struct RotaryParameters {
    ttnn::Tensor cos;  // [n_positions, head_size], ROW_MAJOR
    ttnn::Tensor sin;
    ttnn::Tensor turn;          // [1, 1, 32, 32], TILE: (x0, x1) to (-x1, x0)
    ttnn::Tensor turn_by_user;  // a copy on each core that has a user
};

struct Parameters {
    ttnn::Tensor wte;  // [vocab_size, n_embd], ROW_MAJOR, BFLOAT16
    std::vector<LayerParameters> h;
    LayerNormParameters ln_f;
    LinearParameters lm_head;
    RotaryParameters rotary;
};

// Copies to the device's DRAM, interleaved; weight_dtype is that of matrices. The host weights are not needed after that.
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, ttnn::DataType weight_dtype, std::int64_t batch,
    ttnn::MeshDevice& device);
[[nodiscard]] LayerParameters preprocess(
    const Config& config, const LayerWeights& weights, ttnn::DataType weight_dtype, ttnn::MeshDevice& device);
[[nodiscard]] RotaryParameters rotary_parameters(const Config& config, std::int64_t batch, ttnn::MeshDevice& device);

// The rows of qkv_proj in the order of TTNN: all heads' queries, then keys, then values.
[[nodiscard]] HostTensor reorder_qkv(const Config& config, const HostTensor& qkv_proj);

// cos and sin of each position and column, [n_positions, head_size].
struct Angles {
    HostTensor cos;
    HostTensor sin;
};
[[nodiscard]] Angles rotary_angles(const Config& config);

}  // namespace zoo::codegen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/gpt2/config.hpp"
#include "models/gpt2/weights.hpp"
#include "ttnn/types.hpp"
#include "zoo/layer_parameters.hpp"

namespace zoo::gpt2 {

// Parameters are weights on the device, in the structure of Weights.

struct AttentionParameters {
    LinearParameters c_attn;
    LinearParameters c_proj;
};

struct MlpParameters {
    LinearParameters c_fc;
    LinearParameters c_proj;
};

struct LayerParameters {
    LayerNormParameters ln_1;
    AttentionParameters attn;
    LayerNormParameters ln_2;
    MlpParameters mlp;
};

struct Parameters {
    ttnn::Tensor wte;  // [vocab_size, n_embd], ROW_MAJOR, BFLOAT16, as the embedding op reads it
    ttnn::Tensor wpe;  // [n_positions, n_embd], ROW_MAJOR, BFLOAT16
    std::vector<LayerParameters> h;
    LayerNormParameters ln_f;
    ttnn::Tensor head;  // [n_embd, vocab_size], TILE: wte transposed
};

// Copies to the device's DRAM, interleaved; weight_dtype is that of matrices. The host weights are not needed after that.
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, ttnn::DataType weight_dtype, ttnn::MeshDevice& device);
[[nodiscard]] LayerParameters preprocess(
    const LayerWeights& weights, ttnn::DataType weight_dtype, ttnn::MeshDevice& device);

}  // namespace zoo::gpt2

// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/preprocess.hpp"

#include "zoo/device_tensor.hpp"

namespace zoo::gpt2 {
namespace {

using ttnn::MeshDevice;

LinearParameters linear(const Linear& weights, ttnn::DataType dtype, MeshDevice& device) {
    return linear_parameters(weights.weight, weights.bias, dtype, device);
}

LayerNormParameters layer_norm(const LayerNorm& weights, MeshDevice& device) {
    return layer_norm_parameters(weights.weight, weights.bias, device);
}

}  // namespace

LayerParameters preprocess(const LayerWeights& weights, ttnn::DataType weight_dtype, MeshDevice& device) {
    return {
        .ln_1 = layer_norm(weights.ln_1, device),
        .attn =
            {.c_attn = linear(weights.attn.c_attn, weight_dtype, device),
             .c_proj = linear(weights.attn.c_proj, weight_dtype, device)},
        .ln_2 = layer_norm(weights.ln_2, device),
        .mlp = {
            .c_fc = linear(weights.mlp.c_fc, weight_dtype, device),
            .c_proj = linear(weights.mlp.c_proj, weight_dtype, device)}};
}

Parameters preprocess(const Config&, const Weights& weights, ttnn::DataType weight_dtype, MeshDevice& device) {
    Parameters parameters;
    parameters.wte = table_parameter(weights.wte, device);
    parameters.wpe = table_parameter(weights.wpe, device);
    for (const LayerWeights& layer : weights.h) {
        parameters.h.push_back(preprocess(layer, weight_dtype, device));
    }
    parameters.ln_f = layer_norm(weights.ln_f, device);
    parameters.head = from_host(transpose(weights.wte), {.dtype = weight_dtype}, &device);
    return parameters;
}

}  // namespace zoo::gpt2

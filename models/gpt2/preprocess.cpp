// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/preprocess.hpp"

#include "zoo/device_tensor.hpp"

namespace zoo::gpt2 {

using ttnn::MeshDevice;

LayerParameters preprocess(const LayerWeights& weights, ttnn::DataType weight_dtype, MeshDevice& device) {
    return {
        .ln_1 = layer_norm_parameters(weights.ln_1, device),
        .attn =
            {.c_attn = linear_parameters(weights.attn.c_attn, weight_dtype, device),
             .c_proj = linear_parameters(weights.attn.c_proj, weight_dtype, device)},
        .ln_2 = layer_norm_parameters(weights.ln_2, device),
        .mlp = {
            .c_fc = linear_parameters(weights.mlp.c_fc, weight_dtype, device),
            .c_proj = linear_parameters(weights.mlp.c_proj, weight_dtype, device)}};
}

Parameters preprocess(const Config&, const Weights& weights, ttnn::DataType weight_dtype, MeshDevice& device) {
    Parameters parameters;
    parameters.wte = table_parameter(weights.wte, device);
    parameters.wpe = table_parameter(weights.wpe, device);
    for (const LayerWeights& layer : weights.h) {
        parameters.h.push_back(preprocess(layer, weight_dtype, device));
    }
    parameters.ln_f = layer_norm_parameters(weights.ln_f, device);
    parameters.head = from_host(transpose(weights.wte), {.dtype = weight_dtype}, &device);
    return parameters;
}

}  // namespace zoo::gpt2

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/bert/torch_modules.hpp"

#include <torch/nn.h>

#include <cstring>

namespace zoo::bert::torch_modules {
namespace {

torch::Tensor copy_of(const HostTensor& tensor) {
    return torch::from_blob(const_cast<float*>(tensor.data.data()), tensor.shape, torch::kFloat).clone();
}

HostTensor take(const torch::Tensor& result) {
    const torch::Tensor flat = result.contiguous();
    HostTensor out{flat.sizes().vec(), std::vector<float>(static_cast<std::size_t>(flat.numel()))};
    std::memcpy(out.data.data(), flat.data_ptr<float>(), out.data.size() * sizeof(float));
    return out;
}

struct BertIntermediate : torch::nn::Module {
    BertIntermediate(std::int64_t hidden_size, std::int64_t intermediate_size)
        : dense(register_module("dense", torch::nn::Linear(hidden_size, intermediate_size))) {}

    torch::Tensor forward(const torch::Tensor& hidden_states) {
        return torch::nn::functional::gelu(dense->forward(hidden_states));
    }

    torch::nn::Linear dense;
};

void set(torch::nn::Linear& module, const Linear& weights) {
    module->weight.copy_(copy_of(weights.weight));
    module->bias.copy_(copy_of(weights.bias));
}

void set(torch::nn::LayerNorm& module, const LayerNorm& weights) {
    module->weight.copy_(copy_of(weights.weight));
    module->bias.copy_(copy_of(weights.bias));
}

}  // namespace

HostTensor intermediate(const Config& config, const Linear& weights, const HostTensor& hidden) {
    const torch::NoGradGuard no_grad;
    BertIntermediate module(config.hidden_size, config.intermediate_size);
    set(module.dense, weights);
    module.eval();
    return take(module.forward(copy_of(hidden)));
}

HostTensor encoder(
    const Config& config, const std::vector<LayerWeights>& layers, const HostTensor& hidden, const Inputs& inputs) {
    const torch::NoGradGuard no_grad;
    // The module wants [sequence, batch, hidden], and true where a key is padding.
    torch::Tensor x = copy_of(hidden).transpose(0, 1);
    torch::Tensor padding = torch::empty({inputs.batch, inputs.sequence}, torch::kBool);
    for (std::size_t i = 0; i < inputs.attention_mask.size(); ++i) {
        padding.data_ptr<bool>()[i] = inputs.attention_mask[i] == 0;
    }
    for (const LayerWeights& weights : layers) {
        torch::nn::TransformerEncoderLayer layer(
            torch::nn::TransformerEncoderLayerOptions(config.hidden_size, config.num_attention_heads)
                .dim_feedforward(config.intermediate_size)
                .dropout(0.0)
                .activation(torch::kGELU));
        const AttentionWeights& attention = weights.attention;
        layer->self_attn->in_proj_weight.copy_(torch::cat(
            {copy_of(attention.query.weight), copy_of(attention.key.weight), copy_of(attention.value.weight)}));
        layer->self_attn->in_proj_bias.copy_(
            torch::cat({copy_of(attention.query.bias), copy_of(attention.key.bias), copy_of(attention.value.bias)}));
        layer->self_attn->out_proj->weight.copy_(copy_of(attention.output.weight));
        layer->self_attn->out_proj->bias.copy_(copy_of(attention.output.bias));
        set(layer->norm1, attention.layer_norm);
        set(layer->linear1, weights.feed_forward.intermediate);
        set(layer->linear2, weights.feed_forward.output);
        set(layer->norm2, weights.feed_forward.layer_norm);
        layer->norm1->options.eps(config.layer_norm_eps);
        layer->norm2->options.eps(config.layer_norm_eps);
        layer->eval();
        x = layer->forward(x, {}, padding);
    }
    return take(x.transpose(0, 1));
}

}  // namespace zoo::bert::torch_modules

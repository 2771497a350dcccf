// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/torch_gpt2.hpp"

#include <ATen/ATen.h>

#include <optional>
#include <vector>

#include "zoo/causal/torch_network.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::gpt2::golden {

// The network itself, on torch's tensors. The public functions below only convert.
namespace network {
namespace {

using causal::Cache;
using causal::network::attend;
using causal::network::linear;
using causal::network::look_up;

at::Tensor layer_norm(const Config& config, const LayerNorm& weights, const at::Tensor& x) {
    return causal::network::layer_norm(config.layer_norm_epsilon, weights, x);
}

at::Tensor embeddings(const Weights& weights, std::span<const std::int32_t> ids, std::int64_t position) {
    const TorchScope scope(__func__);
    return look_up(weights.wte, ids) + torch_view(weights.wpe).slice(0, position, position + std::ssize(ids));
}

// x [1, sequence, n_embd]; with a cache, the sequence stands at its position and sees what is there.
at::Tensor attention(
    const Config& config, const AttentionWeights& weights, const at::Tensor& x, const std::optional<Cache>& cache) {
    const TorchScope scope(__func__);
    const std::int64_t length = x.size(1);
    const auto split = [&](const at::Tensor& part) {
        return part.view({1, length, config.n_head, config.head_size()}).transpose(1, 2);
    };
    const std::vector<at::Tensor> parts = linear(weights.c_attn, x).split(config.n_embd, 2);
    return linear(weights.c_proj, attend(split(parts[0]), split(parts[1]), split(parts[2]), cache));
}

at::Tensor mlp(const MlpWeights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    return linear(weights.c_proj, at::gelu(linear(weights.c_fc, x), "tanh"));
}

at::Tensor block(
    const Config& config, const LayerWeights& weights, const at::Tensor& x, const std::optional<Cache>& cache) {
    const TorchScope scope(__func__);
    const at::Tensor attended = x + attention(config, weights.attn, layer_norm(config, weights.ln_1, x), cache);
    return attended + mlp(weights.mlp, layer_norm(config, weights.ln_2, attended));
}

at::Tensor gpt2(
    const Config& config, const Weights& weights, std::span<const std::int32_t> ids, const std::vector<Cache>* caches) {
    const std::int64_t position = caches != nullptr ? caches->front().position : 0;
    at::Tensor x = embeddings(weights, ids, position);
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        x = block(config, weights.h[i], x, caches != nullptr ? std::optional((*caches)[i]) : std::nullopt);
    }
    return layer_norm(config, weights.ln_f, x);
}

at::Tensor head(const Weights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    return x.numel() == x.size(-1) ? at::mv(torch_view(weights.wte), x.reshape(-1)).view({1, 1, -1})
                                   : at::linear(x, torch_view(weights.wte));
}

}  // namespace
}  // namespace network

HostTensor embeddings(const Config&, const Weights& weights, std::span<const std::int32_t> ids) {
    return from_torch(network::embeddings(weights, ids, 0));
}

HostTensor attention(const Config& config, const AttentionWeights& weights, const HostTensor& hidden) {
    return from_torch(network::attention(config, weights, torch_view(hidden), std::nullopt));
}

HostTensor mlp(const Config&, const MlpWeights& weights, const HostTensor& hidden) {
    return from_torch(network::mlp(weights, torch_view(hidden)));
}

HostTensor block(const Config& config, const LayerWeights& weights, const HostTensor& hidden) {
    return from_torch(network::block(config, weights, torch_view(hidden), std::nullopt));
}

HostTensor gpt2(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return from_torch(network::gpt2(config, weights, ids, nullptr));
}

HostTensor logits(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return from_torch(network::head(weights, network::gpt2(config, weights, ids, nullptr)));
}

Decoder::Decoder(const Config& config, const Weights& weights, std::int64_t batch)
    : causal::Decoder(
          {.batch = batch,
           .layers = config.n_layer,
           .heads = config.n_head,
           .head_size = config.head_size(),
           .positions = config.n_positions,
           .vocab_size = config.vocab_size},
          [&config, &weights](std::span<const std::int32_t> tokens, const std::vector<causal::Cache>& caches) {
              const at::Tensor hidden = network::gpt2(config, weights, tokens, &caches);
              return from_torch(network::head(weights, hidden.narrow(1, hidden.size(1) - 1, 1)));
          },
          "gpt2::golden::Decoder") {}

}  // namespace zoo::gpt2::golden

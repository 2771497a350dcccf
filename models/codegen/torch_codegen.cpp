// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/torch_codegen.hpp"

#include <ATen/ATen.h>

#include <optional>
#include <vector>

#include "zoo/causal/torch_network.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::codegen::golden {

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

at::Tensor embeddings(const Weights& weights, std::span<const std::int32_t> ids) {
    const TorchScope scope(__func__);
    return look_up(weights.wte, ids);
}

// Hugging Face's own steps: pairs of neighbours among the first rotary_dim columns turn by an angle of the position.
at::Tensor rotate(const Config& config, const at::Tensor& x, std::int64_t position) {
    const TorchScope scope(__func__);
    const at::Tensor places = at::arange(position, position + x.size(2), at::kFloat);
    const at::Tensor exponents =
        at::arange(0, config.rotary_dim, 2, at::kFloat) / static_cast<double>(config.rotary_dim);
    const at::Tensor angles = at::outer(places, at::pow(10000.0, -exponents)).repeat_interleave(2, 1);
    const at::Tensor turned_part = x.narrow(3, 0, config.rotary_dim);
    const at::Tensor even = turned_part.slice(3, 0, config.rotary_dim, 2);
    const at::Tensor odd = turned_part.slice(3, 1, config.rotary_dim, 2);
    const at::Tensor swapped = at::stack({-odd, even}, -1).flatten(-2);
    const at::Tensor rest = x.narrow(3, config.rotary_dim, x.size(3) - config.rotary_dim);
    return at::cat({turned_part * at::cos(angles) + swapped * at::sin(angles), rest}, 3);
}

// x [1, sequence, n_embd]; with a cache, the sequence stands at its position and sees what is there.
at::Tensor attention(
    const Config& config, const AttentionWeights& weights, const at::Tensor& x, const std::optional<Cache>& cache) {
    const TorchScope scope(__func__);
    constexpr std::int64_t kParts = 4;
    const std::int64_t length = x.size(1);
    const std::int64_t position = cache ? cache->position : 0;
    // [1, sequence, parts, heads of a part * 3 * head_size]: queries, values, keys.
    const std::vector<at::Tensor> parts =
        linear(weights.qkv_proj, x).view({1, length, kParts, -1}).split(config.n_embd / kParts, 3);
    const auto split = [&](const at::Tensor& part) {
        return part.reshape({1, length, config.n_head, config.head_size()}).transpose(1, 2);
    };
    const at::Tensor query = rotate(config, split(parts[0]), position);
    const at::Tensor key = rotate(config, split(parts[2]), position);
    return linear(weights.out_proj, attend(query, key, split(parts[1]), cache));
}

at::Tensor mlp(const MlpWeights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    return linear(weights.fc_out, at::gelu(linear(weights.fc_in, x), "tanh"));
}

at::Tensor block(
    const Config& config, const LayerWeights& weights, const at::Tensor& x, const std::optional<Cache>& cache) {
    const TorchScope scope(__func__);
    const at::Tensor normed = layer_norm(config, weights.ln_1, x);
    return attention(config, weights.attn, normed, cache) + mlp(weights.mlp, normed) + x;
}

at::Tensor codegen(
    const Config& config, const Weights& weights, std::span<const std::int32_t> ids, const std::vector<Cache>* caches) {
    at::Tensor x = embeddings(weights, ids);
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        x = block(config, weights.h[i], x, caches != nullptr ? std::optional((*caches)[i]) : std::nullopt);
    }
    return layer_norm(config, weights.ln_f, x);
}

at::Tensor head(const Weights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    return linear(weights.lm_head, x);
}

}  // namespace
}  // namespace network

HostTensor embeddings(const Config&, const Weights& weights, std::span<const std::int32_t> ids) {
    return from_torch(network::embeddings(weights, ids));
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

HostTensor codegen(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return from_torch(network::codegen(config, weights, ids, nullptr));
}

HostTensor logits(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return from_torch(network::head(weights, network::codegen(config, weights, ids, nullptr)));
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
              const at::Tensor hidden = network::codegen(config, weights, tokens, &caches);
              return from_torch(network::head(weights, hidden.narrow(1, hidden.size(1) - 1, 1)));
          },
          "codegen::golden::Decoder") {}

}  // namespace zoo::codegen::golden

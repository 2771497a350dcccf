// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/torch_codegen.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>

#include "zoo/error.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::codegen::golden {

// The network itself, on torch's tensors. The public functions below only convert.
namespace network {
namespace {

// One row is a matrix times a vector: BLAS reads the weights once, where a general product would lay them out anew first.
at::Tensor linear(const Linear& weights, const at::Tensor& x) {
    const at::Tensor weight = torch_view(weights.weight);
    const bool has_bias = !weights.bias.data.empty();
    if (x.numel() == x.size(-1)) {
        const at::Tensor row = x.reshape(-1);
        return (has_bias ? at::addmv(torch_view(weights.bias), weight, row) : at::mv(weight, row)).view({1, 1, -1});
    }
    return has_bias ? at::linear(x, weight, torch_view(weights.bias)) : at::linear(x, weight);
}

at::Tensor layer_norm(const Config& config, const LayerNorm& weights, const at::Tensor& x) {
    return at::layer_norm(
        x, {config.n_embd}, torch_view(weights.weight), torch_view(weights.bias), config.layer_norm_epsilon, false);
}

// Keys and values of one layer, [users, heads, positions, head_size], and where the new ones go.
struct Cache {
    at::Tensor keys;
    at::Tensor values;
    std::int64_t user = 0;
    std::int64_t position = 0;
};

at::Tensor embeddings(const Weights& weights, std::span<const std::int32_t> ids) {
    at::Tensor index = at::empty({1, static_cast<std::int64_t>(ids.size())}, at::kLong);
    std::copy(ids.begin(), ids.end(), index.data_ptr<std::int64_t>());
    return at::embedding(torch_view(weights.wte), index);
}

// Hugging Face's own steps: pairs of neighbours among the first rotary_dim columns turn by an angle of the position.
at::Tensor rotate(const Config& config, const at::Tensor& x, std::int64_t position) {
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
    at::Tensor value = split(parts[1]);
    at::Tensor key = rotate(config, split(parts[2]), position);
    if (cache) {
        const auto store = [&](const at::Tensor& all, const at::Tensor& fresh) {
            const at::Tensor own = all.narrow(0, cache->user, 1);
            own.narrow(2, cache->position, length).copy_(fresh);
            return own.narrow(2, 0, cache->position + length);
        };
        key = store(cache->keys, key);
        value = store(cache->values, value);
    }
    at::Tensor scores =
        at::matmul(query, key.transpose(2, 3)).mul_(1.0 / std::sqrt(static_cast<double>(config.head_size())));
    if (length > 1) {
        const at::Tensor hidden = at::ones({length, key.size(2)}, at::kBool).triu(key.size(2) - length + 1);
        scores = scores.masked_fill(hidden, -INFINITY);
    }
    const at::Tensor mixed = at::matmul(at::softmax(scores, -1), value);
    return linear(weights.out_proj, mixed.transpose(1, 2).reshape({1, length, config.n_embd}));
}

at::Tensor mlp(const MlpWeights& weights, const at::Tensor& x) {
    return linear(weights.fc_out, at::gelu(linear(weights.fc_in, x), "tanh"));
}

at::Tensor block(
    const Config& config, const LayerWeights& weights, const at::Tensor& x, const std::optional<Cache>& cache) {
    const at::Tensor normed = layer_norm(config, weights.ln_1, x);
    return attention(config, weights.attn, normed, cache) + mlp(weights.mlp, normed) + x;
}

at::Tensor codegen(
    const Config& config, const Weights& weights, std::span<const std::int32_t> ids, std::vector<Cache>* caches) {
    at::Tensor x = embeddings(weights, ids);
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        x = block(config, weights.h[i], x, caches != nullptr ? std::optional((*caches)[i]) : std::nullopt);
    }
    return layer_norm(config, weights.ln_f, x);
}

at::Tensor head(const Weights& weights, const at::Tensor& x) { return linear(weights.lm_head, x); }

}  // namespace
}  // namespace network

namespace {

HostTensor take(const at::Tensor& result) {
    const at::Tensor flat = result.contiguous();
    HostTensor out{flat.sizes().vec(), std::vector<float>(static_cast<std::size_t>(flat.numel()))};
    std::memcpy(out.data.data(), flat.data_ptr<float>(), out.data.size() * sizeof(float));
    return out;
}

}  // namespace

HostTensor embeddings(const Config&, const Weights& weights, std::span<const std::int32_t> ids) {
    return take(network::embeddings(weights, ids));
}

HostTensor attention(const Config& config, const AttentionWeights& weights, const HostTensor& hidden) {
    return take(network::attention(config, weights, torch_view(hidden), std::nullopt));
}

HostTensor mlp(const Config&, const MlpWeights& weights, const HostTensor& hidden) {
    return take(network::mlp(weights, torch_view(hidden)));
}

HostTensor block(const Config& config, const LayerWeights& weights, const HostTensor& hidden) {
    return take(network::block(config, weights, torch_view(hidden), std::nullopt));
}

HostTensor codegen(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return take(network::codegen(config, weights, ids, nullptr));
}

HostTensor logits(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return take(network::head(weights, network::codegen(config, weights, ids, nullptr)));
}

struct Decoder::Impl {
    const Config& config;
    const Weights& weights;
    std::int64_t batch;
    std::vector<network::Cache> caches;

    NextToken next(std::int64_t user, std::int64_t position, std::span<const std::int32_t> tokens, bool logits) {
        for (network::Cache& cache : caches) {
            cache.user = user;
            cache.position = position;
        }
        const at::Tensor hidden = network::codegen(config, weights, tokens, &caches);
        const HostTensor row = take(network::head(weights, hidden.narrow(1, hidden.size(1) - 1, 1)));
        NextToken result{.best = static_cast<std::int32_t>(std::ranges::max_element(row.data) - row.data.begin())};
        if (logits) {
            result.logits = row.data;
        }
        return result;
    }
};

Decoder::Decoder(const Config& config, const Weights& weights, std::int64_t batch)
    : impl_(std::make_unique<Impl>(Impl{config, weights, batch, {}})) {
    for (std::int64_t i = 0; i < config.n_layer; ++i) {
        const std::vector<std::int64_t> shape{batch, config.n_head, config.n_positions, config.head_size()};
        impl_->caches.push_back({.keys = at::zeros(shape), .values = at::zeros(shape)});
    }
}

Decoder::~Decoder() = default;

std::int64_t Decoder::batch() const { return impl_->batch; }
std::int64_t Decoder::context() const { return impl_->config.n_positions; }
std::int64_t Decoder::vocab_size() const { return impl_->config.vocab_size; }

NextToken Decoder::prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) {
    if (tokens.empty() || std::ssize(tokens) > context()) {
        fail(
            "codegen::golden::Decoder", "a text of ", tokens.size(), " tokens was given; it must have 1 to ",
            context());
    }
    return impl_->next(user, 0, tokens, logits);
}

std::vector<NextToken> Decoder::decode(
    std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) {
    std::vector<NextToken> result(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (positions[i] >= context()) {
            fail(
                "codegen::golden::Decoder", "position ", positions[i], " is past the context of ", context(),
                " tokens");
        }
        if (positions[i] >= 0) {
            result[i] = impl_->next(static_cast<std::int64_t>(i), positions[i], tokens.subspan(i, 1), logits);
        }
    }
    return result;
}

}  // namespace zoo::codegen::golden

// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/torch_gpt2.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>

#include "zoo/error.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::gpt2::golden {

// The network itself, on torch's tensors. The public functions below only convert.
namespace network {
namespace {

// One row is a matrix times a vector: BLAS reads the weights once, where a general product would lay them out anew first.
at::Tensor linear(const Linear& weights, const at::Tensor& x) {
    if (x.numel() == x.size(-1)) {
        return at::addmv(torch_view(weights.bias), torch_view(weights.weight), x.reshape(-1)).view({1, 1, -1});
    }
    return at::linear(x, torch_view(weights.weight), torch_view(weights.bias));
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

at::Tensor embeddings(const Weights& weights, std::span<const std::int32_t> ids, std::int64_t position) {
    at::Tensor index = at::empty({1, static_cast<std::int64_t>(ids.size())}, at::kLong);
    std::copy(ids.begin(), ids.end(), index.data_ptr<std::int64_t>());
    return at::embedding(torch_view(weights.wte), index) +
           torch_view(weights.wpe).slice(0, position, position + index.size(1));
}

// x [1, sequence, n_embd]; with a cache, the sequence stands at its position and sees what is there.
at::Tensor attention(
    const Config& config, const AttentionWeights& weights, const at::Tensor& x, const std::optional<Cache>& cache) {
    const std::int64_t length = x.size(1);
    const auto split = [&](const at::Tensor& part) {
        return part.view({1, length, config.n_head, config.head_size()}).transpose(1, 2);
    };
    const std::vector<at::Tensor> parts = linear(weights.c_attn, x).split(config.n_embd, 2);
    const at::Tensor query = split(parts[0]);
    at::Tensor key = split(parts[1]);
    at::Tensor value = split(parts[2]);
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
    return linear(weights.c_proj, mixed.transpose(1, 2).reshape({1, length, config.n_embd}));
}

at::Tensor mlp(const MlpWeights& weights, const at::Tensor& x) {
    return linear(weights.c_proj, at::gelu(linear(weights.c_fc, x), "tanh"));
}

at::Tensor block(
    const Config& config, const LayerWeights& weights, const at::Tensor& x, const std::optional<Cache>& cache) {
    const at::Tensor attended = x + attention(config, weights.attn, layer_norm(config, weights.ln_1, x), cache);
    return attended + mlp(weights.mlp, layer_norm(config, weights.ln_2, attended));
}

at::Tensor gpt2(
    const Config& config, const Weights& weights, std::span<const std::int32_t> ids, std::vector<Cache>* caches) {
    const std::int64_t position = caches != nullptr ? caches->front().position : 0;
    at::Tensor x = embeddings(weights, ids, position);
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        x = block(config, weights.h[i], x, caches != nullptr ? std::optional((*caches)[i]) : std::nullopt);
    }
    return layer_norm(config, weights.ln_f, x);
}

at::Tensor head(const Weights& weights, const at::Tensor& x) {
    return x.numel() == x.size(-1) ? at::mv(torch_view(weights.wte), x.reshape(-1)).view({1, 1, -1})
                                   : at::linear(x, torch_view(weights.wte));
}

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
    return take(network::embeddings(weights, ids, 0));
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

HostTensor gpt2(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return take(network::gpt2(config, weights, ids, nullptr));
}

HostTensor logits(const Config& config, const Weights& weights, std::span<const std::int32_t> ids) {
    return take(network::head(weights, network::gpt2(config, weights, ids, nullptr)));
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
        const at::Tensor hidden = network::gpt2(config, weights, tokens, &caches);
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
        fail("gpt2::golden::Decoder", "a text of ", tokens.size(), " tokens was given; it must have 1 to ", context());
    }
    return impl_->next(user, 0, tokens, logits);
}

std::vector<NextToken> Decoder::decode(
    std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) {
    std::vector<NextToken> result(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (positions[i] >= context()) {
            fail("gpt2::golden::Decoder", "position ", positions[i], " is past the context of ", context(), " tokens");
        }
        if (positions[i] >= 0) {
            result[i] = impl_->next(static_cast<std::int64_t>(i), positions[i], tokens.subspan(i, 1), logits);
        }
    }
    return result;
}

}  // namespace zoo::gpt2::golden

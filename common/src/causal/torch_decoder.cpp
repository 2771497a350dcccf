// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "zoo/causal/decoder.hpp"
#include "zoo/causal/torch_network.hpp"
#include "zoo/error.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::causal {

namespace network {

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

at::Tensor layer_norm(double epsilon, const LayerNorm& weights, const at::Tensor& x) {
    return at::layer_norm(x, {x.size(-1)}, torch_view(weights.weight), torch_view(weights.bias), epsilon, false);
}

at::Tensor look_up(const HostTensor& table, std::span<const std::int32_t> ids) {
    return at::embedding(torch_view(table), torch_index(ids, {1, std::ssize(ids)}));
}

at::Tensor attend(const at::Tensor& query, at::Tensor key, at::Tensor value, const std::optional<Cache>& cache) {
    const TorchScope scope(__func__);
    const std::int64_t length = query.size(2);
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
        at::matmul(query, key.transpose(2, 3)).mul_(1.0 / std::sqrt(static_cast<double>(query.size(3))));
    if (length > 1) {
        const at::Tensor hidden = at::ones({length, key.size(2)}, at::kBool).triu(key.size(2) - length + 1);
        scores = scores.masked_fill(hidden, -INFINITY);
    }
    return at::matmul(at::softmax(scores, -1), value).transpose(1, 2).reshape({1, length, -1});
}

}  // namespace network

Decoder::Decoder(const Sizes& sizes, LastLogits last_logits, std::string where)
    : sizes_(sizes), last_logits_(std::move(last_logits)), where_(std::move(where)) {
    const std::vector<std::int64_t> shape{sizes.batch, sizes.heads, sizes.positions, sizes.head_size};
    for (std::int64_t i = 0; i < sizes.layers; ++i) {
        caches_.push_back({.keys = at::zeros(shape), .values = at::zeros(shape)});
    }
}

Decoder::~Decoder() = default;

NextToken Decoder::next(std::int64_t user, std::int64_t position, std::span<const std::int32_t> tokens, bool logits) {
    for (Cache& cache : caches_) {
        cache.user = user;
        cache.position = position;
    }
    HostTensor row = last_logits_(tokens, caches_);
    NextToken result{.best = static_cast<std::int32_t>(std::ranges::max_element(row.data) - row.data.begin())};
    if (logits) {
        result.logits = std::move(row.data);
    }
    return result;
}

NextToken Decoder::prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) {
    if (tokens.empty() || std::ssize(tokens) > context()) {
        fail(where_, "a text of ", tokens.size(), " tokens was given; it must have 1 to ", context());
    }
    return next(user, 0, tokens, logits);
}

std::vector<NextToken> Decoder::decode(
    std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) {
    std::vector<NextToken> result(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (positions[i] >= context()) {
            fail(where_, "position ", positions[i], " is past the context of ", context(), " tokens");
        }
        if (positions[i] >= 0) {
            result[i] = next(static_cast<std::int64_t>(i), positions[i], tokens.subspan(i, 1), logits);
        }
    }
    return result;
}

}  // namespace zoo::causal

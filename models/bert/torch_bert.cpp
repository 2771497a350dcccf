// SPDX-License-Identifier: Apache-2.0
#include "models/bert/torch_bert.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "zoo/error.hpp"

namespace zoo::bert::golden {

// The network itself, on torch's tensors. The public functions below only convert.
namespace network {
namespace {

// A view; libtorch only reads through it.
at::Tensor view(const HostTensor& tensor) {
    return at::from_blob(const_cast<float*>(tensor.data.data()), tensor.shape, at::kFloat);
}

at::Tensor index(const Inputs& inputs, const std::vector<std::uint32_t>& ids) {
    at::Tensor out = at::empty({inputs.batch, inputs.sequence}, at::kLong);
    std::copy(ids.begin(), ids.end(), out.data_ptr<std::int64_t>());
    return out;
}

at::Tensor linear(const Linear& weights, const at::Tensor& x) {
    return at::linear(x, view(weights.weight), view(weights.bias));
}

at::Tensor layer_norm(const Config& config, const LayerNorm& weights, const at::Tensor& x) {
    return at::layer_norm(
        x, {config.hidden_size}, view(weights.weight), view(weights.bias), config.layer_norm_eps, false);
}

at::Tensor embeddings(const Config& config, const EmbeddingsWeights& weights, const Inputs& inputs) {
    const at::Tensor words = at::embedding(view(weights.word_embeddings), index(inputs, inputs.input_ids));
    const at::Tensor types = at::embedding(view(weights.token_type_embeddings), index(inputs, inputs.token_type_ids));
    const at::Tensor positions = view(weights.position_embeddings).slice(0, 0, inputs.sequence);
    return layer_norm(config, weights.layer_norm, words + types + positions);
}

// [batch, sequence, hidden] to [batch, heads, sequence, head_size].
at::Tensor split_heads(const Config& config, const at::Tensor& x) {
    return x.view({x.size(0), x.size(1), config.num_attention_heads, config.head_size()}).transpose(1, 2);
}

at::Tensor self_attention(
    const Config& config, const AttentionWeights& weights, const at::Tensor& hidden, const at::Tensor& mask) {
    const at::Tensor query = split_heads(config, linear(weights.query, hidden));
    const at::Tensor key = split_heads(config, linear(weights.key, hidden));
    const at::Tensor value = split_heads(config, linear(weights.value, hidden));

    const double scale = 1.0 / std::sqrt(static_cast<double>(config.head_size()));
    const at::Tensor scores = at::matmul(query, key.transpose(-2, -1)).mul_(scale).add_(mask);
    const at::Tensor context = at::matmul(at::softmax(scores, -1), value);
    return context.transpose(1, 2).reshape(hidden.sizes());
}

at::Tensor attention_output(
    const Config& config, const AttentionWeights& weights, const at::Tensor& context, const at::Tensor& hidden) {
    return layer_norm(config, weights.layer_norm, linear(weights.output, context) + hidden);
}

at::Tensor intermediate(const Linear& weights, const at::Tensor& hidden) {
    return at::gelu(linear(weights, hidden), "none");
}

at::Tensor feed_forward(const Config& config, const FeedForwardWeights& weights, const at::Tensor& hidden) {
    const at::Tensor wide = intermediate(weights.intermediate, hidden);
    return layer_norm(config, weights.layer_norm, linear(weights.output, wide) + hidden);
}

at::Tensor encoder_layer(
    const Config& config, const LayerWeights& weights, const at::Tensor& hidden, const at::Tensor& mask) {
    const at::Tensor context = self_attention(config, weights.attention, hidden, mask);
    const at::Tensor attended = attention_output(config, weights.attention, context, hidden);
    return feed_forward(config, weights.feed_forward, attended);
}

at::Tensor encoder(
    const Config& config, const std::vector<LayerWeights>& layers, at::Tensor hidden, const at::Tensor& mask) {
    for (const LayerWeights& layer : layers) {
        hidden = encoder_layer(config, layer, hidden, mask);
    }
    return hidden;
}

at::Tensor bert(const Config& config, const Weights& weights, const Inputs& inputs) {
    validate(config, inputs);
    const HostTensor mask = additive_mask(inputs);
    return encoder(config, weights.layers, embeddings(config, weights.embeddings, inputs), view(mask));
}

at::Tensor pooler(const Linear& weights, const at::Tensor& hidden) {
    return at::tanh(linear(weights, hidden.select(1, 0)));
}

template <class Head>
const Head& require(const std::optional<Head>& head, const char* function, const char* name) {
    if (!head) {
        fail(function, "the weights have no ", name, "; this task needs one");
    }
    return *head;
}

}  // namespace
}  // namespace network

namespace {

using network::view;

HostTensor take(const at::Tensor& result) {
    const at::Tensor flat = result.contiguous();
    HostTensor out{flat.sizes().vec(), std::vector<float>(static_cast<std::size_t>(flat.numel()))};
    std::memcpy(out.data.data(), flat.data_ptr<float>(), out.data.size() * sizeof(float));
    return out;
}

}  // namespace

HostTensor embeddings(const Config& config, const EmbeddingsWeights& weights, const Inputs& inputs) {
    validate(config, inputs);
    return take(network::embeddings(config, weights, inputs));
}

HostTensor self_attention(
    const Config& config, const AttentionWeights& weights, const HostTensor& hidden, const HostTensor& mask) {
    return take(network::self_attention(config, weights, view(hidden), view(mask)));
}

HostTensor attention_output(
    const Config& config, const AttentionWeights& weights, const HostTensor& context, const HostTensor& hidden) {
    return take(network::attention_output(config, weights, view(context), view(hidden)));
}

HostTensor intermediate(const Config&, const Linear& weights, const HostTensor& hidden) {
    return take(network::intermediate(weights, view(hidden)));
}

HostTensor feed_forward(const Config& config, const FeedForwardWeights& weights, const HostTensor& hidden) {
    return take(network::feed_forward(config, weights, view(hidden)));
}

HostTensor encoder_layer(
    const Config& config, const LayerWeights& weights, const HostTensor& hidden, const HostTensor& mask) {
    return take(network::encoder_layer(config, weights, view(hidden), view(mask)));
}

HostTensor encoder(
    const Config& config, const std::vector<LayerWeights>& layers, const HostTensor& hidden, const HostTensor& mask) {
    return take(network::encoder(config, layers, view(hidden), view(mask)));
}

HostTensor bert(const Config& config, const Weights& weights, const Inputs& inputs) {
    return take(network::bert(config, weights, inputs));
}

HostTensor pooler(const Config&, const Linear& weights, const HostTensor& hidden) {
    return take(network::pooler(weights, view(hidden)));
}

HostTensor for_question_answering(const Config& config, const Weights& weights, const Inputs& inputs) {
    const Linear& head = network::require(weights.qa_outputs, "bert::for_question_answering", "qa_outputs head");
    return take(network::linear(head, network::bert(config, weights, inputs)));
}

HostTensor for_masked_lm(const Config& config, const Weights& weights, const Inputs& inputs) {
    const PredictionsWeights& head =
        network::require(weights.predictions, "bert::for_masked_lm", "cls.predictions head");
    const at::Tensor transformed = network::intermediate(head.transform, network::bert(config, weights, inputs));
    const at::Tensor normed = network::layer_norm(config, head.layer_norm, transformed);
    return take(at::linear(normed, view(weights.embeddings.word_embeddings), view(head.bias)));
}

HostTensor for_sequence_classification(const Config& config, const Weights& weights, const Inputs& inputs) {
    const char* where = "bert::for_sequence_classification";
    const Linear& classifier = network::require(weights.classifier, where, "classifier head");
    const Linear& pool = network::require(weights.pooler, where, "pooler");
    return take(network::linear(classifier, network::pooler(pool, network::bert(config, weights, inputs))));
}

HostTensor sentence_embedding(const Config& config, const Weights& weights, const Inputs& inputs) {
    const at::Tensor hidden = network::bert(config, weights, inputs);
    const at::Tensor tokens = network::index(inputs, inputs.attention_mask).to(at::kFloat).unsqueeze(-1);
    const at::Tensor mean = (hidden * tokens).sum(1) / tokens.sum(1);
    return take(mean / mean.norm(2, {1}, true).clamp_min(1e-12));
}

}  // namespace zoo::bert::golden

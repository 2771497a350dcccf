// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/torch_layers.hpp"

#include <cmath>
#include <span>

#include "zoo/encoder/require_head.hpp"
#include "zoo/encoder/torch_network.hpp"

namespace zoo::encoder {
namespace network {

at::Tensor index(const Inputs& inputs, const std::vector<std::uint32_t>& ids) {
    return torch_index(std::span(ids), {inputs.batch, inputs.sequence});
}

at::Tensor linear(const Linear& weights, const at::Tensor& x) {
    return at::linear(x, torch_view(weights.weight), torch_view(weights.bias));
}

at::Tensor layer_norm(const LayerSpec& spec, const LayerNorm& weights, const at::Tensor& x) {
    return at::layer_norm(
        x, weights.weight.shape, torch_view(weights.weight), torch_view(weights.bias), spec.layer_norm_eps, false);
}

at::Tensor embeddings(const LayerSpec& spec, const EmbeddingsWeights& weights, const Inputs& inputs) {
    const TorchScope scope(__func__);
    const at::Tensor words = at::embedding(torch_view(weights.word_embeddings), index(inputs, inputs.input_ids));
    const at::Tensor types =
        at::embedding(torch_view(weights.token_type_embeddings), index(inputs, inputs.token_type_ids));
    const at::Tensor positions = torch_view(weights.position_embeddings).slice(0, 0, inputs.sequence);
    return layer_norm(spec, weights.layer_norm, words + types + positions);
}

// [batch, sequence, hidden] to [batch, heads, sequence, head_size].
static at::Tensor split_heads(const LayerSpec& spec, const at::Tensor& x) {
    return x.view({x.size(0), x.size(1), spec.num_attention_heads, spec.head_size()}).transpose(1, 2);
}

at::Tensor self_attention(
    const LayerSpec& spec, const AttentionWeights& weights, const at::Tensor& hidden, const at::Tensor& mask) {
    const TorchScope scope(__func__);
    const at::Tensor query = split_heads(spec, linear(weights.query, hidden));
    const at::Tensor key = split_heads(spec, linear(weights.key, hidden));
    const at::Tensor value = split_heads(spec, linear(weights.value, hidden));

    const double scale = 1.0 / std::sqrt(static_cast<double>(spec.head_size()));
    const at::Tensor scores = at::matmul(query, key.transpose(-2, -1)).mul_(scale).add_(mask);
    const at::Tensor context = at::matmul(at::softmax(scores, -1), value);
    return context.transpose(1, 2).reshape(hidden.sizes());
}

at::Tensor attention_output(
    const LayerSpec& spec, const AttentionWeights& weights, const at::Tensor& context, const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    return layer_norm(spec, weights.layer_norm, linear(weights.output, context) + hidden);
}

at::Tensor intermediate(const LayerSpec& spec, const Linear& weights, const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    return at::gelu(linear(weights, hidden), spec.activation == Activation::GeluTanh ? "tanh" : "none");
}

at::Tensor feed_forward(const LayerSpec& spec, const FeedForwardWeights& weights, const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    const at::Tensor wide = intermediate(spec, weights.intermediate, hidden);
    return layer_norm(spec, weights.layer_norm, linear(weights.output, wide) + hidden);
}

at::Tensor encoder_layer(
    const LayerSpec& spec, const LayerWeights& weights, const at::Tensor& hidden, const at::Tensor& mask) {
    const TorchScope scope(__func__);
    const at::Tensor context = self_attention(spec, weights.attention, hidden, mask);
    const at::Tensor attended = attention_output(spec, weights.attention, context, hidden);
    return feed_forward(spec, weights.feed_forward, attended);
}

at::Tensor pooler(const Linear& weights, const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    return at::tanh(linear(weights, hidden.select(1, 0)));
}

at::Tensor question_answering(std::string_view where, const HeadWeights& heads, const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    return linear(require_head(heads.qa_outputs, where, "qa_outputs head"), hidden);
}

at::Tensor masked_lm(
    std::string_view where, const LayerSpec& spec, const HeadWeights& heads, const HostTensor& word_embeddings,
    const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    const PredictionsWeights& head = require_head(heads.predictions, where, "predictions head");
    const at::Tensor transformed = intermediate(spec, head.transform, hidden);
    const at::Tensor normed = layer_norm(spec, head.layer_norm, transformed);
    return at::linear(normed, torch_view(word_embeddings), torch_view(head.bias));
}

at::Tensor sequence_classification(std::string_view where, const HeadWeights& heads, const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    const Linear& classifier = require_head(heads.classifier, where, "classifier head");
    return linear(classifier, pooler(require_head(heads.pooler, where, "pooler"), hidden));
}

at::Tensor sentence_embedding(const Inputs& inputs, const at::Tensor& hidden) {
    const TorchScope scope(__func__);
    const at::Tensor tokens = index(inputs, inputs.attention_mask).to(at::kFloat).unsqueeze(-1);
    const at::Tensor mean = (hidden * tokens).sum(1) / tokens.sum(1);
    return mean / mean.norm(2, {1}, true).clamp_min(1e-12);
}

}  // namespace network

namespace golden {

HostTensor embeddings(const LayerSpec& spec, const EmbeddingsWeights& weights, const Inputs& inputs) {
    return from_torch(network::embeddings(spec, weights, inputs));
}

HostTensor self_attention(
    const LayerSpec& spec, const AttentionWeights& weights, const HostTensor& hidden, const HostTensor& mask) {
    return from_torch(network::self_attention(spec, weights, torch_view(hidden), torch_view(mask)));
}

HostTensor attention_output(
    const LayerSpec& spec, const AttentionWeights& weights, const HostTensor& context, const HostTensor& hidden) {
    return from_torch(network::attention_output(spec, weights, torch_view(context), torch_view(hidden)));
}

HostTensor intermediate(const LayerSpec& spec, const Linear& weights, const HostTensor& hidden) {
    return from_torch(network::intermediate(spec, weights, torch_view(hidden)));
}

HostTensor feed_forward(const LayerSpec& spec, const FeedForwardWeights& weights, const HostTensor& hidden) {
    return from_torch(network::feed_forward(spec, weights, torch_view(hidden)));
}

HostTensor encoder_layer(
    const LayerSpec& spec, const LayerWeights& weights, const HostTensor& hidden, const HostTensor& mask) {
    return from_torch(network::encoder_layer(spec, weights, torch_view(hidden), torch_view(mask)));
}

HostTensor pooler(const LayerSpec&, const Linear& weights, const HostTensor& hidden) {
    return from_torch(network::pooler(weights, torch_view(hidden)));
}

}  // namespace golden
}  // namespace zoo::encoder

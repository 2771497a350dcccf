// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of an encoder in float32 on libtorch's tensors: what goldens are made of. Weights are used where they lie.
// hidden is [batch, sequence, hidden_size]; mask is additive_mask()'s [batch, 1, 1, sequence].

#include <ATen/ATen.h>

#include <string_view>

#include "zoo/encoder/inputs.hpp"
#include "zoo/encoder/spec.hpp"
#include "zoo/encoder/weights.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::encoder::network {

// [batch, sequence] of 64 bit integers.
[[nodiscard]] at::Tensor index(const Inputs& inputs, const std::vector<std::uint32_t>& ids);

[[nodiscard]] at::Tensor linear(const Linear& weights, const at::Tensor& x);
[[nodiscard]] at::Tensor layer_norm(const LayerSpec& spec, const LayerNorm& weights, const at::Tensor& x);

[[nodiscard]] at::Tensor embeddings(const LayerSpec& spec, const EmbeddingsWeights& weights, const Inputs& inputs);
[[nodiscard]] at::Tensor self_attention(
    const LayerSpec& spec, const AttentionWeights& weights, const at::Tensor& hidden, const at::Tensor& mask);
[[nodiscard]] at::Tensor attention_output(
    const LayerSpec& spec, const AttentionWeights& weights, const at::Tensor& context, const at::Tensor& hidden);
[[nodiscard]] at::Tensor intermediate(const LayerSpec& spec, const Linear& weights, const at::Tensor& hidden);
[[nodiscard]] at::Tensor feed_forward(
    const LayerSpec& spec, const FeedForwardWeights& weights, const at::Tensor& hidden);
[[nodiscard]] at::Tensor encoder_layer(
    const LayerSpec& spec, const LayerWeights& weights, const at::Tensor& hidden, const at::Tensor& mask);

[[nodiscard]] at::Tensor pooler(const Linear& weights, const at::Tensor& hidden);

// The heads of the tasks, over the last hidden state. Error in `where` when the weights lack the head.
[[nodiscard]] at::Tensor question_answering(std::string_view where, const HeadWeights& heads, const at::Tensor& hidden);
[[nodiscard]] at::Tensor masked_lm(
    std::string_view where, const LayerSpec& spec, const HeadWeights& heads, const HostTensor& word_embeddings,
    const at::Tensor& hidden);
[[nodiscard]] at::Tensor sequence_classification(
    std::string_view where, const HeadWeights& heads, const at::Tensor& hidden);
[[nodiscard]] at::Tensor sentence_embedding(const Inputs& inputs, const at::Tensor& hidden);

}  // namespace zoo::encoder::network

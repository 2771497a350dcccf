// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/parameters.hpp"

#include <numeric>
#include <span>

#include "zoo/device_tensor.hpp"

namespace zoo::encoder {
namespace {

using ttnn::MeshDevice;

// A vector as a row: the matrix that TTNN broadcasts.
ttnn::Tensor row(const HostTensor& vector, MeshDevice& device) {
    return from_host(reshape(vector, {1, -1}), {}, &device);
}

ttnn::Tensor table(const HostTensor& matrix, MeshDevice& device) {
    return from_host(matrix, {.layout = ttnn::Layout::ROW_MAJOR}, &device);
}

LayerNormParameters layer_norm(const LayerNorm& weights, MeshDevice& device) {
    return {row(weights.weight, device), row(weights.bias, device)};
}

// The word embeddings are the decoder's matrix in torch's [out, in].
PredictionsParameters predictions(
    const PredictionsWeights& weights, const HostTensor& word_embeddings, const ParameterFormat& format,
    MeshDevice& device) {
    return {
        .transform = preprocess(weights.transform, format, device),
        .layer_norm = layer_norm(weights.layer_norm, device),
        .decoder = {
            .weight = from_host(transpose(word_embeddings), {.dtype = format.weight_dtype}, &device),
            .bias = row(weights.bias, device)}};
}

}  // namespace

ParameterFormat functional_format() { return {}; }

Linear fuse_query_key_value(const AttentionWeights& weights, std::int64_t num_heads, QkvOrder order) {
    return {
        .weight = fuse_qkv(weights.query.weight, weights.key.weight, weights.value.weight, order, num_heads),
        .bias = fuse_qkv(weights.query.bias, weights.key.bias, weights.value.bias, order, num_heads)};
}

LinearParameters preprocess(const Linear& weights, const ParameterFormat& format, MeshDevice& device) {
    return {
        .weight = from_host(transpose(weights.weight), {.dtype = format.weight_dtype}, &device),
        .bias = row(weights.bias, device)};
}

EmbeddingsParameters preprocess(const EmbeddingsWeights& weights, MeshDevice& device) {
    return {
        .word_embeddings = table(weights.word_embeddings, device),
        .position_embeddings = table(weights.position_embeddings, device),
        .token_type_embeddings = table(weights.token_type_embeddings, device),
        .layer_norm = layer_norm(weights.layer_norm, device)};
}

LayerParameters preprocess(
    const LayerSpec& spec, const LayerWeights& weights, const ParameterFormat& format, MeshDevice& device) {
    const Linear fused = fuse_query_key_value(weights.attention, spec.num_attention_heads, format.qkv_order);
    return {
        .attention =
            {.query_key_value = preprocess(fused, format, device),
             .output = preprocess(weights.attention.output, format, device),
             .layer_norm = layer_norm(weights.attention.layer_norm, device)},
        .feed_forward = {
            .intermediate = preprocess(weights.feed_forward.intermediate, format, device),
            .output = preprocess(weights.feed_forward.output, format, device),
            .layer_norm = layer_norm(weights.feed_forward.layer_norm, device)}};
}

HeadParameters preprocess(
    const HeadWeights& weights, const HostTensor& word_embeddings, const ParameterFormat& format, MeshDevice& device,
    const Heads& heads) {
    const auto head = [&](bool asked, const std::optional<Linear>& linear) -> std::optional<LinearParameters> {
        return asked && linear ? std::optional(preprocess(*linear, format, device)) : std::nullopt;
    };
    HeadParameters parameters{
        .pooler = head(heads.pooler, weights.pooler),
        .qa_outputs = head(heads.qa_outputs, weights.qa_outputs),
        .classifier = head(heads.classifier, weights.classifier),
        .predictions = std::nullopt};
    if (heads.predictions && weights.predictions) {
        parameters.predictions = predictions(*weights.predictions, word_embeddings, format, device);
    }
    return parameters;
}

std::vector<ttnn::Tensor> DeviceInputs::list() const {
    return {input_ids, token_type_ids, position_ids, attention_mask, token_weights};
}

DeviceInputs DeviceInputs::from_list(std::span<const ttnn::Tensor> tensors) {
    return {tensors[0], tensors[1], tensors[2], tensors[3], tensors[4]};
}

ttnn::Tensor preprocess_mask(const Inputs& inputs, MeshDevice* device) {
    const HostTensor mask = additive_mask(inputs);
    return ttnn::Tensor::from_vector(mask.data, tensor_spec(mask.shape), device, std::nullopt, kMasked);
}

DeviceInputs preprocess(const Limits& limits, const Inputs& inputs, MeshDevice* device) {
    validate(limits, inputs);
    const Shape shape{inputs.batch, inputs.sequence};
    std::vector<std::uint32_t> positions(static_cast<std::size_t>(inputs.sequence));
    std::iota(positions.begin(), positions.end(), 0U);
    HostTensor tokens{{inputs.batch, 1, inputs.sequence}, {}};
    tokens.data.assign(inputs.attention_mask.begin(), inputs.attention_mask.end());
    return {
        .input_ids = from_ids(inputs.input_ids, shape, device),
        .token_type_ids = from_ids(inputs.token_type_ids, shape, device),
        .position_ids = from_ids(positions, Shape{1, inputs.sequence}, device),
        .attention_mask = preprocess_mask(inputs, device),
        .token_weights = from_host(tokens, {}, device)};
}

}  // namespace zoo::encoder

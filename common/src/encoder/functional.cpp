// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/functional.hpp"

#include <cmath>

#include <tt_stl/small_vector.hpp>

#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp"
#include "ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp"
#include "zoo/encoder/require_head.hpp"
#include "zoo/op_args.hpp"

namespace zoo::encoder::functional {

using ttnn::Tensor;

namespace {

// bfloat16 products keep all their bits in four phases, and sums are float32.
const ttnn::DeviceComputeKernelConfig kAccurate{
    .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true};

Tensor look_up(const Tensor& ids, const Tensor& table) {
    return ttnn::embedding(ids, table, /*pad_token=*/std::nullopt, ttnn::Layout::TILE);
}

Tensor layer_norm(
    const LayerSpec& spec, const LayerNormParameters& parameters, const Tensor& x,
    const std::optional<Tensor>& residual = std::nullopt) {
    return zoo::layer_norm(
        x, {.epsilon = static_cast<float>(spec.layer_norm_eps),
            .weight = parameters.weight,
            .bias = parameters.bias,
            .residual = residual});
}

}  // namespace

Tensor linear(const LinearParameters& parameters, const Tensor& x) {
    return zoo::linear(x, parameters.weight, {.bias = parameters.bias, .compute_kernel_config = kAccurate});
}

// ids [batch, sequence], UINT32, ROW_MAJOR.
Tensor embeddings(const LayerSpec& spec, const EmbeddingsParameters& parameters, const DeviceInputs& inputs) {
    const Tensor words = look_up(inputs.input_ids, parameters.word_embeddings);
    const Tensor types = look_up(inputs.token_type_ids, parameters.token_type_embeddings);
    const Tensor positions = look_up(inputs.position_ids, parameters.position_embeddings);
    const Tensor sum = ttnn::add(ttnn::add(words, types), positions);
    return layer_norm(spec, parameters.layer_norm, sum);
}

// hidden [batch, sequence, hidden_size], mask [batch, 1, 1, sequence]; heads are [batch, heads, sequence, head_size].
Tensor self_attention(
    const LayerSpec& spec, const AttentionParameters& parameters, const Tensor& hidden, const Tensor& mask) {
    const Tensor fused = linear(parameters.query_key_value, hidden);
    const auto [query, key, value] = ttnn::transformer::split_query_key_value_and_split_heads(
        fused, std::nullopt, static_cast<std::uint32_t>(spec.num_attention_heads), std::nullopt,
        /*transpose_key=*/true, std::nullopt);

    const Tensor scores = zoo::matmul(query, key, {.compute_kernel_config = kAccurate});
    const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(spec.head_size())));
    const Tensor weights =
        ttnn::scale_mask_softmax(scores, scale, mask, std::nullopt, /*is_causal_mask=*/false, kAccurate);
    const Tensor context = zoo::matmul(weights, value, {.compute_kernel_config = kAccurate});
    return ttnn::transformer::concatenate_heads(context);
}

// context, hidden [batch, sequence, hidden_size].
Tensor attention_output(
    const LayerSpec& spec, const AttentionParameters& parameters, const Tensor& context, const Tensor& hidden) {
    return layer_norm(spec, parameters.layer_norm, linear(parameters.output, context), hidden);
}

// hidden [batch, sequence, hidden_size] to [batch, sequence, intermediate_size].
Tensor intermediate(const LayerSpec& spec, const LinearParameters& parameters, const Tensor& hidden) {
    using ttnn::operations::unary::GeluVariant;
    return ttnn::gelu(
        linear(parameters, hidden),
        spec.activation == Activation::GeluTanh ? GeluVariant::TANH : GeluVariant::ACCURATE);
}

// hidden [batch, sequence, hidden_size].
Tensor feed_forward(const LayerSpec& spec, const FeedForwardParameters& parameters, const Tensor& hidden) {
    const Tensor wide = intermediate(spec, parameters.intermediate, hidden);
    return layer_norm(spec, parameters.layer_norm, linear(parameters.output, wide), hidden);
}

// hidden [batch, sequence, hidden_size], mask [batch, 1, 1, sequence].
Tensor encoder_layer(
    const LayerSpec& spec, const LayerParameters& parameters, const Tensor& hidden, const Tensor& mask) {
    const Tensor context = self_attention(spec, parameters.attention, hidden, mask);
    const Tensor attended = attention_output(spec, parameters.attention, context, hidden);
    return feed_forward(spec, parameters.feed_forward, attended);
}

// hidden [batch, sequence, hidden_size] to [batch, 1, hidden_size].
Tensor pooler(const LayerSpec& spec, const LinearParameters& parameters, const Tensor& hidden) {
    const std::uint32_t batch = hidden.logical_shape()[0];
    const Tensor first = ttnn::slice(
        hidden, ttsl::SmallVector<std::uint32_t>{0, 0, 0},
        ttsl::SmallVector<std::uint32_t>{batch, 1, static_cast<std::uint32_t>(spec.hidden_size)},
        ttsl::SmallVector<std::uint32_t>{1, 1, 1});
    return ttnn::tanh(linear(parameters, first));
}

// hidden [batch, sequence, hidden_size] to [batch, sequence, 2].
Tensor question_answering(std::string_view where, const HeadParameters& heads, const Tensor& hidden) {
    return linear(require_head(heads.qa_outputs, where, "qa_outputs head"), hidden);
}

// hidden [batch, sequence, hidden_size] to [batch, sequence, vocab_size].
Tensor masked_lm(std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const Tensor& hidden) {
    const PredictionsParameters& head = require_head(heads.predictions, where, "predictions head");
    const Tensor transformed = intermediate(spec, head.transform, hidden);
    return linear(head.decoder, layer_norm(spec, head.layer_norm, transformed));
}

// hidden [batch, sequence, hidden_size] to [batch, 1, num_labels].
Tensor sequence_classification(
    std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const Tensor& hidden) {
    const LinearParameters& classifier = require_head(heads.classifier, where, "classifier head");
    return linear(classifier, pooler(spec, require_head(heads.pooler, where, "pooler"), hidden));
}

// The sum over tokens takes the place of the mean: scaling to length 1 makes them equal.
Tensor sentence_embedding(const Tensor& hidden, const Tensor& token_weights) {
    const MatmulArgs exact{.dtype = ttnn::DataType::FLOAT32, .compute_kernel_config = kAccurate};
    const Tensor sum = zoo::matmul(token_weights, hidden, exact);
    MatmulArgs with_itself = exact;
    with_itself.transpose_b = true;
    const Tensor squared_length = zoo::matmul(sum, sum, with_itself);
    return ttnn::multiply(sum, ttnn::rsqrt(squared_length));
}

}  // namespace zoo::encoder::functional

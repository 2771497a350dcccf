// SPDX-License-Identifier: Apache-2.0
#include "models/bert/ttnn_bert.hpp"

#include <array>
#include <cmath>

#include "models/bert/require_head.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp"
#include "ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp"
#include "zoo/op_args.hpp"

namespace zoo::bert::functional {

using ttnn::Tensor;

namespace {

// bfloat16 products keep all their bits in four phases, and sums are float32.
const ttnn::DeviceComputeKernelConfig kAccurate{
    .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true};

Tensor look_up(const Tensor& ids, const Tensor& table) {
    return ttnn::embedding(ids, table, /*pad_token=*/std::nullopt, ttnn::Layout::TILE);
}

Tensor linear(const LinearParameters& parameters, const Tensor& x) {
    return zoo::linear(x, parameters.weight, {.bias = parameters.bias, .compute_kernel_config = kAccurate});
}

Tensor layer_norm(
    const Config& config, const LayerNormParameters& parameters, const Tensor& x,
    const std::optional<Tensor>& residual = std::nullopt) {
    return zoo::layer_norm(
        x, {.epsilon = static_cast<float>(config.layer_norm_eps),
            .weight = parameters.weight,
            .bias = parameters.bias,
            .residual = residual});
}

}  // namespace

// ids [batch, sequence], UINT32, ROW_MAJOR.
Tensor embeddings(const Config& config, const EmbeddingsParameters& parameters, const DeviceInputs& inputs) {
    const Tensor words = look_up(inputs.input_ids, parameters.word_embeddings);
    const Tensor types = look_up(inputs.token_type_ids, parameters.token_type_embeddings);
    const Tensor positions = look_up(inputs.position_ids, parameters.position_embeddings);
    const Tensor sum = ttnn::add(ttnn::add(words, types), positions);
    return layer_norm(config, parameters.layer_norm, sum);
}

// hidden [batch, sequence, hidden_size], mask [batch, 1, 1, sequence]; heads are [batch, heads, sequence, head_size].
Tensor self_attention(
    const Config& config, const AttentionParameters& parameters, const Tensor& hidden, const Tensor& mask) {
    const Tensor fused = linear(parameters.query_key_value, hidden);
    const auto [query, key, value] = ttnn::transformer::split_query_key_value_and_split_heads(
        fused, std::nullopt, static_cast<std::uint32_t>(config.num_attention_heads), std::nullopt,
        /*transpose_key=*/true, std::nullopt);

    const Tensor scores = zoo::matmul(query, key, {.compute_kernel_config = kAccurate});
    const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config.head_size())));
    const Tensor weights =
        ttnn::scale_mask_softmax(scores, scale, mask, std::nullopt, /*is_causal_mask=*/false, kAccurate);
    const Tensor context = zoo::matmul(weights, value, {.compute_kernel_config = kAccurate});
    return ttnn::transformer::concatenate_heads(context);
}

// context, hidden [batch, sequence, hidden_size].
Tensor attention_output(
    const Config& config, const AttentionParameters& parameters, const Tensor& context, const Tensor& hidden) {
    return layer_norm(config, parameters.layer_norm, linear(parameters.output, context), hidden);
}

// hidden [batch, sequence, hidden_size] to [batch, sequence, intermediate_size].
Tensor intermediate(const Config&, const LinearParameters& parameters, const Tensor& hidden) {
    return ttnn::gelu(linear(parameters, hidden), /*fast_and_approximate_mode=*/false);
}

// hidden [batch, sequence, hidden_size].
Tensor feed_forward(const Config& config, const FeedForwardParameters& parameters, const Tensor& hidden) {
    const Tensor wide = intermediate(config, parameters.intermediate, hidden);
    return layer_norm(config, parameters.layer_norm, linear(parameters.output, wide), hidden);
}

// hidden [batch, sequence, hidden_size], mask [batch, 1, 1, sequence].
Tensor encoder_layer(
    const Config& config, const LayerParameters& parameters, const Tensor& hidden, const Tensor& mask) {
    const Tensor context = self_attention(config, parameters.attention, hidden, mask);
    const Tensor attended = attention_output(config, parameters.attention, context, hidden);
    return feed_forward(config, parameters.feed_forward, attended);
}

// hidden [batch, sequence, hidden_size], mask [batch, 1, 1, sequence].
Tensor encoder(
    const Config& config, const std::vector<LayerParameters>& layers, const Tensor& hidden, const Tensor& mask) {
    Tensor result = hidden;
    for (const LayerParameters& layer : layers) {
        result = encoder_layer(config, layer, result, mask);
    }
    return result;
}

Tensor bert(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    const Tensor hidden = embeddings(config, parameters.embeddings, inputs);
    return encoder(config, parameters.layers, hidden, inputs.attention_mask);
}

// hidden [batch, sequence, hidden_size] to [batch, 1, hidden_size].
Tensor pooler(const Config& config, const LinearParameters& parameters, const Tensor& hidden) {
    const std::uint32_t batch = hidden.logical_shape()[0];
    const Tensor first = ttnn::slice(
        hidden, std::array<std::uint32_t, 3>{0, 0, 0},
        std::array<std::uint32_t, 3>{batch, 1, static_cast<std::uint32_t>(config.hidden_size)},
        std::array<std::uint32_t, 3>{1, 1, 1});
    return ttnn::tanh(linear(parameters, first));
}

Tensor for_question_answering(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    const auto& head = require_head(parameters.qa_outputs, "bert::for_question_answering", "qa_outputs head");
    return linear(head, bert(config, parameters, inputs));
}

Tensor for_masked_lm(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    const auto& head = require_head(parameters.predictions, "bert::for_masked_lm", "cls.predictions head");
    const Tensor transformed = intermediate(config, head.transform, bert(config, parameters, inputs));
    return linear(head.decoder, layer_norm(config, head.layer_norm, transformed));
}

Tensor for_sequence_classification(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    const char* where = "bert::for_sequence_classification";
    const auto& classifier = require_head(parameters.classifier, where, "classifier head");
    const auto& pool = require_head(parameters.pooler, where, "pooler");
    return linear(classifier, pooler(config, pool, bert(config, parameters, inputs)));
}

// The sum over tokens takes the place of the mean: scaling to length 1 makes them equal.
Tensor sentence_embedding(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    const Tensor hidden = bert(config, parameters, inputs);
    const MatmulArgs exact{.dtype = ttnn::DataType::FLOAT32, .compute_kernel_config = kAccurate};
    const Tensor sum = zoo::matmul(inputs.token_weights, hidden, exact);
    MatmulArgs with_itself = exact;
    with_itself.transpose_b = true;
    const Tensor squared_length = zoo::matmul(sum, sum, with_itself);
    return ttnn::multiply(sum, ttnn::rsqrt(squared_length));
}

}  // namespace zoo::bert::functional

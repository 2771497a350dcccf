// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ttnn/types.hpp"
#include "zoo/encoder/inputs.hpp"
#include "zoo/encoder/weights.hpp"
#include "zoo/preprocess.hpp"

namespace zoo::encoder {

// Parameters are weights on the device: what the TTNN versions take. They follow the structure of the weights, with
// query, key and value fused into one matrix. Vectors are rows [1, width].

struct LinearParameters {
    ttnn::Tensor weight;  // [in, out], TILE
    ttnn::Tensor bias;    // [1, out], TILE, BFLOAT16
};

struct LayerNormParameters {
    ttnn::Tensor weight;  // [1, width], TILE, BFLOAT16
    ttnn::Tensor bias;    // [1, width], TILE, BFLOAT16
};

// BFLOAT16 and ROW_MAJOR, as the embedding op reads them.
struct EmbeddingsParameters {
    ttnn::Tensor word_embeddings;        // [vocab_size, width]
    ttnn::Tensor position_embeddings;    // [max_position_embeddings, width]
    ttnn::Tensor token_type_embeddings;  // [type_vocab_size, width]
    LayerNormParameters layer_norm;
};

struct AttentionParameters {
    LinearParameters query_key_value;  // [hidden, 3 * hidden]
    LinearParameters output;
    LayerNormParameters layer_norm;
};

struct FeedForwardParameters {
    LinearParameters intermediate;
    LinearParameters output;
    LayerNormParameters layer_norm;
};

struct LayerParameters {
    AttentionParameters attention;
    FeedForwardParameters feed_forward;
};

struct PredictionsParameters {
    LinearParameters transform;
    LayerNormParameters layer_norm;
    LinearParameters decoder;  // [width of the embeddings, vocab_size]: the word embeddings, transposed
};

struct HeadParameters {
    std::optional<LinearParameters> pooler;
    std::optional<LinearParameters> qa_outputs;
    std::optional<LinearParameters> classifier;
    std::optional<PredictionsParameters> predictions;
};

// How the matrices of a tree are stored; vectors and embedding tables are bfloat16 always.
struct ParameterFormat {
    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT16;
    QkvOrder qkv_order = QkvOrder::Stacked;
};

[[nodiscard]] ParameterFormat functional_format();

// Copies to the device's DRAM, interleaved. The host weights are not needed after that.
[[nodiscard]] LinearParameters preprocess(
    const Linear& weights, const ParameterFormat& format, ttnn::MeshDevice& device);
[[nodiscard]] EmbeddingsParameters preprocess(const EmbeddingsWeights& weights, ttnn::MeshDevice& device);
[[nodiscard]] LayerParameters preprocess(
    const LayerSpec& spec, const LayerWeights& weights, const ParameterFormat& format, ttnn::MeshDevice& device);
// Of the heads those that are asked for and there. `word_embeddings` are the decoder of the masked language model.
[[nodiscard]] HeadParameters preprocess(
    const HeadWeights& weights, const HostTensor& word_embeddings, const ParameterFormat& format,
    ttnn::MeshDevice& device, const Heads& heads);

// Query, key and value as one linear layer in torch's [out, in].
[[nodiscard]] Linear fuse_query_key_value(const AttentionWeights& weights, std::int64_t num_heads, QkvOrder order);

// Inputs as the TTNN versions take them.
struct DeviceInputs {
    ttnn::Tensor input_ids;       // [batch, sequence], UINT32, ROW_MAJOR
    ttnn::Tensor token_type_ids;  // [batch, sequence], UINT32, ROW_MAJOR
    ttnn::Tensor position_ids;    // [1, sequence], UINT32, ROW_MAJOR
    ttnn::Tensor attention_mask;  // additive_mask(), TILE, BFLOAT16; the padding of its tiles is masked too
    ttnn::Tensor token_weights;   // [batch, 1, sequence], TILE, BFLOAT16: 1 for a token, 0 for padding

    [[nodiscard]] std::vector<ttnn::Tensor> list() const;
    [[nodiscard]] static DeviceInputs from_list(std::span<const ttnn::Tensor> tensors);
};

// On the host without a device: what a pipeline writes to its own device tensors. Error for inputs that validate()
// refuses.
[[nodiscard]] DeviceInputs preprocess(const Limits& limits, const Inputs& inputs, ttnn::MeshDevice* device = nullptr);

// The mask alone, for a module.
[[nodiscard]] ttnn::Tensor preprocess_mask(const Inputs& inputs, ttnn::MeshDevice* device = nullptr);

}  // namespace zoo::encoder

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The weights of an encoder on the host, and the table that ties them to the names of a checkpoint.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "zoo/encoder/spec.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::encoder {

struct Linear {
    HostTensor weight;  // [out, in], as torch keeps it
    HostTensor bias;    // [out]
};

struct LayerNorm {
    HostTensor weight;  // [width]
    HostTensor bias;    // [width]
};

struct EmbeddingsWeights {
    HostTensor word_embeddings;        // [vocab_size, width]
    HostTensor position_embeddings;    // [max_position_embeddings, width]
    HostTensor token_type_embeddings;  // [type_vocab_size, width]
    LayerNorm layer_norm;
};

struct AttentionWeights {
    Linear query;
    Linear key;
    Linear value;
    Linear output;
    LayerNorm layer_norm;
};

struct FeedForwardWeights {
    Linear intermediate;
    Linear output;
    LayerNorm layer_norm;
};

struct LayerWeights {
    AttentionWeights attention;
    FeedForwardWeights feed_forward;
};

// The decoder of the masked language model is the word embedding matrix; only its bias is its own.
struct PredictionsWeights {
    Linear transform;  // [width of the embeddings, hidden]
    LayerNorm layer_norm;
    HostTensor bias;  // [vocab_size]
};

// A head that the checkpoint does not have is empty.
struct HeadWeights {
    std::optional<Linear> pooler;
    std::optional<Linear> qa_outputs;  // [2, hidden]: start and end of the answer
    std::optional<Linear> classifier;  // [num_labels, hidden], over the pooler's result
    std::optional<PredictionsWeights> predictions;
};

struct Heads {
    bool pooler = true;
    bool qa_outputs = true;
    bool classifier = true;
    bool predictions = true;
};

// Empty heads, to be filled by a table.
[[nodiscard]] HeadWeights empty_heads(const Heads& heads);

enum class Kind { Matrix, Bias, Embedding, Gamma, Beta };

// One tensor of a model's table of names.
struct Row {
    std::string name;
    Shape shape;
    Kind kind;
    HostTensor* target;
    float gain = 1.0F;  // of random matrices: how much larger than the input the output is
};

using Rows = std::vector<Row>;

void add_linear(
    Rows& rows, const std::string& name, std::int64_t out, std::int64_t in, Linear& linear, float gain = 1.0F);
void add_norm(Rows& rows, const std::string& name, std::int64_t width, LayerNorm& norm);
// Three tables and a norm below `prefix`, by the names that Hugging Face gives them in every encoder.
void add_embeddings(
    Rows& rows, const std::string& prefix, const Limits& limits, std::int64_t width, EmbeddingsWeights& embeddings);

// What a model calls the parts of a layer.
struct LayerNames {
    const char* query;
    const char* key;
    const char* value;
    const char* attention_output;
    const char* attention_norm;
    const char* intermediate;
    const char* output;
    const char* output_norm;
};
// `attention_gain` is that of the projection after attention: see random() of the model.
void add_layer(
    Rows& rows, const std::string& prefix, const LayerNames& names, const LayerSpec& spec, LayerWeights& layer,
    float attention_gain);

// Weights that mean nothing and behave like trained ones: attention picks a few tokens, no layer drowns its input, a
// few channels of each layer norm stand out. A tensor's values depend on the seed and its name only.
void fill_random(const Rows& rows, std::uint64_t seed);

// Writes all rows to a safetensors file.
void save(const std::filesystem::path& file, const Rows& rows);

}  // namespace zoo::encoder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "models/bert/config.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::bert {

struct Linear {
    HostTensor weight;  // [out, in], as torch keeps it
    HostTensor bias;    // [out]
};

struct LayerNorm {
    HostTensor weight;  // [hidden]
    HostTensor bias;    // [hidden]
};

struct EmbeddingsWeights {
    HostTensor word_embeddings;        // [vocab_size, hidden]
    HostTensor position_embeddings;    // [max_position_embeddings, hidden]
    HostTensor token_type_embeddings;  // [type_vocab_size, hidden]
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
    Linear transform;
    LayerNorm layer_norm;
    HostTensor bias;  // [vocab_size]
};

// A head that the checkpoint does not have is empty.
struct Weights {
    EmbeddingsWeights embeddings;
    std::vector<LayerWeights> layers;
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

// Reads every name that `config` asks for, and the heads that the checkpoint has. Known dialects of names:
//   - Hugging Face, with or without the "bert." prefix, and with LayerNorm's old gamma and beta;
//   - TensorFlow, with or without a leading "module/": matrices are [in, out] there.
// One Error lists all names that are missing, unknown or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Writes Hugging Face names with the "bert." prefix to a safetensors file.
void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones: attention picks a few tokens, no layer drowns its input, a
// few channels of each layer norm stand out. A tensor's values depend on the seed and its name only.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed, const Heads& heads = {});

}  // namespace zoo::bert

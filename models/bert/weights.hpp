// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/bert/config.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/encoder/weights.hpp"

namespace zoo::bert {

using encoder::AttentionWeights;
using encoder::EmbeddingsWeights;
using encoder::FeedForwardWeights;
using encoder::Heads;
using encoder::LayerNorm;
using encoder::LayerWeights;
using encoder::Linear;
using encoder::PredictionsWeights;

// A head that the checkpoint does not have is empty.
struct Weights : encoder::HeadWeights {
    EmbeddingsWeights embeddings;
    std::vector<LayerWeights> layers;
};

// Reads every name that `config` asks for, and the heads that the checkpoint has. Known dialects of names:
//   - Hugging Face, with or without the "bert." prefix, and with LayerNorm's old gamma and beta;
//   - TensorFlow, with or without a leading "module/": matrices are [in, out] there.
// One Error lists all names that are missing, unknown or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Every tensor by the name that `save` writes it under. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights, const Config& config);

// Writes Hugging Face names with the "bert." prefix to a safetensors file.
void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones: encoder::fill_random.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed, const Heads& heads = {});

}  // namespace zoo::bert

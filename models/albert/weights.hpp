// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/albert/config.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/encoder/weights.hpp"

namespace zoo::albert {

using encoder::EmbeddingsWeights;
using encoder::Heads;
using encoder::LayerWeights;
using encoder::Linear;

// A head that the checkpoint does not have is empty. Layers are stored once, whatever the number of times they run.
struct Weights : encoder::HeadWeights {
    EmbeddingsWeights embeddings;                   // as wide as embedding_size
    Linear embedding_hidden_mapping;                // [hidden_size, embedding_size]
    std::vector<std::vector<LayerWeights>> groups;  // [num_hidden_groups][inner_group_num]
};

// Reads every name that `config` asks for, and the heads that the checkpoint has: Hugging Face's names, with or without
// the "albert." prefix. One Error lists all names that are missing, unknown or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Names of checkpoints that ALBERT does not read, whatever their dtype: for open_checkpoint.
[[nodiscard]] const std::vector<std::string>& ignored_names();

// Every tensor by the name that `save` writes it under. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights, const Config& config);

// Writes Hugging Face names with the "albert." prefix to a safetensors file.
void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones: encoder::fill_random.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed, const Heads& heads = {});

}  // namespace zoo::albert

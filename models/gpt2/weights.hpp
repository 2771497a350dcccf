// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/gpt2/config.hpp"
#include "zoo/causal/weights.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::gpt2 {

using causal::LayerNorm;
using causal::Linear;  // GPT-2's files have the matrix the other way round

struct AttentionWeights {
    Linear c_attn;  // query, key, value: [3 * n_embd, n_embd]
    Linear c_proj;
};

struct MlpWeights {
    Linear c_fc;
    Linear c_proj;
};

struct LayerWeights {
    LayerNorm ln_1;
    AttentionWeights attn;
    LayerNorm ln_2;
    MlpWeights mlp;
};

struct Weights {
    HostTensor wte;  // [vocab_size, n_embd]; the head too
    HostTensor wpe;  // [n_positions, n_embd]
    std::vector<LayerWeights> h;
    LayerNorm ln_f;
};

// Reads a Hugging Face checkpoint, with or without the "transformer." prefix. One Error lists all names that are missing, unknown
// or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Every tensor by the name that `save` writes it under, matrices as [out, in]. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights, const Config& config);

// Writes Hugging Face names without prefix, projections as [in, out].
void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones: attention picks a few tokens, and logits stand out. A tensor's values
// depend on the seed and its name only.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed);

}  // namespace zoo::gpt2

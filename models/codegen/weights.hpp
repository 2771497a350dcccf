// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/codegen/config.hpp"
#include "zoo/causal/weights.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::codegen {

using causal::LayerNorm;
using causal::Linear;

struct AttentionWeights {
    Linear
        qkv_proj;  // [3 * n_embd, n_embd], no bias: four parts, each the queries, values and keys of a quarter of the heads
    Linear out_proj;  // no bias
};

struct MlpWeights {
    Linear fc_in;
    Linear fc_out;
};

struct LayerWeights {
    LayerNorm ln_1;
    AttentionWeights attn;
    MlpWeights mlp;
};

struct Weights {
    HostTensor wte;  // [vocab_size, n_embd]
    std::vector<LayerWeights> h;
    LayerNorm ln_f;
    Linear lm_head;
};

// Reads a Hugging Face checkpoint of CodeGenForCausalLM. One Error lists all names that are missing, unknown
// or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Every tensor by the name that `save` writes it under. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights, const Config& config);

// Writes Hugging Face names.
void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones: attention picks a few tokens, and logits stand out. A tensor's values
// depend on the seed and its name only.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed);

}  // namespace zoo::codegen

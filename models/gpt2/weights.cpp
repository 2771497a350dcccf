// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/weights.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace zoo::gpt2 {
namespace {

using causal::WeightEntry;
using causal::WeightTable;

// The one table of names: Hugging Face's, without prefix.
WeightTable table(Weights& weights, const Config& config) {
    const std::int64_t width = config.n_embd;
    const float root = std::sqrt(static_cast<float>(width));
    WeightTable names;
    // The head is this matrix: its scale is that of the logits, a few units whatever the width.
    names.table("wte", config.vocab_size, width, weights.wte, 4.0F / root);
    names.table("wpe", config.n_positions, width, weights.wpe, 2.0F / root);
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        const std::string layer = "h." + std::to_string(i);
        LayerWeights& target = weights.h[i];
        names.layer_norm(layer + ".ln_1", width, target.ln_1);
        names.linear(layer + ".attn.c_attn", 3 * width, width, target.attn.c_attn, 1.4F);
        names.linear(layer + ".attn.c_proj", width, width, target.attn.c_proj, 1.0F);
        names.layer_norm(layer + ".ln_2", width, target.ln_2);
        names.linear(layer + ".mlp.c_fc", config.inner(), width, target.mlp.c_fc, 1.2F);
        names.linear(layer + ".mlp.c_proj", width, config.inner(), target.mlp.c_proj, 1.0F);
    }
    names.layer_norm("ln_f", width, weights.ln_f);
    return names;
}

Weights empty_tree(const Config& config) {
    Weights weights;
    weights.h.resize(static_cast<std::size_t>(config.n_layer));
    return weights;
}

}  // namespace

Weights load(const Checkpoint& checkpoint, const Config& config) {
    validate(config);
    Weights weights = empty_tree(config);
    const WeightTable names = table(weights, config);
    std::vector<WeightRow> rows;
    for (const WeightEntry& row : names.entries()) {
        rows.push_back({.name = row.name, .shape = row.shape, .target = row.target, .transpose = row.projection});
    }
    LoadOptions options;
    // Masks that older files carry, and the tied head.
    options.ignored = {"*.attn.bias", "*.attn.masked_bias", "lm_head.weight"};
    if (checkpoint.contains("transformer.wte.weight")) {
        options.add_prefix = "transformer.";
    }
    load_weights(checkpoint, rows, options);
    return weights;
}

NamedTensors tensors(const Weights& weights, const Config& config) {
    // The table hands out mutable targets because loading needs them.
    return named_tensors(table(const_cast<Weights&>(weights), config).entries());
}

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    std::vector<std::pair<std::string, HostTensor>> turned;
    std::vector<std::pair<std::string, const HostTensor*>> tensors;
    // The table hands out mutable targets because loading needs them; saving only reads.
    const WeightTable names = table(const_cast<Weights&>(weights), config);
    turned.reserve(names.entries().size());
    for (const WeightEntry& row : names.entries()) {
        if (row.projection) {
            turned.emplace_back(row.name, transpose(*row.target));
            tensors.emplace_back(row.name, &turned.back().second);
        } else {
            tensors.emplace_back(row.name, row.target);
        }
    }
    save_safetensors(file, tensors, {{"format", "pt"}});
}

Weights random(const Config& config, std::uint64_t seed) {
    validate(config);
    Weights weights = empty_tree(config);
    table(weights, config).fill_random(seed);
    return weights;
}

}  // namespace zoo::gpt2

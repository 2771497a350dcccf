// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/weights.hpp"

#include <string>
#include <utility>

namespace zoo::codegen {
namespace {

using causal::WeightEntry;
using causal::WeightTable;

// The one table of names: Hugging Face's.
WeightTable table(Weights& weights, const Config& config) {
    const std::int64_t width = config.n_embd;
    WeightTable names;
    names.table("transformer.wte", config.vocab_size, width, weights.wte, 1.0F);
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        const std::string layer = "transformer.h." + std::to_string(i);
        LayerWeights& target = weights.h[i];
        names.layer_norm(layer + ".ln_1", width, target.ln_1);
        names.matrix(layer + ".attn.qkv_proj", 3 * width, width, target.attn.qkv_proj, 1.4F);
        names.matrix(layer + ".attn.out_proj", width, width, target.attn.out_proj, 1.0F);
        names.linear(layer + ".mlp.fc_in", config.inner(), width, target.mlp.fc_in, 1.2F);
        names.linear(layer + ".mlp.fc_out", width, config.inner(), target.mlp.fc_out, 1.0F);
    }
    names.layer_norm("transformer.ln_f", width, weights.ln_f);
    // Logits of a few units.
    names.linear("lm_head", config.vocab_size, width, weights.lm_head, 4.0F);
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
        rows.push_back({.name = row.name, .shape = row.shape, .target = row.target});
    }
    LoadOptions options;
    // Masks and tables that older files carry.
    options.ignored = {"*.attn.causal_mask", "*.attn.bias", "*.attn.masked_bias", "*.attn.embed_positions"};
    load_weights(checkpoint, rows, options);
    return weights;
}

NamedTensors tensors(const Weights& weights, const Config& config) {
    // The table hands out mutable targets because loading needs them.
    return named_tensors(table(const_cast<Weights&>(weights), config).entries());
}

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    save_safetensors(file, tensors(weights, config), {{"format", "pt"}});
}

Weights random(const Config& config, std::uint64_t seed) {
    validate(config);
    Weights weights = empty_tree(config);
    table(weights, config).fill_random(seed);
    return weights;
}

}  // namespace zoo::codegen

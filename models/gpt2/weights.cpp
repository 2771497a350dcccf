// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/weights.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "zoo/random.hpp"

namespace zoo::gpt2 {
namespace {

enum class Kind { Matrix, Bias, Words, Positions, Gamma };

struct Row {
    std::string name;  // Hugging Face's, without prefix
    Shape shape;       // of the target
    Kind kind;
    HostTensor* target;
    float gain = 1.0F;  // of random matrices: how much larger than the input the output is
};

// The one table of names.
std::vector<Row> table(Weights& weights, const Config& config) {
    const std::int64_t width = config.n_embd;
    std::vector<Row> rows;
    const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in, Linear& target, float gain) {
        rows.push_back({name + ".weight", {out, in}, Kind::Matrix, &target.weight, gain});
        rows.push_back({name + ".bias", {out}, Kind::Bias, &target.bias});
    };
    const auto norm = [&](const std::string& name, LayerNorm& target) {
        rows.push_back({name + ".weight", {width}, Kind::Gamma, &target.weight});
        rows.push_back({name + ".bias", {width}, Kind::Bias, &target.bias});
    };
    rows.push_back({"wte.weight", {config.vocab_size, width}, Kind::Words, &weights.wte});
    rows.push_back({"wpe.weight", {config.n_positions, width}, Kind::Positions, &weights.wpe});
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        const std::string layer = "h." + std::to_string(i);
        LayerWeights& target = weights.h[i];
        norm(layer + ".ln_1", target.ln_1);
        linear(layer + ".attn.c_attn", 3 * width, width, target.attn.c_attn, 1.4F);
        linear(layer + ".attn.c_proj", width, width, target.attn.c_proj, 1.0F);
        norm(layer + ".ln_2", target.ln_2);
        linear(layer + ".mlp.c_fc", config.inner(), width, target.mlp.c_fc, 1.2F);
        linear(layer + ".mlp.c_proj", width, config.inner(), target.mlp.c_proj, 1.0F);
    }
    norm("ln_f", weights.ln_f);
    return rows;
}

Weights empty_tree(const Config& config) {
    Weights weights;
    weights.h.resize(static_cast<std::size_t>(config.n_layer));
    return weights;
}

void fill(const Row& row, const Random& source) {
    Random random = source.stream(row.name);
    switch (row.kind) {
        case Kind::Matrix:
            *row.target = random.normal(row.shape, 0.0F, row.gain / std::sqrt(static_cast<float>(row.shape[1])));
            break;
        case Kind::Words:
            // The head is this matrix: its scale is that of the logits, a few units whatever the width.
            *row.target = random.normal(row.shape, 0.0F, 4.0F / std::sqrt(static_cast<float>(row.shape[1])));
            break;
        case Kind::Positions:
            *row.target = random.normal(row.shape, 0.0F, 2.0F / std::sqrt(static_cast<float>(row.shape[1])));
            break;
        case Kind::Bias:
            *row.target = random.normal(row.shape, 0.0F, 0.05F);
            break;
        case Kind::Gamma:
            *row.target = random.normal(row.shape, 1.0F, 0.1F);
            break;
    }
}

}  // namespace

Weights load(const Checkpoint& checkpoint, const Config& config) {
    validate(config);
    Weights weights = empty_tree(config);
    std::vector<WeightRow> rows;
    for (const Row& row : table(weights, config)) {
        rows.push_back(
            {.name = row.name, .shape = row.shape, .target = row.target, .transpose = row.kind == Kind::Matrix});
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

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    std::vector<std::pair<std::string, HostTensor>> turned;
    std::vector<std::pair<std::string, const HostTensor*>> tensors;
    // The table hands out mutable targets because loading needs them; saving only reads.
    const std::vector<Row> rows = table(const_cast<Weights&>(weights), config);
    turned.reserve(rows.size());
    for (const Row& row : rows) {
        if (row.kind == Kind::Matrix) {
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
    const Random source(seed);
    for (const Row& row : table(weights, config)) {
        fill(row, source);
    }
    return weights;
}

}  // namespace zoo::gpt2

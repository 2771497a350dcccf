// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/weights.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "zoo/random.hpp"

namespace zoo::codegen {
namespace {

enum class Kind { Matrix, Bias, Words, Gamma };

struct Row {
    std::string name;  // Hugging Face's
    Shape shape;       // of the target
    Kind kind;
    HostTensor* target;
    float gain = 1.0F;  // of random matrices: how much larger than the input the output is
};

// The one table of names.
std::vector<Row> table(Weights& weights, const Config& config) {
    const std::int64_t width = config.n_embd;
    std::vector<Row> rows;
    const auto matrix = [&](const std::string& name, std::int64_t out, std::int64_t in, Linear& target, float gain) {
        rows.push_back({name + ".weight", {out, in}, Kind::Matrix, &target.weight, gain});
    };
    const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in, Linear& target, float gain) {
        matrix(name, out, in, target, gain);
        rows.push_back({name + ".bias", {out}, Kind::Bias, &target.bias});
    };
    const auto norm = [&](const std::string& name, LayerNorm& target) {
        rows.push_back({name + ".weight", {width}, Kind::Gamma, &target.weight});
        rows.push_back({name + ".bias", {width}, Kind::Bias, &target.bias});
    };
    rows.push_back({"transformer.wte.weight", {config.vocab_size, width}, Kind::Words, &weights.wte});
    for (std::size_t i = 0; i < weights.h.size(); ++i) {
        const std::string layer = "transformer.h." + std::to_string(i);
        LayerWeights& target = weights.h[i];
        norm(layer + ".ln_1", target.ln_1);
        matrix(layer + ".attn.qkv_proj", 3 * width, width, target.attn.qkv_proj, 1.4F);
        matrix(layer + ".attn.out_proj", width, width, target.attn.out_proj, 1.0F);
        linear(layer + ".mlp.fc_in", config.inner(), width, target.mlp.fc_in, 1.2F);
        linear(layer + ".mlp.fc_out", width, config.inner(), target.mlp.fc_out, 1.0F);
    }
    norm("transformer.ln_f", weights.ln_f);
    // Logits of a few units.
    linear("lm_head", config.vocab_size, width, weights.lm_head, 4.0F);
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
            *row.target = random.normal(row.shape, 0.0F, 1.0F);
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
        rows.push_back({.name = row.name, .shape = row.shape, .target = row.target});
    }
    LoadOptions options;
    // Masks and tables that older files carry.
    options.ignored = {"*.attn.causal_mask", "*.attn.bias", "*.attn.masked_bias", "*.attn.embed_positions"};
    load_weights(checkpoint, rows, options);
    return weights;
}

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    std::vector<std::pair<std::string, const HostTensor*>> tensors;
    // The table hands out mutable targets because loading needs them; saving only reads.
    for (const Row& row : table(const_cast<Weights&>(weights), config)) {
        tensors.emplace_back(row.name, row.target);
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

}  // namespace zoo::codegen

// SPDX-License-Identifier: Apache-2.0
#include "models/albert/weights.hpp"

#include <string>

namespace zoo::albert {
namespace {

using encoder::Kind;
using encoder::Row;
using encoder::Rows;

constexpr encoder::LayerNames kLayerNames{
    .query = "attention.query",
    .key = "attention.key",
    .value = "attention.value",
    .attention_output = "attention.dense",
    .attention_norm = "attention.LayerNorm",
    .intermediate = "ffn",
    .output = "ffn_output",
    .output_norm = "full_layer_layer_norm"};

// What the random layer's attention adds to a token. It runs a dozen times over its own results, and each time adds the
// same mean to all tokens: more than this, and they end up alike.
constexpr float kAttentionGain = 0.15F;

const std::string kPrefix = "albert.";

// The one table of names: Hugging Face's, with the prefix. Rows of absent heads are left out.
Rows table(Weights& weights, const Config& config) {
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t narrow = config.embedding_size;
    Rows rows;
    add_embeddings(rows, kPrefix + "embeddings", config, narrow, weights.embeddings);
    add_linear(rows, kPrefix + "encoder.embedding_hidden_mapping_in", hidden, narrow, weights.embedding_hidden_mapping);
    for (std::size_t group = 0; group < weights.groups.size(); ++group) {
        for (std::size_t layer = 0; layer < weights.groups[group].size(); ++layer) {
            const std::string name = kPrefix + "encoder.albert_layer_groups." + std::to_string(group) +
                                     ".albert_layers." + std::to_string(layer);
            add_layer(rows, name, kLayerNames, config, weights.groups[group][layer], kAttentionGain);
        }
    }
    if (weights.pooler) {
        add_linear(rows, kPrefix + "pooler", hidden, hidden, *weights.pooler);
    }
    if (weights.qa_outputs) {
        add_linear(rows, "qa_outputs", 2, hidden, *weights.qa_outputs);
    }
    if (weights.classifier) {
        add_linear(rows, "classifier", config.num_labels, hidden, *weights.classifier);
    }
    if (weights.predictions) {
        add_linear(rows, "predictions.dense", narrow, hidden, weights.predictions->transform);
        add_norm(rows, "predictions.LayerNorm", narrow, weights.predictions->layer_norm);
        rows.push_back({"predictions.bias", {config.vocab_size}, Kind::Bias, &weights.predictions->bias});
    }
    return rows;
}

Weights empty_tree(const Config& config, const Heads& heads) {
    Weights weights{encoder::empty_heads(heads), {}, {}, {}};
    weights.groups.resize(static_cast<std::size_t>(config.num_hidden_groups));
    for (auto& group : weights.groups) {
        group.resize(static_cast<std::size_t>(config.inner_group_num));
    }
    return weights;
}

// The heads with at least one of their tensors in the checkpoint; the rest of such a head is then required.
Heads heads_in(const Checkpoint& checkpoint, const std::string& prefix) {
    const auto has = [&](const std::string& name) {
        return checkpoint.contains(name + ".weight") || checkpoint.contains(name + ".bias");
    };
    return {
        .pooler = has(prefix + "pooler"),
        .qa_outputs = has("qa_outputs"),
        .classifier = has("classifier"),
        .predictions = has("predictions.dense") || checkpoint.contains("predictions.bias")};
}

}  // namespace

// Buffers, the tied decoder, sentence order prediction.
const std::vector<std::string>& ignored_names() {
    static const std::vector<std::string> kIgnored{"*position_ids", "predictions.decoder.*", "sop_classifier.*"};
    return kIgnored;
}

Weights load(const Checkpoint& checkpoint, const Config& config) {
    validate(config);
    const bool bare = checkpoint.contains("embeddings.word_embeddings.weight");
    Weights weights = empty_tree(config, heads_in(checkpoint, bare ? "" : kPrefix));
    std::vector<WeightRow> rows;
    for (const Row& row : table(weights, config)) {
        rows.push_back({.name = row.name, .shape = row.shape, .target = row.target});
    }
    load_weights(checkpoint, rows, {.ignored = ignored_names(), .strip_prefix = bare ? kPrefix : ""});
    return weights;
}

NamedTensors tensors(const Weights& weights, const Config& config) {
    // The table hands out mutable targets because loading needs them.
    return named_tensors(table(const_cast<Weights&>(weights), config));
}

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    // The table hands out mutable targets because loading needs them; saving only reads.
    encoder::save(file, table(const_cast<Weights&>(weights), config));
}

Weights random(const Config& config, std::uint64_t seed, const Heads& heads) {
    validate(config);
    Weights weights = empty_tree(config, heads);
    encoder::fill_random(table(weights, config), seed);
    return weights;
}

}  // namespace zoo::albert

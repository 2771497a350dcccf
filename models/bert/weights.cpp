// SPDX-License-Identifier: Apache-2.0
#include "models/bert/weights.hpp"

#include <string>
#include <string_view>

namespace zoo::bert {
namespace {

using encoder::Kind;
using encoder::Row;
using encoder::Rows;

constexpr encoder::LayerNames kLayerNames{
    .query = "attention.self.query",
    .key = "attention.self.key",
    .value = "attention.self.value",
    .attention_output = "attention.output.dense",
    .attention_norm = "attention.output.LayerNorm",
    .intermediate = "intermediate.dense",
    .output = "output.dense",
    .output_norm = "output.LayerNorm"};

// The one table of names: Hugging Face's, with the "bert." prefix. Rows of absent heads are left out.
Rows table(Weights& weights, const Config& config) {
    const std::int64_t hidden = config.hidden_size;
    Rows rows;
    add_embeddings(rows, "bert.embeddings", config, hidden, weights.embeddings);
    for (std::size_t i = 0; i < weights.layers.size(); ++i) {
        add_layer(rows, "bert.encoder.layer." + std::to_string(i), kLayerNames, config, weights.layers[i], 0.3F);
    }
    if (weights.pooler) {
        add_linear(rows, "bert.pooler.dense", hidden, hidden, *weights.pooler);
    }
    if (weights.qa_outputs) {
        add_linear(rows, "qa_outputs", 2, hidden, *weights.qa_outputs);
    }
    if (weights.classifier) {
        add_linear(rows, "classifier", config.num_labels, hidden, *weights.classifier);
    }
    if (weights.predictions) {
        PredictionsWeights& predictions = *weights.predictions;
        add_linear(rows, "cls.predictions.transform.dense", hidden, hidden, predictions.transform);
        add_norm(rows, "cls.predictions.transform.LayerNorm", hidden, predictions.layer_norm);
        rows.push_back({"cls.predictions.bias", {config.vocab_size}, Kind::Bias, &predictions.bias});
    }
    return rows;
}

Weights empty_tree(const Config& config, const Heads& heads) {
    Weights weights{encoder::empty_heads(heads), {}, {}};
    weights.layers.resize(static_cast<std::size_t>(config.num_hidden_layers));
    return weights;
}

void replace_ending(std::string& name, std::string_view ending, std::string_view with) {
    if (name.ends_with(ending)) {
        name.replace(name.size() - ending.size(), ending.size(), with);
    }
}

// How a checkpoint spells the names of the table.
struct Dialect {
    bool tensorflow = false;
    bool old_norms = false;   // gamma and beta
    bool body_prefix = true;  // "bert."
    std::string scope;        // TensorFlow only: "module/" or nothing

    [[nodiscard]] std::string spell(const Row& row) const {
        std::string name = row.name;
        const bool norm = row.kind == Kind::Gamma || row.kind == Kind::Beta;
        if (norm && (old_norms || tensorflow)) {
            replace_ending(name, ".weight", ".gamma");
            replace_ending(name, ".bias", ".beta");
        }
        if (!tensorflow) {
            return body_prefix || !name.starts_with("bert.") ? name : name.substr(5);
        }
        if (row.kind == Kind::Matrix) {
            replace_ending(name, ".weight", ".kernel");
        } else if (row.kind == Kind::Embedding) {
            replace_ending(name, ".weight", "");
        }
        if (name == "cls.predictions.bias") {
            name = "cls.predictions.output_bias";
        }
        if (const auto at = name.find(".layer."); at != std::string::npos) {
            name.replace(at, 7, ".layer_");
        }
        for (char& letter : name) {
            letter = letter == '.' ? '/' : letter;
        }
        return scope + name;
    }
};

Dialect recognise(const Checkpoint& checkpoint) {
    for (const char* scope : {"module/", ""}) {
        if (checkpoint.contains(std::string(scope) + "bert/embeddings/word_embeddings")) {
            return {.tensorflow = true, .scope = scope};
        }
    }
    Dialect dialect;
    for (const TensorInfo& tensor : checkpoint.tensors()) {
        if (tensor.name == "embeddings.word_embeddings.weight") {
            dialect.body_prefix = false;
        }
        if (tensor.name.ends_with("embeddings.LayerNorm.gamma")) {
            dialect.old_norms = true;
        }
    }
    return dialect;
}

// What a file may hold and BERT does not need: buffers, optimizer state, the tied decoder, next-sentence prediction.
const std::vector<std::string>& ignored_names() {
    static const std::vector<std::string> kIgnored{
        "*position_ids", "cls.predictions.decoder.*", "cls.seq_relationship.*", "*global_step", "*/adam_m",
        "*/adam_v",      "*cls/seq_relationship/*",
    };
    return kIgnored;
}

// The heads with at least one of their tensors in the checkpoint; the rest of such a head is then required.
Heads heads_in(const Checkpoint& checkpoint, const Config& config, const Dialect& dialect) {
    Heads found{.pooler = false, .qa_outputs = false, .classifier = false, .predictions = false};
    Weights tree = empty_tree(config, {});
    tree.layers.clear();
    for (const Row& row : table(tree, config)) {
        if (!checkpoint.contains(dialect.spell(row))) {
            continue;
        }
        found.pooler |= row.name.starts_with("bert.pooler.");
        found.qa_outputs |= row.name.starts_with("qa_outputs.");
        found.classifier |= row.name.starts_with("classifier.");
        found.predictions |= row.name.starts_with("cls.");
    }
    return found;
}

}  // namespace

Weights load(const Checkpoint& checkpoint, const Config& config) {
    validate(config);
    const Dialect dialect = recognise(checkpoint);
    Weights weights = empty_tree(config, heads_in(checkpoint, config, dialect));
    std::vector<WeightRow> rows;
    for (const Row& row : table(weights, config)) {
        rows.push_back(
            {.name = dialect.spell(row),
             .shape = row.shape,
             .target = row.target,
             .transpose = dialect.tensorflow && row.kind == Kind::Matrix});
    }
    load_weights(checkpoint, rows, {.ignored = ignored_names()});
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

}  // namespace zoo::bert

// SPDX-License-Identifier: Apache-2.0
#include "models/bert/weights.hpp"

#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "zoo/error.hpp"
#include "zoo/random.hpp"

namespace zoo::bert {
namespace {

enum class Kind { Matrix, Bias, Embedding, Gamma, Beta };

struct Row {
    std::string name;  // Hugging Face's, with the "bert." prefix
    Shape shape;
    Kind kind;
    HostTensor* target;
    float gain = 1.0F;  // of random matrices: how much larger than the input the output is
};

using Rows = std::vector<Row>;

void add_linear(
    Rows& rows, const std::string& name, std::int64_t out, std::int64_t in, Linear& linear, float gain = 1.0F) {
    rows.push_back({name + ".weight", {out, in}, Kind::Matrix, &linear.weight, gain});
    rows.push_back({name + ".bias", {out}, Kind::Bias, &linear.bias});
}

void add_norm(Rows& rows, const std::string& name, std::int64_t width, LayerNorm& norm) {
    rows.push_back({name + ".weight", {width}, Kind::Gamma, &norm.weight});
    rows.push_back({name + ".bias", {width}, Kind::Beta, &norm.bias});
}

// The one table of names. Rows of absent heads are left out.
Rows table(Weights& weights, const Config& config) {
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t wide = config.intermediate_size;
    Rows rows;

    EmbeddingsWeights& embeddings = weights.embeddings;
    const auto embedding = [&](const char* name, std::int64_t count, HostTensor& target) {
        rows.push_back({std::string("bert.embeddings.") + name + ".weight", {count, hidden}, Kind::Embedding, &target});
    };
    embedding("word_embeddings", config.vocab_size, embeddings.word_embeddings);
    embedding("position_embeddings", config.max_position_embeddings, embeddings.position_embeddings);
    embedding("token_type_embeddings", config.type_vocab_size, embeddings.token_type_embeddings);
    add_norm(rows, "bert.embeddings.LayerNorm", hidden, embeddings.layer_norm);

    for (std::size_t i = 0; i < weights.layers.size(); ++i) {
        const std::string layer = "bert.encoder.layer." + std::to_string(i);
        AttentionWeights& attention = weights.layers[i].attention;
        add_linear(rows, layer + ".attention.self.query", hidden, hidden, attention.query, 1.4F);
        add_linear(rows, layer + ".attention.self.key", hidden, hidden, attention.key, 1.4F);
        add_linear(rows, layer + ".attention.self.value", hidden, hidden, attention.value);
        add_linear(rows, layer + ".attention.output.dense", hidden, hidden, attention.output, 0.3F);
        add_norm(rows, layer + ".attention.output.LayerNorm", hidden, attention.layer_norm);
        FeedForwardWeights& feed_forward = weights.layers[i].feed_forward;
        add_linear(rows, layer + ".intermediate.dense", wide, hidden, feed_forward.intermediate, 1.2F);
        add_linear(rows, layer + ".output.dense", hidden, wide, feed_forward.output);
        add_norm(rows, layer + ".output.LayerNorm", hidden, feed_forward.layer_norm);
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
    Weights weights;
    weights.layers.resize(static_cast<std::size_t>(config.num_hidden_layers));
    if (heads.pooler) {
        weights.pooler.emplace();
    }
    if (heads.qa_outputs) {
        weights.qa_outputs.emplace();
    }
    if (heads.classifier) {
        weights.classifier.emplace();
    }
    if (heads.predictions) {
        weights.predictions.emplace();
    }
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

// Takes its mean from every row. GELU's results have a positive mean, the same for all tokens; a matrix with other rows
// passes it on, layer by layer, until all tokens are alike.
void centre_rows(HostTensor& matrix) {
    const auto width = static_cast<std::size_t>(matrix.shape[1]);
    for (std::size_t row = 0; row < matrix.data.size(); row += width) {
        const std::span values = std::span(matrix.data).subspan(row, width);
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(width);
        for (float& value : values) {
            value -= static_cast<float>(mean);
        }
    }
}

void fill(const Row& row, const Random& source) {
    Random random = source.stream(row.name);
    switch (row.kind) {
        case Kind::Matrix:
            *row.target = random.normal(row.shape, 0.0F, row.gain / std::sqrt(static_cast<float>(row.shape[1])));
            centre_rows(*row.target);
            break;
        case Kind::Embedding:
            *row.target = random.normal(row.shape, 0.0F, 0.04F);
            break;
        case Kind::Bias:
            *row.target = random.normal(row.shape, 0.0F, 0.04F);
            break;
        case Kind::Beta:
            *row.target = random.normal(row.shape, 0.0F, 0.08F);
            break;
        case Kind::Gamma:
            *row.target = random.normal(row.shape, 1.0F, 0.08F);
            for (float& gamma : row.target->data) {
                if (random.uniform() < 0.01F) {
                    gamma *= random.uniform(1.5F, 3.0F);
                }
            }
            break;
    }
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

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    std::vector<std::pair<std::string, const HostTensor*>> tensors;
    // The table hands out mutable targets because loading needs them; saving only reads.
    for (const Row& row : table(const_cast<Weights&>(weights), config)) {
        tensors.emplace_back(row.name, row.target);
    }
    save_safetensors(file, tensors, {{"format", "pt"}});
}

Weights random(const Config& config, std::uint64_t seed, const Heads& heads) {
    validate(config);
    Weights weights = empty_tree(config, heads);
    const Random source(seed);
    for (const Row& row : table(weights, config)) {
        fill(row, source);
    }
    return weights;
}

}  // namespace zoo::bert

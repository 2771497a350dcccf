// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/weights.hpp"

#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "zoo/checkpoint.hpp"
#include "zoo/random.hpp"

namespace zoo::encoder {
namespace {

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

HeadWeights empty_heads(const Heads& heads) {
    HeadWeights weights;
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

void add_linear(Rows& rows, const std::string& name, std::int64_t out, std::int64_t in, Linear& linear, float gain) {
    rows.push_back({name + ".weight", {out, in}, Kind::Matrix, &linear.weight, gain});
    rows.push_back({name + ".bias", {out}, Kind::Bias, &linear.bias});
}

void add_norm(Rows& rows, const std::string& name, std::int64_t width, LayerNorm& norm) {
    rows.push_back({name + ".weight", {width}, Kind::Gamma, &norm.weight});
    rows.push_back({name + ".bias", {width}, Kind::Beta, &norm.bias});
}

void add_embeddings(
    Rows& rows, const std::string& prefix, const Limits& limits, std::int64_t width, EmbeddingsWeights& embeddings) {
    const auto add = [&](const char* name, std::int64_t count, HostTensor& target) {
        rows.push_back({prefix + "." + name + ".weight", {count, width}, Kind::Embedding, &target});
    };
    add("word_embeddings", limits.vocab_size, embeddings.word_embeddings);
    add("position_embeddings", limits.max_position_embeddings, embeddings.position_embeddings);
    add("token_type_embeddings", limits.type_vocab_size, embeddings.token_type_embeddings);
    add_norm(rows, prefix + ".LayerNorm", width, embeddings.layer_norm);
}

void add_layer(
    Rows& rows, const std::string& prefix, const LayerNames& names, const LayerSpec& spec, LayerWeights& layer,
    float attention_gain) {
    const std::int64_t hidden = spec.hidden_size;
    const std::int64_t wide = spec.intermediate_size;
    const auto name = [&](const char* part) { return prefix + "." + part; };
    AttentionWeights& attention = layer.attention;
    add_linear(rows, name(names.query), hidden, hidden, attention.query, 1.4F);
    add_linear(rows, name(names.key), hidden, hidden, attention.key, 1.4F);
    add_linear(rows, name(names.value), hidden, hidden, attention.value);
    add_linear(rows, name(names.attention_output), hidden, hidden, attention.output, attention_gain);
    add_norm(rows, name(names.attention_norm), hidden, attention.layer_norm);
    FeedForwardWeights& feed_forward = layer.feed_forward;
    add_linear(rows, name(names.intermediate), wide, hidden, feed_forward.intermediate, 1.2F);
    add_linear(rows, name(names.output), hidden, wide, feed_forward.output);
    add_norm(rows, name(names.output_norm), hidden, feed_forward.layer_norm);
}

void fill_random(const Rows& rows, std::uint64_t seed) {
    const Random source(seed);
    for (const Row& row : rows) {
        fill(row, source);
    }
}

void save(const std::filesystem::path& file, const Rows& rows) {
    std::vector<std::pair<std::string, const HostTensor*>> tensors;
    for (const Row& row : rows) {
        tensors.emplace_back(row.name, row.target);
    }
    save_safetensors(file, tensors, {{"format", "pt"}});
}

}  // namespace zoo::encoder

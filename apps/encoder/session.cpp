// SPDX-License-Identifier: Apache-2.0
#include "encoder/session.hpp"

#include <algorithm>

#include "encoder/open.hpp"
#include "golden.hpp"
#include "zoo/error.hpp"
#include "zoo/json_config.hpp"

namespace zoo::apps::encoder_app {

void Session::release() {
    runner = nullptr;
    golden = nullptr;
    parameters = nullptr;
    layer = nullptr;
    front = nullptr;
}

const text::Tokenizer& tokenizer_of(const Session& session) {
    if (!session.tokenizer) {
        fail("weights", session.source, " has no ", session.vocabulary, ", which is needed to read text");
    }
    if (static_cast<std::int64_t>(session.tokenizer->vocab_size()) > session.limits.vocab_size) {
        fail(
            "weights", session.vocabulary, " has ", session.tokenizer->vocab_size(), " tokens; ", session.preset,
            " has embeddings for ", session.limits.vocab_size,
            ", so it reads no text: it is for check and bench, or for --weights with a vocabulary that fits");
    }
    return *session.tokenizer;
}

std::vector<encoder::Inputs> in_batches(
    const Session& session, std::span<const std::string_view> texts, text::Truncation truncation) {
    constexpr std::size_t kAtATime = 8;  // fill the rows of an n150's cores
    const text::Tokenizer& tokenizer = tokenizer_of(session);
    const auto limit = static_cast<std::size_t>(session.limits.max_position_embeddings);
    std::size_t longest = 0;
    for (const std::string_view text : texts) {
        longest = std::max(longest, tokenizer.encode(text, {.max_length = limit}).size());
    }
    const std::size_t length = std::min(encoder::padded_length(longest), limit);
    std::vector<encoder::Inputs> batches;
    for (; !texts.empty(); texts = texts.subspan(std::min(texts.size(), kAtATime))) {
        std::vector<text::Encoding> encodings;
        for (const std::string_view text : texts.first(std::min(texts.size(), kAtATime))) {
            encodings.push_back(
                tokenizer.encode(text, {.max_length = length, .pad_to = length, .truncation = truncation}));
        }
        batches.push_back(encoder::to_inputs(encodings));
    }
    return batches;
}

HostTensor golden_run(const Session& session, encoder::Task task, const encoder::Inputs& inputs) {
    require_golden("check");
    return session.golden(task, inputs);
}

encoder::Heads heads_in(const encoder::HeadWeights& weights) {
    return {
        .pooler = weights.pooler.has_value(),
        .qa_outputs = weights.qa_outputs.has_value(),
        .classifier = weights.classifier.has_value(),
        .predictions = weights.predictions.has_value()};
}

std::int64_t embedding_parameters(const encoder::Limits& limits, std::int64_t width) {
    return (limits.vocab_size + limits.max_position_embeddings + limits.type_vocab_size) * width + 2 * width;
}

std::int64_t attention_parameters(const encoder::LayerSpec& spec) {
    return 4 * (spec.hidden_size + 1) * spec.hidden_size + 2 * spec.hidden_size;
}

std::int64_t feed_forward_parameters(const encoder::LayerSpec& spec) {
    return 2 * spec.hidden_size * spec.intermediate_size + spec.intermediate_size + 3 * spec.hidden_size;
}

std::vector<std::string> labels_of(const std::filesystem::path& config) {
    const JsonConfig json = JsonConfig::load(config);
    std::vector<std::string> labels;
    if (json.contains("id2label")) {
        const auto names = json.string_map("id2label");
        for (std::size_t i = 0; names.contains(std::to_string(i)); ++i) {
            labels.push_back(names.at(std::to_string(i)));
        }
    }
    return labels;
}

}  // namespace zoo::apps::encoder_app

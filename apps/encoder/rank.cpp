// SPDX-License-Identifier: Apache-2.0
#include "encoder/rank.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "table.hpp"
#include "zoo/error.hpp"
#include "zoo/text/sentences.hpp"

namespace zoo::apps::encoder_app {

namespace {

// Line breaks inside a sentence would break the table of sentences.
std::string one_line(std::string_view sentence) {
    std::string text(sentence);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

Ranking prepare_ranking(const Session& session, const std::string& question, const std::string& context) {
    Ranking ranking;
    ranking.sentences = text::split_sentences(context);
    if (ranking.sentences.empty()) {
        fail(session.model, "the text has no sentence to rank");
    }
    std::vector<std::string_view> texts{question};
    for (const text::Offset& sentence : ranking.sentences) {
        texts.push_back(text::slice(context, sentence));
    }
    ranking.batches = in_batches(session, texts, text::Truncation::LongestFirst);
    ranking.sequence = ranking.batches.front().sequence;
    ranking.batch = ranking.batches.front().batch;
    return ranking;
}

void rank_on_device(Ranking& ranking, encoder::Runner& runner) {
    ranking.embeddings.clear();
    for (const encoder::Inputs& inputs : ranking.batches) {
        const HostTensor result = runner.run(inputs);
        ranking.embeddings.insert(ranking.embeddings.end(), result.data.begin(), result.data.end());
    }
    const std::size_t width = ranking.embeddings.size() / (ranking.sentences.size() + 1);
    ranking.ranked = encoder::rank(ranking.embeddings, width, ranking.sentences);
}

Comparison compare_with_golden(const Ranking& ranking, const Session& session) {
    std::vector<float> expected;
    for (const encoder::Inputs& inputs : ranking.batches) {
        const HostTensor result = golden_run(session, encoder::Task::SentenceEmbedding, inputs);
        expected.insert(expected.end(), result.data.begin(), result.data.end());
    }
    return compare(expected, ranking.embeddings);
}

void print_ranking(const Ranking& ranking, const std::string& context, std::size_t most) {
    for (std::size_t i = 0; i < std::min(most, ranking.ranked.size()); ++i) {
        const encoder::RankedSentence& sentence = ranking.ranked[i];
        std::cout << fmt::format(
            "  {:6.3f} {}  {}\n", sentence.score, bar(sentence.score), one_line(text::slice(context, sentence.span)));
    }
}

}  // namespace zoo::apps::encoder_app

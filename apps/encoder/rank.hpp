// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sentences of a text by how well they answer a question: what `run` and the demo show.
#include <string>
#include <vector>

#include "encoder/session.hpp"
#include "ttnn/types.hpp"
#include "zoo/encoder/answers.hpp"
#include "zoo/metrics.hpp"

namespace zoo::apps::encoder_app {

struct Ranking {
    std::vector<text::Offset> sentences;          // in the order of the text
    std::vector<encoder::Inputs> batches;         // the question and the sentences, padded
    std::vector<float> embeddings;                // [1 + sentences, hidden_size]
    std::vector<encoder::RankedSentence> ranked;  // the best first
    std::int64_t sequence = 0;                    // tokens of a run
    std::int64_t batch = 0;                       // sentences of a run
};

// Encodes question and sentences. Error for a text without a sentence.
Ranking prepare_ranking(const Session& session, const std::string& question, const std::string& context);
void rank_on_device(Ranking& ranking, encoder::Runner& runner);
// The embeddings on the device against libtorch's.
Comparison compare_with_golden(const Ranking& ranking, const Session& session);
void print_ranking(const Ranking& ranking, const std::string& context, std::size_t most);

}  // namespace zoo::apps::encoder_app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "zoo/encoder/weights.hpp"

namespace zoo::encoder {

// What an encoder is run for, and so what comes back.
enum class Task {
    HiddenState,             // [batch, sequence, hidden_size]
    QuestionAnswering,       // start and end logits: [batch, sequence, 2]
    SentenceEmbedding,       // [batch, hidden_size], of length 1
    MaskedLm,                // [batch, sequence, vocab_size]
    SequenceClassification,  // [batch, num_labels]
};

[[nodiscard]] std::string_view to_string(Task task);  // hidden-state, question-answering, ...
// Error for any other name, listing the known ones.
[[nodiscard]] Task task_from_string(std::string_view name);

// Whether the result has a row for each token.
[[nodiscard]] bool has_a_row_a_token(Task task);

// What the task needs of the weights; nothing else need go to a device.
[[nodiscard]] Heads heads_of(Task task);
// Error in `where` when one of them is not there.
void require_heads(std::string_view where, Task task, const HeadWeights& weights);

}  // namespace zoo::encoder

// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/tasks.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "zoo/encoder/require_head.hpp"
#include "zoo/error.hpp"

namespace zoo::encoder {
namespace {

constexpr std::array<std::pair<Task, std::string_view>, 5> kTasks{{
    {Task::HiddenState, "hidden-state"},
    {Task::QuestionAnswering, "question-answering"},
    {Task::SentenceEmbedding, "sentence-embedding"},
    {Task::MaskedLm, "fill-mask"},
    {Task::SequenceClassification, "sequence-classification"},
}};

}  // namespace

std::string_view to_string(Task task) {
    const auto row = std::ranges::find(kTasks, task, &std::pair<Task, std::string_view>::first);
    return row == kTasks.end() ? "" : row->second;
}

Task task_from_string(std::string_view name) {
    std::string names;
    for (const auto& [task, known] : kTasks) {
        if (known == name) {
            return task;
        }
        names += (names.empty() ? "" : ", ") + std::string(known);
    }
    fail("encoder::Task", "there is no task '", name, "'; it must be one of ", names);
}

bool has_a_row_a_token(Task task) {
    return task == Task::HiddenState || task == Task::QuestionAnswering || task == Task::MaskedLm;
}

Heads heads_of(Task task) {
    const bool classification = task == Task::SequenceClassification;
    return {
        .pooler = classification,
        .qa_outputs = task == Task::QuestionAnswering,
        .classifier = classification,
        .predictions = task == Task::MaskedLm};
}

void require_heads(std::string_view where, Task task, const HeadWeights& weights) {
    const Heads needed = heads_of(task);
    if (needed.qa_outputs) {
        (void)require_head(weights.qa_outputs, where, "qa_outputs head");
    }
    if (needed.predictions) {
        (void)require_head(weights.predictions, where, "predictions head");
    }
    if (needed.classifier) {
        (void)require_head(weights.classifier, where, "classifier head");
    }
    if (needed.pooler) {
        (void)require_head(weights.pooler, where, "pooler");
    }
}

}  // namespace zoo::encoder

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How close each module and model must come to its golden. One row a (model, module, plan).
//
// A bound is the measured value moved a fifth of its distance from perfect (PCC), or a fifth up (relative error), and
// never looser than what the model promises. Loosening a row is a commit of its own that states the cause.

#include <stdexcept>
#include <string>
#include <string_view>

#include "support/matchers.hpp"

namespace zoo::test {

struct Threshold {
    std::string_view model;
    std::string_view module;
    std::string_view plan;  // golden, functional (bfloat16), optimized (bfloat8_b weights)
    Bound bound;
    Bound measured;
    std::string_view reason;
};

// clang-format off
inline constexpr Threshold kThresholds[] = {
    {"bert", "intermediate", "golden", {.pcc = 0.9999, .relative_error = 1e-5}, {.pcc = 1.0, .relative_error = 7e-8},
     "functional float32 against a torch::nn module: only the order of sums may differ"},
    {"bert", "encoder", "golden", {.pcc = 0.99999, .relative_error = 1e-4}, {.pcc = 1.0, .relative_error = 1.1e-6},
     "against torch::nn::TransformerEncoderLayer, up to 6 layers: as above, over a longer chain"},
    {"bert", "embeddings", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "embeddings", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "self_attention", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "self_attention", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "attention_output", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "attention_output", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "intermediate", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "intermediate", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "guide_intermediate", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "guide_intermediate", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "feed_forward", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "feed_forward", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "encoder_layer", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "encoder_layer", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "pooler", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "pooler", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "bert", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "bert", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "for_question_answering", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "for_question_answering", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "sentence_embedding", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "sentence_embedding", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "for_masked_lm", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "for_masked_lm", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "for_sequence_classification", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "for_sequence_classification", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "bert_large", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "bert_large", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "bert_large_answers", "functional", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
    {"bert", "bert_large_answers", "optimized", {.pcc = 1.0, .relative_error = 0.0}, {.pcc = 1.0, .relative_error = 0.0}, ""},
};
// clang-format on

inline const Bound& threshold(std::string_view model, std::string_view module, std::string_view plan) {
    for (const Threshold& row : kThresholds) {
        if (row.model == model && row.module == module && row.plan == plan) {
            return row.bound;
        }
    }
    throw std::out_of_range(
        "no row in tests/support/thresholds.hpp for " + std::string(model) + ", " + std::string(module) + ", " +
        std::string(plan));
}

}  // namespace zoo::test

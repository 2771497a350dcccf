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
    {"bert", "embeddings", "functional", {.pcc = 0.999992, .relative_error = 0.0044},
     {.pcc = 0.999993, .relative_error = 0.0036}, "bfloat16 tables, sums and result"},
    {"bert", "embeddings", "optimized", {.pcc = 0.999992, .relative_error = 0.0044},
     {.pcc = 0.999993, .relative_error = 0.0036}, "as functional: the tables are bfloat16 in both"},
    {"bert", "self_attention", "functional", {.pcc = 0.999937, .relative_error = 0.013},
     {.pcc = 0.999948, .relative_error = 0.0102}, "scores in bfloat16, then the exponential"},
    {"bert", "self_attention", "optimized", {.pcc = 0.99928, .relative_error = 0.048},
     {.pcc = 0.999405, .relative_error = 0.0399}, "bfloat8_b scores, probabilities and heads"},
    {"bert", "attention_output", "functional", {.pcc = 0.999995, .relative_error = 0.0036},
     {.pcc = 0.999996, .relative_error = 0.003}, "bfloat16 result; the residual, which is exact, is most of it"},
    {"bert", "attention_output", "optimized", {.pcc = 0.999994, .relative_error = 0.0038},
     {.pcc = 0.999995, .relative_error = 0.0031}, "the residual hides most of bfloat8_b's error"},
    {"bert", "intermediate", "functional", {.pcc = 0.999991, .relative_error = 0.0043},
     {.pcc = 0.999992, .relative_error = 0.0035}, "bfloat16 result"},
    {"bert", "intermediate", "optimized", {.pcc = 0.99987, .relative_error = 0.016},
     {.pcc = 0.999895, .relative_error = 0.013}, "bfloat8_b weights and result"},
    {"bert", "guide_intermediate", "functional", {.pcc = 0.999994, .relative_error = 0.0039},
     {.pcc = 0.999995, .relative_error = 0.0032}, "the conversion guide asks for 0.999 at inputs of at most 0.1"},
    {"bert", "guide_intermediate", "optimized", {.pcc = 0.999931, .relative_error = 0.014},
     {.pcc = 0.999943, .relative_error = 0.0114}, "as above, with bfloat8_b weights and result"},
    {"bert", "feed_forward", "functional", {.pcc = 0.999991, .relative_error = 0.0048},
     {.pcc = 0.999992, .relative_error = 0.0039}, "two bfloat16 roundings and the norm's"},
    {"bert", "feed_forward", "optimized", {.pcc = 0.999938, .relative_error = 0.013},
     {.pcc = 0.999949, .relative_error = 0.0101}, "bfloat8_b between the two projections"},
    {"bert", "encoder_layer", "functional", {.pcc = 0.999985, .relative_error = 0.0059},
     {.pcc = 0.999988, .relative_error = 0.0049}, "attention's error, halved by the residual"},
    {"bert", "encoder_layer", "optimized", {.pcc = 0.999923, .relative_error = 0.014},
     {.pcc = 0.999936, .relative_error = 0.0113}, "as functional, in bfloat8_b"},
    {"bert", "pooler", "functional", {.pcc = 0.999994, .relative_error = 0.0038},
     {.pcc = 0.999995, .relative_error = 0.0031}, "bfloat16 projection and tanh"},
    {"bert", "pooler", "optimized", {.pcc = 0.999953, .relative_error = 0.011},
     {.pcc = 0.999961, .relative_error = 0.0088}, "bfloat8_b weights"},
    {"bert", "bert", "functional", {.pcc = 0.999903, .relative_error = 0.016},
     {.pcc = 0.99992, .relative_error = 0.0127}, "up to 6 layers, each rounding the residual stream twice"},
    {"bert", "bert", "optimized", {.pcc = 0.9994, .relative_error = 0.038},
     {.pcc = 0.999508, .relative_error = 0.0314}, "the same stream, and bfloat8_b inside each layer"},
    {"bert", "for_question_answering", "functional", {.pcc = 0.999921, .relative_error = 0.014},
     {.pcc = 0.999935, .relative_error = 0.0116}, "that of the hidden state"},
    {"bert", "for_question_answering", "optimized", {.pcc = 0.99953, .relative_error = 0.034},
     {.pcc = 0.999612, .relative_error = 0.0283}, "that of the hidden state, and a bfloat8_b head"},
    {"bert", "sentence_embedding", "functional", {.pcc = 0.999966, .relative_error = 0.0091},
     {.pcc = 0.999972, .relative_error = 0.0075}, "rounding is averaged over the tokens"},
    {"bert", "sentence_embedding", "optimized", {.pcc = 0.9997, .relative_error = 0.027},
     {.pcc = 0.999757, .relative_error = 0.0221}, "rounding is averaged over the tokens"},
    {"bert", "for_masked_lm", "functional", {.pcc = 0.99985, .relative_error = 0.019},
     {.pcc = 0.999879, .relative_error = 0.0155}, "another projection, norm and bfloat16 logits"},
    {"bert", "for_masked_lm", "optimized", {.pcc = 0.99912, .relative_error = 0.046},
     {.pcc = 0.999273, .relative_error = 0.0381}, "bfloat8_b transform and decoder"},
    {"bert", "for_sequence_classification", "functional", {.pcc = 0.99987, .relative_error = 0.018},
     {.pcc = 0.999894, .relative_error = 0.0145}, "the worst of 64 to 512 logits"},
    {"bert", "for_sequence_classification", "optimized", {.pcc = 0.9989, .relative_error = 0.049},
     {.pcc = 0.999147, .relative_error = 0.0407}, "as functional, with a bfloat8_b pooler and head"},
    {"bert", "bert_large", "functional", {.pcc = 0.9989, .relative_error = 0.051},
     {.pcc = 0.999116, .relative_error = 0.0421}, "24 layers at 384 tokens; the model promises 0.99"},
    {"bert", "bert_large", "optimized", {.pcc = 0.9936, .relative_error = 0.13},
     {.pcc = 0.99473, .relative_error = 0.1027}, "24 layers at 384 tokens; the model promises 0.98"},
    {"bert", "bert_large_answers", "functional", {.pcc = 0.9982, .relative_error = 0.056},
     {.pcc = 0.998548, .relative_error = 0.0464}, "logits of the above: two projections of a few large channels"},
    {"bert", "bert_large_answers", "optimized", {.pcc = 0.9904, .relative_error = 0.13},
     {.pcc = 0.99205, .relative_error = 0.1076}, "logits of the above, with a bfloat8_b head"},
    {"mobilenetv2", "stem", "functional", {.pcc = 0.9999916, .relative_error = 0.004},
     {.pcc = 0.999993, .relative_error = 0.0033}, "bfloat16 weights and result"},
    {"mobilenetv2", "stem", "optimized", {.pcc = 0.99988, .relative_error = 0.018},
     {.pcc = 0.999902, .relative_error = 0.0146}, "bfloat8_b weights and result"},
    {"mobilenetv2", "inverted_residual", "functional", {.pcc = 0.99998, .relative_error = 0.007},
     {.pcc = 0.999984, .relative_error = 0.0058}, "three convolutions, each result in bfloat16"},
    {"mobilenetv2", "inverted_residual", "optimized", {.pcc = 0.99981, .relative_error = 0.023},
     {.pcc = 0.999842, .relative_error = 0.0189}, "bfloat8_b weights and inner results; the residual is bfloat16"},
    {"mobilenetv2", "features", "functional", {.pcc = 0.99977, .relative_error = 0.019},
     {.pcc = 0.999816, .relative_error = 0.0161}, "7 blocks of the tiny preset"},
    {"mobilenetv2", "features", "optimized", {.pcc = 0.9965, .relative_error = 0.076},
     {.pcc = 0.997103, .relative_error = 0.0634}, "7 blocks of the tiny preset; nothing is averaged yet"},
    {"mobilenetv2", "features_224", "functional", {.pcc = 0.998, .relative_error = 0.057},
     {.pcc = 0.998372, .relative_error = 0.0473}, "52 layers: a whole model without its mean"},
    {"mobilenetv2", "features_224", "optimized", {.pcc = 0.9769, .relative_error = 0.2},
     {.pcc = 0.980771, .relative_error = 0.163}, "52 layers: a whole model without its mean, which promises 0.97"},
    {"mobilenetv2", "classifier", "functional", {.pcc = 0.999988, .relative_error = 0.0065},
     {.pcc = 0.99999, .relative_error = 0.0054}, "the mean in bfloat16, then the projection"},
    {"mobilenetv2", "classifier", "optimized", {.pcc = 0.999958, .relative_error = 0.011},
     {.pcc = 0.999965, .relative_error = 0.009}, "bfloat8_b weights"},
    {"mobilenetv2", "mobilenetv2", "functional", {.pcc = 0.999905, .relative_error = 0.016},
     {.pcc = 0.999921, .relative_error = 0.013}, "53 layers at 224x224; the mean takes most of the pixels' errors away"},
    {"mobilenetv2", "mobilenetv2", "optimized", {.pcc = 0.99914, .relative_error = 0.045},
     {.pcc = 0.999286, .relative_error = 0.0379}, "53 layers at 224x224 in bfloat8_b; the model promises 0.97"},
    {"mobilenetv2", "mobilenetv2_wormhole", "functional", {.pcc = 0.9999, .relative_error = 0.025},
     {.pcc = 0.999917, .relative_error = 0.021}, "10 logits of the tiny preset in the card's arithmetic"},
    {"mobilenetv2", "mobilenetv2_wormhole", "optimized", {.pcc = 0.99923, .relative_error = 0.052},
     {.pcc = 0.999362, .relative_error = 0.043}, "10 logits of the tiny preset in the card's arithmetic"},
    {"mnist", "block", "functional", {.pcc = 0.999983, .relative_error = 0.0037},
     {.pcc = 0.999986, .relative_error = 0.0031}, "bfloat16 weights and result"},
    {"mnist", "block", "optimized", {.pcc = 0.999918, .relative_error = 0.009},
     {.pcc = 0.999932, .relative_error = 0.0075}, "bfloat8_b weights"},
    {"mnist", "features", "functional", {.pcc = 0.999977, .relative_error = 0.0054},
     {.pcc = 0.999981, .relative_error = 0.0045}, "three blocks"},
    {"mnist", "features", "optimized", {.pcc = 0.99984, .relative_error = 0.015},
     {.pcc = 0.999874, .relative_error = 0.0129}, "three blocks with bfloat8_b weights"},
    {"mnist", "classifier", "functional", {.pcc = 0.999978, .relative_error = 0.011},
     {.pcc = 0.999982, .relative_error = 0.0087}, "two projections, the result in bfloat16"},
    {"mnist", "classifier", "optimized", {.pcc = 0.999932, .relative_error = 0.014},
     {.pcc = 0.999944, .relative_error = 0.0115}, "bfloat8_b weights"},
    {"mnist", "mnist", "functional", {.pcc = 0.99995, .relative_error = 0.013},
     {.pcc = 0.999959, .relative_error = 0.0111}, "10 to 50 logits"},
    {"mnist", "mnist", "optimized", {.pcc = 0.99982, .relative_error = 0.02},
     {.pcc = 0.999857, .relative_error = 0.017}, "10 to 640 logits; the model promises 0.97"},
    {"mnist", "mnist_wormhole", "functional", {.pcc = 0.99976, .relative_error = 0.036},
     {.pcc = 0.999801, .relative_error = 0.0303}, "20 logits in the card's arithmetic"},
    {"mnist", "mnist_wormhole", "optimized", {.pcc = 0.99962, .relative_error = 0.041},
     {.pcc = 0.999689, .relative_error = 0.0338}, "20 logits in the card's arithmetic"},
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

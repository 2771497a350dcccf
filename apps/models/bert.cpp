// SPDX-License-Identifier: Apache-2.0
#include "models/bert.hpp"

#include <fmt/format.h>

#include "model_info.hpp"
#include "models/bert/config.hpp"

namespace zoo::apps {

namespace bert_app {

namespace {

// Parameters of the model without heads, part by part.
std::vector<ModelPart> parts_of(const bert::Config& config) {
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t norm = 2 * hidden;
    const std::int64_t embeddings =
        (config.vocab_size + config.max_position_embeddings + config.type_vocab_size) * hidden + norm;
    const std::int64_t attention = 4 * (hidden * hidden + hidden) + norm;
    const std::int64_t feed_forward = 2 * hidden * config.intermediate_size + config.intermediate_size + hidden + norm;
    return {
        {"embeddings", embeddings},
        {fmt::format("{} x attention", config.num_hidden_layers), config.num_hidden_layers * attention},
        {fmt::format("{} x feed forward", config.num_hidden_layers), config.num_hidden_layers * feed_forward}};
}

ModelInfo info_of(const std::string& preset) {
    const bert::Config config = bert::preset(preset);
    return {
        .model = "bert",
        .preset = preset,
        .summary = fmt::format(
            "{} layers of width {}, {} heads of {}, feed forward {}, up to {} tokens, vocabulary {}",
            config.num_hidden_layers, config.hidden_size, config.num_attention_heads, config.head_size(),
            config.intermediate_size, config.max_position_embeddings, config.vocab_size),
        .config =
            {{"hidden_size", config.hidden_size},
             {"num_hidden_layers", config.num_hidden_layers},
             {"num_attention_heads", config.num_attention_heads},
             {"intermediate_size", config.intermediate_size},
             {"max_position_embeddings", config.max_position_embeddings},
             {"vocab_size", config.vocab_size}},
        .parts = parts_of(config),
        .note = "The optimized version keeps matrices in bfloat8_b, and embeddings and vectors in bfloat16."};
}

}  // namespace

void add_info(CLI::App& command) { add_info_flags(command, "bert-base", bert::preset_names(), info_of); }

}  // namespace bert_app

ModelEntry bert_entry() {
    return {
        .name = "bert",
        .summary = "Encoder of text: question answering, sentence embedding, masked words, classification",
        .presets = bert::preset_names(),
        .tasks = {"rank", "question-answering", "fill-mask", "similarity", "classify"},
        .add_run = bert_app::add_run,
        .add_check = bert_app::add_check,
        .add_bench = bert_app::add_bench,
        .add_info = bert_app::add_info};
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#include "models/bert.hpp"

#include <fmt/format.h>

#include "model_info.hpp"
#include "models/bert/config.hpp"
#include "models/bert_session.hpp"

namespace zoo::apps {

namespace bert_app {

namespace {

// Parameters of the model without heads, part by part.
std::vector<ModelPart> parts_of(const bert::Config& config) {
    return {
        {"embeddings", encoder_app::embedding_parameters(config, config.hidden_size)},
        {fmt::format("{} x attention", config.num_hidden_layers),
         config.num_hidden_layers * encoder_app::attention_parameters(config)},
        {fmt::format("{} x feed forward", config.num_hidden_layers),
         config.num_hidden_layers * encoder_app::feed_forward_parameters(config)}};
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

static void add_info(CLI::App& command) { add_info_flags(command, "bert-base", bert::preset_names(), info_of); }

}  // namespace bert_app

ModelEntry bert_entry() {
    return {
        .name = "bert",
        .summary = "Encoder of text: question answering, sentence embedding, masked words, classification",
        .presets = bert::preset_names(),
        .tasks = {"rank", "question-answering", "fill-mask", "similarity", "classify"},
        .add_run = [](CLI::App& command) { encoder_app::add_run(command, bert_app::model()); },
        .add_check = [](CLI::App& command) { encoder_app::add_check(command, bert_app::model()); },
        .add_bench = [](CLI::App& command,
                        const Measure& measure) { encoder_app::add_bench(command, measure, bert_app::model()); },
        .add_info = bert_app::add_info};
}

}  // namespace zoo::apps

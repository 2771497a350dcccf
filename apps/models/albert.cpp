// SPDX-License-Identifier: Apache-2.0
#include "models/albert.hpp"

#include <fmt/format.h>

#include "model_info.hpp"
#include "models/albert/config.hpp"
#include "models/albert_session.hpp"

namespace zoo::apps {

namespace {

// Parameters of the model without heads, part by part; a layer counts once, however often it runs.
std::vector<ModelPart> parts_of(const albert::Config& config) {
    const std::int64_t layers = config.num_hidden_groups * config.inner_group_num;
    return {
        {"embeddings", encoder_app::embedding_parameters(config, config.embedding_size)},
        {"mapping to the hidden size", (config.embedding_size + 1) * config.hidden_size},
        {fmt::format("{} x attention", layers), layers * encoder_app::attention_parameters(config)},
        {fmt::format("{} x feed forward", layers), layers * encoder_app::feed_forward_parameters(config)}};
}

ModelInfo info_of(const std::string& preset) {
    const albert::Config config = albert::preset(preset);
    return {
        .model = "albert",
        .preset = preset,
        .summary = fmt::format(
            "{} turns of one layer of width {}, embeddings of {}, {} heads of {}, feed forward {}, up to {} tokens, "
            "vocabulary {}",
            config.num_hidden_layers, config.hidden_size, config.embedding_size, config.num_attention_heads,
            config.head_size(), config.intermediate_size, config.max_position_embeddings, config.vocab_size),
        .config =
            {{"embedding_size", config.embedding_size},
             {"hidden_size", config.hidden_size},
             {"num_hidden_layers", config.num_hidden_layers},
             {"num_hidden_groups", config.num_hidden_groups},
             {"num_attention_heads", config.num_attention_heads},
             {"intermediate_size", config.intermediate_size},
             {"max_position_embeddings", config.max_position_embeddings},
             {"vocab_size", config.vocab_size}},
        .parts = parts_of(config),
        .note = "The optimized version keeps matrices in bfloat8_b, and embeddings and vectors in bfloat16."};
}

}  // namespace

ModelEntry albert_entry() {
    return {
        .name = "albert",
        .summary = "Encoder of text with one shared layer: classification, question answering, masked words",
        .presets = albert::preset_names(),
        .tasks = {"classify", "question-answering", "fill-mask", "similarity", "rank"},
        .add_run = [](CLI::App& command) { encoder_app::add_run(command, albert_app::model()); },
        .add_check = [](CLI::App& command) { encoder_app::add_check(command, albert_app::model()); },
        .add_bench = [](CLI::App& command,
                        const Measure& measure) { encoder_app::add_bench(command, measure, albert_app::model()); },
        .add_info =
            [](CLI::App& command) { add_info_flags(command, "albert-base-v2", albert::preset_names(), info_of); }};
}

}  // namespace zoo::apps

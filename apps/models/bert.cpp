// SPDX-License-Identifier: Apache-2.0
#include "models/bert.hpp"

#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/bert_session.hpp"
#include "table.hpp"

namespace zoo::apps {

namespace bert_app {

namespace {

struct Layer {
    std::string name;
    std::int64_t parameters;
};

// Parameters of the model without heads, part by part.
std::vector<Layer> layers_of(const bert::Config& config) {
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

struct InfoOptions {
    std::string preset = "bert-base";
    bool json = false;
};

void info(const InfoOptions& options) {
    const bert::Config config = bert::preset(options.preset);
    const std::vector<Layer> layers = layers_of(config);
    std::int64_t total = 0;
    for (const Layer& layer : layers) {
        total += layer.parameters;
    }
    if (options.json) {
        std::cout << nlohmann::json{
                         {"model", "bert"},
                         {"preset", options.preset},
                         {"hidden_size", config.hidden_size},
                         {"num_hidden_layers", config.num_hidden_layers},
                         {"num_attention_heads", config.num_attention_heads},
                         {"intermediate_size", config.intermediate_size},
                         {"max_position_embeddings", config.max_position_embeddings},
                         {"vocab_size", config.vocab_size},
                         {"parameters", total}}
                         .dump(2)
                  << '\n';
        return;
    }
    std::cout << fmt::format(
        "bert, preset {}: {} layers of width {}, {} heads of {}, feed forward {}, up to {} tokens, vocabulary {}\n\n",
        options.preset, config.num_hidden_layers, config.hidden_size, config.num_attention_heads, config.head_size(),
        config.intermediate_size, config.max_position_embeddings, config.vocab_size);
    using Align = Table::Align;
    Table table({{"part"}, {"parameters", Align::Right}, {"bfloat16", Align::Right}, {"bfloat8_b", Align::Right}});
    const auto add = [&](const std::string& name, std::int64_t parameters) {
        const auto count = static_cast<double>(parameters);
        table.add({name, fmt::format("{}", parameters), bytes(2 * count), bytes(1.0625 * count)});
    };
    for (const Layer& layer : layers) {
        add(layer.name, layer.parameters);
    }
    add("all", total);
    table.print(std::cout);
    std::cout << "\nThe optimized version keeps matrices in bfloat8_b, and embeddings and vectors in bfloat16.\n";
}

}  // namespace

void add_info(CLI::App& command) {
    const auto options = std::make_shared<InfoOptions>();
    std::vector<std::string> names(bert::preset_names().begin(), bert::preset_names().end());
    command.add_option("--preset", options->preset, "The size of the model")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    command.add_flag("--json", options->json, "One JSON object instead of text");
    command.callback([options] { info(*options); });
}

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

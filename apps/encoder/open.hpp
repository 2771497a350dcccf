// SPDX-License-Identifier: Apache-2.0
#pragma once

// From flags to a session: where the weights come from is decided alike for every encoder.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "encoder/session.hpp"
#include "progress.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/error.hpp"

namespace zoo::apps::encoder_app {

// A model's own functions.
template <class Config, class Weights>
struct Loaders {
    std::string model;
    std::string vocabulary;            // the name of its file
    std::vector<std::string> ignored;  // tensors of checkpoints that need no reading
    Config (*preset)(std::string_view name);
    Config (*from_json)(const std::filesystem::path& file);
    Weights (*load)(const Checkpoint& checkpoint, const Config& config);
    Weights (*random)(const Config& config, std::uint64_t seed, const encoder::Heads& heads);
    std::shared_ptr<const text::Tokenizer> (*tokenizer)(const std::filesystem::path& file);
    // Trained weights of a preset that need no --weights: a directory and how to call it.
    std::optional<std::pair<std::filesystem::path, std::string>> (*at_hand)(const std::string& preset);
    // The vocabulary when the weights bring none; an empty path where there is none either.
    std::filesystem::path (*other_vocabulary)();
};

template <class Config, class Weights>
struct Opened {
    Session session;
    std::shared_ptr<const Config> config;
    std::shared_ptr<const Weights> weights;
};

// The labels of a config.json, in order.
[[nodiscard]] std::vector<std::string> labels_of(const std::filesystem::path& config);

// Weights from --weights, else those at hand for the preset, else seeded random ones with all heads.
template <class Config, class Weights>
[[nodiscard]] Opened<Config, Weights> open_weights(
    const Loaders<Config, Weights>& loaders, const ModelFlags& flags, const std::string& default_preset) {
    namespace fs = std::filesystem;
    Session session;
    session.model = loaders.model;
    session.vocabulary = loaders.vocabulary;
    session.preset = flags.preset_or(default_preset);
    Progress progress(session.preset);
    progress.say("weights");
    Config config = loaders.preset(session.preset);
    Weights weights;
    fs::path vocabulary;
    std::optional<std::pair<fs::path, std::string>> place;
    if (!flags.weights.empty() && flags.weights != "random") {
        place = {flags.weights, flags.weights};
    } else if (flags.weights.empty()) {
        place = loaders.at_hand(session.preset);
    }
    if (place) {
        const fs::path& directory = place->first;
        if (!fs::is_directory(directory)) {
            fail(
                "weights", directory.string(), " is not a directory; it must hold a checkpoint, config.json and ",
                loaders.vocabulary);
        }
        if (const fs::path file = directory / "config.json"; fs::exists(file)) {
            config = loaders.from_json(file);
            session.labels = labels_of(file);
        }
        weights = loaders.load(*open_checkpoint(directory, loaders.ignored), config);
        vocabulary = directory / loaders.vocabulary;
        session.source = place->second;
        session.trained = true;
    } else {
        weights = loaders.random(config, flags.seed, {});
        session.source = fmt::format("random, seed {}", flags.seed);
    }
    if (vocabulary.empty() || !fs::exists(vocabulary)) {
        vocabulary = loaders.other_vocabulary();
    }
    if (fs::exists(vocabulary)) {
        session.tokenizer = loaders.tokenizer(vocabulary);
    }
    session.spec = config;
    session.limits = config;
    session.layers = config.num_hidden_layers;
    session.heads = heads_in(weights);
    return {
        std::move(session), std::make_shared<const Config>(std::move(config)),
        std::make_shared<const Weights>(std::move(weights))};
}

// The model's Runner over the opened weights.
template <class Runner, class Config, class Weights>
void bind_runner(Opened<Config, Weights>& opened) {
    opened.session.runner = [config = opened.config, weights = opened.weights](
                                ttnn::MeshDevice& device, const encoder::RunnerOptions& options) {
        return std::unique_ptr<encoder::Runner>(std::make_unique<Runner>(device, *config, *weights, options));
    };
}

// The model's golden functions, in the order of encoder::Task.
template <class Config, class Weights>
using GoldenTasks =
    std::array<HostTensor (*)(const Config& config, const Weights& weights, const encoder::Inputs& inputs), 5>;

template <class Config, class Weights>
void bind_golden(Opened<Config, Weights>& opened, const GoldenTasks<Config, Weights>& functions) {
    opened.session.golden = [config = opened.config, weights = opened.weights, functions](
                                encoder::Task task, const encoder::Inputs& inputs) {
        return functions[static_cast<std::size_t>(task)](*config, *weights, inputs);
    };
    opened.session.parameters = [config = opened.config, weights = opened.weights] {
        return tensors(*weights, *config);
    };
}

}  // namespace zoo::apps::encoder_app

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the program does with the network of a causal model, whatever the model. Model is a model's namespace as a type: Config,
// Weights, Runner, with libtorch Decoder, and preset, from_json, load, random.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "causal/causal_app.hpp"
#include "progress.hpp"
#include "zoo/causal_attention.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::apps {

template <class Model>
struct CausalNetwork {
    typename Model::Config config;
    typename Model::Weights weights;
};

// A session without modules; `network` is what it refers to.
template <class Model>
CausalSession open_causal(
    const ModelFlags& flags, const std::string& default_preset, const text::BytePairOptions& vocabulary,
    std::shared_ptr<CausalNetwork<Model>>& network) {
    CausalSession session;
    session.preset = flags.preset_or(default_preset);
    Progress progress(session.preset);
    progress.say("weights");
    network = std::make_shared<CausalNetwork<Model>>();
    network->config = Model::preset(session.preset);
    const std::string directory = causal_directory(flags, session.preset);
    if (directory.empty()) {
        network->weights = Model::random(network->config, flags.seed);
        session.source = fmt::format("random, seed {}", flags.seed);
    } else {
        if (const auto config = std::filesystem::path(directory) / "config.json"; std::filesystem::exists(config)) {
            network->config = Model::from_json(config);
        }
        network->weights = Model::load(*open_checkpoint(directory, Model::kMasks), network->config);
        session.source = flags.weights.empty() ? session.preset + " (trained by this project)" : flags.weights;
        session.trained = true;
    }
    session.context = network->config.n_positions;
    session.vocab_size = network->config.vocab_size;
    session.tokenizer = causal_tokenizer(directory, session.vocab_size, vocabulary);
    session.runner = [network](ttnn::MeshDevice& device, const causal::RunnerOptions& options) {
        return std::make_unique<typename Model::Runner>(device, network->config, network->weights, options);
    };
    session.parameters = [network] { return tensors(network->weights, network->config); };
    return session;
}

// The text of a check, on the host and on the device.
struct CheckedText {
    std::vector<std::int32_t> ids;
    StepInputs inputs;
    std::vector<KeyValueCache> caches;
    HostTensor hidden;  // [1, sequence, n_embd]: what a block reads
    ttnn::MeshDevice* device = nullptr;

    // All but hidden.
    template <class Config>
    CheckedText(const Config& config, std::int64_t sequence, std::uint64_t seed, ttnn::MeshDevice& on)
        : CheckedText(random_tokens(config.vocab_size, sequence, seed), on) {
        caches = make_caches(on, config.n_layer, 1, config.n_head, sequence, config.head_size());
    }

    [[nodiscard]] ttnn::Tensor placed(const ttnn::MemoryConfig& memory) const;

private:
    CheckedText(std::vector<std::int32_t> tokens, ttnn::MeshDevice& on);
};

// All but the note and the parts.
template <class Config>
ModelInfo causal_info(const std::string& model, const std::string& preset, const Config& config) {
    return {
        .model = model,
        .preset = preset,
        .summary = fmt::format(
            "{} layers of width {}, {} heads of {}, feed forward {}, up to {} tokens, vocabulary {}", config.n_layer,
            config.n_embd, config.n_head, config.head_size(), config.inner(), config.n_positions, config.vocab_size),
        .config = {
            {"n_embd", config.n_embd},
            {"n_layer", config.n_layer},
            {"n_head", config.n_head},
            {"n_inner", config.inner()},
            {"n_positions", config.n_positions},
            {"vocab_size", config.vocab_size}}};
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

// An encoder of text with its weights and its tokenizer, as the commands of all encoders see it.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model_check.hpp"
#include "model_flags.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/encoder/runner.hpp"
#include "zoo/text/tokenizer.hpp"

namespace zoo::apps {
struct Measure;
}

namespace zoo::apps::encoder_app {

struct Session {
    std::string model;  // its name in the registry
    std::string preset;
    std::string source;    // where the weights come from, for people
    bool trained = false;  // false for seeded random weights
    encoder::LayerSpec spec;
    encoder::Limits limits;
    std::int64_t layers = 0;
    encoder::Heads heads;             // those that the weights have
    std::vector<std::string> labels;  // of the classifier; empty: they have numbers only
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::string vocabulary;  // the name of its file
    text::Truncation truncation = text::Truncation::LongestFirst;

    // What follows shares the weights.
    std::function<std::unique_ptr<encoder::Runner>(ttnn::MeshDevice& device, const encoder::RunnerOptions& options)>
        runner;
    // The same computation by libtorch in float32; empty when the program was built without it.
    std::function<HostTensor(encoder::Task task, const encoder::Inputs& inputs)> golden;
    // The weights that the golden reads.
    std::function<NamedTensors()> parameters;
    std::shared_ptr<const encoder::LayerWeights> layer;  // the first
    // The modules before the first layer, for `check`.
    std::function<std::vector<CheckedModule>(ttnn::MeshDevice& device, const encoder::Inputs& inputs)> front;

    // Frees the weights on the host.
    void release();
};

// Error when there is no vocabulary to read text with.
[[nodiscard]] const text::Tokenizer& tokenizer_of(const Session& session);
// Texts as they are run, a few at a time: every batch but the last is as large as the first, all have the length of the longest text,
// or what the model takes at most.
[[nodiscard]] std::vector<encoder::Inputs> in_batches(
    const Session& session, std::span<const std::string_view> texts, text::Truncation truncation);
// Error when the program was built without libtorch.
[[nodiscard]] HostTensor golden_run(const Session& session, encoder::Task task, const encoder::Inputs& inputs);

// The heads that weights have.
[[nodiscard]] encoder::Heads heads_in(const encoder::HeadWeights& weights);

// How many parameters the parts of an encoder have, for `info`.
[[nodiscard]] std::int64_t embedding_parameters(const encoder::Limits& limits, std::int64_t width);
[[nodiscard]] std::int64_t attention_parameters(const encoder::LayerSpec& spec);
[[nodiscard]] std::int64_t feed_forward_parameters(const encoder::LayerSpec& spec);

// What the commands need to know of a model beside its sessions.
struct Model {
    std::string name;
    std::span<const std::string_view> presets;
    std::string run_preset;    // the default of run
    std::string bench_preset;  // of check and bench
    std::string weights_are;   // what --weights may name
    std::vector<std::string> tasks;
    std::function<Session(const ModelFlags& flags, const std::string& default_preset)> open;
};

void add_run(CLI::App& command, const Model& model);
void add_check(CLI::App& command, const Model& model);
void add_bench(CLI::App& command, const Measure& measure, const Model& model);

}  // namespace zoo::apps::encoder_app

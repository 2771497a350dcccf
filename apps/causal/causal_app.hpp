// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a model that continues texts gives to the program: run, check, bench and info are the same for all of them.
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model_check.hpp"
#include "model_flags.hpp"
#include "model_info.hpp"
#include "registry.hpp"
#include "zoo/causal/runner.hpp"
#include "zoo/causal_lm.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/text/byte_pair.hpp"

namespace zoo::apps {

// A model with weights, ready to be put on a device.
struct CausalSession {
    std::string preset;
    std::string source;    // where the weights come from, for people
    bool trained = false;  // false for seeded random weights
    std::int64_t context = 0;
    std::int64_t vocab_size = 0;
    std::optional<text::BytePair> tokenizer;
    std::function<std::unique_ptr<CausalLm>(ttnn::MeshDevice& device, const causal::RunnerOptions& options)> runner;
    // libtorch in float32 with a cache; null without it.
    std::function<std::unique_ptr<CausalLm>(std::int64_t batch)> golden;
    // One pass by libtorch over a whole text, without a cache; null without it.
    std::function<HostTensor(std::span<const std::int32_t> ids)> forward;
    // The weights that the goldens read.
    std::function<NamedTensors()> parameters;
    // Modules over a sequence of as many tokens; null without libtorch. What they refer to must outlive them.
    std::function<std::vector<CheckedModule>(
        ttnn::MeshDevice& device, std::int64_t sequence, std::uint64_t seed, std::shared_ptr<void>& keep)>
        modules;
};

struct CausalApp {
    std::string_view model;
    std::string_view summary;
    std::string default_preset;  // of run
    std::string bench_preset;
    std::string default_prompt;
    std::vector<std::string_view> presets;
    std::function<CausalSession(const ModelFlags& flags, const std::string& default_preset)> open;
    std::function<ModelInfo(const std::string& preset)> info_of;
};

[[nodiscard]] ModelEntry causal_entry(const CausalApp& app);

// The directory that a session reads: --weights, else what the source tree or the cache has for the preset; empty for random weights.
[[nodiscard]] std::string causal_directory(const ModelFlags& flags, const std::string& preset);
// The vocabulary of the directory, else GPT-2's where it was fetched and fits the model; for random weights else the project's own; none
// otherwise.
[[nodiscard]] std::optional<text::BytePair> causal_tokenizer(
    const std::string& directory, std::int64_t vocab_size, const text::BytePairOptions& options);
// Tokens without meaning, for benches and checks.
[[nodiscard]] std::vector<std::int32_t> random_tokens(std::int64_t vocab_size, std::int64_t count, std::uint64_t seed);

// The commands, one in a file.
void add_causal_run(CLI::App& command, const CausalApp& app);
void add_causal_check(CLI::App& command, const CausalApp& app);
void add_causal_bench(CLI::App& command, const CausalApp& app, const Measure& measure);
void add_causal_model_flags(CLI::App& command, const CausalApp& app, ModelFlags& flags);

}  // namespace zoo::apps

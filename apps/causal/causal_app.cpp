// SPDX-License-Identifier: Apache-2.0
#include "causal/causal_app.hpp"

#include <filesystem>

#include "source_dir.hpp"
#include "zoo/error.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/random.hpp"

namespace zoo::apps {

namespace fs = std::filesystem;

ModelEntry causal_entry(const CausalApp& app) {
    return {
        .name = app.model,
        .summary = app.summary,
        .presets = app.presets,
        .tasks = {"generate"},
        .add_run = [app](CLI::App& command) { add_causal_run(command, app); },
        .add_check = [app](CLI::App& command) { add_causal_check(command, app); },
        .add_bench = [app](CLI::App& command, const Measure& measure) { add_causal_bench(command, app, measure); },
        .add_info = [app](CLI::App& command) { add_info_flags(command, app.bench_preset, app.presets, app.info_of); }};
}

void add_causal_model_flags(CLI::App& command, const CausalApp& app, ModelFlags& flags) {
    flags.add_to(command, app.presets, "A directory with model.safetensors, config.json, vocab.json and merges.txt");
}

std::string causal_directory(const ModelFlags& flags, const std::string& preset) {
    if (flags.weights == "random") {
        return {};
    }
    if (!flags.weights.empty()) {
        if (!fs::is_directory(flags.weights)) {
            fail(
                "weights", "'", flags.weights,
                "' is not a directory; it must hold model.safetensors, config.json, vocab.json and merges.txt");
        }
        return flags.weights;
    }
    if (preset == "gpt2-scripture") {
        if (const std::string trained = source_path("models/gpt2/scripture");
            fs::exists(fs::path(trained) / "model.safetensors")) {
            return trained;
        }
    }
    const auto fetched = fetched_weights(preset);
    return fetched ? fetched->string() : std::string();
}

std::optional<text::BytePair> causal_tokenizer(
    const std::string& directory, std::int64_t vocab_size, const text::BytePairOptions& options) {
    const auto fits = [&](const text::BytePair& tokenizer) {
        return static_cast<std::int64_t>(tokenizer.vocab_size()) <= vocab_size;
    };
    if (!directory.empty() &&
        (fs::exists(fs::path(directory) / "vocab.json") || fs::exists(fs::path(directory) / "encoder.json"))) {
        text::BytePair tokenizer = text::BytePair::from_directory(directory, options);
        if (!fits(tokenizer)) {
            fail(
                "weights", directory, " has a vocabulary of ", tokenizer.vocab_size(), " tokens; the model knows ",
                vocab_size);
        }
        return tokenizer;
    }
    if (const auto fetched = fetched_weights("gpt2-vocab")) {
        if (text::BytePair tokenizer = text::BytePair::from_directory(*fetched, options); fits(tokenizer)) {
            return tokenizer;
        }
    }
    // The project's own small vocabulary, so that random weights can read text all the same; somebody's weights have another.
    if (!directory.empty()) {
        return std::nullopt;
    }
    if (const std::string own = source_path("models/gpt2/scripture"); fs::exists(own)) {
        if (text::BytePair tokenizer = text::BytePair::from_directory(own, {}); fits(tokenizer)) {
            return tokenizer;
        }
    }
    return std::nullopt;
}

std::vector<std::int32_t> random_tokens(std::int64_t vocab_size, std::int64_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(count));
    for (std::int32_t& token : tokens) {
        token = static_cast<std::int32_t>(random.integer(0, vocab_size - 1));
    }
    return tokens;
}

}  // namespace zoo::apps

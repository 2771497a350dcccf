// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "causal/causal_app.hpp"
#include "causal/perplexity.hpp"
#include "golden.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

struct CheckOptions {
    ModelFlags model;
    CheckFlags check;
    std::int64_t sequence = 128;
    std::string text;  // a file to measure perplexity on
    std::size_t tokens = 2048;
};

std::string read_file(const std::string& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) {
        fail("check", "'", path, "' is a directory; --perplexity takes a file of text");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        fail("check", "cannot open '", path, "'; --perplexity takes a file of text");
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The same text through golden, functional and optimized.
void measure_perplexity(const CausalApp& app, const CheckOptions& options, const CausalSession& session) {
    if (!session.tokenizer) {
        fail(app.model, session.source, " has no vocabulary, which is needed to read text");
    }
    std::vector<std::int32_t> tokens = session.tokenizer->encode(read_file(options.text));
    tokens.resize(std::min(tokens.size(), options.tokens));
    const auto device = options.check.device.open(2, kTraceRegionBytes);
    nlohmann::json json{
        {"model", app.model}, {"preset", session.preset}, {"weights", session.source}, {"tokens", tokens.size()}};
    json["perplexity"]["golden"] = perplexity(*session.golden(1), tokens);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const auto model = session.runner(*device, {.mode = Mode::Traced, .plan = plan});
        json["perplexity"][std::string(to_string(plan))] = perplexity(*model, tokens);
    }
    if (options.check.json) {
        std::cout << json.dump(2) << '\n';
        return;
    }
    std::cout << fmt::format(
        "{} {}, weights {}: perplexity over {} tokens\n", app.model, session.preset, session.source, tokens.size());
    for (const auto& [version, value] : json["perplexity"].items()) {
        std::cout << fmt::format("  {:<12}{:.2f}\n", version, value.get<double>());
    }
}

void check(const CausalApp& app, const CheckOptions& options) {
    require_golden("check");
    const CausalSession session = app.open(options.model, options.text.empty() ? app.bench_preset : app.default_preset);
    if (!options.text.empty()) {
        measure_perplexity(app, options, session);
        return;
    }
    if (options.sequence > session.context) {
        fail(
            app.model, "--sequence is ", options.sequence, "; ", session.preset, " has room for ", session.context,
            " tokens");
    }
    const auto device = options.check.device.open(2, kTraceRegionBytes);
    std::shared_ptr<void> keep;
    const std::vector<CheckedModule> modules = session.modules(*device, options.sequence, options.model.seed, keep);
    check_modules(
        {.model = std::string(app.model),
         .preset = session.preset,
         .weights = session.source,
         .size = fmt::format("{} tokens", options.sequence),
         .sizes = {{"sequence", options.sequence}}},
        modules, *device, options.check);
}

}  // namespace

void add_causal_check(CLI::App& command, const CausalApp& app) {
    const auto options = std::make_shared<CheckOptions>();
    add_causal_model_flags(command, app, options->model);
    command.add_option("--sequence", options->sequence, "Tokens")->check(CLI::Range(32, 2048))->capture_default_str();
    command.add_option(
        "--perplexity", options->text, "Measure the perplexity of this file of text in place of modules");
    command.add_option("--tokens", options->tokens, "Of the file, its first tokens")
        ->check(whole_number)
        ->capture_default_str();
    options->check.add_to(command);
    command.callback([options, app] { check(app, *options); });
}

}  // namespace zoo::apps

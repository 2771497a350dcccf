// SPDX-License-Identifier: Apache-2.0
// `tt-zoo run gpt2|codegen`: a text goes on, and is shown as its tokens come.
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "causal/causal_app.hpp"
#include "progress.hpp"
#include "stopwatch.hpp"
#include "zoo/error.hpp"
#include "zoo/generator.hpp"

namespace zoo::apps {

namespace {

struct RunOptions {
    ModelFlags model;
    PlanFlags plan{.mode = "trace-2cq"};
    DeviceFlags device;
    std::vector<std::string> prompts;
    GenerateOptions generate;
    std::int64_t context = 0;
    bool json = false;
};

nlohmann::json to_json(const Generation& result, const std::string& prompt) {
    return {
        {"prompt", prompt},
        {"text", result.text},
        {"prompt_tokens", result.prompt},
        {"tokens", result.tokens},
        {"stopped_by", to_string(result.reason)}};
}

void run(const CausalApp& app, RunOptions options) {
    const CausalSession session = app.open(options.model, app.default_preset);
    if (!session.tokenizer) {
        fail(
            app.model, session.preset, " (weights ", session.source, ") has no vocabulary that fits its ",
            session.vocab_size,
            " tokens; give --weights with vocab.json and merges.txt, or run ./tt-zoo fetch gpt2-vocab for GPT-2's");
    }
    if (options.prompts.empty()) {
        options.prompts.push_back(app.default_prompt);
    }
    options.generate.seed = options.model.seed;
    const auto device = options.device.open(2, kTraceRegionBytes);
    const auto model = with_progress(session.preset, "set-up", [&] {
        return session.runner(
            *device, {.batch = std::ssize(options.prompts),
                      .context = options.context,
                      .mode = options.plan.chosen_mode(),
                      .plan = options.plan.chosen_plan()});
    });
    Generator generator(*model, *session.tokenizer);
    generator.check(options.prompts, options.generate);
    if (!options.json) {
        std::cout << fmt::format(
            "{} {}, weights {}, {} on {}, numerics {}\n", app.model, session.preset, session.source, options.plan.plan,
            options.device.board, options.device.numerics);
        if (!session.trained) {
            std::cout << "The weights are random: what follows shows that the model runs, and means nothing.\n";
        }
        std::cout << '\n';
    }
    const bool stream = !options.json && options.prompts.size() == 1;
    if (stream) {
        // As the model reads it: what is no UTF-8 shows as such.
        std::cout << session.tokenizer->decode(session.tokenizer->encode(options.prompts.front())) << std::flush;
    }
    const Stopwatch watch;
    double first_ms = 0;
    const std::vector<Generation> results =
        generator.generate(options.prompts, options.generate, [&](std::size_t, std::string_view piece) {
            first_ms = first_ms == 0 ? watch.milliseconds() : first_ms;
            if (stream) {
                std::cout << piece << std::flush;
            }
            return true;
        });
    const double all_ms = watch.milliseconds();
    std::size_t tokens = 0;
    for (const Generation& result : results) {
        tokens += result.tokens.size();
    }
    const double rate = static_cast<double>(tokens) / all_ms * 1000.0;
    if (options.json) {
        nlohmann::json json{
            {"model", app.model},         {"preset", session.preset},          {"weights", session.source},
            {"trained", session.trained}, {"time_to_first_text_ms", first_ms}, {"tokens_per_second", rate}};
        for (std::size_t i = 0; i < results.size(); ++i) {
            json["texts"].push_back(to_json(results[i], options.prompts[i]));
        }
        std::cout << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        return;
    }
    if (!stream) {
        for (std::size_t i = 0; i < results.size(); ++i) {
            const std::string prompt = session.tokenizer->decode(session.tokenizer->encode(options.prompts[i]));
            std::cout << fmt::format("{}: {}{}\n", i + 1, prompt, results[i].text);
        }
    }
    std::cout << fmt::format(
        "\n\n{} tokens, first text after {:.0f} ms, {:.1f} tokens a second; stopped by {}\n", tokens, first_ms, rate,
        to_string(results.front().reason));
}

}  // namespace

void add_causal_run(CLI::App& command, const CausalApp& app) {
    const auto options = std::make_shared<RunOptions>();
    options->generate.max_new_tokens = 64;
    add_causal_model_flags(command, app, options->model);
    SamplingOptions& sampling = options->generate.sampling;
    command.add_option("--prompt", options->prompts, "The beginning of the text; give it up to 32 times for a batch");
    command.add_option("--max-new-tokens", options->generate.max_new_tokens, "Tokens to add, at most")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command.add_option("--temperature", sampling.temperature, "0 takes the likeliest token, more is bolder")
        ->capture_default_str();
    command.add_option("--top-k", sampling.top_k, "Draw from the k likeliest tokens; 0: all")->capture_default_str();
    command.add_option("--top-p", sampling.top_p, "Draw from the likeliest that together have this probability")
        ->capture_default_str();
    command
        .add_option(
            "--repetition-penalty", sampling.repetition_penalty, "Above 1: tokens of the text become less likely")
        ->capture_default_str();
    command.add_option("--stop", options->generate.stop, "End before this text; may be given several times");
    command.add_option("--context", options->context, "Room for so many tokens; 0: all that the model has")
        ->check(CLI::Range(0, 1 << 20))
        ->capture_default_str();
    options->plan.add_to(command);
    options->device.add_to(command);
    add_json(command, options->json);
    command.callback([options, app] { run(app, *options); });
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
// `tt-zoo bench gpt2|codegen`: a prompt, then token after token; beside libtorch with a cache of its own if asked.
#include <fmt/format.h>

#include "causal/causal_app.hpp"
#include "model_bench.hpp"

namespace zoo::apps {

namespace {

struct BenchOptions {
    ModelFlags model;
    BenchFlags bench;
    std::int64_t prompt = 128;
    std::int64_t tokens = 32;
    std::int64_t context = 0;
};

// The best times of prompts and of single tokens.
struct Times {
    Samples prefill;  // of one prompt
    Samples step;     // of one token for all users
};

void generate(CausalLm& model, const std::vector<std::int32_t>& prompt, std::int64_t count, Times& times) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(model.batch()));
    for (std::int64_t user = 0; user < model.batch(); ++user) {
        const Stopwatch watch;
        tokens[static_cast<std::size_t>(user)] = model.prefill(user, prompt, false).best;
        times.prefill.add(watch.milliseconds());
    }
    std::vector<std::int32_t> places(tokens.size());
    for (std::int64_t i = 0; i < count; ++i) {
        std::ranges::fill(places, static_cast<std::int32_t>(std::ssize(prompt) + i));
        const Stopwatch watch;
        const std::vector<NextToken> next = model.decode(tokens, places, false);
        times.step.add(watch.milliseconds());
        for (std::size_t user = 0; user < tokens.size(); ++user) {
            tokens[user] = next[user].best;
        }
    }
}

std::vector<Figure> figures(const Times& device, const Times& peer, std::int64_t batch) {
    std::vector<Figure> result;
    const auto add = [&](std::string key, std::string text, double value) {
        result.push_back({std::move(key), std::move(text), value});
    };
    const auto rate = [&](const Times& times) { return static_cast<double>(batch) * 1000.0 / times.step.best(); };
    add("prefill_ms", fmt::format("prefill, and so the first token, {:.1f} ms at best", device.prefill.best()),
        device.prefill.best());
    add("step_ms", fmt::format("{:.2f} ms a token at best, {:.2f} median", device.step.best(), device.step.median()),
        device.step.best());
    add("step_median_ms", fmt::format("{:.2f} ms a token, median", device.step.median()), device.step.median());
    add("tokens_per_second", fmt::format("{:.1f} tokens a second at best", rate(device)), rate(device));
    if (peer.step.count() > 0) {
        add("peer_prefill_ms", fmt::format("libtorch: prefill {:.1f} ms at best", peer.prefill.best()),
            peer.prefill.best());
        add("peer_tokens_per_second", fmt::format("libtorch: {:.1f} tokens a second at best", rate(peer)), rate(peer));
        add("prefill_ratio",
            fmt::format("prefill {:.2f} times as fast as libtorch", peer.prefill.best() / device.prefill.best()),
            peer.prefill.best() / device.prefill.best());
        add("decode_ratio",
            fmt::format("tokens {:.2f} times as fast as libtorch", peer.step.best() / device.step.best()),
            peer.step.best() / device.step.best());
    }
    return result;
}

void bench(const CausalApp& app, const BenchOptions& options) {
    options.bench.require_peer();
    const CausalSession session = app.open(options.model, app.bench_preset);
    const auto device = options.bench.device.open(2, kTraceRegionBytes);
    const std::vector<std::int32_t> prompt = random_tokens(session.vocab_size, options.prompt, options.model.seed);
    const Stopwatch setup;
    const auto model = session.runner(
        *device, {.batch = options.bench.batch,
                  .context = options.context,
                  .mode = options.bench.plan.chosen_mode(),
                  .plan = options.bench.plan.chosen_plan()});
    const double setup_ms = setup.milliseconds();
    const auto peer = options.bench.needs_golden() ? session.golden(options.bench.batch) : nullptr;
    Times own;
    Times other;
    run_bench(
        {.subject =
             {.model = std::string(app.model),
              .preset = session.preset,
              .weights = session.source,
              .size = fmt::format(
                  "batch {}, a prompt of {} and {} new tokens", options.bench.batch, options.prompt, options.tokens),
              .sizes = {{"batch", options.bench.batch}, {"prompt", options.prompt}, {"tokens", options.tokens}}},
         .setup_ms = setup_ms,
         .run = [&] { generate(*model, prompt, options.tokens, own); },
         .peer = [&] { generate(*peer, prompt, options.tokens, other); },
         .golden = [&] { generate(*peer, prompt, options.tokens, other); },
         .figures = [&](const Samples&, const Samples&) { return figures(own, other, options.bench.batch); }},
        *device, options.bench);
}

}  // namespace

void add_causal_bench(CLI::App& command, const CausalApp& app, const Measure& measure) {
    const auto options = std::make_shared<BenchOptions>();
    add_causal_model_flags(command, app, options->model);
    command.add_option("--prompt-tokens", options->prompt, "Tokens of the prompt")
        ->check(CLI::Range(1, 2048))
        ->capture_default_str();
    command.add_option("--new-tokens", options->tokens, "Tokens after it")
        ->check(CLI::Range(1, 2048))
        ->capture_default_str();
    command.add_option("--context", options->context, "Room for so many tokens; 0: all that the model has")
        ->check(CLI::Range(0, 1 << 20))
        ->capture_default_str();
    options->bench.add_to(command, measure, "Texts", 32);
    command.callback([options, app] { bench(app, *options); });
}

}  // namespace zoo::apps

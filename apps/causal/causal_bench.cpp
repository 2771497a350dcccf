// SPDX-License-Identifier: Apache-2.0
// `tt-zoo bench gpt2|codegen`: a prompt, then token after token; beside libtorch with a cache of its own if asked.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "causal/causal_app.hpp"
#include "model_bench.hpp"
#include "progress.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

struct BenchOptions {
    ModelFlags model;
    BenchFlags bench;
    std::optional<std::int64_t> prompt;
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
    add("prefill_ms",
        fmt::format(
            "{} {:.1f} ms at best", batch == 1 ? "prefill, and so the first token," : "prefill of each text",
            device.prefill.best()),
        device.prefill.best());
    add("step_ms", fmt::format("{:.2f} ms a token at best, {:.2f} median", device.step.best(), device.step.median()),
        device.step.best());
    add("step_median_ms", "", device.step.median());
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

// Without --prompt-tokens 128, or what the context leaves beside the new ones.
std::int64_t prompt_length(const BenchOptions& options, std::int64_t positions) {
    constexpr std::int64_t kPrompt = 128;
    const std::int64_t context = options.context > 0 ? std::min(options.context, positions) : positions;
    const std::int64_t left = context - options.tokens;
    if (left < options.prompt.value_or(1)) {
        fail(
            "bench", options.prompt.value_or(1), " tokens of a prompt and ", options.tokens,
            " new ones do not fit into the context of ", context);
    }
    return options.prompt.value_or(std::min(kPrompt, left));
}

// Logits of the first user after the prompt and after each new token, where both are given the golden's tokens.
Comparison compare_logits(
    CausalLm& golden, CausalLm& device, const std::vector<std::int32_t>& prompt, std::int64_t count) {
    std::vector<float> expected;
    std::vector<float> actual;
    const auto add = [](std::vector<float>& all, const NextToken& next) {
        all.insert(all.end(), next.logits.begin(), next.logits.end());
    };
    NextToken next = golden.prefill(0, prompt, true);
    add(expected, next);
    add(actual, device.prefill(0, prompt, true));
    for (std::int64_t i = 0; i < count; ++i) {
        const std::vector<std::int32_t> tokens(static_cast<std::size_t>(device.batch()), next.best);
        std::vector<std::int32_t> places(tokens.size(), -1);
        places[0] = static_cast<std::int32_t>(std::ssize(prompt) + i);
        add(actual, device.decode(tokens, places, true).front());
        next = golden.decode(tokens, places, true).front();
        add(expected, next);
    }
    return compare(expected, actual);
}

void bench(const CausalApp& app, const BenchOptions& options) {
    options.bench.require_peer();
    const CausalSession session = app.open(options.model, app.bench_preset);
    const std::int64_t length = prompt_length(options, session.context);
    const std::vector<std::int32_t> prompt = random_tokens(session.vocab_size, length, options.model.seed);
    const auto peer = options.bench.needs_golden() && session.golden ? session.golden(options.bench.batch) : nullptr;
    Times own;
    Times other;
    Bench bench{
        .subject = {
            .model = std::string(app.model),
            .preset = session.preset,
            .weights = session.source,
            .size = fmt::format(
                "batch {}, a prompt of {} and {} new token{}", options.bench.batch, length, options.tokens,
                options.tokens == 1 ? "" : "s"),
            .sizes = {{"batch", options.bench.batch}, {"prompt", length}, {"tokens", options.tokens}}}};
    bench.peer = [&] { generate(*peer, prompt, options.tokens, other); };
    bench.golden = bench.peer;
    bench.figures = [&](const Samples&, const Samples&) { return figures(own, other, options.bench.batch); };
    if (options.bench.needs_golden() && session.forward) {
        bench.forward = [&] { (void)session.forward(prompt); };
        bench.parameters = session.parameters();
    }
    if (options.bench.measure.host) {
        bench.subject.size = fmt::format("a text of {} tokens", length);
        options.bench.measure.host(bench);
        return;
    }
    const auto device = options.bench.device.open(2, kTraceRegionBytes);
    const Stopwatch setup;
    const auto model = with_progress(session.preset, "set-up", [&] {
        return session.runner(
            *device, {.batch = options.bench.batch,
                      .context = options.context,
                      .mode = options.bench.plan.chosen_mode(),
                      .plan = options.bench.plan.chosen_plan()});
    });
    bench.setup_ms = setup.milliseconds();
    bench.run = [&] { generate(*model, prompt, options.tokens, own); };
    bench.compare = [&] { return compare_logits(*peer, *model, prompt, options.tokens); };
    run_bench(bench, *device, options.bench);
}

}  // namespace

void add_causal_bench(CLI::App& command, const CausalApp& app, const Measure& measure) {
    const auto options = std::make_shared<BenchOptions>();
    add_causal_model_flags(command, app, options->model);
    command
        .add_option(
            "--prompt-tokens", options->prompt,
            "Tokens of the prompt; without it 128, or what the context leaves beside the new ones")
        ->check(CLI::Range(1, 2048));
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

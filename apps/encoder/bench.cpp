// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "encoder/session.hpp"
#include "model_bench.hpp"
#include "progress.hpp"

namespace zoo::apps::encoder_app {

namespace {

struct BenchOptions {
    ModelFlags model;
    BenchFlags bench;
    std::string task = "hidden-state";
    std::optional<std::int64_t> sequence;
};

constexpr std::int64_t kTokens = 384;  // without --sequence, where the model takes as many

void bench(const Model& model, const BenchOptions& options) {
    options.bench.require_peer();
    Session session = model.open(options.model, model.bench_preset);
    const encoder::Task task = encoder::task_from_string(options.task);
    const std::int64_t sequence = options.sequence.value_or(std::min(kTokens, session.limits.max_position_embeddings));
    const encoder::Inputs inputs =
        encoder::random_inputs(session.limits, options.bench.batch, sequence, options.model.seed);
    Bench bench{
        .subject = {
            .model = model.name,
            .preset = session.preset,
            .weights = session.source,
            .size = fmt::format("batch {}, {} tokens", options.bench.batch, sequence),
            .sizes = {{"batch", options.bench.batch}, {"sequence", sequence}}}};
    bench.peer = [&] { (void)golden_run(session, task, inputs); };
    bench.golden = bench.peer;
    if (options.bench.needs_golden() && session.parameters) {
        bench.parameters = session.parameters();
    }
    if (options.bench.measure.host) {
        options.bench.measure.host(bench);
        return;
    }
    const auto device = options.bench.device.open(2, kTraceRegionBytes);
    const Stopwatch setup;
    const auto runner = with_progress(session.preset, "set-up", [&] {
        return session.runner(
            *device, {.task = task,
                      .batch = options.bench.batch,
                      .sequence = sequence,
                      .mode = options.bench.plan.chosen_mode(),
                      .plan = options.bench.plan.chosen_plan()});
    });
    bench.setup_ms = setup.milliseconds();
    if (!options.bench.needs_golden()) {
        session.release();  // the weights are on the device now
    }
    bench.run = [&] { (void)runner->run(inputs); };
    bench.compare = [&] { return compare(golden_run(session, task, inputs).data, runner->run(inputs).data); };
    run_bench(bench, *device, options.bench);
}

}  // namespace

void add_bench(CLI::App& command, const Measure& measure, const Model& model) {
    const auto options = std::make_shared<BenchOptions>();
    options->model.add_to(command, model.presets, model.weights_are);
    command.add_option("--task", options->task, "What the model computes")
        ->check(CLI::IsMember(
            {"hidden-state", "question-answering", "sentence-embedding", "fill-mask", "sequence-classification"}))
        ->capture_default_str();
    command
        .add_option(
            "--sequence", options->sequence,
            fmt::format("Tokens of each; without it {}, or as many as the model takes", kTokens))
        ->check(CLI::Range(32, 4096));
    options->bench.add_to(command, measure, "Sequences");
    command.callback([options, model] { bench(model, *options); });
}

}  // namespace zoo::apps::encoder_app

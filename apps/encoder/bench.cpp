// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "encoder/session.hpp"
#include "model_bench.hpp"

namespace zoo::apps::encoder_app {

namespace {

struct BenchOptions {
    ModelFlags model;
    BenchFlags bench;
    std::string task = "hidden-state";
    std::int64_t sequence = 384;
};

void bench(const Model& model, const BenchOptions& options) {
    options.bench.require_peer();
    Session session = model.open(options.model, model.bench_preset);
    const auto device = options.bench.device.open(2, kTraceRegionBytes);
    const encoder::Task task = encoder::task_from_string(options.task);
    const encoder::Inputs inputs =
        encoder::random_inputs(session.limits, options.bench.batch, options.sequence, options.model.seed);

    const Stopwatch setup;
    const auto runner = session.runner(
        *device, {.task = task,
                  .batch = options.bench.batch,
                  .sequence = options.sequence,
                  .mode = options.bench.plan.chosen_mode(),
                  .plan = options.bench.plan.chosen_plan()});
    const double setup_ms = setup.milliseconds();
    if (!options.bench.needs_golden()) {
        session.release();  // the weights are on the device now
    }
    run_bench(
        {.subject =
             {.model = model.name,
              .preset = session.preset,
              .weights = session.source,
              .size = fmt::format("batch {}, {} tokens", options.bench.batch, options.sequence),
              .sizes = {{"batch", options.bench.batch}, {"sequence", options.sequence}}},
         .setup_ms = setup_ms,
         .run = [&] { (void)runner->run(inputs); },
         .peer = [&] { (void)golden_run(session, task, inputs); },
         .golden = [&] { (void)golden_run(session, task, inputs); }},
        *device, options.bench);
}

}  // namespace

void add_bench(CLI::App& command, const Measure& measure, const Model& model) {
    const auto options = std::make_shared<BenchOptions>();
    options->model.add_to(command, model.presets, model.weights_are);
    command.add_option("--task", options->task, "What the model computes")
        ->check(CLI::IsMember(
            {"hidden-state", "question-answering", "sentence-embedding", "fill-mask", "sequence-classification"}))
        ->capture_default_str();
    command.add_option("--sequence", options->sequence, "Tokens of each")
        ->check(CLI::Range(32, 4096))
        ->capture_default_str();
    options->bench.add_to(command, measure, "Sequences");
    command.callback([options, model] { bench(model, *options); });
}

}  // namespace zoo::apps::encoder_app

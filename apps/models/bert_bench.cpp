// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "model_bench.hpp"
#include "models/bert.hpp"
#include "models/bert_session.hpp"

namespace zoo::apps::bert_app {

namespace {

struct Options {
    ModelFlags model;
    BenchFlags bench;
    std::string task = "hidden-state";
    std::int64_t sequence = 384;
};

void bench(const Options& options) {
    options.bench.require_peer();
    Session session = open_session(options.model, "bert-base", {});
    const auto device = options.bench.device.open(2, kTraceRegionBytes);
    const bert::Task task = bert::task_from_string(options.task);
    const bert::Inputs inputs =
        bert::random_inputs(session.config, options.bench.batch, options.sequence, options.model.seed);

    const Stopwatch setup;
    bert::Runner runner(
        *device, session.config, session.weights,
        {.task = task,
         .batch = options.bench.batch,
         .sequence = options.sequence,
         .mode = options.bench.plan.chosen_mode(),
         .plan = options.bench.plan.chosen_plan()});
    const double setup_ms = setup.milliseconds();
    if (!options.bench.compares()) {
        session.weights = {};  // they are on the device now
    }
    run_bench(
        {.subject =
             {.model = "bert",
              .preset = session.preset,
              .weights = session.source,
              .size = fmt::format("batch {}, {} tokens", options.bench.batch, options.sequence),
              .sizes = {{"batch", options.bench.batch}, {"sequence", options.sequence}}},
         .setup_ms = setup_ms,
         .run = [&] { (void)runner.run(inputs); },
         .peer = [&] { (void)golden_run(session, task, inputs); }},
        *device, options.bench);
}

}  // namespace

void add_bench(CLI::App& command, const Measure& measure) {
    const auto options = std::make_shared<Options>();
    add_model_flags(command, options->model);
    command.add_option("--task", options->task, "What the model computes")
        ->check(CLI::IsMember(
            {"hidden-state", "question-answering", "sentence-embedding", "fill-mask", "sequence-classification"}))
        ->capture_default_str();
    command.add_option("--sequence", options->sequence, "Tokens of each")
        ->check(CLI::Range(32, 4096))
        ->capture_default_str();
    options->bench.add_to(command, measure, "Sequences");
    command.callback([options] { bench(*options); });
}

}  // namespace zoo::apps::bert_app

// SPDX-License-Identifier: Apache-2.0
#include "metrics/collect.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/execution.hpp>

#include "aten/traced.hpp"
#include "device_flags.hpp"
#include "model_bench.hpp"
#include "profile/profile.hpp"
#include "stopwatch.hpp"

namespace zoo::apps::metrics {

namespace {

// Encoders over 128 tokens at the task that the preset is for; a prompt and one token of models that write; one picture.
std::vector<std::string> sizes_of(const ModelEntry& model, const std::string& preset) {
    const auto has_task = [&](std::string_view task) {
        return std::ranges::find(model.tasks, task) != model.tasks.end();
    };
    if (has_task("fill-mask")) {
        const auto is_for = [&](const char* word) { return preset.find(word) != std::string::npos; };
        const char* task = is_for("squad")    ? "question-answering"
                           : is_for("imdb")   ? "sequence-classification"
                           : is_for("minilm") ? "sentence-embedding"
                                              : "hidden-state";
        return {"--sequence", "128", "--task", task};
    }
    return has_task("generate") ? std::vector<std::string>{"--new-tokens", "1"} : std::vector<std::string>{};
}

void run_model(
    const ModelEntry& model, const std::string& preset, std::vector<std::string> arguments, const Measure& measure) {
    CLI::App command;
    model.add_bench(command, measure);
    const std::vector<std::string> sizes = sizes_of(model, preset);
    arguments.insert(arguments.end(), sizes.begin(), sizes.end());
    arguments.insert(arguments.end(), {"--preset", preset});
    std::ranges::reverse(arguments);  // as CLI11 wants them
    command.parse(std::move(arguments));
}

// The best of three runs; of one where it takes long.
double best_ms(const std::function<void()>& run) {
    constexpr double kLong = 2000;
    Samples samples;
    for (int i = 0; i < 3 && (i == 0 || samples.best() < kLong); ++i) {
        const Stopwatch watch;
        run();
        samples.add(watch.milliseconds());
    }
    return samples.best();
}

}  // namespace

OpFigures collect_ops(const ModelEntry& model, const std::string& preset) {
    OpFigures figures{.model = std::string(model.name), .preset = preset};
    const auto note = [&](const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags) {
        figures.size = bench.subject.size;
        const profile::Run run = profile::profile_run(bench, device, flags);
        const modules::Network golden =
            modules::network_of(aten::trace_golden("metrics", bench), bench.parameters, bench.subject.model);
        figures.conversions = convert(golden, profile::operations_of(run.recording));
        figures.device_ops = run.recording.ops.size();
        using What = ttnn_cpu::CommandRecord::What;
        figures.to_device =
            static_cast<std::size_t>(std::ranges::count(run.commands, What::Write, &ttnn_cpu::CommandRecord::what));
        figures.from_device =
            static_cast<std::size_t>(std::ranges::count(run.commands, What::Read, &ttnn_cpu::CommandRecord::what));
    };
    ttnn_cpu::open_next_without_computing();
    run_model(model, preset, {"--weights", "random", "--mode", "plain"}, {.run = note, .record = true, .golden = true});
    return figures;
}

RunFigures collect_run(const ModelEntry& model, const std::string& preset) {
    RunFigures figures;
    bool other_preset = false;
    const auto note = [&](const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags) {
        other_preset = bench.subject.preset != preset;
        if (other_preset) {
            return;
        }
        figures.weights = bench.subject.weights;
        const profile::Run run = profile::profile_run(bench, device, flags);
        figures.card_ms = static_cast<double>(run.card_time.back().end_ns()) / 1e6;
        figures.cpu_ms = best_ms(bench.run);
        bench.peer();  // once to warm up
        figures.torch_ms = best_ms(bench.peer);
        figures.pcc = bench.compare().pcc;
        const auto memory = ttnn_cpu::memory_statistics(device);
        figures.peak_l1 = memory.l1_peak * run.card.cores();
        figures.l1 = memory.l1_capacity * run.card.cores();
    };
    const Measure measure{.run = note, .record = true, .golden = true};
    run_model(model, preset, {"--mode", "trace"}, measure);
    if (other_preset) {
        // The weights at hand are of a variant that is a preset of its own.
        run_model(model, preset, {"--mode", "trace", "--weights", "random"}, measure);
    }
    return figures;
}

Metrics collect(const ModelEntry& model, const std::string& preset) {
    Metrics metrics{.model = std::string(model.name), .preset = preset};
    try {
        metrics.ops = collect_ops(model, preset);
        metrics.run = collect_run(model, preset);
    } catch (const ttnn_cpu::NotEmbedded&) {
        throw;
    } catch (const std::exception& error) {
        metrics.failure = error.what();
    }
    return metrics;
}

}  // namespace zoo::apps::metrics

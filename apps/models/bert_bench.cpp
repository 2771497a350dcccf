// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <algorithm>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <ttnn_cpu/memory_statistics.hpp>
#include <ttnn_cpu/records.hpp>

#include "device_flags.hpp"
#include "models/bert.hpp"
#include "models/bert_session.hpp"
#include "progress.hpp"
#include "stopwatch.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps::bert_app {

namespace {

struct Options {
    ModelFlags model;
    DeviceFlags device;
    std::string mode = "trace";
    std::string plan = "optimized";
    std::string task = "hidden-state";
    std::string compare;
    std::int64_t batch = 1;
    std::int64_t sequence = 384;
    std::size_t iterations = 5;
    bool ops = false;
    bool json = false;
};

std::uint64_t peak_host_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string shape_text(const ttnn::Shape& shape) { return fmt::format("[{}]", fmt::join(shape.view(), ", ")); }

nlohmann::json to_json(const Samples& samples) {
    return {
        {"median_ms", samples.median()},
        {"p90_ms", samples.p90()},
        {"best_ms", samples.best()},
        {"samples", samples.count()}};
}

// Where the time of one run goes, by device op.
void print_ops(bert::Runner& runner, const bert::Inputs& inputs, ttnn::MeshDevice& device) {
    ttnn_cpu::start_recording(device);
    (void)runner.run(inputs);
    const ttnn_cpu::Recording recording = ttnn_cpu::stop_recording(device);
    struct Total {
        std::size_t count = 0;
        double milliseconds = 0;
    };
    std::map<std::string, Total> totals;
    double all = 0;
    for (const ttnn_cpu::OpRecord& op : recording.ops) {
        const double milliseconds = static_cast<double>(op.device_end_ns - op.device_start_ns) / 1e6;
        // Matmuls of one model differ in size, and so in what can be done about them.
        const std::string key =
            op.name +
            (op.name == "MatmulDeviceOperation" ? " " + shape_text(op.inputs.at(1).spec.logical_shape()) : "");
        totals[key].count += 1;
        totals[key].milliseconds += milliseconds;
        all += milliseconds;
    }
    std::vector<std::pair<std::string, Total>> rows(totals.begin(), totals.end());
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.second.milliseconds > b.second.milliseconds;
    });
    using Align = Table::Align;
    Table table({{"device op"}, {"calls", Align::Right}, {"ms", Align::Right}, {"%", Align::Right}});
    for (const auto& [name, total] : rows) {
        table.add(
            {name, std::to_string(total.count), fmt::format("{:.2f}", total.milliseconds),
             fmt::format("{:.1f}", 100 * total.milliseconds / all)});
    }
    std::cout << '\n';
    table.print(std::cout);
}

void bench(const Options& options) {
    if (!options.compare.empty() && !golden_available()) {
        fail("bench", "--compare torch needs libtorch, and this program was built without it (ZOO_WITH_TORCH=OFF)");
    }
    Session session = open_session(options.model, "bert-base", {});
    const auto device = options.device.open(2, kTraceRegionBytes);
    const bert::Task task = bert::task_from_string(options.task);
    const bert::Inputs inputs =
        bert::random_inputs(session.config, options.batch, options.sequence, options.model.seed);

    const Stopwatch setup;
    bert::Runner runner(
        *device, session.config, session.weights,
        {.task = task,
         .batch = options.batch,
         .sequence = options.sequence,
         .mode = mode_from_string(options.mode),
         .plan = options.plan == "functional" ? bert::Plan::Functional : bert::Plan::Optimized});
    const double setup_ms = setup.milliseconds();
    if (options.compare.empty()) {
        session.weights = {};  // they are on the device now
    }

    Samples device_samples;
    Samples torch_samples;
    double first_ms = 0;
    {
        Progress progress("bert");
        const Stopwatch first;
        (void)runner.run(inputs);
        first_ms = first.milliseconds();
        if (!options.compare.empty()) {
            (void)golden_run(session, task, inputs);
        }
        // Turn by turn, so that a noisy neighbour disturbs both alike.
        for (std::size_t i = 0; i < options.iterations; ++i) {
            progress.update(i, options.iterations);
            const Stopwatch watch;
            (void)runner.run(inputs);
            device_samples.add(watch.milliseconds());
            if (!options.compare.empty()) {
                const Stopwatch torch_watch;
                (void)golden_run(session, task, inputs);
                torch_samples.add(torch_watch.milliseconds());
            }
        }
    }
    const ttnn_cpu::MemoryStatistics memory = ttnn_cpu::memory_statistics(*device);
    if (options.json) {
        nlohmann::json result{
            {"model", "bert"},
            {"preset", session.preset},
            {"weights", session.source},
            {"plan", options.plan},
            {"mode", options.mode},
            {"numerics", options.device.numerics},
            {"board", options.device.board},
            {"threads", ttnn_cpu::num_threads()},
            {"batch", options.batch},
            {"sequence", options.sequence},
            {"setup_ms", setup_ms},
            {"first_run_ms", first_ms},
            {"latency", to_json(device_samples)},
            {"samples_per_second", 1000.0 * static_cast<double>(options.batch) / device_samples.median()},
            {"peak_l1_bytes_per_core", memory.l1_peak},
            {"peak_l1_op", memory.l1_peak_op},
            {"device_dram_bytes", memory.dram_allocated_peak},
            {"peak_host_bytes", peak_host_bytes()}};
        if (!options.compare.empty()) {
            result["torch"] = to_json(torch_samples);
            result["speedup_over_torch"] = torch_samples.best() / device_samples.best();
        }
        std::cout << result.dump(2) << '\n';
        return;
    }
    std::cout << fmt::format(
        "bert {}, {} {}, numerics {}, {}, batch {}, {} tokens, {} threads, weights {}\n\n", session.preset,
        options.plan, options.mode, options.device.numerics, options.device.board, options.batch, options.sequence,
        ttnn_cpu::num_threads(), session.source);
    using Align = Table::Align;
    Table table(
        {{""},
         {"best ms", Align::Right},
         {"median ms", Align::Right},
         {"p90 ms", Align::Right},
         {"runs", Align::Right}});
    const auto add = [&](const std::string& name, const Samples& samples) {
        table.add(
            {name, fmt::format("{:.1f}", samples.best()), fmt::format("{:.1f}", samples.median()),
             fmt::format("{:.1f}", samples.p90()), std::to_string(samples.count())});
    };
    add("tt-zoo", device_samples);
    if (!options.compare.empty()) {
        add("libtorch", torch_samples);
    }
    table.print(std::cout);
    if (!options.compare.empty()) {
        std::cout << fmt::format(
            "\n{:.2f} times as fast as libtorch (best against best, same threads, same run)\n",
            torch_samples.best() / device_samples.best());
    }
    std::cout << fmt::format(
        "\nset-up {:.0f} ms, first run {:.0f} ms; peak L1 {} of {} a core (at {}); device DRAM {}; peak host memory "
        "{}\n",
        setup_ms, first_ms, bytes(static_cast<double>(memory.l1_peak)), bytes(static_cast<double>(memory.l1_capacity)),
        memory.l1_peak_op, bytes(static_cast<double>(memory.dram_allocated_peak)),
        bytes(static_cast<double>(peak_host_bytes())));
    if (options.ops) {
        print_ops(runner, inputs, *device);
    }
}

}  // namespace

void add_bench(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    options->model.add_to(command);
    command.add_option("--mode", options->mode, "How ops are issued")
        ->check(CLI::IsMember({"plain", "trace", "2cq", "trace-2cq"}))
        ->capture_default_str();
    command.add_option("--plan", options->plan, "functional: bfloat16, plain; optimized: bfloat8_b weights, sharded")
        ->check(CLI::IsMember({"functional", "optimized"}))
        ->capture_default_str();
    command.add_option("--task", options->task, "What the model computes")
        ->check(CLI::IsMember(
            {"hidden-state", "question-answering", "sentence-embedding", "masked-lm", "sequence-classification"}))
        ->capture_default_str();
    command.add_option("--compare", options->compare, "Time a peer in the same run: torch")
        ->check(CLI::IsMember({"torch"}));
    command.add_option("--batch", options->batch, "Sequences")->check(CLI::Range(1, 64))->capture_default_str();
    command.add_option("--sequence", options->sequence, "Tokens of each")
        ->check(CLI::Range(32, 4096))
        ->capture_default_str();
    command.add_option("--iterations", options->iterations, "Timed runs")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command.add_flag("--ops", options->ops, "Also show where the time of one run goes, by device op");
    command.add_flag("--json", options->json, "One JSON object instead of a table");
    options->device.add_to(command);
    command.callback([options] { bench(*options); });
}

}  // namespace zoo::apps::bert_app

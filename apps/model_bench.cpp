// SPDX-License-Identifier: Apache-2.0
#include "model_bench.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ttnn_cpu/records.hpp>

#include "golden.hpp"
#include "progress.hpp"
#include "same_command.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

std::uint64_t peak_host_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

struct OpTotal {
    std::string name;
    std::size_t count = 0;
    double milliseconds = 0;
};

// Where the time of one run goes, by device op, the longest first.
std::vector<OpTotal> time_by_op(const Bench& bench, ttnn::MeshDevice& device) {
    ttnn_cpu::start_recording(device);
    bench.run();
    const ttnn_cpu::Recording recording = ttnn_cpu::stop_recording(device);
    std::map<std::string, OpTotal> totals;
    for (const ttnn_cpu::OpRecord& op : recording.ops) {
        std::string name = op.name;
        // Matmuls and convolutions of one model differ in size, and so in what can be done about them.
        if ((name.starts_with("Matmul") || name.starts_with("Conv2d")) && op.inputs.size() > 1) {
            name += fmt::format(" [{}]", fmt::join(op.inputs[1].spec.logical_shape().view(), ", "));
        }
        OpTotal& total = totals.try_emplace(name, OpTotal{.name = name}).first->second;
        total.count += 1;
        total.milliseconds += static_cast<double>(op.device_end_ns - op.device_start_ns) / 1e6;
    }
    std::vector<OpTotal> rows;
    for (auto& [name, total] : totals) {
        rows.push_back(std::move(total));
    }
    std::ranges::stable_sort(rows, std::greater<>(), &OpTotal::milliseconds);
    return rows;
}

void print_ops(const std::vector<OpTotal>& rows) {
    double all = 0;
    for (const OpTotal& row : rows) {
        all += row.milliseconds;
    }
    using Align = Table::Align;
    Table table({{"device op"}, {"calls", Align::Right}, {"ms", Align::Right}, {"%", Align::Right}});
    for (const OpTotal& row : rows) {
        table.add(
            {row.name, std::to_string(row.count), fmt::format("{:.2f}", row.milliseconds),
             fmt::format("{:.1f}", 100 * row.milliseconds / all)});
    }
    std::cout << '\n';
    table.print(std::cout);
}

nlohmann::json to_json(const Samples& samples) {
    return {
        {"median_ms", samples.median()},
        {"p90_ms", samples.p90()},
        {"best_ms", samples.best()},
        {"samples", samples.count()}};
}

struct Result {
    double first_ms = 0;
    Samples device;
    Samples peer;
    double fast_ms = 0;  // best, with --compare fast
    std::vector<Figure> figures;
    std::optional<ttnn_cpu::MemoryStatistics> memory;
    std::vector<OpTotal> ops;  // with --ops

    double speedup() const { return peer.best() / device.best(); }
    double times_fast() const { return device.best() / fast_ms; }
};

void print_json(const Bench& bench, const BenchFlags& flags, const Result& result) {
    nlohmann::json json{
        {"model", bench.subject.model},
        {"preset", bench.subject.preset},
        {"weights", bench.subject.weights},
        {"plan", flags.plan.plan},
        {"mode", flags.plan.mode},
        {"numerics", flags.device.numerics},
        {"board", flags.device.board},
        {"threads", ttnn_cpu::num_threads()},
        {"setup_ms", bench.setup_ms},
        {"first_run_ms", result.first_ms},
        {"latency", to_json(result.device)},
        {"samples_per_second", 1000.0 * static_cast<double>(flags.batch) / result.device.median()},
        {"peak_host_bytes", peak_host_bytes()}};
    if (result.memory) {
        json["peak_l1_bytes_per_core"] = result.memory->l1_peak;
        json["peak_l1_op"] = result.memory->l1_peak_op;
        json["device_dram_bytes"] = result.memory->dram_allocated_peak;
    }
    for (const auto& [name, value] : bench.subject.sizes) {
        json[name] = value;
    }
    for (const Figure& figure : result.figures) {
        json[figure.key] = figure.value;
    }
    if (flags.compares()) {
        json["torch"] = to_json(result.peer);
        json["speedup_over_torch"] = result.speedup();
    }
    if (flags.compares_modes()) {
        json["fast_best_ms"] = result.fast_ms;
        json["times_fast"] = result.times_fast();
    }
    for (const OpTotal& op : result.ops) {
        json["ops"].push_back({{"op", op.name}, {"calls", op.count}, {"ms", op.milliseconds}});
    }
    std::cout << json.dump(2) << '\n';
}

void print_text(const Bench& bench, const BenchFlags& flags, const Result& result) {
    std::cout << fmt::format(
        "{} {}, {} {}, numerics {}, {}, {}, {} threads, weights {}\n\n", bench.subject.model, bench.subject.preset,
        flags.plan.plan, flags.plan.mode, flags.device.numerics, flags.device.board, bench.subject.size,
        ttnn_cpu::num_threads(), bench.subject.weights);
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
    add("tt-zoo", result.device);
    if (flags.compares()) {
        add("libtorch", result.peer);
    }
    table.print(std::cout);
    if (flags.compares()) {
        std::cout << fmt::format(
            "\n{:.2f} times as fast as libtorch (best against best, same threads, same run)\n", result.speedup());
    }
    if (flags.compares_modes()) {
        std::cout << fmt::format(
            "\nnumerics {} takes {:.1f} times fast, which takes {:.1f} ms (best against best, same threads, one after "
            "the other)\n",
            flags.device.numerics, result.times_fast(), result.fast_ms);
    }
    std::cout << (result.figures.empty() ? "" : "\n");
    for (const Figure& figure : result.figures) {
        std::cout << figure.text << (figure.text.empty() ? "" : "\n");
    }
    const auto size = [](std::uint64_t count) { return bytes(static_cast<double>(count)); };
    std::cout << fmt::format("\nset-up {:.0f} ms, first run {:.0f} ms; ", bench.setup_ms, result.first_ms);
    if (const auto& memory = result.memory) {
        std::cout << fmt::format(
            "peak L1 {} of {} a core (at {}); device DRAM {}; ", size(memory->l1_peak), size(memory->l1_capacity),
            memory->l1_peak_op, size(memory->dram_allocated_peak));
    }
    std::cout << fmt::format("peak host memory {}\n", size(peak_host_bytes()));
    if (!result.ops.empty()) {
        print_ops(result.ops);
    }
}

void time_bench(const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags) {
    flags.require_peer();
    const std::function<void()> none;
    const std::function<void()>& peer = flags.compares() ? bench.peer : none;
    if (flags.compares() && !peer) {
        fail("bench", "model ", bench.subject.model, " has no peer to compare with");
    }
    Result result;
    if (flags.compares_modes()) {
        const nlohmann::json fast = run_same_command({{"--numerics", "fast"}, {"--compare", ""}});
        result.fast_ms = fast.at("latency").at("best_ms");
    }
    {
        Progress progress(bench.subject.model);
        progress.say("first run");
        const Stopwatch first;
        bench.run();
        result.first_ms = first.milliseconds();
        if (peer) {
            peer();
        }
        // Turn by turn, so that a noisy neighbour disturbs both alike.
        for (std::size_t i = 0; i < flags.iterations; ++i) {
            progress.update(i, flags.iterations);
            const Stopwatch watch;
            bench.run();
            result.device.add(watch.milliseconds());
            if (peer) {
                const Stopwatch peer_watch;
                peer();
                result.peer.add(peer_watch.milliseconds());
            }
        }
    }
    if (bench.figures) {
        result.figures = bench.figures(result.device, result.peer);
    }
    result.memory = memory_of(device);
    if (flags.ops) {
        result.ops = time_by_op(bench, device);
    }
    flags.json ? print_json(bench, flags, result) : print_text(bench, flags, result);
}

}  // namespace

void BenchFlags::add_to(CLI::App& command, const Measure& what, const std::string& batch_of, std::int64_t most) {
    measure = what;
    add_batch(command, batch, batch_of, most);
    if (measure.host) {
        return;
    }
    plan.add_to(command);
    if (measure.timing) {
        command
            .add_option("--compare", compare, "Time a peer in the same run: libtorch, or this model in numerics fast")
            ->check(CLI::IsMember({"torch", "fast"}));
        command.add_option("--iterations", iterations, "Timed runs")
            ->check(CLI::Range(1, 10000))
            ->capture_default_str();
        command.add_flag("--ops", ops, "Also show where the time of one run goes, by device op");
        add_json(command, json);
    }
    device.record = measure.record;
    device.add_to(command);
}

void BenchFlags::require_peer() const {
    if (compares()) {
        require_golden("bench --compare torch");
    }
    if (compares_modes() && device.numerics == "fast") {
        fail("bench", "--compare fast measures numerics fast against itself; it is for --numerics wormhole");
    }
}

void run_bench(const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags) {
    flags.measure.run(bench, device, flags);
}

Measure timing() { return {.run = time_bench, .timing = true}; }

}  // namespace zoo::apps

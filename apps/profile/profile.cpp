// SPDX-License-Identifier: Apache-2.0
#include "profile/profile.hpp"

#include <algorithm>
#include <iostream>
#include <system_error>

#include <fmt/format.h>

#include "profile/card_model.hpp"
#include "profile/memory_report.hpp"
#include "profile/perf_sheet.hpp"
#include "profile/summary.hpp"
#include "profile/timeline.hpp"
#include "zoo/error.hpp"
#include "zoo/write_file.hpp"

namespace zoo::apps {

namespace profile {

namespace {

using ttnn_cpu::BufferRecord;
using ttnn_cpu::OpRecord;
using ttnn_cpu::Recording;

bool is_output(const BufferRecord& buffer, const OpRecord& op) {
    return std::ranges::any_of(op.outputs, [&](const ttnn_cpu::TensorRecord& output) {
        return output.address == buffer.address && output.spec.memory_config().buffer_type() == buffer.type;
    });
}

// Of what was recorded while the model was set up: the run op by op that went before the capture of its trace. The times are those of
// the replay.
Recording with_times_of(Recording setup, const std::vector<OpRecord>& replayed) {
    const auto same_name = [](const OpRecord& a, const OpRecord& b) { return a.name == b.name; };
    if (setup.ops.size() < replayed.size() ||
        !std::equal(replayed.begin(), replayed.end(), setup.ops.end() - std::ssize(replayed), same_name)) {
        fail(
            "profile", "the trace's ", replayed.size(),
            " ops are not those that ran before its capture; profile this model with --mode plain");
    }
    setup.ops.erase(setup.ops.begin(), setup.ops.end() - std::ssize(replayed));
    for (std::size_t i = 0; i < replayed.size(); ++i) {
        setup.ops[i].trace_id = replayed[i].trace_id;
        setup.ops[i].queue = replayed[i].queue;
        setup.ops[i].device_start_ns = replayed[i].device_start_ns;
        setup.ops[i].device_end_ns = replayed[i].device_end_ns;
    }
    // What came before the first op is simply there, but for what that op made; what went is gone.
    std::vector<BufferRecord> buffers;
    for (const BufferRecord& buffer : setup.buffers) {
        if (buffer.sequence >= setup.ops.front().sequence || is_output(buffer, setup.ops.front())) {
            buffers.push_back(buffer);
        } else if (buffer.event == BufferRecord::Event::Freed) {
            std::erase_if(buffers, [&](const BufferRecord& other) {
                return other.type == buffer.type && other.address == buffer.address;
            });
        } else {
            buffers.push_back(buffer);
            buffers.back().event = BufferRecord::Event::Live;
        }
    }
    setup.buffers = std::move(buffers);
    return setup;
}

std::string file_name(const Bench& bench, const BenchFlags& flags) {
    std::string name = fmt::format("{}_{}_{}", bench.subject.preset, flags.plan.plan, flags.plan.mode);
    for (const auto& [size, value] : bench.subject.sizes) {
        name += fmt::format("_{}{}", size, value);
    }
    return name;
}

}  // namespace

Run profile_run(const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags) {
    Recording setup = ttnn_cpu::stop_recording(device);
    bench.run();  // once to warm up
    ttnn_cpu::start_recording(device);
    bench.run();
    Recording timed = ttnn_cpu::stop_recording(device);
    if (std::ranges::any_of(timed.ops, [](const OpRecord& op) { return op.trace_id != 0; })) {
        std::erase_if(timed.ops, [](const OpRecord& op) { return op.trace_id == 0; });
        timed = with_times_of(std::move(setup), timed.ops);
    }
    if (timed.ops.empty()) {
        fail("profile", "the run had no device op");
    }
    Run run;
    run.model = bench.subject.model;
    run.title = fmt::format(
        "{} {}, {}, {}, {}, numerics {}", bench.subject.model, bench.subject.preset, flags.plan.plan, flags.plan.mode,
        bench.subject.size, flags.device.numerics);
    run.name = file_name(bench, flags);
    run.card = card_of(device, flags.device.board);
    run.recording = std::move(timed);
    const std::uint64_t start = run.recording.ops.front().device_start_ns;
    for (const OpRecord& op : run.recording.ops) {
        run.cpu.push_back({op.device_start_ns - start, op.device_end_ns - op.device_start_ns});
    }
    model_card_times(run);
    return run;
}

Written write_reports(const Run& run, const std::filesystem::path& out) {
    const std::filesystem::path performance = out / "generated" / "profiler" / "reports";
    Written written{
        .memory = out / "generated" / "ttnn" / "reports" / run.name,
        .card = performance / (run.name + "_card"),
        .cpu = performance / (run.name + "_cpu"),
        .card_sheet = {},
        .timeline = out / (run.name + ".perfetto.json")};
    for (const std::filesystem::path& directory : {written.memory, written.card, written.cpu}) {
        std::error_code problem;
        std::filesystem::create_directories(directory, problem);
        if (problem) {
            fail("profile", "cannot make the directory ", directory.string(), ": ", problem.message());
        }
    }
    write_memory_report(run, written.memory);
    written.card_sheet = write_performance(run, Clock::Card, written.card);
    write_performance(run, Clock::Cpu, written.cpu);
    write_file(written.timeline, timeline(run));
    return written;
}

}  // namespace profile

void add_profile(const ModelEntry& model, CLI::App& command) {
    const auto out = std::make_shared<std::string>("tt-zoo-profile");
    command.add_option("--out", *out, "The directory that the reports go to")->capture_default_str();
    model.add_bench(
        command, {.run =
                      [out](const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags) {
                          const profile::Run run = profile::profile_run(bench, device, flags);
                          const profile::Written written = profile::write_reports(run, *out);
                          profile::print_summary(run, std::cout);
                          std::cout << fmt::format(
                              "\nWritten, for the tools that open it:\n"
                              "  tt-perf-report {}\n"
                              "  ttnn-visualizer --host 127.0.0.1 --profiler-path {} --performance-path {}\n"
                              "  Perfetto or chrome://tracing: {}\n"
                              "The sheets' column CLOCK says which clock a row is by; {} has the measured times.\n",
                              written.card_sheet.string(), written.memory.string(), written.card.string(),
                              written.timeline.string(), written.cpu.string());
                      },
                  .timing = false,
                  .record = true});
}

}  // namespace zoo::apps

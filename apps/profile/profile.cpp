// SPDX-License-Identifier: Apache-2.0
#include "profile/profile.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "out_flag.hpp"
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

// What the profiled run did, with what is known of it from the set-up: a replayed op is the one that was captured then, by the calls and
// among the buffers of its capture.
Recording joined(Recording setup, Recording timed) {
    Recording all;
    all.calls = std::move(setup.calls);
    std::ranges::move(timed.calls, std::back_inserter(all.calls));
    all.ops = std::move(timed.ops);
    // Buffers from the device's opening on. What came before the ops is simply there, and what went before them is gone.
    const std::uint64_t first = std::ranges::min(all.ops, {}, &OpRecord::sequence).sequence;
    std::uint64_t before = 0;  // the last op that is not of the run
    for (const OpRecord& op : setup.ops) {
        before = op.sequence < first ? std::max(before, op.sequence) : before;
    }
    std::map<std::pair<ttnn::BufferType, std::uint64_t>, BufferRecord> live;
    std::vector<BufferRecord> changes;
    const auto add = [&](const BufferRecord& buffer) {
        if (buffer.sequence > before) {
            changes.push_back(buffer);
        } else if (buffer.event == BufferRecord::Event::Freed) {
            live.erase({buffer.type, buffer.address});
        } else {
            BufferRecord& known = live[{buffer.type, buffer.address}] = buffer;
            known.event = BufferRecord::Event::Live;
        }
    };
    std::ranges::for_each(setup.buffers, add);
    for (const BufferRecord& buffer : timed.buffers) {
        if (buffer.event != BufferRecord::Event::Live) {
            add(buffer);
        }
    }
    for (const auto& [place, buffer] : live) {
        all.buffers.push_back(buffer);
    }
    std::ranges::move(changes, std::back_inserter(all.buffers));
    return all;
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
    (void)ttnn_cpu::take_commands(device);
    bench.run();  // once to warm up
    ttnn_cpu::start_recording(device);
    bench.run();
    std::vector<ttnn_cpu::CommandRecord> commands = ttnn_cpu::take_commands(device);
    Recording timed = ttnn_cpu::stop_recording(device);
    if (timed.ops.empty()) {
        fail("profile", "the run had no device op");
    }
    timed = joined(std::move(setup), std::move(timed));
    Run run;
    run.model = bench.subject.model;
    run.title = fmt::format(
        "{} {}, {}, {}, {}, numerics {}", bench.subject.model, bench.subject.preset, flags.plan.plan, flags.plan.mode,
        bench.subject.size, flags.device.numerics);
    run.name = file_name(bench, flags);
    run.card = card_of(device, flags.device.board);
    run.recording = std::move(timed);
    run.commands = std::move(commands);
    if (ttnn_cpu::computes(device)) {
        const std::uint64_t start = run.recording.ops.front().device_start_ns;
        for (const OpRecord& op : run.recording.ops) {
            run.cpu.push_back({op.device_start_ns - start, op.device_end_ns - op.device_start_ns});
        }
    }
    model_card_times(run);
    return run;
}

Written write_reports(const Run& run, const std::filesystem::path& out) {
    const std::filesystem::path performance = out / "generated" / "profiler" / "reports";
    Written written{
        .memory = out / "generated" / "ttnn" / "reports" / run.name,
        .card = performance / (run.name + "_card"),
        .cpu = run.measured() ? performance / (run.name + "_cpu") : std::filesystem::path(),
        .card_sheet = {},
        .timeline = out / (run.name + ".perfetto.json")};
    for (const std::filesystem::path& directory : {written.memory, written.card, written.cpu}) {
        if (directory.empty()) {
            continue;
        }
        std::error_code problem;
        std::filesystem::create_directories(directory, problem);
        if (problem) {
            fail("profile", "cannot make the directory ", directory.string(), ": ", problem.message());
        }
    }
    write_memory_report(run, written.memory);
    written.card_sheet = write_performance(run, Clock::Card, written.card);
    if (run.measured()) {
        write_performance(run, Clock::Cpu, written.cpu);
    }
    write_file(written.timeline, timeline(run));
    return written;
}

}  // namespace profile

void add_profile(const ModelEntry& model, CLI::App& command) {
    const auto out = std::make_shared<std::string>("tt-zoo-profile");
    add_out(command, *out);
    command.add_flag_callback(
        "--no-compute", ttnn_cpu::open_next_without_computing,
        "Record the ops without computing them: the modelled clock alone");
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
                              "The sheets' column CLOCK says which clock a row is by{}.\n",
                              written.card_sheet.string(), written.memory.string(), written.card.string(),
                              written.timeline.string(),
                              run.measured() ? "; " + written.cpu.string() + " has the measured times" : "");
                      },
                  .timing = false,
                  .record = true});
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
// What recording costs: the same model on the same device, run in turn without a recording, with one, and on a device on which one was
// stopped again. The best time of each counts; `on` is the second over the first, `off_again` the third over the first.
#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>

#include <tt-metalium/distributed.hpp>
#include <ttnn/device.hpp>
#include <ttnn_cpu/execution.hpp>
#include <ttnn_cpu/records.hpp>

#include "bench_support.hpp"
#include "models/bert/runner.hpp"
#include "models/gpt2/runner.hpp"
#include "models/resnet/images.hpp"
#include "models/resnet/runner.hpp"

namespace {

constexpr std::size_t kTraceBytes = 64 << 20;
constexpr int kRounds = 12;

using Device = std::shared_ptr<ttnn::MeshDevice>;
using Run = std::function<void()>;
using Open = std::function<Run(ttnn::MeshDevice& device, zoo::Mode mode)>;

// One sequence of 128 tokens through MiniLM.
Run open_bert(ttnn::MeshDevice& device, zoo::Mode mode) {
    static const auto config = zoo::bert::preset("minilm-l6");
    const auto runner = std::make_shared<zoo::bert::Runner>(
        device, config, zoo::bert::random(config, 1),
        zoo::encoder::RunnerOptions{
            .task = zoo::bert::Task::SentenceEmbedding, .batch = 1, .sequence = 128, .mode = mode});
    return [runner, inputs = zoo::encoder::random_inputs(config, 1, 128, 1)] { (void)runner->run(inputs); };
}

Run open_resnet(ttnn::MeshDevice& device, zoo::Mode mode) {
    static const auto config = zoo::resnet::preset("resnet18");
    const auto runner = std::make_shared<zoo::resnet::Runner>(
        device, config, zoo::resnet::random(config, 1), zoo::resnet::Runner::Options{.batch = 1, .mode = mode});
    return [runner, images = zoo::resnet::random_images(config, 1, 1)] { (void)runner->run(images); };
}

// Tokens, one after the other: ops are at their shortest.
Run open_gpt2(ttnn::MeshDevice& device, zoo::Mode mode) {
    static const auto config = zoo::gpt2::preset("gpt2");
    const auto runner = std::make_shared<zoo::gpt2::Runner>(
        device, config, zoo::gpt2::random(config, 1),
        zoo::causal::RunnerOptions{.batch = 1, .context = 256, .mode = mode});
    (void)runner->prefill(0, std::vector<std::int32_t>(64, 1), false);
    return [runner] {
        const std::vector<std::int32_t> token{1};
        const std::vector<std::int32_t> place{64};
        (void)runner->decode(token, place, false);
    };
}

void recording(benchmark::State& state, const Open& open, zoo::Mode mode) {
    const Device device = ttnn::open_mesh_device(0, 32 << 10, kTraceBytes, 2);
    {
        const Run run = open(*device, mode);
        run();
        double off = std::numeric_limits<double>::infinity();
        double on = off;
        double off_again = off;
        for (auto _ : state) {
            for (int i = 0; i < kRounds; ++i) {
                op_bench::keep_best(off, op_bench::elapsed, run);
                ttnn_cpu::start_recording(*device);
                op_bench::keep_best(on, op_bench::elapsed, run);
                const auto kept = ttnn_cpu::stop_recording(*device);
                benchmark::DoNotOptimize(kept.ops.size());
                (void)ttnn_cpu::take_commands(*device);
                op_bench::keep_best(off_again, op_bench::elapsed, run);
            }
        }
        state.counters["off_ms"] = 1e3 * off;
        state.counters["on_ms"] = 1e3 * on;
        state.counters["on"] = on / off;
        state.counters["off_again"] = off_again / off;
    }
    ttnn::close_device(*device);
}

}  // namespace

int main(int argc, char** argv) {
    struct Subject {
        const char* name;
        Open open;
    };
    for (const Subject& subject :
         {Subject{"minilm-l6", open_bert}, Subject{"resnet18", open_resnet}, Subject{"gpt2_token", open_gpt2}}) {
        for (const zoo::Mode mode : {zoo::Mode::Plain, zoo::Mode::Traced}) {
            const std::string name = std::string(subject.name) + (mode == zoo::Mode::Plain ? "/plain" : "/trace");
            benchmark::RegisterBenchmark(name.c_str(), [open = subject.open, mode](benchmark::State& state) {
                recording(state, open, mode);
            })->Unit(benchmark::kMillisecond);
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

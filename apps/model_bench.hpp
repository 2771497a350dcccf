// SPDX-License-Identifier: Apache-2.0
#pragma once

// `tt-zoo bench MODEL`: the latency of a runner, beside libtorch's or mode fast's in the same run if asked.
#include <functional>
#include <string>
#include <vector>

#include "model_flags.hpp"
#include "stopwatch.hpp"
#include "ttnn/types.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/metrics.hpp"

namespace zoo::apps {

struct Bench;
struct BenchFlags;

// What a command does with a model that is set up.
struct Measure {
    std::function<void(const Bench&, ttnn::MeshDevice&, const BenchFlags&)> run;
    bool timing = false;  // adds --compare, --iterations, --ops and --json
    bool record = false;  // records what the device does from its opening on
    bool golden = false;  // runs the golden
    // In the place of `run`, for what needs the golden alone: no device is opened, and its flags are not there.
    std::function<void(const Bench&)> host = {};
};

// Warms up, takes `iterations` samples turn by turn with the peer, and prints a table or one JSON object.
[[nodiscard]] Measure timing();

struct BenchFlags {
    Measure measure;
    PlanFlags plan{.mode = "trace"};
    DeviceFlags device;
    std::string compare;  // empty, "torch" or "fast"
    std::int64_t batch = 1;
    std::size_t iterations = 5;
    bool ops = false;
    bool json = false;

    // `batch_of` names what a batch holds, such as "Sequences".
    void add_to(CLI::App& command, const Measure& measure, const std::string& batch_of, std::int64_t most = 64);
    // Error when --compare asks for what is not there.
    void require_peer() const;
    // With a peer that a model offers.
    [[nodiscard]] bool compares() const { return compare == "torch"; }
    // With mode fast, in a process of its own.
    [[nodiscard]] bool compares_modes() const { return compare == "fast"; }
    // Whether the host's weights are still needed once the model is on the device.
    [[nodiscard]] bool needs_golden() const { return compares() || measure.golden || measure.host; }
};

// A further figure of a bench, such as tokens a second.
struct Figure {
    std::string key;   // in JSON
    std::string text;  // for people: "31.2 tokens a second"; empty for JSON alone
    double value = 0;
};

struct Bench {
    Subject subject;
    double setup_ms = 0;             // from weights on the host to a runner that is ready
    std::function<void()> run = {};  // one run on the device: inputs from the host, outputs on the host
    // The same by libtorch at its best, for --compare torch.
    std::function<void()> peer = {};
    // The golden as the checks run it, for whoever wants to see its ops; what it computes is what `run` does.
    std::function<void()> golden = {};
    // One pass of the golden over the input without a memory of earlier ones, where `golden` is more than that.
    std::function<void()> forward = {};
    // The golden's weights.
    NamedTensors parameters = {};
    // The device's outputs against the golden's.
    std::function<Comparison()> compare = {};
    // Optional: made from the samples of the device and, empty without --compare, of the peer.
    std::function<std::vector<Figure>(const Samples& device, const Samples& peer)> figures = {};
};

// Hands the bench to the measure of the flags.
void run_bench(const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags);

}  // namespace zoo::apps

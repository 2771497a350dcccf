// SPDX-License-Identifier: Apache-2.0
// check, bench and info of networks for pictures, and their entries in the registry.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "golden.hpp"
#include "model_bench.hpp"
#include "vision/vision_run.hpp"
#include "zoo/pixels.hpp"

namespace zoo::apps {

HostTensor made_up(const VisionModel& model, std::int64_t batch, std::uint64_t seed) {
    constexpr std::int64_t kSide = 256;
    constexpr float kMean = 0.45F * 255;  // of photos
    constexpr float kDeviation = 0.226F * 255;
    const HostTensor values = random_images(batch, {3, kSide, kSide}, seed);
    std::vector<HostTensor> prepared;
    for (std::int64_t i = 0; i < batch; ++i) {
        Image image = filled_image(kSide, kSide, 0, 0, 0);
        for (std::size_t at = 0; at < image.pixels.size(); ++at) {
            const std::size_t plane = static_cast<std::size_t>(i) * 3 + at % 3;
            const float value = kMean + kDeviation * values.data[plane * kSide * kSide + at / 3];
            image.pixels[at] = static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F));
        }
        prepared.push_back(model.prepare(image));
    }
    return concat(prepared, 0);
}

namespace {

struct CheckOptions {
    ModelFlags model;
    CheckFlags check;
    std::int64_t batch = 1;
};

struct BenchOptions {
    ModelFlags model;
    BenchFlags bench;
};

Subject subject_of(std::string_view name, const VisionModel& model, const Shape& pictures) {
    return {
        .model = std::string(name),
        .preset = model.preset(),
        .weights = model.source(),
        .size = fmt::format("batch {}, {} x {} pixels", pictures[0], pictures[3], pictures[2]),
        .sizes = {{"batch", pictures[0]}, {"height", pictures[2]}, {"width", pictures[3]}}};
}

// Of several outputs, the one with the lowest PCC.
Comparison worst_of(const std::vector<HostTensor>& expected, const std::vector<HostTensor>& actual) {
    Comparison worst{.pcc = 1.0};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Comparison one = compare(expected[i].data, actual[i].data);
        worst = i == 0 || one.pcc < worst.pcc ? one : worst;
    }
    return worst;
}

template <class Model>
void add_check(CLI::App& command, const VisionSpec<Model>& spec) {
    const auto options = std::make_shared<CheckOptions>();
    options->model.add_to(command, spec.presets, spec.weights_are);
    add_batch(command, options->batch, "Pictures", spec.most_batch);
    options->check.add_to(command);
    command.callback([options, spec] {
        require_golden("check");
        options->model.preset = options->model.preset_or(spec.default_preset);
        const std::unique_ptr<Model> model = spec.open(options->model);
        const auto device = options->check.device.open(1, 0, spec.l1_small_size);
        Shape pictures = model->prepare(filled_image(32, 32, 128, 128, 128)).shape;
        pictures[0] = options->batch;
        check_modules(
            subject_of(spec.name, *model, pictures), model->modules(*device, options->batch, options->model.seed),
            *device, options->check);
    });
}

template <class Model>
void add_bench(CLI::App& command, const VisionSpec<Model>& spec, const Measure& measure) {
    const auto options = std::make_shared<BenchOptions>();
    options->model.add_to(command, spec.presets, spec.weights_are);
    options->bench.add_to(command, measure, "Pictures", spec.most_batch);
    command.callback([options, spec] {
        const BenchFlags& flags = options->bench;
        flags.require_peer();
        options->model.preset = options->model.preset_or(spec.default_preset);
        const std::unique_ptr<Model> model = spec.open(options->model);
        const HostTensor pictures = made_up(*model, flags.batch, options->model.seed);
        Bench bench{.subject = subject_of(spec.name, *model, pictures.shape)};
        bench.golden = [&] { (void)model->golden(pictures); };
        bench.parameters = model->parameters();
        if (flags.measure.host) {
            flags.measure.host(bench);
            return;
        }
        const auto device = flags.device.open(2, kTraceRegionBytes, spec.l1_small_size);
        const Stopwatch setup;
        const VisionRunner runner = model->start(
            *device, {.batch = flags.batch, .plan = flags.plan.chosen_plan(), .mode = flags.plan.chosen_mode()});
        bench.setup_ms = setup.milliseconds();
        bench.run = [&] { (void)runner(pictures); };
        bench.peer = flags.needs_golden() ? model->peer(pictures) : nullptr;
        bench.compare = [&] { return worst_of(model->golden(pictures), runner(pictures)); };
        bench.figures = [&](const Samples& device_samples, const Samples&) {
            const double rate = 1000.0 * static_cast<double>(flags.batch) / device_samples.median();
            return std::vector<Figure>{{"pictures_per_second", fmt::format("{:.1f} pictures a second", rate), rate}};
        };
        run_bench(bench, *device, flags);
    });
}

template <class Model>
ModelEntry entry(
    const VisionSpec<Model>& spec, std::string_view task, void (*add_run)(CLI::App&, const VisionSpec<Model>&)) {
    return {
        .name = spec.name,
        .summary = spec.summary,
        .presets = spec.presets,
        .tasks = {task},
        .add_run = [spec, add_run](CLI::App& command) { add_run(command, spec); },
        .add_check = [spec](CLI::App& command) { add_check(command, spec); },
        .add_bench = [spec](CLI::App& command, const Measure& measure) { add_bench(command, spec, measure); },
        .add_info =
            [spec](CLI::App& command) { add_info_flags(command, spec.default_preset, spec.presets, spec.info); }};
}

}  // namespace

ModelEntry classifier_entry(const VisionSpec<Classifier>& spec) {
    ModelEntry result = entry(spec, "classify", add_classify);
    result.classifier = std::make_shared<const VisionSpec<Classifier>>(spec);
    return result;
}

ModelEntry detector_entry(const VisionSpec<Detector>& spec) {
    ModelEntry result = entry(spec, "detect", add_detect);
    result.detector = std::make_shared<const VisionSpec<Detector>>(spec);
    return result;
}

}  // namespace zoo::apps

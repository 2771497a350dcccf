// SPDX-License-Identifier: Apache-2.0
#include "vision/vision_run.hpp"

#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "golden.hpp"

namespace zoo::apps {

void VisionRunFlags::add_to(
    CLI::App& command, std::span<const std::string_view> presets, const std::string& weights_are) {
    check = golden_available();
    command.add_option("--image,image", images, "Pictures: JPEG, PNG or BMP");
    model.add_to(command, presets, weights_are);
    plan.add_to(command);
    command.add_option("--batch", batch, "Pictures of one run; 0 for the largest batch of the network that they fill")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
    command.add_flag(
        "--check,!--no-check", check, "Show libtorch's result beside it; the default where there is libtorch");
    add_json(command, json);
    device.add_to(command);
}

VisionRunnerOptions VisionRunFlags::runner_options(
    std::int64_t pictures, const std::vector<std::int64_t>& batches) const {
    std::int64_t filled = 1;
    for (const std::int64_t candidate : batches) {
        filled = candidate <= pictures ? std::max(filled, candidate) : filled;
    }
    return {.batch = batch > 0 ? batch : filled, .plan = plan.chosen_plan(), .mode = plan.chosen_mode()};
}

void print_head(std::string_view name, const VisionModel& model, const VisionRunFlags& flags) {
    std::cout << fmt::format(
        "{} {}, weights {}, {} on {}, numerics {}\n", name, model.preset(), model.source(), flags.plan.plan,
        flags.device.board, flags.device.numerics);
    if (!model.trained()) {
        std::cout << "The weights are random: what follows shows that the model runs, and means nothing.\n";
    }
}

PictureRun run_pictures(
    const VisionModel& model, const VisionRunFlags& flags, std::size_t l1_small_size,
    const std::vector<std::int64_t>& batches) {
    PictureRun result{.pictures = read_pictures(flags.images), .run = {}, .golden = {}, .comparison = {}};
    const HostTensor inputs = prepare_all(model, result.pictures);
    const auto device = flags.device.open(2, kTraceRegionBytes, l1_small_size);
    result.run = run_on_device(model, *device, flags.runner_options(inputs.shape[0], batches), inputs);
    if (flags.check) {
        result.golden = run_golden(model, inputs);
        result.comparison = compare_runs(*result.golden, result.run);
    }
    return result;
}

std::string footer(const PictureRun& run) {
    const std::size_t pictures = run.pictures.size();
    std::string text =
        fmt::format("{:.1f} ms for {} picture{}", run.run.milliseconds, pictures, pictures == 1 ? "" : "s");
    if (run.comparison) {
        text += fmt::format(
            ", PCC {:.6f} against libtorch, relative error {:.2e}", run.comparison->pcc,
            run.comparison->relative_error);
    }
    return text;
}

nlohmann::json json_head(
    std::string_view name, const VisionModel& model, const VisionRunFlags& flags, const PictureRun& run) {
    nlohmann::json result{
        {"model", name},
        {"preset", model.preset()},
        {"weights", model.source()},
        {"trained", model.trained()},
        {"plan", flags.plan.plan},
        {"latency_ms", run.run.milliseconds}};
    if (run.comparison) {
        result["pcc"] = run.comparison->pcc;
        result["relative_error"] = run.comparison->relative_error;
    }
    return result;
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#include "profile/calibration.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "model_bench.hpp"
#include "profile/card_model.hpp"
#include "profile/profile.hpp"
#include "profile/text.hpp"
#include "progress.hpp"
#include "registry.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace profile {

const std::vector<Published>& published() {
    const std::vector<std::string> bert_large{"--preset", "bert-large-squad2", "--sequence", "384",
                                              "--task",   "question-answering"};
    const std::vector<std::string> sentence{"--preset", "bert-base", "--sequence",
                                            "384",      "--task",    "sentence-embedding"};
    const std::vector<std::string> resnet{"--preset", "resnet50"};
    static const std::vector<Published> all{
        {"ResNet-50, 224 pixels", "resnet", resnet, "n150", 16, 6335, true, true},
        {"BERT-large, 384 tokens", "bert", bert_large, "n150", 8, 371, true, true},
        {"MobileNetV2, 224 pixels", "mobilenetv2", {}, "n150", 10, 3730, true, true},
        {"Sentence-BERT base, 384 tokens", "bert", sentence, "n150", 8, 460, true, false},
        {"Sentence-BERT base, 384 tokens", "bert", sentence, "n150", 8, 433, false, false},
        {"YOLOv4, 320 pixels", "yolov4", {"--preset", "yolov4-320"}, "n150", 1, 120, false, false},
        {"YOLOv4, 640 pixels", "yolov4", {"--preset", "yolov4-640"}, "n150", 1, 50, false, false},
        {"ResNet-50, 224 pixels", "resnet", resnet, "p150", 16, 11864, true, false},
        {"ResNet-50, 224 pixels", "resnet", resnet, "p150", 16, 12600, false, false},
        {"Sentence-BERT base, 384 tokens", "bert", sentence, "p150", 8, 1015, true, false},
        {"Sentence-BERT base, 384 tokens", "bert", sentence, "p150", 8, 929, false, false}};
    return all;
}

const std::vector<PublishedMatmul>& published_matmuls() {
    using enum ttnn::DataType;
    static const std::vector<PublishedMatmul> all{
        {512, 512, 512, BFLOAT16, "HiFi4", 40.77},     {512, 1024, 2048, BFLOAT16, "HiFi4", 65.52},
        {1024, 1024, 1024, BFLOAT16, "HiFi4", 77.17},  {2048, 2048, 2048, BFLOAT16, "HiFi4", 89.59},
        {512, 512, 512, BFLOAT16, "HiFi2", 20.61},     {512, 1024, 2048, BFLOAT16, "HiFi2", 34.04},
        {1024, 1024, 1024, BFLOAT16, "HiFi2", 47.79},  {2048, 2048, 2048, BFLOAT16, "HiFi2", 64.87},
        {512, 512, 512, BFLOAT8_B, "HiFi2", 26.13},    {512, 1024, 2048, BFLOAT8_B, "HiFi2", 51.64},
        {1024, 1024, 1024, BFLOAT8_B, "HiFi2", 67.47}, {2048, 2048, 2048, BFLOAT8_B, "HiFi2", 84.30},
        {512, 512, 512, BFLOAT8_B, "LoFi", 13.16},     {512, 1024, 2048, BFLOAT8_B, "LoFi", 27.54},
        {1024, 1024, 1024, BFLOAT8_B, "LoFi", 39.72},  {2048, 2048, 2048, BFLOAT8_B, "LoFi", 58.89},
        {512, 512, 512, BFLOAT4_B, "LoFi", 14.38},     {512, 1024, 2048, BFLOAT4_B, "LoFi", 34.89},
        {1024, 1024, 1024, BFLOAT4_B, "LoFi", 50.85},  {2048, 2048, 2048, BFLOAT4_B, "LoFi", 78.81}};
    return all;
}

namespace {

constexpr std::uint32_t kSide = 8;  // cores of the grid's side

ttnn_cpu::TensorRecord matrix(std::uint32_t rows, std::uint32_t columns, ttnn::DataType dtype, bool sharded) {
    namespace tm = tt::tt_metal;
    const tm::CoreRangeSet grid(tm::CoreRange(tm::CoreCoord(0, 0), tm::CoreCoord(kSide - 1, kSide - 1)));
    const ttnn::MemoryConfig memory = sharded ? ttnn::MemoryConfig(
                                                    ttnn::TensorMemoryLayout::BLOCK_SHARDED, ttnn::BufferType::L1,
                                                    tm::ShardSpec(grid, {rows / kSide, columns / kSide}))
                                              : ttnn::DRAM_MEMORY_CONFIG;
    return {
        .on_device = true,
        .spec = tm::TensorSpec(
            ttnn::Shape({1, 1, rows, columns}), tm::TensorLayout(dtype, tm::PageConfig(ttnn::Layout::TILE), memory))};
}

Card n150() {
    Card card;
    card.arch = "wormhole_b0";
    card.grid_x = kSide;
    card.grid_y = kSide;
    return card;
}

}  // namespace

double PublishedMatmul::published_ns() const {
    const Work work{
        .kind = Kind::Matmul,
        .operations = 2.0 * m * k * n,
        .fidelity_phases = fidelity == "LoFi"    ? 1
                           : fidelity == "HiFi2" ? 2
                                                 : 4};
    return ideal_of(work, n150()).ns() / utilization * 100;
}

double PublishedMatmul::modelled_ns() const {
    ttnn_cpu::OpRecord op;
    op.name = "MatmulDeviceOperation";
    op.math_fidelity = fidelity;
    op.core_count = kSide * kSide;
    op.inputs = {matrix(m, k, dtype, true), matrix(k, n, dtype, false)};
    op.outputs = {matrix(m, n, dtype, true)};
    op.attributes = nlohmann::json{{"program_config",
                                    {{"type", "MatmulMultiCoreReuseMultiCastProgramConfig"},
                                     {"per_core_M", m / kSide / 32},
                                     {"per_core_N", n / kSide / 32}}}}
                        .dump();
    return estimate(op, n150()).ns();
}

double Calibrated::samples_per_second() const {
    return 1000 * static_cast<double>(figure->batch) / (figure->device ? device_ms : total_ms);
}

namespace {

// All published runs have products at LoFi and functions by tables, where the zoo may have chosen more exact ones.
void as_published(ttnn_cpu::OpRecord& op) {
    if (const Kind kind = kind_of(op.name); kind == Kind::Matmul || kind == Kind::Conv) {
        op.math_fidelity = "LoFi";
    }
    constexpr std::string_view kExact = "\"math_approx_mode\":false";
    if (const auto at = op.attributes.find(kExact); at != std::string::npos) {
        op.attributes.replace(at, kExact.size(), "\"math_approx_mode\":true");
    }
}

}  // namespace

Calibrated calibrate(const Published& figure) {
    const auto model = std::ranges::find(models(), figure.model, &ModelEntry::name);
    if (model == models().end()) {
        fail("calibration", "model '", figure.model, "' is not known");
    }
    Calibrated result{.figure = &figure};
    const auto note = [&](const Bench& bench, ttnn::MeshDevice& device, const BenchFlags& flags) {
        Run run = profile_run(bench, device, flags);
        result.own_ms = static_cast<double>(total_ns(run.card_time)) / 1e6;
        std::ranges::for_each(run.recording.ops, as_published);
        model_card_times(run);
        result.ops = run.recording.ops.size();
        result.device_ms = static_cast<double>(total_ns(run.card_time)) / 1e6;
        result.total_ms = static_cast<double>(run.card_time.back().end_ns()) / 1e6;
    };
    CLI::App command;
    model->add_bench(command, {.run = note, .record = true});
    std::vector<std::string> arguments = figure.arguments;
    arguments.insert(
        arguments.end(),
        {"--weights", "random", "--board", figure.board, "--batch", std::to_string(figure.batch), "--mode", "trace"});
    std::ranges::reverse(arguments);  // as CLI11 wants them
    ttnn_cpu::open_next_without_computing();
    command.parse(std::move(arguments));
    return result;
}

namespace {

void print_matmuls() {
    using Align = Table::Align;
    Table table(
        {{"matmul on an n150"},
         {"format"},
         {"fidelity"},
         {"modelled us", Align::Right},
         {"published us", Align::Right},
         {"ratio", Align::Right}});
    for (const PublishedMatmul& matmul : published_matmuls()) {
        table.add(
            {fmt::format("{} x {} x {}", matmul.m, matmul.k, matmul.n), std::string(dtype_name(matmul.dtype)),
             matmul.fidelity, fmt::format("{:.1f}", matmul.modelled_ns() / 1000),
             fmt::format("{:.1f}", matmul.published_ns() / 1000),
             fmt::format("{:.2f}", matmul.modelled_ns() / matmul.published_ns())});
    }
    table.print(std::cout);
}

void print_calibration(bool as_json) {
    std::vector<Calibrated> rows;
    {
        Progress progress("calibration");
        for (const Published& figure : published()) {
            progress.update(rows.size(), published().size());
            // A configuration that was published twice, by its kernels and as a whole, is recorded once.
            const auto same = std::ranges::find_if(rows, [&](const Calibrated& row) {
                return row.figure->title == figure.title && row.figure->board == figure.board &&
                       row.figure->batch == figure.batch;
            });
            rows.push_back(same == rows.end() ? calibrate(figure) : *same);
            rows.back().figure = &figure;
        }
    }
    if (as_json) {
        nlohmann::json result{{"models", nlohmann::json::array()}, {"matmuls", nlohmann::json::array()}};
        for (const Calibrated& row : rows) {
            result["models"].push_back(
                {{"title", row.figure->title},
                 {"board", row.figure->board},
                 {"batch", row.figure->batch},
                 {"ops", row.ops},
                 {"device_ms", row.device_ms},
                 {"own_fidelity_ms", row.own_ms},
                 {"total_ms", row.total_ms},
                 {"samples_per_second", row.samples_per_second()},
                 {"published", row.figure->samples_per_second},
                 {"device", row.figure->device},
                 {"fitted", row.figure->fitted},
                 {"ratio", row.ratio()}});
        }
        for (const PublishedMatmul& matmul : published_matmuls()) {
            result["matmuls"].push_back(
                {{"m", matmul.m},
                 {"k", matmul.k},
                 {"n", matmul.n},
                 {"dtype", dtype_name(matmul.dtype)},
                 {"fidelity", matmul.fidelity},
                 {"modelled_us", matmul.modelled_ns() / 1000},
                 {"published_us", matmul.published_ns() / 1000}});
        }
        std::cout << result.dump(2) << '\n';
        return;
    }
    using Align = Table::Align;
    Table table(
        {{"model"},
         {"board"},
         {"batch", Align::Right},
         {"ops", Align::Right},
         {"modelled ms", Align::Right},
         {"modelled /s", Align::Right},
         {"published /s", Align::Right},
         {"of"},
         {"ratio", Align::Right},
         {"used to fit"}});
    for (const Calibrated& row : rows) {
        const Published& figure = *row.figure;
        table.add(
            {figure.title, figure.board, std::to_string(figure.batch), std::to_string(row.ops),
             fmt::format("{:.3f}", figure.device ? row.device_ms : row.total_ms),
             fmt::format("{:.0f}", row.samples_per_second()), fmt::format("{:.0f}", figure.samples_per_second),
             figure.device ? "kernels" : "end to end", fmt::format("{:.2f}", row.ratio()), figure.fitted ? "yes" : ""});
    }
    table.print(std::cout);
    std::cout << '\n';
    print_matmuls();
    std::cout << "\nModelled: kernels alone, or with the gaps between ops of a trace where the published figure is end "
                 "to end (the "
                 "host's own time\nis not modelled). The zoo's placements are not those of the published runs; see "
                 "docs/profiling.md.\n";
}

}  // namespace

}  // namespace profile

void add_calibration(CLI::App& profile) {
    CLI::App* command =
        profile.add_subcommand("calibration", "The modelled clock beside figures published for real cards");
    const auto as_json = std::make_shared<bool>(false);
    add_json(*command, *as_json);
    command->callback([as_json] { profile::print_calibration(*as_json); });
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#include "metrics/pages.hpp"

#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ttnn_cpu/device_options.hpp>

#include "table.hpp"

namespace zoo::apps::metrics {

namespace {

constexpr const char* kGenerated = "[comment]: <> (Written by `tt-zoo metrics`. Do not edit: run it again.)\n\n";

constexpr const char* kExplanation = R"(
One run is one picture, 128 tokens of a text (encoders), or a prompt of 128 tokens, fewer where the context is short, and one new token (GPT-2, CodeGen). The
device is the embedded n150, `optimized`, traced.

- **Run**: whether the model runs to its end on the device, within its memory and its rules.
- **Torch ops (unique)**: aten ops of the libtorch golden, composite ones replaced by what they call.
- **On the host (unique)**: those of them that nothing on the device does. What became of each is on the model's page.
- **To/from device**: tensors that one run writes to the device and reads back.
- **libtorch ms**, **Here ms**: the best of three runs on this computer, float32 by libtorch at its best and the embedded device.
- **Card ms**: what the n150 would take, by the [model of its clock](profiling.md#two-clocks-never-mixed). No measurement; not to be compared with the two columns before it.
- **Accuracy**: PCC of the outputs with libtorch's, in percent, of the worst output where there are several.
- **Fits**, **Peak SRAM**: whether everything has room in L1, and the most that tensors and circular buffers took of it at once, over all cores.
)";

const char* status_text(Status status) {
    switch (status) {
        case Status::Device:
            return "✅ on the device";
        case Status::Fused:
            return "✅ fused";
        case Status::Prepared:
            return "✅ prepared";
        case Status::View:
            return "✅ view";
        case Status::Host:
            return "✘ on the host";
    }
    return "";
}

// Three digits that count.
std::string milliseconds_cell(double value) {
    return value >= 100  ? fmt::format("{:.0f}", value)
           : value >= 10 ? fmt::format("{:.1f}", value)
                         : fmt::format("{:.2f}", value);
}

std::string megabytes(std::uint64_t count) { return fmt::format("{:.1f}", static_cast<double>(count) / 1e6); }

// The heading of a preset as a link names it: without its dots.
std::string anchor(std::string preset) {
    std::erase(preset, '.');
    return preset;
}

}  // namespace

std::string ops_cells(const OpFigures& figures) {
    const Conversions& ops = figures.conversions;
    return fmt::format(
        "{} ({}) | {} ({}) | {}/{}", ops.ops(), ops.rows.size(), ops.host_ops(), ops.host_unique(), figures.to_device,
        figures.from_device);
}

std::string table_row(const Metrics& metrics) {
    const std::string ops = metrics.ops ? ops_cells(*metrics.ops) : "N/A | N/A | N/A";
    std::string run = "N/A | N/A | N/A | N/A | N/A | N/A";
    if (const auto& figures = metrics.run) {
        run = fmt::format(
            "{} | {} | {} | {:.2f} | ✅ | {}", milliseconds_cell(figures->torch_ms), milliseconds_cell(figures->cpu_ms),
            milliseconds_cell(figures->card_ms), 100 * figures->pcc, megabytes(figures->peak_l1));
    }
    return fmt::format(
        "| [{}](metrics/{}.md#{}) | {} | {} | {} |", metrics.preset, metrics.model, anchor(metrics.preset),
        metrics.run ? "✅" : "✘", ops, run);
}

std::string ops_section(const OpFigures& figures) {
    std::string text = fmt::format(
        "{}: {} aten ops became {} device ops.\n\n| aten op | status | count | TTNN ops |\n| --- | --- | ---: | --- "
        "|\n",
        figures.size, figures.conversions.ops(), figures.device_ops);
    for (const Conversion& row : figures.conversions.rows) {
        text += fmt::format("| {} | {} | {} | {} |\n", row.aten, status_text(row.status), row.count, row.became);
    }
    if (!figures.conversions.besides.empty()) {
        std::vector<std::string> words;
        for (const auto& [name, count] : figures.conversions.besides) {
            words.push_back(fmt::format("`{}` {}", name, count));
        }
        text += fmt::format("\nTTNN ops that no aten op became: {}.\n", fmt::join(words, ", "));
    }
    return text;
}

std::string model_page(const std::string& model, const std::vector<Metrics>& presets) {
    std::string text = kGenerated;
    text += fmt::format("# {}: metrics and op conversion\n\nBack to [all models](../metrics.md).\n", model);
    text +=
        "\nAn aten op is **on the device** where TTNN ops of its own do it, **fused** where it is part of another, "
        "**prepared** where it depends on weights\nalone and is done once, and a **view** where libtorch moves no "
        "value for "
        "it and nothing is left to do. The numbers are how many such TTNN ops a\nrun has; several aten ops may share "
        "one.\n";
    for (const Metrics& metrics : presets) {
        text += fmt::format("\n## {}\n\n", metrics.preset);
        if (metrics.run) {
            const RunFigures& run = *metrics.run;
            text += fmt::format(
                "| | |\n| --- | --- |\n| weights | {} |\n| libtorch, measured on this CPU | {} ms |\n"
                "| embedded device, traced, measured on this CPU | {} ms |\n| n150, traced, modelled | {} ms |\n"
                "| PCC with libtorch | {:.6f} |\n| peak SRAM | {} of {} MB over all cores |\n\n",
                run.weights, milliseconds_cell(run.torch_ms), milliseconds_cell(run.cpu_ms),
                milliseconds_cell(run.card_ms), run.pcc, megabytes(run.peak_l1), megabytes(run.l1));
        } else {
            text += fmt::format("Does not run: {}\n\n", metrics.failure);
        }
        if (metrics.ops) {
            text += ops_section(*metrics.ops);
        }
    }
    return text;
}

std::string overview_page(const std::map<std::string, std::vector<std::string>>& rows) {
    std::string text = kGenerated;
    text += fmt::format(
        "# Metrics of every model and preset\n\n`tt-zoo metrics` writes this table and the pages of the models; times "
        "are "
        "those of the computer that wrote them, with {} threads.\n\n",
        ttnn_cpu::num_threads());
    text +=
        "| Preset | Run | Torch ops (unique) | On the host (unique) | To/from device | libtorch ms | Here ms | Card "
        "ms, "
        "modelled | Accuracy % | Fits | Peak SRAM MB |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n";
    for (const auto& [model, lines] : rows) {
        for (const std::string& line : lines) {
            text += line + "\n";
        }
    }
    return text + kExplanation;
}

std::map<std::string, std::vector<std::string>> rows_of_overview(const std::string& text) {
    std::map<std::string, std::vector<std::string>> rows;
    std::istringstream lines(text);
    constexpr std::string_view kLink = "](metrics/";
    for (std::string line; std::getline(lines, line);) {
        const auto at = line.find(kLink);
        const auto end = line.find(".md#");
        if (line.starts_with("| [") && at != std::string::npos && end != std::string::npos && end > at) {
            rows[line.substr(at + kLink.size(), end - at - kLink.size())].push_back(line);
        }
    }
    return rows;
}

}  // namespace zoo::apps::metrics

// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aten/traced.hpp"
#include "modules/commands.hpp"
#include "modules/drawing.hpp"
#include "out_flag.hpp"
#include "zoo/write_file.hpp"

namespace zoo::apps {

namespace modules {

namespace {

struct GraphOptions {
    std::string out = "graph.svg";
    int depth = 0;  // 0: as deep as kMostBoxes allow
};

constexpr std::size_t kMostBoxes = 150;

// The deepest drawing that can still be looked at.
Box fitting_boxes(const Network& network, int& depth) {
    Box box = boxes_of(network, depth);
    if (depth > 0 || count_boxes(box) <= kMostBoxes) {
        return box;
    }
    for (int level = 1;; ++level) {
        Box deeper = boxes_of(network, level);
        if (level > 1 && count_boxes(deeper) > kMostBoxes) {
            return box;
        }
        box = std::move(deeper);
        depth = level;
    }
}

void draw_model(const Bench& bench, const GraphOptions& options) {
    const Network network = network_of(aten::trace_forward("graph", bench), bench.parameters, bench.subject.model);
    int depth = options.depth;
    const Box boxes = fitting_boxes(network, depth);
    const std::string title = fmt::format("{} {}, {}", bench.subject.model, bench.subject.preset, bench.subject.size);
    write_file(options.out, draw(boxes, title));
    std::cout << fmt::format(
        "{}: {} boxes{}, written to {}\n", title, count_boxes(boxes),
        depth > 0 ? fmt::format(", modules closed below level {}", depth) : "", options.out);
}

}  // namespace

}  // namespace modules

void add_graph(const ModelEntry& model, CLI::App& command) {
    const auto options = std::make_shared<modules::GraphOptions>();
    add_out_file(command, options->out, "The drawing, an .svg file; one of the same name is replaced");
    command
        .add_option("--depth", options->depth, "Levels of modules to draw open; 0: as many as one can still look at")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    model.add_bench(command, {.host = [options](const Bench& bench) { modules::draw_model(bench, *options); }});
}

}  // namespace zoo::apps

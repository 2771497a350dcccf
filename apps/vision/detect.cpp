// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "out_flag.hpp"
#include "table.hpp"
#include "vision/boxes.hpp"
#include "vision/vision_run.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

namespace fs = std::filesystem;

struct DetectOptions : VisionRunFlags {
    std::string out;
    DetectionLimits limits;
};

// Where the picture with its boxes goes: --out itself for one picture, a file in it for several.
fs::path out_path(const DetectOptions& options, const fs::path& image) {
    if (options.images.size() == 1) {
        return options.out;
    }
    return fs::path(options.out) / (image.stem().string() + ".boxes.png");
}

nlohmann::json to_json(const Detector& model, const std::vector<Detection>& detections, const Image& image) {
    nlohmann::json result = nlohmann::json::array();
    for (const Detection& detection : detections) {
        const Rectangle box = pixels_of(detection, image);
        result.push_back(
            {{"class", class_name(model, detection.class_id)},
             {"index", detection.class_id},
             {"score", detection.score},
             {"left", box.left},
             {"top", box.top},
             {"right", box.right},
             {"bottom", box.bottom}});
    }
    return result;
}

void print_detections(
    const Detector& model, const Picture& picture, const std::vector<Detection>& found,
    const std::optional<std::vector<Detection>>& golden) {
    std::cout << fmt::format("\n{} ({} x {})\n", picture.name, picture.image.width, picture.image.height);
    if (found.empty()) {
        std::cout << "  nothing found\n";
        return;
    }
    using Align = Table::Align;
    std::vector<Table::Column> columns{
        {""},
        {"class"},
        {"", Align::Left},
        {"score", Align::Right},
        {"left", Align::Right},
        {"top", Align::Right},
        {"right", Align::Right},
        {"bottom", Align::Right}};
    if (golden) {
        columns.push_back({"libtorch", Align::Right});
    }
    Table table(columns);
    for (const Detection& detection : found) {
        const Rectangle box = pixels_of(detection, picture.image);
        std::vector<std::string> row{
            "",
            class_name(model, detection.class_id),
            bar(detection.score),
            fmt::format("{:.3f}", detection.score),
            std::to_string(box.left),
            std::to_string(box.top),
            std::to_string(box.right),
            std::to_string(box.bottom)};
        if (golden) {
            const Detection* same = same_object(*golden, detection);
            row.push_back(same == nullptr ? "-" : fmt::format("{:.3f}", same->score));
        }
        table.add(std::move(row));
    }
    table.print(std::cout);
}

void detect(const VisionSpec<Detector>& spec, const Detector& model, const DetectOptions& options) {
    const PictureRun all = run_pictures(model, options, spec.l1_small_size, spec.batches);
    const std::vector<Picture>& pictures = all.pictures;
    nlohmann::json result = json_head(spec.name, model, options, all);
    if (!options.json) {
        print_head(spec.name, model, options);
    }
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const Image& image = pictures[i].image;
        const auto index = static_cast<std::int64_t>(i);
        const std::vector<Detection> found = model.detections(all.run.outputs, index, image, options.limits);
        std::optional<std::vector<Detection>> expected;
        if (all.golden) {
            expected = model.detections(all.golden->outputs, index, image, options.limits);
        }
        nlohmann::json picture{
            {"file", options.images[i]},
            {"width", image.width},
            {"height", image.height},
            {"detections", to_json(model, found, image)}};
        if (expected) {
            picture["libtorch"] = to_json(model, *expected, image);
        }
        if (!options.json) {
            print_detections(model, pictures[i], found, expected);
        }
        if (!options.out.empty()) {
            const fs::path path = out_path(options, pictures[i].name);
            write_png(path, with_boxes(model, image, found));
            picture["out"] = path.string();
            if (!options.json) {
                std::cout << fmt::format("Boxes drawn: {}\n", path.string());
            }
        }
        result["pictures"].push_back(std::move(picture));
    }
    std::cout << (options.json ? result.dump(2) : "\n" + footer(all)) << '\n';
}

// Before anything is computed.
void require_out(const DetectOptions& options) {
    if (options.out.empty()) {
        return;
    }
    const fs::path path(options.out);
    const bool directory = fs::is_directory(path);
    if (options.images.size() > 1 && !directory) {
        fail("--out", options.out, " is no directory; ", options.images.size(), " pictures need one that is there");
    }
    if (options.images.size() == 1 && directory) {
        fail("--out", options.out, " is a directory; one picture needs the name of a PNG file");
    }
    std::map<fs::path, std::string> written;
    for (const std::string& image : options.images) {
        const fs::path out = out_path(options, image);
        if (const std::string wrong = file_refusal(out.string()); !wrong.empty()) {
            fail("--out", wrong);
        }
        if (const auto [other, fresh] = written.try_emplace(out, image); !fresh) {
            fail("--out", other->second, " and ", image, " would both go to ", out.string());
        }
        std::error_code none;
        for (const std::string& read : options.images) {
            if (fs::equivalent(out, read, none)) {
                fail("--out", out.string(), " is one of the pictures that are read");
            }
        }
    }
}

}  // namespace

void add_detect(CLI::App& command, const VisionSpec<Detector>& spec) {
    const auto options = std::make_shared<DetectOptions>();
    options->add_to(command, spec.presets, spec.weights_are);
    command.add_option("--out", options->out, "Write the picture with its boxes here, as PNG; a directory for several");
    command.add_option("--score", options->limits.score, "Objects of at least this score")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--iou", options->limits.iou, "Of boxes of a class that overlap more, the best one stays")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.callback([options, spec] {
        if (options->check) {
            require_golden("--check");
        }
        if (options->images.empty()) {
            fail(spec.name, "nothing to do: give pictures by --image");
        }
        require_out(*options);
        options->model.preset = options->model.preset_or(spec.default_preset);
        detect(spec, *spec.open(options->model), *options);
    });
}

}  // namespace zoo::apps

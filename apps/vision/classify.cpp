// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "progress.hpp"
#include "stopwatch.hpp"
#include "table.hpp"
#include "vision/boxes.hpp"
#include "vision/vision_run.hpp"
#include "zoo/error.hpp"
#include "zoo/top_k.hpp"

namespace zoo::apps {

namespace {

struct ClassifyOptions : VisionRunFlags {
    std::size_t top = 5;
    std::optional<std::int64_t> accuracy;  // pictures of the labelled set; 0 for all
};

std::span<const float> logits_of(const VersionRun& run, std::size_t picture) {
    const HostTensor& logits = run.outputs.front();
    const std::size_t classes = logits.size() / static_cast<std::size_t>(logits.shape[0]);
    return std::span(logits.data).subspan(picture * classes, classes);
}

nlohmann::json to_json(const Classifier& model, const std::vector<Candidate>& best) {
    nlohmann::json classes = nlohmann::json::array();
    for (const Candidate& candidate : best) {
        classes.push_back(
            {{"class", class_name(model, candidate.index)},
             {"index", candidate.index},
             {"probability", candidate.probability}});
    }
    return classes;
}

// The classes of one picture, likeliest first, and what the golden gives to each of them.
void print_classes(
    const Classifier& model, const Picture& picture, std::span<const float> logits,
    std::optional<std::span<const float>> golden, std::size_t top) {
    std::cout << fmt::format("\n{} ({} x {})\n", picture.name, picture.image.width, picture.image.height);
    using Align = Table::Align;
    std::vector<Table::Column> columns{{""}, {"class"}, {"", Align::Left}, {"%", Align::Right}};
    std::vector<Candidate> all;
    if (golden) {
        columns.push_back({"libtorch %", Align::Right});
        all = softmax_top_k(*golden, golden->size());
    }
    Table table(columns);
    for (const Candidate& candidate : softmax_top_k(logits, top)) {
        std::vector<std::string> row{
            "", class_name(model, candidate.index), bar(candidate.probability),
            fmt::format("{:.2f}", 100 * candidate.probability)};
        for (const Candidate& peer : all) {
            if (peer.index == candidate.index) {
                row.push_back(fmt::format("{:.2f}", 100 * peer.probability));
            }
        }
        table.add(std::move(row));
    }
    table.print(std::cout);
}

void classify(const VisionSpec<Classifier>& spec, const Classifier& model, const ClassifyOptions& options) {
    const PictureRun all = run_pictures(model, options, spec.l1_small_size, spec.batches);
    if (!options.json) {
        print_head(spec.name, model, options);
        for (std::size_t i = 0; i < all.pictures.size(); ++i) {
            print_classes(
                model, all.pictures[i], logits_of(all.run, i),
                all.golden ? std::optional(logits_of(*all.golden, i)) : std::nullopt, options.top);
        }
        std::cout << '\n' << footer(all) << '\n';
        return;
    }
    nlohmann::json result = json_head(spec.name, model, options, all);
    for (std::size_t i = 0; i < all.pictures.size(); ++i) {
        nlohmann::json picture{
            {"file", options.images[i]},
            {"width", all.pictures[i].image.width},
            {"height", all.pictures[i].image.height},
            {"classes", to_json(model, softmax_top_k(logits_of(all.run, i), options.top))}};
        if (all.golden) {
            picture["libtorch"] = to_json(model, softmax_top_k(logits_of(*all.golden, i), options.top));
        }
        result["pictures"].push_back(std::move(picture));
    }
    std::cout << result.dump(2) << '\n';
}

struct Score {
    std::string version;
    std::int64_t right = 0;
    double milliseconds = 0;
};

// Counts over a labelled set, golden, functional and optimized on the same pictures.
void measure_accuracy(const VisionSpec<Classifier>& spec, const Classifier& model, const ClassifyOptions& options) {
    const std::optional<LabelledSet> set = model.labelled_set();
    if (!set) {
        fail(
            "--accuracy", "there are no labelled pictures for ", spec.name, " ", model.preset(),
            "; ./tt-zoo fetch --list names what can be fetched");
    }
    const std::int64_t count = *options.accuracy == 0 ? set->size : std::min(*options.accuracy, set->size);
    const auto device = options.device.open(2, kTraceRegionBytes, spec.l1_small_size);
    std::vector<Score> scores;
    std::vector<std::pair<std::string, std::function<std::vector<HostTensor>(const HostTensor&)>>> versions;
    VisionRunnerOptions runner = options.runner_options(count, spec.batches);
    if (options.check) {
        versions.emplace_back("golden", [&](const HostTensor& batch) { return model.golden(batch); });
    }
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        runner.plan = plan;
        versions.emplace_back(to_string(plan), model.start(*device, runner));
    }
    for (const auto& [version, run] : versions) {
        scores.push_back({.version = version});
    }
    {
        Progress progress(std::string(spec.name));
        for (std::int64_t begin = 0; begin < count; begin += runner.batch) {
            progress.update(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
            const std::int64_t end = std::min(begin + runner.batch, count);
            std::vector<Picture> pictures;
            for (std::int64_t i = begin; i < end; ++i) {
                pictures.push_back({"", set->picture(i)});
            }
            const HostTensor inputs = prepare_all(model, pictures);
            for (std::size_t v = 0; v < versions.size(); ++v) {
                const Stopwatch watch;
                const VersionRun run{versions[v].first, versions[v].second(inputs), 0};
                scores[v].milliseconds += watch.milliseconds();
                for (std::int64_t i = begin; i < end; ++i) {
                    const auto best = softmax_top_k(logits_of(run, static_cast<std::size_t>(i - begin)), 1);
                    scores[v].right += best.front().index == set->label(i) ? 1 : 0;
                }
            }
        }
    }
    const auto share = [&](const Score& score) {
        return static_cast<double>(score.right) / static_cast<double>(count);
    };
    if (options.json) {
        nlohmann::json result{
            {"model", spec.name},
            {"preset", model.preset()},
            {"weights", model.source()},
            {"set", set->name},
            {"pictures", count}};
        for (const Score& score : scores) {
            result["versions"].push_back(
                {{"version", score.version}, {"right", score.right}, {"accuracy", share(score)}});
        }
        std::cout << result.dump(2) << '\n';
        return;
    }
    std::cout << fmt::format(
        "{} {}, weights {}, {}: the first {} of {}, batch {}\n\n", spec.name, model.preset(), model.source(), set->name,
        count, set->size, runner.batch);
    using Align = Table::Align;
    Table table({{"version"}, {"right", Align::Right}, {"accuracy", Align::Right}, {"ms a picture", Align::Right}});
    for (const Score& score : scores) {
        table.add(
            {score.version, std::to_string(score.right), fmt::format("{:.2f} %", 100 * share(score)),
             fmt::format("{:.2f}", score.milliseconds / static_cast<double>(count))});
    }
    table.print(std::cout);
}

}  // namespace

void add_classify(CLI::App& command, const VisionSpec<Classifier>& spec) {
    const auto options = std::make_shared<ClassifyOptions>();
    options->add_to(command, spec.presets, spec.weights_are);
    command.add_option("--top", options->top, "How many classes to print")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command
        .add_option(
            "--accuracy", options->accuracy,
            "Instead of pictures: how many of the first N labelled ones are right, in all versions; 0 for all")
        ->check(CLI::Range(0, 1'000'000));
    command.callback([options, spec] {
        if (options->check) {
            require_golden("--check");
        }
        if (options->images.empty() == !options->accuracy) {
            fail(
                spec.name, options->accuracy ? "--accuracy takes no pictures of your own"
                                             : "nothing to do: give pictures by --image, or --accuracy N");
        }
        options->model.preset = options->model.preset_or(spec.default_preset);
        const std::unique_ptr<Classifier> model = spec.open(options->model);
        options->accuracy ? measure_accuracy(spec, *model, *options) : classify(spec, *model, *options);
    });
}

}  // namespace zoo::apps

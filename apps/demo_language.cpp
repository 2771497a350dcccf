// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>

#include "commands.hpp"
#include "language/reviews.hpp"
#include "models/albert_session.hpp"

namespace zoo::apps {

namespace {

struct Options {
    DeviceFlags device;
    std::size_t held_out = 256;
    std::string review;
};

void demo(const Options& options) {
    const auto device = options.device.open(2, kTraceRegionBytes);
    const encoder_app::Session session = albert_app::open_session({.preset = "albert-imdb-small"}, "albert-imdb-small");
    std::cout << fmt::format(
        "ALBERT ({}, {} turns of one layer of width {}) on an embedded {}, numerics {}: is a film review positive?\n",
        session.source, session.layers, session.spec.hidden_size, options.device.board, options.device.numerics);
    language::show_reviews(session, *device, options.held_out, options.review);
}

}  // namespace

void add_demo_language(CLI::App& demo_command) {
    CLI::App* command = demo_command.add_subcommand("language", "Small models that this project trained: film reviews");
    const auto options = std::make_shared<Options>();
    command->add_option("--review", options->review, "Your own review in the place of the built-in ones");
    command
        ->add_option("--held-out", options->held_out, "How many reviews that training never saw to measure on; 0: none")
        ->capture_default_str();
    options->device.add_to(*command);
    command->callback([options] { demo(*options); });
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "language/reviews.hpp"
#include "language/writing.hpp"
#include "models/albert_session.hpp"

namespace zoo::apps {

namespace {

struct LanguageOptions {
    DeviceFlags device;
    std::size_t held_out = 256;
    std::string review;
    std::string prompt = "In the beginning";
    std::int64_t tokens = 80;
    std::uint64_t seed = 3;
};

void judge(const LanguageOptions& options) {
    const auto device = options.device.open(2, kTraceRegionBytes);
    const encoder_app::Session session = albert_app::open_session({.preset = "albert-imdb-small"}, "albert-imdb-small");
    std::cout << fmt::format(
        "ALBERT ({}, {} turns of one layer of width {}) on {}, numerics {}: is a film review positive?\n",
        session.source, session.layers, session.spec.hidden_size, options.device.name(), options.device.numerics);
    language::show_reviews(session, *device, options.held_out, options.review);
}

// On a device of its own: a trace and what is allocated after it do not share one.
void write(const LanguageOptions& options) {
    const auto device = options.device.open(2, kTraceRegionBytes);
    std::cout << '\n';
    language::show_writing(*device, options.prompt, options.tokens, options.seed);
}

}  // namespace

void add_demo_language(CLI::App& demo_command) {
    CLI::App* command = demo_command.add_subcommand(
        "language", "Small models that this project trained: one judges film reviews, one writes");
    const auto options = std::make_shared<LanguageOptions>();
    command->add_option("--review", options->review, "Your own review in the place of the built-in ones");
    command
        ->add_option("--held-out", options->held_out, "How many reviews that training never saw to measure on; 0: none")
        ->check(whole_number)
        ->capture_default_str();
    command->add_option("--prompt", options->prompt, "The beginning of the text that GPT-2 writes")
        ->capture_default_str();
    command->add_option("--max-new-tokens", options->tokens, "How much it writes")
        ->check(CLI::Range(1, 250))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Another seed, another text")
        ->check(whole_number)
        ->capture_default_str();
    options->device.add_to(*command);
    command->callback([options] {
        judge(*options);
        write(*options);
    });
}

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#include "language/writing.hpp"

#include <array>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "models/gpt2/runner.hpp"
#include "source_dir.hpp"
#include "stopwatch.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/generator.hpp"

namespace zoo::apps::language {

void show_writing(
    ttnn::MeshDevice& device, const std::string& prompt, std::int64_t max_new_tokens, std::uint64_t seed) {
    const std::filesystem::path directory = source_path("models/gpt2/scripture");
    const gpt2::Config config = gpt2::from_json(directory / "config.json");
    const gpt2::Weights weights = gpt2::load(*open_checkpoint(directory), config);
    const text::BytePair tokenizer = text::BytePair::from_directory(directory);
    gpt2::Runner runner(device, config, weights, {.mode = Mode::TracedTwoQueues});
    Generator generator(runner, tokenizer);
    std::cout << fmt::format(
        "GPT-2 (gpt2-scripture, {} layers of width {}, trained by this project on the World English Bible) writes:\n\n",
        config.n_layer, config.n_embd);
    const GenerateOptions options{
        .max_new_tokens = max_new_tokens, .sampling = {.temperature = 0.7F, .top_k = 40}, .seed = seed};
    generator.check(std::array{prompt}, options);
    std::cout << tokenizer.decode(tokenizer.encode(prompt)) << std::flush;
    const Stopwatch watch;
    const Generation result = generator.generate(prompt, options, [](std::string_view piece) {
        std::cout << piece << std::flush;
        return true;
    });
    std::cout << fmt::format(
        "\n\n{} tokens, {:.0f} a second: one captured trace, replayed with a new token and position each time\n",
        result.tokens.size(), static_cast<double>(result.tokens.size()) / watch.milliseconds() * 1000.0);
}

}  // namespace zoo::apps::language

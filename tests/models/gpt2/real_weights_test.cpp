// SPDX-License-Identifier: Apache-2.0
// GPT-2 with weights that mean something: the project's own, and the published ones where a user has them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <ttnn/device.hpp>

#include "models/gpt2/runner.hpp"
#include "models/gpt2/torch_gpt2.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/generator.hpp"

namespace {

using namespace zoo;

struct Model {
    gpt2::Config config;
    gpt2::Weights weights;

    explicit Model(const std::filesystem::path& directory)
        : config(gpt2::from_json(directory / "config.json")),
          weights(gpt2::load(*open_checkpoint(directory, {"*.attn.bias", "*.attn.masked_bias"}), config)) {}
};

const std::filesystem::path kScripture = ZOO_TEST_DATA_DIR "/../../models/gpt2/scripture";

constexpr const char* kText =
    "The king rose early in the morning and went out to the people who were gathered before the gate of the city. He "
    "said to "
    "them, \"Do not be afraid. Take bread and water for the journey, for the way is long, and your children are with "
    "you.\" So "
    "they did as he had told them, and they came to the river at evening.";

// The mean loss of a text, token by token over the cache.
double loss_of(CausalLm& model, const std::vector<std::int32_t>& tokens) {
    double total = 0.0;
    NextToken next = model.prefill(0, std::span(tokens).first(1), true);
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        double sum = 0.0;
        for (const float logit : next.logits) {
            sum += std::exp(static_cast<double>(logit));
        }
        total += std::log(sum) - static_cast<double>(next.logits[static_cast<std::size_t>(tokens[i])]);
        next =
            model
                .decode(
                    std::vector<std::int32_t>{tokens[i]}, std::vector<std::int32_t>{static_cast<std::int32_t>(i)}, true)
                .front();
    }
    return total / static_cast<double>(tokens.size() - 1);
}

// A text of our own is far likelier than chance (log 2048 is 7.6) in every version, and nearly the same.
TEST(Gpt2Scripture, EveryVersionKnowsEnglish) {
    const Model model(kScripture);
    const text::BytePair tokenizer = text::BytePair::from_directory(kScripture);
    const std::vector<std::int32_t> tokens = tokenizer.encode(kText);
    gpt2::golden::Decoder golden(model.config, model.weights);
    const double expected = loss_of(golden, tokens);
    EXPECT_LT(expected, 5.0);
    const auto device = ttnn::open_mesh_device(0, 0, 64 << 20, 2);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        gpt2::Runner runner(*device, model.config, model.weights, {.plan = plan});
        EXPECT_NEAR(loss_of(runner, tokens), expected, plan == Plan::Functional ? 0.02 : 0.05) << to_string(plan);
    }
}

TEST(Gpt2Scripture, TheSameSeedWritesTheSameText) {
    const Model model(kScripture);
    const text::BytePair tokenizer = text::BytePair::from_directory(kScripture);
    const auto device = ttnn::open_mesh_device(0, 0, 64 << 20, 2);
    gpt2::Runner runner(*device, model.config, model.weights, {.mode = Mode::TracedTwoQueues});
    Generator generator(runner, tokenizer);
    GenerateOptions options{.max_new_tokens = 24, .sampling = {.temperature = 0.8F, .top_k = 40}, .seed = 5};
    const Generation first = generator.generate("In the beginning", options);
    EXPECT_EQ(generator.generate("In the beginning", options).text, first.text);
    EXPECT_FALSE(first.text.empty());
    options.seed = 6;
    EXPECT_NE(generator.generate("In the beginning", options).text, first.text);
}

// Published values, for those who have the checkpoint: TT_ZOO_CHECKPOINTS/gpt2 as on the hub.
TEST(Gpt2Published, GreedyTokensAreHuggingFaces) {
    const char* checkpoints = std::getenv("TT_ZOO_CHECKPOINTS");
    if (checkpoints == nullptr ||
        !std::filesystem::exists(std::filesystem::path(checkpoints) / "gpt2" / "config.json")) {
        GTEST_SKIP() << "no checkpoint; TT_ZOO_CHECKPOINTS names a directory with gpt2/ in it";
    }
    const Model model(std::filesystem::path(checkpoints) / "gpt2");
    const std::vector<std::int32_t> prompt{464, 3290};
    const std::vector<std::int32_t> expected{373,  1043, 287,  257,   2214, 1474, 262, 16246, 286,
                                             2688, 290,  2688, 27262, 13,   198,  198, 464,   3290};
    const auto device = ttnn::open_mesh_device(0, 0, 64 << 20, 2);
    gpt2::golden::Decoder golden(model.config, model.weights);
    gpt2::Runner functional(*device, model.config, model.weights, {.context = 64, .plan = Plan::Functional});
    for (CausalLm* version : {static_cast<CausalLm*>(&golden), static_cast<CausalLm*>(&functional)}) {
        std::vector<std::int32_t> found{version->prefill(0, prompt, false).best};
        while (found.size() < expected.size()) {
            const auto place = static_cast<std::int32_t>(prompt.size() + found.size()) - 1;
            found.push_back(
                version->decode(std::vector<std::int32_t>{found.back()}, std::vector<std::int32_t>{place}, false)
                    .front()
                    .best);
        }
        EXPECT_EQ(found, expected);
    }
}

}  // namespace

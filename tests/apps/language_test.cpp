// SPDX-License-Identifier: Apache-2.0
// The commands of models that write: what they print, and what they refuse.
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "commands.hpp"
#include "common/scratch.hpp"

namespace zoo::apps {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

std::string output_of(const Words& arguments) {
    const auto commands = [](CLI::App& app) {
        add_models(app);
        add_demo(app);
    };
    return testing::run_program(commands, expand_preset(arguments));
}

// In a mode that tt-metal's mock device has too, which otherwise refuses that before anything else.
std::string refusal(Words arguments) {
    if (arguments.front() == "run") {
        arguments.insert(arguments.end(), {"--mode", "plain"});
    }
    try {
        (void)output_of(arguments);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing was refused";
}

Words run(const Words& more) {
    Words words{"run", "gpt2", "--prompt", "In the beginning", "--max-new-tokens", "8"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(RunGpt2, TheSameSeedWritesTheSameText) {
    const auto texts = [](const std::string& seed) {
        return nlohmann::json::parse(output_of(run({"--temperature", "0.9", "--seed", seed, "--json"})))["texts"];
    };
    const nlohmann::json first = texts("4");
    EXPECT_EQ(first, texts("4"));
    EXPECT_NE(first, texts("5"));
    EXPECT_EQ(first[0]["prompt"], "In the beginning");
    EXPECT_EQ(first[0]["tokens"].size(), 8U);
    EXPECT_EQ(first[0]["stopped_by"], "length");
}

TEST(RunAlbert, BytesThatAreNoUtf8AreReplacementCharactersInJson) {
    const std::string shown = output_of({"run", "albert", "a good \xFF film", "--json"});
    EXPECT_FALSE(nlohmann::json::parse(shown).is_discarded());
    EXPECT_THAT(shown, HasSubstr("a good \xEF\xBF\xBD film"));
}

TEST(RunGpt2, ShowsThePromptAndWhatComesAfter) {
    const std::string shown = output_of(run({}));
    EXPECT_THAT(shown, HasSubstr("\nIn the beginning"));
    EXPECT_THAT(shown, HasSubstr("8 tokens, first text after "));
    // Bytes that are no UTF-8 are read and shown as replacement characters.
    EXPECT_THAT(
        output_of({"run", "gpt2", "--prompt", "caf\xC3", "--max-new-tokens", "1"}), HasSubstr("\ncaf\xEF\xBF\xBD"));
    EXPECT_THAT(
        output_of({"run", "gpt2", "--prompt", "a", "--prompt", "b\xFF", "--max-new-tokens", "2"}),
        HasSubstr("\n2: b\xEF\xBF\xBD"));
}

TEST(RunGpt2, RefusesBadValues) {
    EXPECT_THAT(refusal({"run", "gpt2", "--prompt", ""}), HasSubstr("prompt 0 is empty"));
    std::string words;
    for (int i = 0; i < 300; ++i) {
        words += " and";
    }
    EXPECT_THAT(refusal({"run", "gpt2", "--prompt", words}), HasSubstr("has 300 tokens; the context has room for 256"));
    EXPECT_THAT(refusal(run({"--temperature", "-1"})), HasSubstr("temperature is -1"));
    EXPECT_THAT(refusal(run({"--temperature", "nan"})), HasSubstr("temperature is nan"));
    EXPECT_THAT(refusal(run({"--temperature", "warm"})), HasSubstr("--temperature"));
    EXPECT_THAT(refusal(run({"--top-p", "0"})), HasSubstr("top_p is 0"));
    EXPECT_THAT(refusal(run({"--top-k", "-3"})), HasSubstr("top_k is -3"));
    EXPECT_THAT(refusal(run({"--repetition-penalty", "0"})), HasSubstr("repetition_penalty is 0"));
    EXPECT_THAT(refusal(run({"--stop", ""})), HasSubstr("a stop string is empty"));
    EXPECT_THAT(refusal(run({"--context", "257"})), HasSubstr("at most n_positions 256"));
    EXPECT_THAT(refusal({"run", "gpt2", "--max-new-tokens", "0"}), HasSubstr("--max-new-tokens"));
    EXPECT_THAT(refusal({"run", "gpt2", "--preset", "gpt3"}), HasSubstr("gpt3"));
    EXPECT_THAT(
        refusal({"check", "gpt2", "--preset", "gpt2-tiny", "--sequence", "160"}),
        HasSubstr("gpt2-tiny has room for 128 tokens"));
    EXPECT_THAT(refusal({"bench", "gpt2", "--preset", "gpt2-tiny", "--prompt-tokens", "200"}), HasSubstr("200 tokens"));
}

class RunGpt2Weights : public testing::Scratch {
protected:
    // A copy of the project's own model.
    void SetUp() override {
        Scratch::SetUp();
        fs::copy(ZOO_TEST_DATA_DIR "/../../models/gpt2/scripture", path("model"));
    }
    [[nodiscard]] std::string outcome() const { return refusal(run({"--weights", path("model").string()})); }
};

TEST_F(RunGpt2Weights, AreReadFromADirectory) { EXPECT_EQ(outcome(), "nothing was refused"); }

TEST_F(RunGpt2Weights, ATruncatedCheckpointIsNamed) {
    fs::resize_file(path("model") / "model.safetensors", 1'000'000);
    EXPECT_THAT(outcome(), HasSubstr("model.safetensors: tensor"));
}

TEST_F(RunGpt2Weights, HalfAVocabularyIsNamed) {
    fs::remove(path("model") / "merges.txt");
    EXPECT_THAT(outcome(), HasSubstr("merges.txt"));
}

TEST_F(RunGpt2Weights, AMissingVocabularyIsNotReplacedByOurs) {
    fs::remove(path("model") / "merges.txt");
    fs::remove(path("model") / "vocab.json");
    EXPECT_THAT(outcome(), HasSubstr("has no vocabulary that fits its 2048 tokens"));
}

TEST_F(RunGpt2Weights, WhatIsNoDirectoryIsNamed) {
    EXPECT_THAT(refusal(run({"--weights", path("elsewhere").string()})), HasSubstr("is not a directory"));
    fs::remove(path("model") / "model.safetensors");
    EXPECT_THAT(outcome(), HasSubstr("holds none of model.safetensors"));
}

TEST(DemoLanguage, JudgesAndWrites) {
    const std::string shown = output_of({"demo", "language", "--held-out", "0", "--max-new-tokens", "12"});
    EXPECT_THAT(shown, HasSubstr("% positive"));
    EXPECT_THAT(shown, HasSubstr("\nIn the beginning"));
    EXPECT_THAT(shown, HasSubstr("12 tokens, "));
    EXPECT_THAT(refusal({"demo", "language", "--held-out", "0", "--prompt", ""}), HasSubstr("prompt 0 is empty"));
}

}  // namespace
}  // namespace zoo::apps

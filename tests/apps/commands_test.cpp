// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "cli.hpp"
#include "common/scratch.hpp"
#include "registry.hpp"

namespace zoo::apps {
namespace {

using ::testing::HasSubstr;
using testing::run_program;
using Words = std::vector<std::string>;

std::string refusal(const Words& arguments) {
    try {
        run_program(add_models, expand_preset(arguments));
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(Presets, StandForTheirModel) {
    EXPECT_EQ(
        expand_preset({"run", "minilm-l6", "--json", "text"}),
        (Words{"run", "bert", "--preset", "minilm-l6", "--json", "text"}));
    EXPECT_EQ(expand_preset({"bench", "bert-base"}), (Words{"bench", "bert", "--preset", "bert-base"}));
}

TEST(Presets, LeaveEverythingElseAlone) {
    for (const Words& words :
         {Words{}, Words{"run"}, Words{"list"}, Words{"run", "bert", "--preset", "bert-base"}, Words{"run", "unknown"},
          Words{"run", "--json", "minilm-l6"}, Words{"demo", "minilm-l6"}}) {
        EXPECT_EQ(expand_preset(words), words);
    }
}

TEST(Presets, AModelsNameIsTheModels) {
    for (const ModelEntry& model : models()) {
        const Words words{"run", std::string(model.name)};
        EXPECT_EQ(expand_preset(words), words);
    }
}

TEST(Presets, AreGivenOnce) {
    EXPECT_THAT(
        refusal({"run", "minilm-l6", "--preset", "bert-base", "x"}), HasSubstr("minilm-l6 is a preset of bert"));
    EXPECT_THAT(refusal({"run", "minilm-l6", "--preset=bert-base", "x"}), HasSubstr("not both"));
}

TEST(Models, UnknownOnesAreNamed) {
    EXPECT_THAT(refusal({"run", "bertt"}), HasSubstr("model 'bertt' is not known; the models are: "));
    EXPECT_THAT(refusal({"check"}), HasSubstr("a model is missing; the models are: "));
    EXPECT_THAT(refusal({"bench", "--json", "bert"}), HasSubstr("'--json' is not expected before the model"));
    EXPECT_THAT(refusal({"info", "bert", "--preset", "huge"}), HasSubstr("huge"));
}

TEST(Flags, UnsignedNumbersAreNeitherNegativeNorTooLarge) {
    for (const char* seed : {"-5", "99999999999999999999", "1e3", ""}) {
        EXPECT_THAT(refusal({"check", "mnist", "--seed", seed}), HasSubstr("is no whole number from 0 to"));
    }
    EXPECT_THAT(refusal({"check", "gpt2", "--tokens", "-1"}), HasSubstr("--tokens: '-1' is no whole number"));
}

TEST(Run, ManyTextsAreRunAFewAtATime) {
    std::vector<std::string> arguments{"albert", "--preset", "albert-imdb-small", "--json"};
    const std::vector<std::string> one = [&] {
        std::vector<std::string> result = arguments;
        result.emplace_back("a wonderful film");
        return result;
    }();
    arguments.insert(arguments.end(), 10, "a dull film");
    arguments.emplace_back("a wonderful film");
    const auto classes = [](const std::vector<std::string>& given) {
        std::vector<std::string> words{"run"};
        words.insert(words.end(), given.begin(), given.end());
        return nlohmann::json::parse(run_program(add_models, expand_preset(words))).at("classes");
    };
    const auto many = classes(arguments);
    ASSERT_EQ(many.size(), 11U);
    EXPECT_EQ(many.back(), classes(one).back());
}

TEST(Reports, RefuseADirectoryThatCannotBeMadeBeforeTheRun) {
    EXPECT_THAT(
        refusal({"profile", "mnist", "--out", "/etc/passwd/reports"}),
        HasSubstr("'/etc/passwd/reports' cannot be made: /etc/passwd is not a directory"));
    EXPECT_THAT(refusal({"profile", "mnist", "--no-such-flag"}), HasSubstr("--no-such-flag"));
    EXPECT_THAT(refusal({"profile", "nonsense"}), HasSubstr("model 'nonsense' is not known"));
}

TEST(Models, NamesAndPresetsAreUnique) {
    std::set<std::string_view> names;
    std::set<std::string_view> presets;
    for (const ModelEntry& model : models()) {
        EXPECT_TRUE(names.insert(model.name).second) << model.name;
        EXPECT_FALSE(model.summary.empty()) << model.name;
        EXPECT_FALSE(model.presets.empty()) << model.name;
        for (const std::string_view preset : model.presets) {
            EXPECT_TRUE(presets.insert(preset).second) << preset << " is a preset of two models";
        }
    }
}

TEST(Models, EveryPresetHasItsInfo) {
    for (const ModelEntry& model : models()) {
        for (const std::string_view preset : model.presets) {
            const auto info =
                nlohmann::json::parse(run_program(model.add_info, {"--json", "--preset", std::string(preset)}));
            EXPECT_EQ(info["model"], model.name);
            EXPECT_EQ(info["preset"], preset);
            EXPECT_GT(info["parameters"], 0);
        }
    }
}

TEST(List, ShowsEveryModel) {
    const std::string text = run_program(add_list, {"list"});
    const auto json = nlohmann::json::parse(run_program(add_list, {"list", "--json"}));
    ASSERT_EQ(json["models"].size(), models().size());
    for (const ModelEntry& model : models()) {
        EXPECT_THAT(text, HasSubstr(std::string(model.name)));
        EXPECT_THAT(text, HasSubstr(std::string(model.presets.back())));
    }
}

}  // namespace
}  // namespace zoo::apps

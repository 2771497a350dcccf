// SPDX-License-Identifier: Apache-2.0
#include "models/bert/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "zoo/error.hpp"
#include "zoo/json_config.hpp"

namespace zoo::bert {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

Config parse(const std::string& text) { return from_json(JsonConfig::parse(text, "config.json")); }

TEST(BertConfig, EveryPresetIsValid) {
    for (const std::string_view name : preset_names()) {
        EXPECT_EQ(message_of([&] { validate(preset(name)); }), "no error") << name;
    }
    EXPECT_EQ(preset("bert-tiny").head_size(), 64);
    EXPECT_EQ(preset("minilm-l6").head_size(), 32);
    EXPECT_EQ(preset("bert-base").head_size(), 64);
    EXPECT_EQ(preset("bert-large-squad2").head_size(), 64);
}

TEST(BertConfig, UnknownPresetListsTheKnownOnes) {
    EXPECT_THAT(
        message_of([] { (void)preset("bert-huge"); }),
        AllOf(HasSubstr("'bert-huge'"), HasSubstr("tiny, minilm-l6, bert-base, bert-large-squad2")));
}

struct BadValue {
    const char* name;
    std::function<void(Config&)> spoil;
    const char* message;
};

void PrintTo(const BadValue& value, std::ostream* out) { *out << value.name; }

class BertConfigRule : public ::testing::TestWithParam<BadValue> {};

TEST_P(BertConfigRule, IsCheckedAndNamed) {
    Config config;
    GetParam().spoil(config);
    EXPECT_THAT(
        message_of([&] { validate(config); }), AllOf(HasSubstr("[bert::Config] "), HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    All, BertConfigRule,
    ::testing::Values(
        BadValue{"Vocab", [](Config& c) { c.vocab_size = 0; }, "vocab_size is 0; it must be positive"},
        BadValue{"Hidden", [](Config& c) { c.hidden_size = -768; }, "hidden_size is -768; it must be positive"},
        BadValue{"Layers", [](Config& c) { c.num_hidden_layers = 0; }, "num_hidden_layers is 0"},
        BadValue{
            "ManyLayers", [](Config& c) { c.num_hidden_layers = 1'000'000'000; },
            "num_hidden_layers is 1000000000; it must be at most 1024"},
        BadValue{
            "VeryWide", [](Config& c) { c.hidden_size = std::int64_t{1} << 62; },
            "hidden_size is 4611686018427387904; it must be at most 1048576"},
        BadValue{"Heads", [](Config& c) { c.num_attention_heads = 0; }, "num_attention_heads is 0"},
        BadValue{"Wide", [](Config& c) { c.intermediate_size = 0; }, "intermediate_size is 0"},
        BadValue{"Positions", [](Config& c) { c.max_position_embeddings = 0; }, "max_position_embeddings is 0"},
        BadValue{"Types", [](Config& c) { c.type_vocab_size = 0; }, "type_vocab_size is 0"},
        BadValue{"Labels", [](Config& c) { c.num_labels = 0; }, "num_labels is 0"},
        BadValue{
            "UnequalHeads", [](Config& c) { c.num_attention_heads = 7; },
            "768 is not a multiple of num_attention_heads 7"},
        BadValue{"HeadSize", [](Config& c) { c.num_attention_heads = 16; }, "is 48; it must be a multiple of 32"},
        BadValue{
            "WideTiles", [](Config& c) { c.intermediate_size = 3000; },
            "intermediate_size is 3000; it must be a multiple of 32"},
        BadValue{
            "Pad", [](Config& c) { c.pad_token_id = 30522; },
            "pad_token_id is 30522; it must be in [0, vocab_size 30522)"},
        BadValue{"Eps", [](Config& c) { c.layer_norm_eps = 0.0; }, "layer_norm_eps is 0; it must lie between 0 and 1"},
        BadValue{"Act", [](Config& c) { c.hidden_act = "relu"; }, "hidden_act is 'relu'; only 'gelu'"},
        BadValue{
            "Position", [](Config& c) { c.position_embedding_type = "relative_key"; },
            "'relative_key'; only 'absolute'"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(BertConfig, ReadsHuggingFaceFields) {
    const Config config = parse(R"({
        "architectures": ["BertModel"], "attention_probs_dropout_prob": 0.1, "hidden_act": "gelu", "hidden_size": 384,
        "initializer_range": 0.02, "intermediate_size": 1536, "layer_norm_eps": 1e-12, "max_position_embeddings": 512,
        "model_type": "bert", "num_attention_heads": 12, "num_hidden_layers": 6, "pad_token_id": 0,
        "type_vocab_size": 2, "vocab_size": 30522})");
    EXPECT_EQ(config, preset("minilm-l6"));
}

TEST(BertConfig, CountsLabelsByName) {
    const std::string sizes =
        R"("vocab_size": 100, "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 1,)"
        R"("intermediate_size": 64)";
    EXPECT_EQ(parse("{" + sizes + "}").num_labels, 2);
    EXPECT_EQ(parse("{" + sizes + R"(, "id2label": {"0": "a", "1": "b", "2": "c"}})").num_labels, 3);
}

TEST(BertConfig, MissingSizesAndBadValuesAreErrors) {
    EXPECT_THAT(message_of([] { (void)parse(R"({"vocab_size": 100})"); }), HasSubstr("hidden_size"));
    EXPECT_THAT(
        message_of([] {
            (void)parse(R"({"vocab_size": 100, "hidden_size": 100, "num_hidden_layers": 1, "num_attention_heads": 1,
                            "intermediate_size": 64})");
        }),
        HasSubstr("is 100; it must be a multiple of 32"));
}

}  // namespace
}  // namespace zoo::bert

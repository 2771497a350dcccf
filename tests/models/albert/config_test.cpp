// SPDX-License-Identifier: Apache-2.0
#include "models/albert/config.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "support/throws.hpp"
#include "zoo/json_config.hpp"

namespace zoo::albert {
namespace {

Config parse(const std::string& text) { return from_json(JsonConfig::parse(text, "test.json")); }

TEST(AlbertConfig, PresetsAreValidAndNamed) {
    for (const std::string_view name : preset_names()) {
        EXPECT_NO_THROW(validate(preset(name))) << name;
    }
    EXPECT_EQ(preset("albert-xxlarge-v2").head_size(), 64);
    EXPECT_EQ(preset("albert-xlarge-v2").head_size(), 128);
    EXPECT_THROWS_WITH((void)preset("albert-huge"), "there is no preset 'albert-huge'; it must be one of albert-tiny");
}

TEST(AlbertConfig, ReadsHuggingFaceFields) {
    // The config.json of albert-base-v2.
    const Config config = parse(R"({
        "architectures": ["AlbertForMaskedLM"], "attention_probs_dropout_prob": 0, "bos_token_id": 2,
        "classifier_dropout_prob": 0.1, "down_scale_factor": 1, "embedding_size": 128, "eos_token_id": 3, "gap_size": 0,
        "hidden_act": "gelu_new", "hidden_dropout_prob": 0, "hidden_size": 768, "initializer_range": 0.02,
        "inner_group_num": 1, "intermediate_size": 3072, "layer_norm_eps": 1e-12, "max_position_embeddings": 512,
        "model_type": "albert", "net_structure_type": 0, "num_attention_heads": 12, "num_hidden_groups": 1,
        "num_hidden_layers": 12, "num_memory_blocks": 0, "pad_token_id": 0, "type_vocab_size": 2, "vocab_size": 30000})");
    EXPECT_EQ(config, preset("albert-base-v2"));
}

TEST(AlbertConfig, LayersAreDealtToTheGroups) {
    Config config = preset("albert-base-v2");
    EXPECT_EQ(config.group_of(0), 0);
    EXPECT_EQ(config.group_of(11), 0);
    config.num_hidden_groups = 3;
    EXPECT_EQ(config.group_of(3), 0);
    EXPECT_EQ(config.group_of(4), 1);
    EXPECT_EQ(config.group_of(11), 2);
}

TEST(AlbertConfig, BothKindsOfGelu) {
    Config config = preset("albert-tiny");
    EXPECT_EQ(encoder::LayerSpec(config).activation, encoder::Activation::GeluTanh);
    config.hidden_act = "gelu";
    EXPECT_EQ(encoder::LayerSpec(config).activation, encoder::Activation::Gelu);
}

struct BadValue {
    const char* name;
    std::function<void(Config&)> spoil;
    const char* message;
};

void PrintTo(const BadValue& value, std::ostream* out) { *out << value.name; }

class AlbertConfigRule : public ::testing::TestWithParam<BadValue> {};

TEST_P(AlbertConfigRule, IsCheckedAndNamed) {
    Config config;
    GetParam().spoil(config);
    EXPECT_THROWS_WITH(validate(config), std::string("[albert::Config] ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, AlbertConfigRule,
    ::testing::Values(
        BadValue{"Narrow", [](Config& c) { c.embedding_size = 0; }, "embedding_size is 0; it must be positive"},
        BadValue{
            "NarrowTiles", [](Config& c) { c.embedding_size = 100; },
            "embedding_size is 100; it must be a multiple of 32"},
        BadValue{"Hidden", [](Config& c) { c.hidden_size = -1; }, "hidden_size is -1; it must be positive"},
        BadValue{"Layers", [](Config& c) { c.num_hidden_layers = 0; }, "num_hidden_layers is 0"},
        BadValue{"Groups", [](Config& c) { c.num_hidden_groups = 0; }, "num_hidden_groups is 0"},
        BadValue{
            "ManyGroups", [](Config& c) { c.num_hidden_layers = c.num_hidden_groups = 100'000; },
            "num_hidden_layers is 100000; it must be at most 1024"},
        BadValue{
            "UnequalGroups", [](Config& c) { c.num_hidden_groups = 5; },
            "num_hidden_layers 12 is not a multiple of num_hidden_groups 5"},
        BadValue{"Inner", [](Config& c) { c.inner_group_num = 0; }, "inner_group_num is 0"},
        BadValue{"Labels", [](Config& c) { c.num_labels = 0; }, "num_labels is 0"},
        BadValue{"Act", [](Config& c) { c.hidden_act = "relu"; }, "hidden_act is 'relu'; only 'gelu', 'gelu_new'"},
        BadValue{
            "Position", [](Config& c) { c.position_embedding_type = "relative_key"; },
            "position_embedding_type is 'relative_key'; only 'absolute'"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace zoo::albert

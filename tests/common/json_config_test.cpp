// SPDX-License-Identifier: Apache-2.0
#include "zoo/json_config.hpp"

#include "scratch.hpp"

namespace zoo {
namespace {

using testing::expect_error;

JsonConfig config() {
    return JsonConfig::parse(
        R"({"hidden_size": 384, "eps": 1e-12, "act": "gelu", "tied": true, "n_inner": null, "layers": [2, 3],
            "float_int": 12.0, "half": 1.5, "negative": -1, "huge": 18446744073709551615,
            "architectures": ["BertModel"], "id2label": {"0": "NO", "1": "YES"}, "mixed": [1, "x"],
            "nested": {"size": 7}})",
        "config.json");
}

TEST(JsonConfig, ReadsTypedValues) {
    const JsonConfig c = config();
    EXPECT_EQ(c.int64("hidden_size"), 384);
    EXPECT_EQ(c.int64("float_int"), 12);
    EXPECT_EQ(c.int64("negative", std::nullopt, {-1, 10}), -1);
    EXPECT_DOUBLE_EQ(c.number("eps"), 1e-12);
    EXPECT_DOUBLE_EQ(c.number("hidden_size"), 384.0);
    EXPECT_EQ(c.string("act"), "gelu");
    EXPECT_TRUE(c.boolean("tied"));
    EXPECT_EQ(c.int64_list("layers"), (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(c.string_list("architectures"), std::vector<std::string>{"BertModel"});
    EXPECT_EQ(c.string_map("id2label").at("1"), "YES");
    EXPECT_EQ(c.object("nested").int64("size"), 7);
    EXPECT_EQ(c.keys().size(), 14U);
    EXPECT_EQ(c.source(), "config.json");
}

TEST(JsonConfig, AbsentAndNullTakeTheFallback) {
    const JsonConfig c = config();
    EXPECT_FALSE(c.contains("n_inner"));
    EXPECT_FALSE(c.contains("absent"));
    EXPECT_TRUE(c.contains("act"));
    EXPECT_EQ(c.int64("n_inner", 1536), 1536);
    EXPECT_DOUBLE_EQ(c.number("absent", 0.5), 0.5);
    EXPECT_EQ(c.string("absent", "relu"), "relu");
    EXPECT_FALSE(c.boolean("absent", false));
    expect_error([&] { (void)c.int64("absent"); }, {"[JsonConfig]", "config.json", "'absent' is missing"});
    expect_error([&] { (void)c.string("n_inner"); }, {"'n_inner' is missing"});
}

TEST(JsonConfig, RefusesWrongTypesAndValues) {
    const JsonConfig c = config();
    expect_error([&] { (void)c.int64("act"); }, {"config.json", "'act'", "gelu", "integer from 0 to 2147483647"});
    expect_error([&] { (void)c.int64("act", 3); }, {"'act'", "integer"});
    expect_error([&] { (void)c.int64("half"); }, {"'half'", "1.5", "integer"});
    expect_error([&] { (void)c.int64("negative"); }, {"'negative'", "-1", "from 0"});
    expect_error([&] { (void)c.int64("huge"); }, {"'huge'", "18446744073709551615"});
    expect_error([&] { (void)c.int64("hidden_size", std::nullopt, {1, 128}); }, {"384", "integer from 1 to 128"});
    expect_error([&] { (void)c.number("tied"); }, {"'tied'", "true", "must be a number"});
    expect_error([&] { (void)c.number("eps", std::nullopt, {.min = 1e-6}); }, {"'eps'", "1e-12", "from 1e-06"});
    expect_error([&] { (void)c.string("eps"); }, {"'eps'", "must be a string"});
    expect_error([&] { (void)c.boolean("hidden_size"); }, {"'hidden_size'", "384", "true or false"});
    expect_error([&] { (void)c.int64_list("act"); }, {"'act'", "must be a list"});
    expect_error([&] { (void)c.int64_list("mixed"); }, {"'mixed'", "x", "integer"});
    expect_error([&] { (void)c.string_list("mixed"); }, {"'mixed'", "'1'", "every item"});
    expect_error([&] { (void)c.string_map("layers"); }, {"'layers'", "must be an object"});
    expect_error([&] { (void)c.string_map("nested"); }, {"'nested'", "every value"});
    expect_error([&] { (void)c.object("act"); }, {"'act'", "must be an object"});
    expect_error([&] { (void)c.object("nested").string("size"); }, {"config.json (nested)", "'size'", "7"});
}

class JsonConfigFile : public testing::Scratch {};

TEST_F(JsonConfigFile, LoadsAndRefusesFiles) {
    EXPECT_EQ(JsonConfig::load(write("config.json", R"({"a": 1})")).int64("a"), 1);
    expect_error([&] { (void)JsonConfig::load(path("none.json")); }, {"[JsonConfig]", "none.json", "cannot be opened"});
    expect_error([&] { (void)JsonConfig::load(directory_); }, {"is a directory"});
    expect_error([&] { (void)JsonConfig::load(write("e.json", "")); }, {"e.json: not JSON"});
    expect_error([&] { (void)JsonConfig::load(write("l.json", "[1]")); }, {"l.json: holds a JSON array"});
    expect_error([&] { (void)JsonConfig::load(write("t.json", R"({"a":1,"a":2})")); }, {"key 'a' is given twice"});
    expect_error([&] { (void)JsonConfig::load(write("n.json", R"({"a":1e999})")); }, {"n.json: not JSON"});
}

}  // namespace
}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "zoo/checkpoint.hpp"

#include "bundle_writer.hpp"
#include "scratch.hpp"

namespace zoo {
namespace {

using testing::expect_error;

using Named = std::vector<std::pair<std::string, const HostTensor*>>;

class CheckpointFiles : public testing::Scratch {
protected:
    void save(const std::string& name, const std::vector<std::pair<std::string, HostTensor>>& tensors) const {
        Named named;
        for (const auto& [key, tensor] : tensors) {
            named.emplace_back(key, &tensor);
        }
        save_safetensors(path(name), named);
    }

    void write_bundle(const std::filesystem::path& folder) const {
        std::filesystem::create_directories(directory_ / folder);
        write((folder / "variables.data-00000-of-00001").string(), testing::bytes_of(5.0F));
        write(
            (folder / "variables.index").string(),
            testing::table(
                {{"", testing::header_message(1)},
                 {"v", testing::entry_message({.dtype = 1, .shape = {1}, .size = 4})}}));
    }
};

TEST_F(CheckpointFiles, OpensEveryKindOfPath) {
    save("model.safetensors", {{"a", {{1}, {1}}}});
    EXPECT_TRUE(open_checkpoint(directory_)->contains("a"));
    EXPECT_TRUE(open_checkpoint(path("model.safetensors"))->contains("a"));

    std::filesystem::rename(path("model.safetensors"), path("model-00001-of-00001.safetensors"));
    write("model.safetensors.index.json", R"({"weight_map":{"a":"model-00001-of-00001.safetensors"}})");
    EXPECT_TRUE(open_checkpoint(directory_)->contains("a"));
    EXPECT_TRUE(open_checkpoint(path("model.safetensors.index.json"))->contains("a"));

    write_bundle("saved/variables");
    for (const char* name :
         {"saved", "saved/variables", "saved/variables/variables", "saved/variables/variables.index"}) {
        EXPECT_EQ(open_checkpoint(path(name))->load("v").data, std::vector<float>{5}) << name;
    }
}

TEST_F(CheckpointFiles, RefusesWhatItDoesNotKnow) {
    expect_error([&] { (void)open_checkpoint(path("gone")); }, {"[open_checkpoint]", "gone does not exist"});
    expect_error([&] { (void)open_checkpoint(directory_); }, {directory_.string(), "holds none of model.safetensors"});
    expect_error([&] { (void)open_checkpoint(write("a.bin", "x")); }, {"a.bin has an unknown ending", ".safetensors"});
}

TEST_F(CheckpointFiles, LoadsRows) {
    save("w.safetensors", {{"dense.weight", {{2, 3}, {1, 2, 3, 4, 5, 6}}}, {"dense.bias", {{2}, {7, 8}}}});
    HostTensor weight;
    HostTensor bias;
    HostTensor scale{.shape = {1}, .data = {42}};
    const std::vector<WeightRow> rows{
        {.name = "dense.weight", .shape = {3, 2}, .target = &weight, .transpose = true},
        {.name = "dense.bias", .shape = {2}, .target = &bias},
        {.name = "dense.scale", .shape = {1}, .target = &scale, .optional = true},
    };
    load_weights(*open_checkpoint(path("w.safetensors")), rows);
    EXPECT_EQ(weight.shape, (Shape{3, 2}));
    EXPECT_EQ(weight.data, (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(bias.data, (std::vector<float>{7, 8}));
    EXPECT_EQ(scale.data, std::vector<float>{42}) << "an absent optional row keeps its target";
}

TEST_F(CheckpointFiles, MapsPrefixes) {
    save("bare.safetensors", {{"pooler", {{1}, {1}}}, {"head", {{1}, {2}}}});
    save("full.safetensors", {{"bert.pooler", {{1}, {3}}}});
    HostTensor pooler;
    HostTensor head;
    load_weights(
        *open_checkpoint(path("bare.safetensors")),
        std::vector<WeightRow>{
            {.name = "bert.pooler", .shape = {1}, .target = &pooler}, {.name = "head", .shape = {1}, .target = &head}},
        {.strip_prefix = "bert."});
    EXPECT_EQ(pooler.data, std::vector<float>{1});
    EXPECT_EQ(head.data, std::vector<float>{2});
    load_weights(
        *open_checkpoint(path("full.safetensors")),
        std::vector<WeightRow>{{.name = "pooler", .shape = {1}, .target = &pooler}}, {.add_prefix = "bert."});
    EXPECT_EQ(pooler.data, std::vector<float>{3});
}

TEST_F(CheckpointFiles, TiedRowsReadOneTensorTwice) {
    save("w.safetensors", {{"embed", {{1, 2}, {1, 2}}}});
    HostTensor embed;
    HostTensor head;
    load_weights(
        *open_checkpoint(path("w.safetensors")),
        std::vector<WeightRow>{
            {.name = "embed", .shape = {1, 2}, .target = &embed},
            {.name = "embed", .shape = {2, 1}, .target = &head, .transpose = true}});
    EXPECT_EQ(embed.data, head.data);
}

TEST_F(CheckpointFiles, ReportsEveryProblemAtOnceAndChangesNothing) {
    save(
        "w.safetensors", {{"a", {{2}, {1, 2}}},
                          {"b", {{2, 1}, {1, 2}}},
                          {"fine", {{1}, {1}}},
                          {"x.position_ids", {{1}, {0}}},
                          {"extra", {{1}, {0}}}});
    HostTensor a;
    HostTensor b;
    HostTensor c;
    HostTensor fine;
    const std::vector<WeightRow> rows{
        {.name = "a", .shape = {3}, .target = &a},
        {.name = "b", .shape = {2, 1}, .target = &b, .transpose = true},
        {.name = "c", .shape = {3}, .target = &c},
        {.name = "fine", .shape = {1}, .target = &fine}};
    const auto checkpoint = open_checkpoint(path("w.safetensors"));
    expect_error(
        [&] { load_weights(*checkpoint, rows, {.ignored = {"*.position_ids"}}); },
        {"[load_weights]", "w.safetensors", "model of 4 weights", "1 missing: 'c'", "1 surplus: 'extra'",
         "2 misshapen: 'a' is [2] where [3] is needed, 'b' is [2, 1] where [1, 2] is needed"});
    EXPECT_TRUE(fine.data.empty());
    expect_error([&] { load_weights(*checkpoint, rows); }, {"2 surplus: 'extra', 'x.position_ids'"});
}

TEST_F(CheckpointFiles, DamagedDataChangesNothing) {
    write("variables.data-00000-of-00001", testing::bytes_of(std::vector<float>{1, 2}));
    write(
        "variables.index", testing::table(
                               {{"", testing::header_message(1)},
                                {"a", testing::entry_message({.shape = {1}, .size = 4})},
                                {"b", testing::entry_message({.shape = {1}, .offset = 4, .size = 4, .checksum = 0})}}));
    HostTensor a;
    HostTensor b;
    const std::vector<WeightRow> rows{
        {.name = "a", .shape = {1}, .target = &a}, {.name = "b", .shape = {1}, .target = &b}};
    expect_error([&] { load_weights(*open_checkpoint(directory_), rows); }, {"tensor 'b'", "checksum"});
    EXPECT_TRUE(a.data.empty());
}

TEST_F(CheckpointFiles, WeightsAreFinite) {
    HostTensor a;
    const std::vector<WeightRow> rows{{.name = "a", .shape = {2}, .target = &a}};
    for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        save("w.safetensors", {{"a", {{2}, {1, value}}}});
        expect_error(
            [&] { load_weights(*open_checkpoint(path("w.safetensors")), rows); },
            {"w.safetensors", "in 'a'; weights must be finite"});
        EXPECT_TRUE(a.data.empty());
    }
}

TEST_F(CheckpointFiles, CapsTheListing) {
    save("w.safetensors", {});
    std::vector<HostTensor> targets(1000);
    std::vector<WeightRow> rows;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        rows.push_back({.name = "layer." + std::to_string(i), .shape = {1}, .target = &targets[i]});
    }
    expect_error(
        [&] { load_weights(*open_checkpoint(path("w.safetensors")), rows); },
        {"1000 missing: 'layer.0'", "'layer.7' and 992 more"});
}

TEST_F(CheckpointFiles, RefusesRowsThatMakeNoSense) {
    save("w.safetensors", {{"a", {{2}, {1, 2}}}});
    const auto checkpoint = open_checkpoint(path("w.safetensors"));
    HostTensor a;
    expect_error(
        [&] { load_weights(*checkpoint, std::vector<WeightRow>{{.name = "a", .shape = {2}}}); },
        {"row 'a' has no target"});
    expect_error(
        [&] {
            load_weights(
                *checkpoint, std::vector<WeightRow>{{.name = "a", .shape = {2}, .target = &a, .transpose = true}});
        },
        {"row 'a'", "transpose shape [2]", "only matrices"});
}

TEST(CheckpointPattern, StarsStandForAnyText) {
    EXPECT_TRUE(matches_pattern("bert.embeddings.position_ids", "*.position_ids"));
    EXPECT_TRUE(matches_pattern("cls.predictions.bias", "cls.*"));
    EXPECT_TRUE(matches_pattern("bn1.num_batches_tracked", "*num_batches_tracked"));
    EXPECT_TRUE(matches_pattern("h.3.attn.bias", "h.*.attn.bias"));
    EXPECT_TRUE(matches_pattern("aab", "*a*ab"));
    EXPECT_TRUE(matches_pattern("", "*"));
    EXPECT_TRUE(matches_pattern("exact", "exact"));
    EXPECT_FALSE(matches_pattern("h.3.attn.bias2", "h.*.attn.bias"));
    EXPECT_FALSE(matches_pattern("exactly", "exact"));
    EXPECT_FALSE(matches_pattern("a", ""));
    EXPECT_FALSE(matches_pattern("ab", "*a"));
    const std::vector<std::string> patterns{"x", "y*"};
    EXPECT_TRUE(matches_any("yes", patterns));
    EXPECT_FALSE(matches_any("no", patterns));
}

}  // namespace
}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratch.hpp"
#include "zoo/module_tree.hpp"
#include "zoo/preprocess.hpp"

namespace zoo {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;

// Names and shapes; a tensor's values are its own number, so that a mix-up shows. Counts what was read.
class FakeCheckpoint : public Checkpoint {
public:
    explicit FakeCheckpoint(const std::map<std::string, Shape>& tensors) {
        for (const auto& [name, shape] : tensors) {
            infos_.push_back({.name = name, .dtype = name.ends_with("_ids") ? "I64" : "F32", .shape = shape});
        }
    }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return infos_; }
    [[nodiscard]] HostTensor load(std::string_view name) const override {
        ++loads;
        HostTensor tensor = zeros(find(name)->shape);
        for (float& value : tensor.data) {
            value = static_cast<float>(find(name) - infos_.data());
        }
        return tensor;
    }
    [[nodiscard]] std::string source() const override { return "fake.safetensors"; }

    mutable int loads = 0;

private:
    std::vector<TensorInfo> infos_;
};

std::string type_of(const std::map<std::string, Shape>& parameters, const std::string& module = "part") {
    std::map<std::string, Shape> tensors;
    for (const auto& [name, shape] : parameters) {
        tensors[module + "." + name] = shape;
    }
    return module_tree(FakeCheckpoint(tensors)).child(module).type;
}

TEST(CheckpointTree, TypesFollowFromTheParameters) {
    EXPECT_EQ(type_of({{"weight", {3, 4}}, {"bias", {3}}}), "Linear");
    EXPECT_EQ(type_of({{"weight", {3, 4}}}), "Linear");
    EXPECT_EQ(type_of({{"weight", {3, 4}}}, "word_embeddings"), "Embedding");
    EXPECT_EQ(type_of({{"weight", {3, 4}}}, "wte"), "Embedding");
    EXPECT_EQ(type_of({{"weight", {3, 4}}, {"bias", {3}}}, "embedding_hidden_mapping_in"), "Linear");
    EXPECT_EQ(type_of({{"weight", {4}}, {"bias", {4}}}), "LayerNorm");
    EXPECT_EQ(type_of({{"gamma", {4}}, {"beta", {4}}}), "LayerNorm");
    EXPECT_EQ(type_of({{"weight", {4}}}), "RMSNorm");
    EXPECT_EQ(type_of({{"weight", {8, 3, 7, 7}}}), "Conv2d");
    EXPECT_EQ(type_of({{"weight", {8, 3, 5}}, {"bias", {8}}}), "Conv1d");
    EXPECT_EQ(type_of({{"weight", {4}}, {"bias", {4}}, {"running_mean", {4}}, {"running_var", {4}}}), "BatchNorm");
    // A [in, out] matrix, as GPT-2 keeps it, is no Linear as soon as its bias tells.
    EXPECT_EQ(type_of({{"weight", {3, 4}}, {"bias", {4}}}), "Module");
    EXPECT_EQ(type_of({{"weight", {3, 4}}, {"bias", {3}}, {"lora_a", {1, 4}}}), "Module");
    EXPECT_EQ(type_of({{"cls_token", {1, 1, 4}}}), "Module");
    EXPECT_EQ(type_of({{"0.weight", {4}}, {"1.weight", {4}}}), "ModuleList");
    EXPECT_EQ(type_of({{"0.weight", {4}}, {"norm.weight", {4}}}), "Module");
}

TEST(CheckpointTree, NumbersCountInsteadOfSpelling) {
    std::map<std::string, Shape> tensors{{"pooler.weight", {4, 4}}, {"layer.norm.weight", {4}}};
    for (int i = 0; i < 12; ++i) {
        tensors["layer." + std::to_string(i) + ".weight"] = {4};
    }
    const FakeCheckpoint checkpoint(tensors);
    const ModuleTree tree = module_tree(checkpoint);
    ASSERT_EQ(tree.children.size(), 2U);
    std::vector<std::string> names;
    for (const ModuleTree::Child& child : tree.child("layer").children) {
        names.push_back(child.name);
    }
    EXPECT_THAT(names, ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "norm"));
}

TEST(CheckpointTree, ModulesWithALikeNameStayApart) {
    // '-' sorts before '.', so that a-b stands among the names that start with "a".
    const FakeCheckpoint checkpoint(
        {{"a-b.weight", {1}}, {"a.weight", {2}}, {"a.x.weight", {3}}, {"a0.weight", {4}}, {"b", {5}}});
    const ModuleTree tree = module_tree(checkpoint);
    EXPECT_EQ(tree.children.size(), 3U);
    EXPECT_EQ(tree.child("a").parameters.size(), 1U);
    EXPECT_EQ(tree.child("a").child("x").parameters[0].shape, (Shape{3}));
    EXPECT_EQ(tree.find_parameter("b")->shape, (Shape{5}));
}

TEST(CheckpointTree, ReadsNothingBeforeItIsAsked) {
    const FakeCheckpoint checkpoint({{"a.weight", {2, 2}}, {"b.weight", {2, 2}}});
    const ModuleTree tree = module_tree(checkpoint);
    EXPECT_EQ(checkpoint.loads, 0);
    EXPECT_THAT(tree.child("b").tensor("weight").data, ElementsAre(1, 1, 1, 1));
    EXPECT_EQ(checkpoint.loads, 1);
    (void)preprocess_model_parameters(checkpoint);
    EXPECT_EQ(checkpoint.loads, 3);
}

TEST(CheckpointTree, BuffersAreSkippedByDefault) {
    const FakeCheckpoint checkpoint(
        {{"bn.weight", {2}}, {"bn.running_mean", {2}}, {"bn.running_var", {2}}, {"emb.position_ids", {1, 8}}});
    const ModuleTree tree = module_tree(checkpoint);
    EXPECT_TRUE(tree.child("bn").find_parameter("running_var")->is_buffer);
    EXPECT_TRUE(tree.child("emb").find_parameter("position_ids")->is_buffer);
    EXPECT_FALSE(tree.child("bn").find_parameter("weight")->is_buffer);
    const ParameterTree parameters = preprocess_model_parameters(tree);
    EXPECT_EQ(parameters.totals().tensors, 1U);
    EXPECT_FALSE(parameters.contains("emb"));
}

TEST(CheckpointTree, APrefixTakesAPartOfTheModel) {
    const FakeCheckpoint checkpoint(
        {{"bert.encoder.0.weight", {2}}, {"bert.encoders.weight", {2}}, {"classifier.weight", {2, 2}}});
    const ModuleTree tree = module_tree(checkpoint, "bert.encoder");
    ASSERT_EQ(tree.children.size(), 1U);
    EXPECT_EQ(tree.children[0].name, "0");
    expect_error(
        [&] { (void)module_tree(checkpoint, "gpt"); }, {"fake.safetensors", "none of the 3 tensors", "below 'gpt'"});
}

TEST(CheckpointTree, RefusesNamesThatSpellNoTree) {
    expect_error([] { (void)module_tree(FakeCheckpoint({{"a..b", {1}}})); }, {"'a..b'", "empty part"});
    expect_error([] { (void)module_tree(FakeCheckpoint({{"a.", {1}}})); }, {"'a.'", "empty part"});
    expect_error([] { (void)module_tree(FakeCheckpoint({{".a", {1}}})); }, {"'.a'", "empty part"});
    std::string deep;
    for (int i = 0; i < 100'000; ++i) {
        deep += "m.";
    }
    const std::map<std::string, Shape> tensors{{deep + "w", {1}}};
    expect_error([&] { (void)module_tree(FakeCheckpoint(tensors)); }, {"more than 64 parts"});
    // A tensor and a module of one name fit a checkpoint and no parameter tree.
    const FakeCheckpoint both({{"net.a", {1}}, {"net.a.weight", {1}}});
    expect_error(
        [&] { (void)preprocess_model_parameters(both); },
        {"[preprocess_model_parameters] 'net.a'", "a part named 'a' already"});
}

TEST(ModuleTree, SaysWhatItHas) {
    ModuleTree module;
    module.type = "Linear";
    module.add("weight", zeros({2, 2}));
    module.add("inner", ModuleTree{});
    expect_error([&] { (void)module.tensor("kernel"); }, {"Linear has no parameter 'kernel'", "weight"});
    expect_error([&] { (void)module.child("outer"); }, {"Linear has no child 'outer'", "inner"});
    expect_error([&] { (void)module.child("inner").child("x"); }, {"its children: none"});
    expect_error([&] { module.add("weight", zeros({1})); }, {"two parts named 'weight'"});
    expect_error([&] { module.add("a.b", ModuleTree{}); }, {"'a.b'", "dot"});
}

using CheckpointFile = testing::Scratch;

TEST_F(CheckpointFile, GoesFromSafetensorsToParameters) {
    const HostTensor weight{.shape = {2, 3}, .data = {1, 2, 3, 4, 5, 6}};
    const HostTensor bias{.shape = {2}, .data = {7, 8}};
    const std::vector<std::pair<std::string, const HostTensor*>> tensors{
        {"encoder.dense.weight", &weight}, {"encoder.dense.bias", &bias}};
    save_safetensors(path("model.safetensors"), tensors);
    const auto checkpoint = open_checkpoint(path("model.safetensors"));
    const ParameterTree parameters = preprocess_model_parameters(*checkpoint);
    const ParameterTree& dense = parameters["encoder"]["dense"];
    EXPECT_THAT(to_host(dense.tensor("weight")).data, ElementsAre(1, 4, 2, 5, 3, 6));
    EXPECT_THAT(to_host(dense.tensor("bias")).data, ElementsAre(7, 8));
    EXPECT_EQ(dense.tensor("bias").logical_shape(), (ttnn::Shape{1, 2}));
}

}  // namespace
}  // namespace zoo

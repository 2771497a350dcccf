// SPDX-License-Identifier: Apache-2.0
#include "zoo/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scratch.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo {
namespace {

using testing::expect_error;
using ttnn::DataType;

ttnn::Tensor tensor_of(Shape shape, DataType dtype = DataType::BFLOAT16) {
    return from_host(zeros(std::move(shape)), {.dtype = dtype});
}

ParameterTree dense(std::int64_t in, std::int64_t out, DataType dtype = DataType::BFLOAT16) {
    ParameterTree tree;
    tree.add("weight", tensor_of({in, out}, dtype));
    tree.add("bias", tensor_of({1, out}));
    return tree;
}

// encoder.layer.{0, 1}.dense, pooler, and a table that was kept.
ParameterTree model() {
    ParameterTree list;
    for (const char* name : {"0", "1"}) {
        ParameterTree layer;
        layer.add("dense", dense(64, 32, DataType::BFLOAT8_B));
        list.add(name, std::move(layer));
    }
    ParameterTree encoder;
    encoder.add("layer", std::move(list));
    ParameterTree root;
    root.add("scale", HostTensor{.shape = {3}, .data = {1, 2, 3}});
    root.add("encoder", std::move(encoder));
    root.add("pooler", dense(32, 32));
    return root;
}

TEST(ParameterTree, FollowsNamesAndNumbers) {
    const ParameterTree parameters = model();
    EXPECT_EQ(parameters["encoder"]["layer"][1]["dense"].tensor("weight").logical_shape(), (ttnn::Shape{64, 32}));
    EXPECT_EQ(&parameters["encoder"]["layer"][0], &parameters["encoder"]["layer"]["0"]);
    EXPECT_EQ(parameters.host_tensor("scale").data, (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(parameters["encoder"]["layer"].children().size(), 2U);
    EXPECT_TRUE(parameters.contains("scale"));
    EXPECT_TRUE(parameters.contains("pooler"));
    EXPECT_FALSE(parameters.contains("weight"));
}

TEST(ParameterTree, SaysWhereSomethingIsMissingAndWhatIsThere) {
    const ParameterTree parameters = model();
    expect_error(
        [&] { (void)parameters["encoder"]["layer"][0]["dense"].tensor("kernel"); },
        {"'encoder.layer.0.dense' has no tensor 'kernel'", "weight (tensor), bias (tensor)"});
    expect_error(
        [&] { (void)parameters["encoder"]["layer"][2]; }, {"'encoder.layer' has no module '2'", "there is: 0, 1"});
    expect_error([&] { (void)parameters["decoder"]; }, {"the root has no module 'decoder'", "scale (tensor), encoder"});
    // A tensor is no module, and a module no tensor.
    expect_error([&] { (void)parameters["scale"]; }, {"the root has no module 'scale'", "scale (tensor)"});
    expect_error([&] { (void)parameters.tensor("pooler"); }, {"the root has no tensor 'pooler'"});
    expect_error([] { (void)ParameterTree()["a"]; }, {"there is: nothing"});
}

TEST(ParameterTree, TellsTtnnTensorsFromKeptOnes) {
    const ParameterTree parameters = model();
    expect_error([&] { (void)parameters.tensor("scale"); }, {"'scale' is [3] kept as float32", "host_tensor()"});
    expect_error(
        [&] { (void)parameters["pooler"].host_tensor("weight"); },
        {"'pooler.weight' is a TTNN tensor, [32, 32] BFLOAT16 TILE host", "tensor()"});
}

TEST(ParameterTree, RefusesNamesThatCannotBeFound) {
    ParameterTree tree = dense(32, 32);
    tree.set_path("a.b");
    expect_error([&] { tree.add("weight", tensor_of({1})); }, {"'a.b' has a part named 'weight' already"});
    expect_error([&] { tree.add("weight", ParameterTree()); }, {"'a.b' has a part named 'weight' already"});
    expect_error([&] { tree.add("", tensor_of({1})); }, {"named ''", "not empty"});
    expect_error([&] { tree.add("c.d", ParameterTree()); }, {"'c.d'", "no dot"});
}

TEST(ParameterTree, PathsFollowWhereATreeIsPut) {
    ParameterTree parameters = model();
    EXPECT_EQ(parameters["encoder"]["layer"][1]["dense"].path(), "encoder.layer.1.dense");
    parameters.set_path("bert");
    EXPECT_EQ(parameters["encoder"]["layer"][1]["dense"].path(), "bert.encoder.layer.1.dense");
}

TEST(ParameterTree, VisitsEveryTensorOnceInOrder) {
    std::vector<std::string> paths;
    model().for_each([&](const std::string& path, const ParameterValue&) { paths.push_back(path); });
    EXPECT_THAT(
        paths, ::testing::ElementsAre(
                   "scale", "encoder.layer.0.dense.weight", "encoder.layer.0.dense.bias",
                   "encoder.layer.1.dense.weight", "encoder.layer.1.dense.bias", "pooler.weight", "pooler.bias"));
}

TEST(ParameterTree, CountsTensorsAndBytesByDataType) {
    const ParameterTotals totals = model().totals();
    EXPECT_EQ(totals.tensors, 6U);
    EXPECT_EQ(totals.host_tensors, 1U);
    EXPECT_EQ(totals.host_bytes, 12U);
    ASSERT_EQ(totals.bytes.size(), 2U);
    // Tiles of 32x32: 1088 bytes of bfloat8_b, 2048 of bfloat16. A bias is padded to a whole tile.
    EXPECT_EQ(totals.bytes.at(DataType::BFLOAT8_B), 2U * 2 * 1088);
    EXPECT_EQ(totals.bytes.at(DataType::BFLOAT16), 4U * 2048);
}

TEST(ParameterTree, DescribesItself) {
    EXPECT_EQ(describe(model()["pooler"]), "weight: [32, 32] BFLOAT16 TILE host\nbias: [1, 32] BFLOAT16 TILE host\n");
    EXPECT_THAT(
        describe(model()), ::testing::HasSubstr("      dense:\n        weight: [64, 32] BFLOAT8_B TILE host\n"));
}

TEST(ParameterTree, TransformReachesTtnnTensorsOnly) {
    ParameterTree parameters = model();
    int calls = 0;
    parameters.transform([&](const ttnn::Tensor& tensor) {
        ++calls;
        return tensor.to_layout(tensor.layout());
    });
    EXPECT_EQ(calls, 6);
}

}  // namespace
}  // namespace zoo

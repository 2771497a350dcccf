// SPDX-License-Identifier: Apache-2.0
#include "zoo/tfjs.hpp"

#include "scratch.hpp"

namespace {

using namespace zoo;
using zoo::testing::bytes_of;
using zoo::testing::expect_error;

constexpr const char* kModel = R"({"format": "layers-model", "modelTopology": {}, "weightsManifest": [
    {"paths": ["a.bin", "b.bin"], "weights": [
        {"name": "conv1/kernel", "shape": [2, 2], "dtype": "float32"},
        {"name": "conv1/bias", "shape": [3], "dtype": "float32"}]}]})";

class TfjsTest : public zoo::testing::Scratch {
protected:
    // The second tensor begins in the first shard and ends in the second.
    std::filesystem::path write_model(std::string_view json = kModel) const {
        write("a.bin", bytes_of(std::vector{1.0F, 2.0F, 3.0F, 4.0F, 5.0F}));
        write("b.bin", bytes_of(std::vector{6.0F, 7.0F}));
        return write("model.json", json);
    }
};

TEST_F(TfjsTest, ReadsTensorsAcrossShards) {
    const auto checkpoint = open_checkpoint(write_model());
    ASSERT_EQ(checkpoint->tensors().size(), 2U);
    EXPECT_EQ(checkpoint->tensors()[0].name, "conv1/bias");
    EXPECT_EQ(checkpoint->load("conv1/kernel").data, (std::vector{1.0F, 2.0F, 3.0F, 4.0F}));
    EXPECT_EQ(checkpoint->load("conv1/kernel").shape, (Shape{2, 2}));
    EXPECT_EQ(checkpoint->load("conv1/bias").data, (std::vector{5.0F, 6.0F, 7.0F}));
    EXPECT_EQ(open_checkpoint(directory_)->tensors().size(), 2U);
    EXPECT_EQ(open_checkpoint(directory_, {"*/bias"})->tensors().size(), 1U);
    expect_error([&] { (void)checkpoint->load("conv2/kernel"); }, {"has no tensor 'conv2/kernel'"});
}

TEST_F(TfjsTest, RefusesWhatIsNotWhole) {
    const auto file = write_model();
    write("b.bin", "abc");
    expect_error([&] { (void)open_tfjs(file); }, {"tensor 'conv1/bias' ends 5 bytes behind its shards, which hold 23"});
    write("b.bin", std::string(12, 'x'));
    expect_error([&] { (void)open_tfjs(file); }, {"the shards hold 32 bytes; their tensors are 28"});
    std::filesystem::remove(path("b.bin"));
    expect_error([&] { (void)open_tfjs(file); }, {"b.bin"});
}

TEST_F(TfjsTest, RefusesOtherModels) {
    const auto refused = [&](std::string_view json, std::string_view text) {
        const auto file = write_model(json);
        expect_error([&] { (void)open_tfjs(file); }, {text});
    };
    refused("{}", "has no list weightsManifest");
    refused("[1]", "model.json");
    refused(R"({"weightsManifest": [{"paths": [1], "weights": []}]})", "is not as TensorFlow.js writes it");
    refused(
        R"({"weightsManifest": [{"paths": ["../a.bin"], "weights": []}]})", "shard '../a.bin' is no plain file name");
    refused(
        R"({"weightsManifest": [{"paths": ["a.bin"], "weights": [{"name": "w", "shape": [5], "dtype": "complex64"}]}]})",
        "tensor 'w' has dtype 'complex64', which is not read");
    refused(
        R"({"weightsManifest": [{"paths": ["a.bin"], "weights": [
            {"name": "w", "shape": [5], "dtype": "float32", "quantization": {"dtype": "uint8"}}]}]})",
        "tensor 'w' is quantised");
    refused(
        R"({"weightsManifest": [{"paths": ["a.bin"], "weights": [{"name": "w", "shape": [-5], "dtype": "float32"}]}]})",
        "-5");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "zoo/pth.hpp"

#include "scratch.hpp"
#include "support/real_weights.hpp"

namespace zoo {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// The files are written by a real PyTorch: scripts/make_pth_fixtures.py.
std::filesystem::path fixture(const std::string& name) {
    return std::filesystem::path(ZOO_TEST_DATA_DIR) / "pth" / name;
}

class PthFile : public ::testing::TestWithParam<const char*> {};

TEST_P(PthFile, HoldsWhatTorchSaved) {
    const auto file = open_checkpoint(fixture(GetParam()));
    std::vector<std::string> names;
    for (const TensorInfo& tensor : file->tensors()) {
        names.push_back(tensor.name + " " + tensor.dtype + " " + to_string(tensor.shape));
    }
    EXPECT_THAT(
        names, ElementsAre(
                   "bfloat16 BF16 [2]", "bias F32 [3]", "column F32 [3]", "count I64 []", "double F64 [1, 1]",
                   "empty F32 [0, 3]", "flags BOOL [2]", "half F16 [2]", "matrix F32 [3, 4]", "parameter F32 [1]",
                   "transposed F32 [4, 3]", "weight F32 [3, 2]"));
    EXPECT_THAT(file->load("weight").data, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(file->load("bias").data, ElementsAre(0.5F, -0.5F, 1.5F));
    EXPECT_THAT(file->load("matrix").data, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    EXPECT_THAT(file->load("transposed").data, ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
    EXPECT_THAT(file->load("column").data, ElementsAre(2, 6, 10));
    EXPECT_THAT(file->load("half").data, ElementsAre(1.5F, -2.25F));
    EXPECT_THAT(file->load("bfloat16").data, ElementsAre(1.5F, -2.25F));
    EXPECT_THAT(file->load("double").data, ElementsAre(0.1F));
    EXPECT_THAT(file->load("count").data, ElementsAre(7));
    EXPECT_THAT(file->load("flags").data, ElementsAre(1, 0));
    EXPECT_THAT(file->load("empty").data, SizeIs(0));
    EXPECT_THAT(file->load("parameter").data, ElementsAre(3));
}

std::string file_stem(const ::testing::TestParamInfo<const char*>& info) {
    return std::filesystem::path(info.param).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Pth, PthFile, ::testing::Values("zip.pth", "legacy.pth"), file_stem);

TEST(Pth, NamesNestedTensorsByTheirPath) {
    const auto file = open_pth(fixture("nested.pth"), {"state_dict.*o*"});
    EXPECT_TRUE(file->contains("state_dict.weight"));
    EXPECT_FALSE(file->contains("state_dict.double"));  // ignored
    EXPECT_THAT(file->load("list.0").data, ElementsAre(1));
    EXPECT_THAT(file->load("list.1.0").data, ElementsAre(0, 0));
    EXPECT_FALSE(file->contains("epoch"));
}

TEST(Pth, LoadOfAnUnknownNameSaysSo) {
    const auto file = open_pth(fixture("zip.pth"));
    testing::expect_error([&] { (void)file->load("weights"); }, {"[pth]", "zip.pth", "has no tensor 'weights'"});
}

TEST(Pth, RefusesAWholeModuleByItsClass) {
    testing::expect_error(
        [] { (void)open_pth(fixture("module.pth")); },
        {"[pth]", "module.pth", "asks for 'torch.nn.modules.linear.Linear'", "nothing is run"});
}

class PthDirectory : public testing::Scratch {};

TEST_F(PthDirectory, OpensTheOneFileOfADirectory) {
    std::filesystem::copy_file(fixture("zip.pth"), path("net.pth"));
    EXPECT_TRUE(open_checkpoint(directory_)->contains("weight"));
    std::filesystem::copy_file(fixture("zip.pth"), path("other.pt"));
    testing::expect_error([&] { (void)open_checkpoint(directory_); }, {"nor exactly one file of torch.save"});
    EXPECT_TRUE(open_checkpoint(path("other.pt"))->contains("weight"));
}

TEST_F(PthDirectory, RefusesOtherFiles) {
    testing::expect_error([&] { (void)open_pth(path("absent.pth")); }, {"absent.pth"});
    testing::expect_error([&] { (void)open_pth(write("empty.pth", "")); }, {"neither a zip archive nor a stream"});
    testing::expect_error([&] { (void)open_pth(write("text.pth", "hello")); }, {"neither a zip archive nor a stream"});
    testing::expect_error([&] { (void)open_pth(directory_); }, {directory_.string()});
}

// torchvision's checkpoint, in the older form.
TEST(PthReal, MobileNetV2) {
    ZOO_REQUIRE_WEIGHTS(weights, "mobilenetv2");
    const auto file = open_checkpoint(*weights);
    EXPECT_THAT(file->tensors(), SizeIs(314));
    EXPECT_EQ(file->find("features.0.0.weight")->shape, (Shape{32, 3, 3, 3}));
    EXPECT_EQ(file->find("classifier.1.weight")->shape, (Shape{1000, 1280}));
    EXPECT_EQ(file->find("features.18.1.num_batches_tracked")->dtype, "I64");
    double total = 0;
    for (const float value : file->load("features.0.1.running_var").data) {
        ASSERT_GT(value, 0.0F);
        total += value;
    }
    EXPECT_GT(total, 0.0);
}

}  // namespace
}  // namespace zoo

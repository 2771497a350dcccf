// SPDX-License-Identifier: Apache-2.0
#include "scratch.hpp"
#include "zoo/safetensors.hpp"

namespace zoo {
namespace {

using testing::expect_error;

using Named = std::vector<std::pair<std::string, const HostTensor*>>;

class SafetensorsIndex : public testing::Scratch {
protected:
    void SetUp() override {
        Scratch::SetUp();
        const HostTensor one{.shape = {1}, .data = {1}};
        const HostTensor two{.shape = {2}, .data = {2, 3}};
        const HostTensor three{.shape = {1}, .data = {4}};
        save_safetensors(path("model-1.safetensors"), Named{{"b", &one}, {"c", &two}});
        save_safetensors(path("model-2.safetensors"), Named{{"a", &three}});
    }

    std::unique_ptr<Checkpoint> open(
        const std::string& weight_map, const std::vector<std::string>& ignored = {}) const {
        return open_safetensors_index(
            write("model.safetensors.index.json", R"({"metadata":{"total_size":16},"weight_map":)" + weight_map + "}"),
            ignored);
    }
    void refuse(const std::string& weight_map, std::initializer_list<std::string_view> parts) const {
        expect_error([&] { (void)open(weight_map); }, {"[safetensors]"});
        expect_error([&] { (void)open(weight_map); }, parts);
    }
};

TEST_F(SafetensorsIndex, TakesEachTensorFromItsShard) {
    const auto model = open(R"({"c":"model-1.safetensors","a":"model-2.safetensors","b":"model-1.safetensors"})");
    ASSERT_EQ(model->tensors().size(), 3U);
    EXPECT_EQ(model->tensors()[0].name, "a");
    EXPECT_EQ(model->load("a").data, std::vector<float>{4});
    EXPECT_EQ(model->load("c").data, (std::vector<float>{2, 3}));
    expect_error([&] { (void)model->load("d"); }, {"index.json", "has no tensor 'd'"});
}

TEST_F(SafetensorsIndex, ListsOnlyWhatItNames) {
    EXPECT_FALSE(open(R"({"b":"model-1.safetensors"})")->contains("c"));
    EXPECT_FALSE(open(R"({"b":"model-1.safetensors","a":"gone.safetensors"})", {"a"})->contains("a"));
}

TEST_F(SafetensorsIndex, RefusesMissingShardsAndTensors) {
    refuse(R"({"a":"gone.safetensors"})", {"gone.safetensors", "cannot be opened"});
    refuse(
        R"({"x":"model-1.safetensors","a":"model-1.safetensors","b":"model-1.safetensors"})",
        {"index.json", "2 listed tensors", "'a' in model-1.safetensors", "'x' in model-1.safetensors"});
}

TEST_F(SafetensorsIndex, RefusesPathsThatLeaveTheDirectory) {
    for (const char* name :
         {"../model-1.safetensors", "/etc/passwd", "sub/model.safetensors", "..", ".", "", "..\\\\x", "a\\u0000b"}) {
        refuse(R"({"a":")" + std::string(name) + R"("})", {"weight_map 'a'", "plain file name"});
    }
}

TEST_F(SafetensorsIndex, RefusesTheWrongForm) {
    refuse("[]", {"has no object weight_map"});
    refuse(R"({"a":3})", {"weight_map 'a' is a number"});
    refuse(R"({"b":"model-1.safetensors","b":"model-1.safetensors"})", {"key 'b' is given twice"});
    refuse(std::string(1000, '['), {"JSON nests deeper than 64"});
    expect_error([&] { (void)open_safetensors_index(write("i.index.json", "{}")); }, {"has no object weight_map"});
    expect_error([&] { (void)open_safetensors_index(write("i.index.json", "nonsense")); }, {"i.index.json: not JSON"});
    expect_error([&] { (void)open_safetensors_index(write("i.index.json", "[1]")); }, {"an object is needed"});
}

}  // namespace
}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <fstream>

#include "scratch.hpp"
#include "zoo/checkpoint.hpp"

namespace zoo {
namespace {

using testing::expect_error;

using Named = std::vector<std::pair<std::string, const HostTensor*>>;

class SafetensorsWrite : public testing::Scratch {
protected:
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }

    HostTensor matrix_{.shape = {2, 3}, .data = {1, 2, 3, 4, 5, 6}};
    HostTensor scalar_{.shape = {}, .data = {-0.5F}};
    HostTensor none_{.shape = {0, 4}, .data = {}};
};

TEST_F(SafetensorsWrite, RoundTrips) {
    const std::string name = "quote \" slash \\ umlaut \xC3\xBC";
    save_safetensors(path("w.safetensors"), Named{{"m", &matrix_}, {name, &scalar_}, {"none", &none_}}, {{"k", "v"}});
    const auto file = open_checkpoint(path("w.safetensors"));
    EXPECT_EQ(file->tensors().size(), 3U);
    EXPECT_EQ(file->metadata().at("k"), "v");
    EXPECT_EQ(file->load("m").shape, matrix_.shape);
    EXPECT_EQ(file->load("m").data, matrix_.data);
    EXPECT_EQ(file->load(name).data, scalar_.data);
    EXPECT_EQ(file->load("none").shape, none_.shape);
}

TEST_F(SafetensorsWrite, AlignsTheData) {
    save_safetensors(path("w.safetensors"), Named{{"m", &matrix_}});
    std::ifstream stream(path("w.safetensors"), std::ios::binary);
    std::uint64_t length = 0;
    stream.read(reinterpret_cast<char*>(&length), sizeof(length));
    EXPECT_EQ(length % 8, 0U);
    EXPECT_EQ(std::filesystem::file_size(path("w.safetensors")), 8 + length + 6 * sizeof(float));
}

TEST_F(SafetensorsWrite, ReplacesAFileAndLeavesNoOther) {
    save_safetensors(path("w.safetensors"), Named{{"m", &matrix_}});
    save_safetensors(path("w.safetensors"), Named{{"s", &scalar_}});
    EXPECT_TRUE(open_checkpoint(path("w.safetensors"))->contains("s"));
    EXPECT_EQ(files(), std::vector<std::string>{"w.safetensors"});
}

TEST_F(SafetensorsWrite, RefusalsLeaveTheOldFile) {
    save_safetensors(path("w.safetensors"), Named{{"m", &matrix_}});
    const auto save = [&](const Named& tensors) { save_safetensors(path("w.safetensors"), tensors); };
    const HostTensor torn{.shape = {2, 2}, .data = {1, 2, 3}};
    expect_error([&] { save({{"t", &torn}}); }, {"[save_safetensors]", "'t'", "[2, 2]", "3 values"});
    expect_error([&] { save({{"t", &scalar_}, {"t", &matrix_}}); }, {"'t' is given twice"});
    expect_error([&] { save({{"__metadata__", &scalar_}}); }, {"'__metadata__' has a reserved name"});
    expect_error([&] { save({{"\xff", &scalar_}}); }, {"not UTF-8"});
    EXPECT_EQ(open_checkpoint(path("w.safetensors"))->load("m").data, matrix_.data);
    EXPECT_EQ(files(), std::vector<std::string>{"w.safetensors"});
}

TEST_F(SafetensorsWrite, FailsCleanlyWhereItCannotWrite) {
    std::filesystem::create_directory(path("taken.safetensors"));
    const Named tensors{{"m", &matrix_}};
    expect_error(
        [&] { save_safetensors(path("taken.safetensors"), tensors); },
        {"taken.safetensors is no file that can be replaced"});
    expect_error([&] { save_safetensors(path("no/w.safetensors"), tensors); }, {"w.safetensors cannot be written"});
    EXPECT_EQ(files(), std::vector<std::string>{"taken.safetensors"});
}

}  // namespace
}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "zoo/safetensors.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "scratch.hpp"

namespace zoo {
namespace {

using testing::bytes_of;
using testing::expect_error;

std::string file_bytes(std::string_view header, std::string_view data = {}) {
    return bytes_of(static_cast<std::uint64_t>(header.size())) + std::string(header) + std::string(data);
}

class Safetensors : public testing::Scratch {
protected:
    std::unique_ptr<Checkpoint> open(std::string_view header, std::string_view data) const {
        return open_safetensors(write("a.safetensors", file_bytes(header, data)));
    }
    void refuse(std::string_view header, std::string_view data, std::initializer_list<std::string_view> parts) const {
        expect_error([&] { (void)open(header, data); }, parts);
        expect_error([&] { (void)open(header, data); }, {"[safetensors]", "a.safetensors"});
    }
};

TEST_F(Safetensors, ReadsNamesShapesAndValues) {
    const auto file = open(
        R"({"b":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]},)"
        R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
        bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6}));
    ASSERT_EQ(file->tensors().size(), 2U);
    EXPECT_EQ(file->tensors()[0].name, "a");
    EXPECT_EQ(file->tensors()[1].dtype, "F32");
    EXPECT_EQ(file->tensors()[1].shape, (Shape{2, 2}));
    EXPECT_EQ(file->load("a").data, (std::vector<float>{1, 2}));
    EXPECT_EQ(file->load("b").data, (std::vector<float>{3, 4, 5, 6}));
    EXPECT_TRUE(file->contains("a"));
    EXPECT_FALSE(file->contains("c"));
    EXPECT_EQ(file->source(), path("a.safetensors").string());
    expect_error([&] { (void)file->load("c"); }, {"[safetensors]", "a.safetensors", "has no tensor 'c'"});
}

TEST_F(Safetensors, KeepsMetadataAndScalars) {
    const auto file = open(
        R"({"__metadata__":{"args":"{}"},"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}   )", bytes_of(7.5F));
    EXPECT_EQ(file->metadata().at("args"), "{}");
    EXPECT_EQ(file->load("s").data, std::vector<float>{7.5F});
    EXPECT_TRUE(file->load("s").shape.empty());
}

TEST_F(Safetensors, TakesEmptyTensorsAndNone) {
    EXPECT_TRUE(open("{}", "")->tensors().empty());
    const auto file = open(R"({"e":{"dtype":"F32","shape":[0,9223372036854775807,4],"data_offsets":[0,0]}})", "");
    EXPECT_TRUE(file->load("e").data.empty());
}

struct DtypeCase {
    const char* dtype;
    std::string bytes;
    std::vector<float> values;
};

class SafetensorsDtype : public Safetensors, public ::testing::WithParamInterface<DtypeCase> {};

TEST_P(SafetensorsDtype, BecomesFloat32) {
    const DtypeCase& c = GetParam();
    // One byte in front of the tensor puts its elements at odd addresses.
    const auto file = open(
        R"({"pad":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"t":{"dtype":")" + std::string(c.dtype) +
            R"(","shape":[)" + std::to_string(c.values.size()) + R"(],"data_offsets":[1,)" +
            std::to_string(1 + c.bytes.size()) + "]}}",
        "x" + c.bytes);
    EXPECT_EQ(file->load("t").data, c.values);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

INSTANTIATE_TEST_SUITE_P(
    All, SafetensorsDtype,
    ::testing::Values(
        // Rounding: 1 + 2^-24 is a tie to even; what is past the largest float by half a step or more is infinite.
        DtypeCase{
            "F64",
            bytes_of(std::vector<double>{0.1, 1 + 0x1p-24, 1e300, -1e300, 0x1.fffffep127, 0x1.ffffffp127}),
            {0.1F, 1.0F, kInfinity, -kInfinity, 0x1.fffffep127F, kInfinity}},
        DtypeCase{"F32", bytes_of(std::vector<float>{-0.25F, 1e-45F}), {-0.25F, 1e-45F}},
        // 1, -2, the largest, the smallest normal, the smallest subnormal, both infinities.
        DtypeCase{
            "F16",
            bytes_of(std::vector<std::uint16_t>{0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x7C00, 0xFC00}),
            {1.0F, -2.0F, 65504.0F, 0x1p-14F, 0x1p-24F, kInfinity, -kInfinity}},
        DtypeCase{
            "BF16",
            bytes_of(std::vector<std::uint16_t>{0x3F80, 0xC000, 0x0001, 0x7F80}),
            {1.0F, -2.0F, 0x1p-133F, kInfinity}},
        DtypeCase{"I64", bytes_of(std::vector<std::int64_t>{-3, 1LL << 40}), {-3.0F, 0x1p40F}},
        DtypeCase{"U64", bytes_of(std::vector<std::uint64_t>{1ULL << 63}), {0x1p63F}},
        DtypeCase{"I32", bytes_of(std::vector<std::int32_t>{-5, 16777217}), {-5.0F, 16777216.0F}},
        DtypeCase{"U32", bytes_of(std::vector<std::uint32_t>{0xFFFFFFFF}), {0x1p32F}},
        DtypeCase{"I16", bytes_of(std::vector<std::int16_t>{-7}), {-7.0F}},
        DtypeCase{"U16", bytes_of(std::vector<std::uint16_t>{65535}), {65535.0F}},
        DtypeCase{"I8", bytes_of(std::vector<std::int8_t>{-8}), {-8.0F}},
        DtypeCase{"U8", bytes_of(std::vector<std::uint8_t>{255, 0}), {255.0F, 0.0F}},
        DtypeCase{"BOOL", bytes_of(std::vector<std::uint8_t>{1, 0, 2}), {1.0F, 0.0F, 1.0F}}),
    [](const auto& tested) { return tested.param.dtype; });

TEST_F(Safetensors, HalfNanStaysNan) {
    const auto file =
        open(R"({"t":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", bytes_of(std::uint16_t{0x7E01}));
    EXPECT_TRUE(std::isnan(file->load("t").data[0]));
}

TEST_F(Safetensors, RefusesWhatIsNoFile) {
    expect_error([&] { (void)open_safetensors(path("none.safetensors")); }, {"none.safetensors", "cannot be opened"});
    expect_error([&] { (void)open_safetensors(directory_); }, {directory_.string(), "is a directory"});
    expect_error([&] { (void)open_safetensors(write("e.safetensors", "")); }, {"e.safetensors", "has 0 bytes", "8"});
    expect_error([&] { (void)open_safetensors(write("s.safetensors", "1234567")); }, {"has 7 bytes"});
}

TEST_F(Safetensors, RefusesBadHeaderLengths) {
    const auto with_length = [&](std::uint64_t length) {
        return open_safetensors(write("a.safetensors", bytes_of(length) + "{}"));
    };
    EXPECT_NO_THROW((void)with_length(2));
    expect_error([&] { (void)with_length(3); }, {"header length 3", "past the end of the file, 10 bytes"});
    expect_error([&] { (void)with_length(100'000'001); }, {"header length 100000001", "limit of 100000000"});
    expect_error([&] { (void)with_length(~std::uint64_t{0}); }, {"header length 18446744073709551615"});
}

TEST_F(Safetensors, RefusesHeadersOfTheWrongForm) {
    refuse("", "", {"header is not JSON"});
    refuse("{\"a\":", "", {"header is not JSON"});
    refuse("{} x", "", {"header is not JSON"});
    refuse("{\"\xff\":1}", "", {"header is not JSON"});
    refuse("[]", "", {"the header holds a list", "must be a JSON object"});
    refuse("7", "", {"the header holds the number 7", "must be a JSON object"});
    refuse(std::string(100'000, '['), "", {"the header holds a list"});
    refuse(R"({"a":1})", "", {"tensor 'a'", "is the number 1", "must be an object"});
    refuse(R"({"a":{}})", "", {"tensor 'a'", "has no dtype"});
    refuse(R"({"a":{"dtype":"F32","shape":[1]}})", "", {"tensor 'a'", "has no data_offsets"});
    refuse(R"({"a":{"dtype":4}})", "", {"tensor 'a'", "dtype holds the number 4"});
    refuse(R"({"a":{"dtype":"F32","kind":1}})", "", {"tensor 'a'", "field 'kind'"});
    refuse(R"({"a":{"shape":[1],"shape":[1]}})", "", {"tensor 'a'", "shape is given twice"});
    refuse(R"({"a":{"shape":[[1]]}})", "", {"tensor 'a'", "shape holds a list"});
    refuse(R"({"a":{"shape":[1.5]}})", "", {"tensor 'a'", "the number '1.5'"});
    refuse(R"({"a":{"shape":[9223372036854775808]}})", "", {"tensor 'a'", "the number 9223372036854775808"});
    refuse(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", "1234", {"data_offsets has 3 items"});
    refuse(R"({"__metadata__":{"k":1}})", "", {"metadata 'k'", "the number 1", "must be a string"});
    refuse(R"({"__metadata__":{"k":"1","k":"2"}})", "", {"metadata key 'k' is given twice"});
    std::string long_shape = R"({"a":{"shape":[1)";
    for (int i = 0; i < 64; ++i) {
        long_shape += ",1";
    }
    refuse(long_shape + "]}}", "", {"tensor 'a'", "more than 64 items"});
}

TEST_F(Safetensors, RefusesDuplicateNames) {
    refuse(
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
        "12", {"tensor 'a' is given twice"});
}

TEST_F(Safetensors, RefusesBadOffsets) {
    const auto entry = [](std::string_view offsets, std::string_view shape = "[2]") {
        return R"({"a":{"dtype":"F32","shape":)" + std::string(shape) + R"(,"data_offsets":)" + std::string(offsets) +
               "}}";
    };
    const std::string data(8, 'x');
    EXPECT_NO_THROW((void)open(entry("[0,8]"), data));
    refuse(entry("[-4,4]"), data, {"tensor 'a'", "data_offsets holds the negative number -4"});
    refuse(entry("[8,0]"), data, {"tensor 'a'", "[8, 0)", "must ascend"});
    refuse(entry("[0,12]"), data, {"tensor 'a'", "[0, 12)", "8 bytes of data"});
    refuse(entry("[9223372036854775800,9223372036854775807]"), data, {"tensor 'a'", "8 bytes of data"});
    refuse(entry("[0,8]", "[3]"), data, {"tensor 'a'", "hold 8 bytes", "F32 [3] needs 3 elements of 4 bytes"});
    refuse(entry("[0,8]", "[4294967296,4294967296]"), data, {"tensor 'a'", "more than 2^63 - 1 elements"});
    refuse(entry("[0,8]", "[4611686018427387906]"), data, {"tensor 'a'", "needs 4611686018427387906 elements"});
    refuse(entry("[0,8]", "[-2]"), data, {"tensor 'a'", "shape holds the negative number -2"});
    refuse(entry("[4,8]", "[1]"), data, {"tensor 'a'", "begins at 4", "gaps"});
    refuse(entry("[0,4]", "[1]"), data, {"end at 4 of 8 bytes", "none may be left over"});
    refuse(entry("[0,8]"), data.substr(1), {"tensor 'a'", "[0, 8)", "7 bytes of data"});
}

TEST_F(Safetensors, RefusesOverlap) {
    refuse(
        R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
        "123456", {"tensor 'b'", "begins at 2", "inside another tensor that ends at 4"});
}

TEST_F(Safetensors, RefusesAnUnknownDtypeUnlessIgnored) {
    const std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                               R"("w.scale":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[1,2]}})";
    refuse(header, "12", {"tensor 'w.scale'", "dtype 'F8_E4M3' is not known", "F64 F32"});
    const auto file = open_safetensors(path("a.safetensors"), {"*.scale"});
    EXPECT_TRUE(file->contains("a"));
    EXPECT_FALSE(file->contains("w.scale"));
}

TEST_F(Safetensors, KeepsHostileNamesOffTheTerminal) {
    refuse(R"({"\u001b[31m)" + std::string(5000, 'n') + R"(":1})", "", {"\\x1b[31mnnn", "...'"});
}

TEST_F(Safetensors, ReadsWhatTheRealLibraryWrote) {
    const auto file = open_safetensors(std::filesystem::path(ZOO_TEST_DATA_DIR) / "golden" / "binary.add.safetensors");
    ASSERT_TRUE(file->contains("out"));
    EXPECT_TRUE(file->metadata().contains("args"));
    EXPECT_EQ(file->load("in0").shape, file->load("out").shape);
    EXPECT_EQ(file->load("out").size(), element_count(file->load("out").shape));
}

}  // namespace
}  // namespace zoo

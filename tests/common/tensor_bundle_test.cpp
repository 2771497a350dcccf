// SPDX-License-Identifier: Apache-2.0
#include "zoo/tensor_bundle.hpp"

#include "bundle_writer.hpp"
#include "scratch.hpp"
#include "zoo/random.hpp"

namespace zoo {
namespace {

using testing::BundleEntry;
using testing::bytes_of;
using testing::entry_message;
using testing::expect_error;
using testing::header_message;
using testing::TableEntries;

class TensorBundle : public testing::Scratch {
protected:
    // Data file: F32 [2, 3] kernel, F32 [3] bias, I64 step.
    void SetUp() override {
        Scratch::SetUp();
        data_ = bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6}) + bytes_of(std::vector<float>{7, 8, 9}) +
                bytes_of(std::int64_t{12});
        write("variables.data-00000-of-00001", data_);
        kernel_ = {.dtype = 1, .shape = {2, 3}, .offset = 0, .size = 24, .checksum = crc(0, 24)};
        bias_ = {.dtype = 1, .shape = {3}, .offset = 24, .size = 12, .checksum = crc(24, 12)};
        step_ = {.dtype = 9, .shape = {}, .offset = 36, .size = 8, .checksum = crc(36, 8)};
    }

    [[nodiscard]] std::uint32_t crc(std::size_t offset, std::size_t size) const {
        return testing::masked_crc32c(std::string_view(data_).substr(offset, size));
    }

    [[nodiscard]] TableEntries good() const {
        return {
            {"", header_message(1)},
            {"model/dense/bias", entry_message(bias_)},
            {"model/dense/kernel", entry_message(kernel_)},
            {"step", entry_message(step_)}};
    }

    std::unique_ptr<Checkpoint> open(
        const TableEntries& entries, const testing::TableOptions& options = {},
        const std::vector<std::string>& ignored = {}) const {
        write("variables.index", testing::table(entries, options));
        return open_tensor_bundle(path("variables"), ignored);
    }
    void refuse(const TableEntries& entries, std::initializer_list<std::string_view> parts) const {
        expect_error([&] { (void)open(entries); }, {"[tensor_bundle]", "variables.index"});
        expect_error([&] { (void)open(entries); }, parts);
    }
    void refuse_entry(const BundleEntry& entry, std::initializer_list<std::string_view> parts) const {
        expect_error([&] { (void)open({{"", header_message(1)}, {"t", entry_message(entry)}}); }, {"tensor 't'"});
        refuse({{"", header_message(1)}, {"t", entry_message(entry)}}, parts);
    }

    std::string data_;
    BundleEntry kernel_;
    BundleEntry bias_;
    BundleEntry step_;
};

TEST(BundleWriter, ChecksumMatchesTheKnownAnswer) {
    // CRC-32C of "123456789" is 0xE3069283 in every catalogue; masking undone here.
    const std::uint32_t rotated = testing::masked_crc32c("123456789") - 0xA282EAD8U;
    EXPECT_EQ(rotated >> 17U | rotated << 15U, 0xE3069283U);
}

TEST_F(TensorBundle, ReadsNamesShapesAndValues) {
    for (const std::size_t entries_per_block : {1, 2, 100}) {
        const auto bundle = open(good(), {.entries_per_block = entries_per_block});
        ASSERT_EQ(bundle->tensors().size(), 3U);
        EXPECT_EQ(bundle->tensors()[1].name, "model/dense/kernel");
        EXPECT_EQ(bundle->tensors()[2].dtype, "I64");
        EXPECT_EQ(bundle->load("model/dense/kernel").shape, (Shape{2, 3}));
        EXPECT_EQ(bundle->load("model/dense/kernel").data, (std::vector<float>{1, 2, 3, 4, 5, 6}));
        EXPECT_EQ(bundle->load("model/dense/bias").data, (std::vector<float>{7, 8, 9}));
        EXPECT_EQ(bundle->load("step").data, std::vector<float>{12});
        expect_error([&] { (void)bundle->load("x"); }, {"variables.index", "has no tensor 'x'"});
    }
}

TEST_F(TensorBundle, ReadsSeveralShards) {
    write("variables.data-00000-of-00002", data_.substr(0, 24));
    write("variables.data-00001-of-00002", data_.substr(24));
    bias_.shard = 1;
    bias_.offset = 0;
    const auto bundle =
        open({{"", header_message(2)}, {"bias", entry_message(bias_)}, {"kernel", entry_message(kernel_)}});
    EXPECT_EQ(bundle->load("bias").data, (std::vector<float>{7, 8, 9}));
    EXPECT_EQ(bundle->load("kernel").data[5], 6.0F);
}

TEST_F(TensorBundle, SkipsTheObjectGraphAndWhatIsIgnored) {
    const std::string text = entry_message({.dtype = 7, .shape = {}, .size = 4});
    const auto bundle =
        open({{"", header_message(1)}, {"_CHECKPOINTABLE_OBJECT_GRAPH", text}, {"names/vocab", text}}, {}, {"names/*"});
    EXPECT_TRUE(bundle->tensors().empty());
}

TEST_F(TensorBundle, ChecksLargeTensors) {
    // Past the size at which the checksum changes its method, and no multiple of 8 bytes.
    const HostTensor large = Random(1).normal({10'001}, 0.0F, 1.0F);
    data_ = bytes_of(large.data);
    write("variables.data-00000-of-00001", data_);
    BundleEntry entry{.dtype = 1, .shape = large.shape, .size = data_.size(), .checksum = crc(0, data_.size())};
    EXPECT_EQ(open({{"", header_message(1)}, {"t", entry_message(entry)}})->load("t").data, large.data);
    ++*entry.checksum;
    const auto damaged = open({{"", header_message(1)}, {"t", entry_message(entry)}});
    expect_error([&] { (void)damaged->load("t"); }, {"tensor 't'", "checksum does not fit its 40004 bytes"});
}

TEST_F(TensorBundle, RefusesDamagedData) {
    ++*kernel_.checksum;
    const auto bundle = open(good());
    expect_error(
        [&] { (void)bundle->load("model/dense/kernel"); },
        {"tensor 'model/dense/kernel'", "checksum does not fit its 24 bytes"});
}

TEST_F(TensorBundle, RefusesMissingFiles) {
    expect_error([&] { (void)open_tensor_bundle(path("none")); }, {"none.index", "cannot be opened"});
    refuse_entry({.dtype = 1, .shape = {3}, .shard = 1, .size = 12}, {"shard 1 of 1"});
    expect_error([&] { (void)open({{"", header_message(2)}}); }, {"variables.data-00000-of-00002", "cannot be opened"});
}

TEST_F(TensorBundle, RefusesBadHeaders) {
    refuse({}, {"table is empty"});
    refuse({{"step", entry_message(step_)}}, {"first key is 'step'", "must be empty"});
    refuse({{"", header_message(0)}}, {"has 0 shards"});
    refuse({{"", header_message(std::uint64_t{1} << 60U)}}, {"has 1152921504606846976 shards"});
    refuse({{"", header_message(1, 1)}}, {"endianness is 1"});
    refuse({{"", "\xff"}}, {"header of the bundle is malformed"});
}

TEST_F(TensorBundle, RefusesBadEntries) {
    refuse_entry({.dtype = 7, .shape = {1}, .size = 4}, {"data type 7 is not known", "F64 F32"});
    refuse_entry({.dtype = 1, .shape = {3}, .size = 12, .sliced = true}, {"stored in slices"});
    refuse_entry(
        {.dtype = 1, .shape = {3}, .offset = 40, .size = 12}, {"offset 40 and size 12", "44 bytes of shard 0"});
    refuse_entry({.dtype = 1, .shape = {3}, .offset = ~std::uint64_t{0}, .size = 12}, {"run past"});
    refuse_entry({.dtype = 1, .shape = {3}, .size = ~std::uint64_t{0}}, {"run past"});
    refuse_entry({.dtype = 1, .shape = {4}, .size = 12}, {"has 12 bytes", "F32 [4] needs 4 elements of 4 bytes"});
    refuse_entry({.dtype = 1, .shape = {-3}, .size = 12}, {"shape [-3]", "negative"});
    refuse_entry({.dtype = 1, .shape = {1LL << 40, 1LL << 40}, .size = 12}, {"more than 2^63 - 1 elements"});
    refuse_entry({.dtype = 1, .shape = {1LL << 62}, .size = 0}, {"needs 4611686018427387904 elements"});
    refuse_entry({.dtype = 1, .shape = std::vector<std::int64_t>(65, 1), .size = 4}, {"more than 64 dimensions"});
    refuse({{"", header_message(1)}, {"t", "\x08"}}, {"tensor 't'", "entry is malformed"});
    refuse({{"", header_message(1)}, {"t", std::string("\x12\x01\x07", 3)}}, {"tensor 't'", "shape is malformed"});
    refuse(
        {{"", header_message(1)}, {"a", entry_message(kernel_)}, {"b", entry_message(kernel_)}},
        {"overlaps the data of 'a'"});
}

TEST_F(TensorBundle, RefusesBadTables) {
    const std::string whole = testing::table(good());
    const auto refuse_bytes = [&](const std::string& bytes, std::string_view part) {
        write("variables.index", bytes);
        expect_error(
            [&] { (void)open_tensor_bundle(path("variables")); }, {"[tensor_bundle]", "variables.index", part});
    };
    refuse_bytes("", "has 0 bytes; the footer");
    refuse_bytes(whole.substr(1), "runs past");
    refuse_bytes(whole.substr(0, whole.size() - 1), "magic number");
    std::string flipped = whole;
    flipped[3] = static_cast<char>(flipped[3] ^ 1);
    refuse_bytes(flipped, "checksum of the block at 0");
    std::string footer = whole;
    footer.replace(footer.size() - 48, 40, std::string(40, '\xff'));
    refuse_bytes(footer, "meta index is cut short");
    refuse({{"", header_message(1)}, {"b", entry_message(bias_)}, {"a", entry_message(kernel_)}}, {"'a' follows 'b'"});
    refuse({{"", header_message(1)}, {"b", entry_message(bias_)}, {"b", entry_message(kernel_)}}, {"'b' follows 'b'"});
    refuse({{"", header_message(1)}, {std::string(1025, 'k'), entry_message(bias_)}}, {"a key has at most 1024"});
    expect_error([&] { (void)open(good(), {.compression = 1}); }, {"block at", "compression 1", "only 0"});
    expect_error([&] { (void)open(good(), {.damage = [](std::string& block) { block = "\x01"; }}); }, {"1 bytes"});
    expect_error(
        [&] { (void)open(good(), {.damage = [](std::string& block) { block.back() = '\x7f'; }}); }, {"restart points"});
}

TEST_F(TensorBundle, DamagedFilesLoadOrThrowError) {
    Random random(7);
    int loaded = 0;
    for (int round = 0; round < 4000; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        const auto damage = [&](std::string& bytes) {
            const auto at = static_cast<std::size_t>(random.integer(0, std::ssize(bytes) - 1));
            switch (random.integer(0, 5)) {
                case 0:
                    bytes.resize(at + 1);
                    break;
                case 1:
                    bytes.insert(at, bytes.substr(at, static_cast<std::size_t>(random.integer(1, 40))));
                    break;
                case 2:
                    bytes[at] = '\xff';
                    break;
                default:
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.integer(0, 7)));
                    break;
            }
        };
        std::string bytes;
        if (round % 4 == 0) {
            bytes = testing::table(good());
            damage(bytes);
        } else {
            bytes = testing::table(good(), {.damage = [&](std::string& block) {
                                       if (random.integer(0, 2) == 0) {
                                           damage(block);
                                       }
                                   }});
        }
        write("variables.index", bytes);
        try {
            const auto bundle = open_tensor_bundle(path("variables"));
            for (const TensorInfo& info : bundle->tensors()) {
                (void)bundle->load(info.name);
            }
            ++loaded;
        } catch (const Error&) {
        }
    }
    EXPECT_GT(loaded, 400);
    EXPECT_LT(loaded, 3500);
}

}  // namespace
}  // namespace zoo

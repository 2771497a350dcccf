// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "scratch.hpp"
#include "zoo/random.hpp"
#include "zoo/safetensors.hpp"

namespace zoo {
namespace {

class SafetensorsFuzz : public testing::Scratch {};

// Opens and loads everything: success and zoo::Error are the only outcomes.
bool survives(const std::filesystem::path& file) {
    try {
        const auto checkpoint = open_safetensors(file);
        for (const TensorInfo& info : checkpoint->tensors()) {
            (void)checkpoint->load(info.name);
        }
        return true;
    } catch (const Error&) {
        return false;
    }
}

// What a fuzzer would do to a header: change, insert, repeat or cut a few bytes; digits and brackets are favourites.
std::string mutate(std::string bytes, Random& random) {
    static constexpr std::string_view kLetters = "0123456789-+.eE[]{},:\"\\ ";
    const std::int64_t edits = random.integer(1, 3);
    for (std::int64_t edit = 0; edit < edits && !bytes.empty(); ++edit) {
        const auto at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(bytes.size()) - 1));
        const auto letter = kLetters[static_cast<std::size_t>(random.integer(0, std::ssize(kLetters) - 1))];
        switch (random.integer(0, 9)) {
            case 1:
                bytes[at] = letter;
                break;
            case 2:
                bytes.insert(at, 1, letter);
                break;
            case 3:
                bytes.erase(at, 1);
                break;
            case 4:
                bytes.insert(at, bytes.substr(at, static_cast<std::size_t>(random.integer(1, 80))));
                break;
            case 0:
                bytes.resize(at);
                break;
            default:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.integer(0, 7)));
                break;
        }
    }
    return bytes;
}

TEST_F(SafetensorsFuzz, DamagedFilesLoadOrThrowError) {
    const std::string header =
        R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
        R"("b":{"dtype":"BF16","shape":[4],"data_offsets":[24,32]},)"
        R"("c":{"dtype":"I64","shape":[],"data_offsets":[32,40]}})";
    const std::string data(40, '\x3f');
    const std::string whole = testing::bytes_of(static_cast<std::uint64_t>(header.size())) + header + data;
    ASSERT_TRUE(survives(write("f.safetensors", whole)));

    Random random(20240817);
    int loaded = 0;
    for (int round = 0; round < 6000; ++round) {
        std::string damaged;
        if (round % 2 == 0) {
            damaged = mutate(whole, random);
        } else {
            // With the length made to fit again, so that the damage gets past the first check.
            const std::string text = mutate(header, random);
            damaged = testing::bytes_of(static_cast<std::uint64_t>(text.size())) + text + data;
        }
        SCOPED_TRACE("round " + std::to_string(round));
        ASSERT_NO_FATAL_FAILURE(loaded += survives(write("f.safetensors", damaged)) ? 1 : 0);
    }
    // Flips within values and names are harmless; if nothing or everything loaded, the damage would not be real.
    EXPECT_GT(loaded, 100);
    EXPECT_LT(loaded, 5000);
}

}  // namespace
}  // namespace zoo

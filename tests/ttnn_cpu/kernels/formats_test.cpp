// SPDX-License-Identifier: Apache-2.0
#include "kernels/formats.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/formats_impl.hpp"
#include "kernels/simd.hpp"
#include "support/golden_file.hpp"
#include "support/printed_name.hpp"

namespace ttnn_cpu::kernels {
namespace {

using zoo::testing::golden_names;
using zoo::testing::read_golden;

struct Block {
    std::vector<std::uint8_t> magnitudes;
    std::vector<std::uint8_t> exponents;
};

using Pack = void (*)(const float*, std::size_t, std::uint8_t*, std::uint8_t*);
using Unpack = void (*)(const std::uint8_t*, const std::uint8_t*, std::size_t, float*);

std::vector<float> round_trip(const std::vector<float>& in, Pack pack, Unpack unpack) {
    Block block{std::vector<std::uint8_t>(in.size()), std::vector<std::uint8_t>(in.size() / 16)};
    std::vector<float> out(in.size());
    pack(in.data(), in.size(), block.magnitudes.data(), block.exponents.data());
    unpack(block.magnitudes.data(), block.exponents.data(), in.size(), out.data());
    return out;
}

// Rows of the file are a multiple of 16 wide, so the groups of the flat data are the groups of the rows.
void expect_same_bits(const std::vector<float>& actual, const std::vector<float>& expected, const std::string& name) {
    ASSERT_EQ(actual.size(), expected.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (std::bit_cast<std::uint32_t>(actual[i]) != std::bit_cast<std::uint32_t>(expected[i]) && different++ < 5) {
            ADD_FAILURE() << name << " [" << i << "]: " << actual[i] << ", the card has " << expected[i];
        }
    }
    EXPECT_EQ(different, 0U) << name;
}

std::vector<float> random_values(std::size_t n, int exponent_spread) {
    std::mt19937 generator(7);
    std::normal_distribution<float> normal;
    std::uniform_int_distribution<int> exponent(-exponent_spread, exponent_spread);
    std::vector<float> values(n);
    for (float& value : values) {
        value = std::ldexp(normal(generator), exponent(generator));
    }
    return values;
}

TEST(Formats, HostPackBfloat16MatchesGolden) {
    const auto golden = read_golden("format.host_pack.BFLOAT16");
    const auto& in = golden.at("in0").values;
    std::vector<std::uint16_t> packed(in.size());
    std::vector<float> out(in.size());
    host_pack_bf16(in.data(), in.size(), packed.data());
    unpack_bf16(packed.data(), in.size(), out.data());
    expect_same_bits(out, golden.at("out").values, "BFLOAT16");
}

struct GoldenCase {
    const char* prefix;
    Pack pack;
    Unpack unpack;
};
void PrintTo(const GoldenCase& test, std::ostream* out) { *out << test.prefix; }

class FormatsGolden : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(FormatsGolden, MatchesBitForBit) {
    const auto names = golden_names(GetParam().prefix);
    ASSERT_EQ(names.size(), 3U) << "normal, special and wide";
    for (const std::string& name : names) {
        const auto golden = read_golden(name);
        expect_same_bits(
            round_trip(golden.at("in0").values, GetParam().pack, GetParam().unpack), golden.at("out").values, name);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, FormatsGolden,
    ::testing::Values(
        GoldenCase{"format.host_pack.BFLOAT8_B", host_pack_bfp8, unpack_bfp8},
        GoldenCase{"format.host_pack.BFLOAT4_B", host_pack_bfp4, unpack_bfp4},
        GoldenCase{"format.typecast.BFLOAT16_to_BFLOAT8_B", pack_bfp8_precise, unpack_bfp8},
        GoldenCase{"format.typecast.BFLOAT16_to_BFLOAT4_B", pack_bfp4, unpack_bfp4}),
    zoo::test::printed_name);

TEST(Formats, Bf16RoundingRules) {
    const float tie = std::bit_cast<float>(0x3F808000U);  // halfway between 0x3F80 (even) and 0x3F81
    const float above_tie = std::bit_cast<float>(0x3F808001U);
    const float denormal = std::bit_cast<float>(0x00400000U);
    const float nan = -std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(bf16_round_even(tie), 0x3F80);
    EXPECT_EQ(bf16_round_away(tie), 0x3F81);
    EXPECT_EQ(bf16_truncate(above_tie), 0x3F80);
    EXPECT_EQ(bf16_round_even(above_tie), 0x3F81);
    EXPECT_EQ(bf16_round_even(nan), 0x7FC0);
    EXPECT_EQ(bf16_round_away(nan), 0xFF80);
    EXPECT_EQ(bf16_round_even(denormal), 0x0040);
    EXPECT_EQ(bf16_round_away(-denormal), 0x0000);
    EXPECT_EQ(bf16_round_even(std::numeric_limits<float>::max()), 0x7F80);
}

TEST(Formats, VectorFormsEqualScalarForms) {
    auto values = random_values(4099, 60);  // an odd length has a remainder after any vector width
    values[3] = std::numeric_limits<float>::infinity();
    values[4] = -std::numeric_limits<float>::quiet_NaN();
    values[5] = -std::bit_cast<float>(0x00000123U);
    values[6] = -0.0F;
    values[7] = std::numeric_limits<float>::max();
    std::vector<std::uint16_t> host(values.size());
    std::vector<std::uint16_t> device(values.size());
    host_pack_bf16(values.data(), values.size(), host.data());
    pack_bf16(values.data(), values.size(), device.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(host[i], bf16_round_even(values[i])) << i;
        ASSERT_EQ(device[i], bf16_round_away(values[i])) << i;
    }
}

TEST(Formats, BlockFormsFromBf16EqualThoseFromFloat) {
    const auto values = random_values(1024, 5);
    std::vector<std::uint16_t> bf16(values.size());
    std::vector<float> exact(values.size());
    host_pack_bf16(values.data(), values.size(), bf16.data());
    unpack_bf16(bf16.data(), bf16.size(), exact.data());
    for (int form = 0; form < 3; ++form) {
        Block a{std::vector<std::uint8_t>(1024), std::vector<std::uint8_t>(64)};
        Block b = a;
        if (form == 0) {
            pack_bfp8(exact.data(), 1024, a.magnitudes.data(), a.exponents.data());
            pack_bfp8(bf16.data(), 1024, b.magnitudes.data(), b.exponents.data());
        } else if (form == 1) {
            pack_bfp8_precise(exact.data(), 1024, a.magnitudes.data(), a.exponents.data());
            pack_bfp8_precise(bf16.data(), 1024, b.magnitudes.data(), b.exponents.data());
        } else {
            pack_bfp4(exact.data(), 1024, a.magnitudes.data(), a.exponents.data());
            pack_bfp4(bf16.data(), 1024, b.magnitudes.data(), b.exponents.data());
        }
        EXPECT_EQ(a.magnitudes, b.magnitudes) << form;
        EXPECT_EQ(a.exponents, b.exponents) << form;
    }
}

TEST(Formats, EveryBlockCodeUnpacksToItsValue) {
    for (int exponent = 0; exponent < 256; ++exponent) {
        std::vector<std::uint8_t> codes(256);
        for (int i = 0; i < 256; ++i) {
            codes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
        }
        const std::vector<std::uint8_t> exponents(16, static_cast<std::uint8_t>(exponent));
        std::vector<float> out(256);
        std::vector<std::uint16_t> bf16(256);
        unpack_bfp8(codes.data(), exponents.data(), 256, out.data());
        unpack_bfp8_to_bf16(codes.data(), exponents.data(), 256, bf16.data());
        for (int i = 0; i < 256; ++i) {
            const double magnitude = std::ldexp(i & 127, exponent - 127 - 6);
            const bool representable = magnitude >= std::ldexp(1.0, -126) && magnitude < std::ldexp(1.0, 128);
            const double value = (i & 128) != 0 ? -magnitude : magnitude;
            const auto index = static_cast<std::size_t>(i);
            if (magnitude == 0.0 || magnitude < std::ldexp(1.0, -126)) {
                ASSERT_EQ(out[index], 0.0F) << exponent << " " << i;
            } else if (representable) {
                ASSERT_EQ(out[index], value) << exponent << " " << i;
            }
            ASSERT_EQ(bf16[index], bf16_truncate(out[index]));
        }
    }
}

template <typename Value>
void expect_same_packing(
    void (*a)(const Value*, std::size_t, std::uint8_t*, std::uint8_t*),
    void (*b)(const Value*, std::size_t, std::uint8_t*, std::uint8_t*), const std::vector<Value>& in) {
    Block first{std::vector<std::uint8_t>(in.size()), std::vector<std::uint8_t>(in.size() / 16)};
    Block second = first;
    a(in.data(), in.size(), first.magnitudes.data(), first.exponents.data());
    b(in.data(), in.size(), second.magnitudes.data(), second.exponents.data());
    EXPECT_EQ(first.magnitudes, second.magnitudes);
    EXPECT_EQ(first.exponents, second.exponents);
}

TEST(Formats, Avx512EqualsPortable) {
    if (!cpu_has_avx512()) {
        GTEST_SKIP() << "this CPU has no AVX-512";
    }
    // Every bfloat16 in a shuffled order, then random float32 bits: all exponents, infinities, NaN and denormals.
    std::mt19937 generator(11);
    std::vector<std::uint16_t> bf16(65536);
    for (std::size_t i = 0; i < bf16.size(); ++i) {
        bf16[i] = static_cast<std::uint16_t>(i * 40503U);
    }
    std::vector<float> floats(65536);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        const auto exponent = static_cast<std::uint32_t>(100 + (i / 64) % 156);
        const std::uint32_t near = (exponent + static_cast<std::uint32_t>(generator()) % 12) % 256;
        floats[i] = std::bit_cast<float>((static_cast<std::uint32_t>(generator()) & 0x807FFFFFU) | (near << 23));
    }
    expect_same_packing<float>(portable::host_pack_bfp8, avx512::host_pack_bfp8, floats);
    expect_same_packing<float>(portable::host_pack_bfp4, avx512::host_pack_bfp4, floats);
    expect_same_packing<float>(portable::pack_bfp8, avx512::pack_bfp8, floats);
    expect_same_packing<float>(portable::pack_bfp8_precise, avx512::pack_bfp8_precise, floats);
    expect_same_packing<float>(portable::pack_bfp4, avx512::pack_bfp4, floats);
    expect_same_packing<std::uint16_t>(portable::pack_bfp8, avx512::pack_bfp8, bf16);
    expect_same_packing<std::uint16_t>(portable::pack_bfp8_precise, avx512::pack_bfp8_precise, bf16);
    expect_same_packing<std::uint16_t>(portable::pack_bfp4, avx512::pack_bfp4, bf16);

    std::vector<std::uint8_t> bytes(65536);
    std::vector<std::uint8_t> exponents(4096);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(generator());
        exponents[i / 16] = static_cast<std::uint8_t>(i / 16);
    }
    std::vector<std::uint16_t> a(bytes.size());
    std::vector<std::uint16_t> b(bytes.size());
    portable::unpack_bfp8_to_bf16(bytes.data(), exponents.data(), bytes.size(), a.data());
    avx512::unpack_bfp8_to_bf16(bytes.data(), exponents.data(), bytes.size(), b.data());
    EXPECT_EQ(a, b);
    portable::unpack_bfp4_to_bf16(bytes.data(), exponents.data(), bytes.size(), a.data());
    avx512::unpack_bfp4_to_bf16(bytes.data(), exponents.data(), bytes.size(), b.data());
    EXPECT_EQ(a, b);
    for (const std::size_t n : {65536, 65521, 7}) {  // tails of every kind
        portable::host_pack_bf16(floats.data(), n, a.data());
        avx512::host_pack_bf16(floats.data(), n, b.data());
        EXPECT_EQ(a, b);
        portable::pack_bf16(floats.data(), n, a.data());
        avx512::pack_bf16(floats.data(), n, b.data());
        EXPECT_EQ(a, b);
    }
    std::vector<float> c(65521);
    std::vector<float> d(65521);
    portable::unpack_bf16(bf16.data(), c.size(), c.data());
    avx512::unpack_bf16(bf16.data(), d.size(), d.data());
    expect_same_bits(c, d, "unpack_bf16");
}

// The two packing rules differ, and each only from its own file passes.
TEST(Formats, HostAndDeviceRulesDiffer) {
    const auto golden = read_golden("format.typecast.BFLOAT16_to_BFLOAT8_B.normal");
    const auto host = round_trip(golden.at("in0").values, host_pack_bfp8, unpack_bfp8);
    const auto device = round_trip(golden.at("in0").values, pack_bfp8, unpack_bfp8);
    EXPECT_NE(host, golden.at("out").values);
    EXPECT_NE(device, golden.at("out").values);
}

}  // namespace
}  // namespace ttnn_cpu::kernels

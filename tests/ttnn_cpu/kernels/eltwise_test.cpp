// SPDX-License-Identifier: Apache-2.0
#include "kernels/eltwise.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/formats.hpp"
#include "support/golden_file.hpp"
#include "support/printed_name.hpp"

namespace ttnn_cpu::kernels {
namespace {

using zoo::testing::GoldenTensor;
using zoo::testing::read_golden;

BinaryFunction function_named(const std::string& name) {
    if (name == "add") {
        return BinaryFunction::Add;
    }
    if (name == "subtract") {
        return BinaryFunction::Sub;
    }
    return name == "divide" ? BinaryFunction::Div : BinaryFunction::Mul;
}

std::vector<std::uint16_t> on_device(const GoldenTensor& tensor, const std::string& dtype) {
    const std::size_t n = tensor.values.size();
    std::vector<std::uint16_t> bf16(n);
    if (dtype == "BFLOAT8_B") {
        std::vector<std::uint8_t> magnitudes(n);
        std::vector<std::uint8_t> exponents(n / 16);
        host_pack_bfp8(tensor.values.data(), n, magnitudes.data(), exponents.data());
        unpack_bfp8_to_bf16(magnitudes.data(), exponents.data(), n, bf16.data());
    } else {
        host_pack_bf16(tensor.values.data(), n, bf16.data());
    }
    return bf16;
}

class EltwiseGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(EltwiseGolden, MatchesBitForBit) {
    const auto golden = read_golden(GetParam());
    const std::string both = golden.args.value("dtype", "BFLOAT16");
    const auto a = on_device(golden.at("in0"), golden.args.value("dtype0", both));
    const auto b = on_device(golden.at("in1"), golden.args.value("dtype1", both));
    const std::size_t columns = golden.at("in0").shape.back();
    std::vector<std::uint16_t> out(a.size());
    const BinaryFunction function = function_named(golden.args.at("op"));
    for (std::size_t start = 0; start < a.size(); start += columns) {
        binary_bf16(function, &a[start], &b[b.size() == a.size() ? start : 0], columns, &out[start]);
    }
    std::vector<float> result(out.size());
    unpack_bf16(out.data(), out.size(), result.data());
    if (both == "BFLOAT8_B") {
        std::vector<std::uint8_t> magnitudes(out.size());
        std::vector<std::uint8_t> exponents(out.size() / 16);
        pack_bfp8(out.data(), out.size(), magnitudes.data(), exponents.data());
        unpack_bfp8(magnitudes.data(), exponents.data(), out.size(), result.data());
    }
    EXPECT_EQ(result, golden.at("out").values);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, EltwiseGolden,
    ::testing::Values(
        "binary.add", "binary.add.bf16_bf8", "binary.add.bf8_bf8", "binary.add.row_broadcast", "binary.subtract",
        "binary.subtract.row_broadcast", "binary.multiply", "binary.multiply.row_broadcast", "binary.divide",
        "binary.divide.row_broadcast"),
    zoo::test::printed_name);

TEST(Eltwise, ScalarMultiplyMatchesGolden) {
    const auto golden = read_golden("binary.multiply.scalar");
    const auto a = on_device(golden.at("in0"), "BFLOAT16");
    std::vector<std::uint16_t> out(a.size());
    binary_bf16(BinaryFunction::Mul, a.data(), bf16_round_even(0.125F), a.size(), out.data());
    std::vector<float> result(out.size());
    unpack_bf16(out.data(), out.size(), result.data());
    EXPECT_EQ(result, golden.at("out").values);
}

class EltwiseVector : public ::testing::TestWithParam<BinaryFunction> {};

// Random patterns (zeros, denormals, infinities, NaN, all exponents) and pairs of near exponents, where alignment
// rounds.
TEST_P(EltwiseVector, EqualsThePlainDefinition) {
    std::mt19937 generator(3);
    std::vector<std::uint16_t> a(40003);
    std::vector<std::uint16_t> b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<std::uint16_t>(generator());
        b[i] = static_cast<std::uint16_t>(generator());
        if (i > a.size() / 2) {  // no special patterns in the second half, so that the quick path runs
            a[i] = static_cast<std::uint16_t>((a[i] & 0x807F) | ((100 + generator() % 60) << 7));
            b[i] = static_cast<std::uint16_t>((b[i] & 0x807F) | ((100 + generator() % 60) << 7));
        }
        if (i % 2 == 0) {
            const int exponent = static_cast<int>((a[i] >> 7) & 0xFF) + static_cast<int>(generator() % 29) - 14;
            b[i] = static_cast<std::uint16_t>((b[i] & 0x807F) | ((exponent & 0xFF) << 7));
        }
        if (i % 64 == 5) {
            b[i] = static_cast<std::uint16_t>(a[i] ^ 0x8000);
        }
        if (i % 64 == 6) {
            (i % 128 == 6 ? a : b)[i] = 0;
        }
    }
    const BinaryFunction function = GetParam();
    std::vector<std::uint16_t> out(a.size());
    binary_bf16(function, a.data(), b.data(), a.size(), out.data());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(out[i], binary_bf16(function, a[i], b[i])) << std::hex << a[i] << " op " << b[i];
    }
    binary_bf16(function, a.data(), b[7], a.size(), out.data());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(out[i], binary_bf16(function, a[i], b[7])) << std::hex << a[i] << " op " << b[7];
    }
    binary_bf16(function, a[9], b.data(), a.size(), out.data());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(out[i], binary_bf16(function, a[9], b[i])) << std::hex << a[9] << " op " << b[i];
    }
}

TEST_P(EltwiseVector, EveryPairOfSignificands) {
    const BinaryFunction function = GetParam();
    for (const std::uint32_t exponent : {127U, 128U, 131U}) {
        for (std::uint32_t x = 0; x < 128; ++x) {
            std::vector<std::uint16_t> b(128);
            std::vector<std::uint16_t> out(128);
            for (std::uint32_t y = 0; y < 128; ++y) {
                b[y] = static_cast<std::uint16_t>((127U << 7) | y);
            }
            const auto a = static_cast<std::uint16_t>((exponent << 7) | x);
            binary_bf16(function, a, b.data(), 128, out.data());
            for (std::uint32_t y = 0; y < 128; ++y) {
                ASSERT_EQ(out[y], binary_bf16(function, a, b[y])) << x << " " << y;
            }
        }
    }
}

std::string function_name(const ::testing::TestParamInfo<BinaryFunction>& info) {
    constexpr const char* kNames[] = {"Add", "Sub", "Mul", "Div"};
    return kNames[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(
    Functions, EltwiseVector,
    ::testing::Values(BinaryFunction::Add, BinaryFunction::Sub, BinaryFunction::Mul, BinaryFunction::Div),
    function_name);

TEST(Eltwise, AddAlignsWithTenFractionBits) {
    const std::uint16_t one = bf16_round_even(1.0F);
    const std::uint16_t tiny = bf16_round_even(std::ldexp(1.0F, -11));
    const std::uint16_t below_one = bf16_round_even(1.0F - std::ldexp(1.0F, -8));
    // 2^-11 is half of the last kept bit, so it counts as 2^-10; in one step to bfloat16 it would vanish.
    EXPECT_EQ(binary_bf16(BinaryFunction::Sub, one, tiny), one);
    EXPECT_EQ(binary_bf16(BinaryFunction::Add, below_one, bf16_round_even(std::ldexp(1.0F, -9))), one);
    EXPECT_EQ(binary_bf16(BinaryFunction::Sub, one, one), 0);
}

TEST(Eltwise, Float32IsIeeeButForDenormals) {
    std::mt19937 generator(5);
    std::normal_distribution<float> normal;
    for (int i = 0; i < 20000; ++i) {
        const float a = std::ldexp(normal(generator), static_cast<int>(generator() % 40) - 20);
        const float b = normal(generator);
        ASSERT_EQ(binary_f32(BinaryFunction::Add, a, b), a + b);
        ASSERT_EQ(binary_f32(BinaryFunction::Sub, a, b), a - b);
        ASSERT_EQ(binary_f32(BinaryFunction::Mul, a, b), a * b);
        ASSERT_NEAR(
            binary_f32(BinaryFunction::Div, a, b), a / b, std::abs(a / b) * 1.2e-7F);  // one unit in the last place
    }
    std::vector<float> a(1003);
    std::vector<float> b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        // Every other block holds random patterns: denormals, infinities, NaN.
        a[i] = i % 128 < 64 ? normal(generator) : std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
        b[i] = i % 17 == 0    ? 0.0F
               : i % 128 < 64 ? normal(generator)
                              : std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
    }
    for (const auto function : {BinaryFunction::Add, BinaryFunction::Sub, BinaryFunction::Mul, BinaryFunction::Div}) {
        std::vector<float> out(a.size());
        binary_f32(function, a.data(), b.data(), a.size(), out.data());
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_EQ(
                std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(binary_f32(function, a[i], b[i])))
                << i;
        }
        binary_f32(function, a.data(), 1.5F, a.size(), out.data());
        ASSERT_EQ(out[5], binary_f32(function, a[5], 1.5F));
        binary_f32(function, 1.5F, a.data(), a.size(), out.data());
        ASSERT_EQ(out[5], binary_f32(function, 1.5F, a[5]));
    }
    const float denormal = std::bit_cast<float>(0x00000100U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(binary_f32(BinaryFunction::Add, denormal, -denormal)), 0U);
    EXPECT_EQ(binary_f32(BinaryFunction::Mul, 1e-30F, 1e-30F), 0.0F);
    EXPECT_EQ(binary_f32(BinaryFunction::Div, 1.0F, 0.0F), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace ttnn_cpu::kernels

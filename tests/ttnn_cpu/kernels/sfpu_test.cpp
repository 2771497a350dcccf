// SPDX-License-Identifier: Apache-2.0
#include "kernels/sfpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/sfpu_unit.hpp"
#include "support/golden_file.hpp"

namespace ttnn_cpu::kernels {
namespace {

using zoo::testing::golden_names;
using zoo::testing::read_golden;

const std::map<std::string, UnaryOp> kGoldenOps = {
    {"abs", {UnaryFunction::Abs}},
    {"exp", {UnaryFunction::Exp}},
    {"gelu_accurate", {UnaryFunction::Gelu}},
    {"gelu_fast", {UnaryFunction::GeluApprox}},
    {"leaky_relu_0p1", {UnaryFunction::LeakyRelu, 0.1F}},
    {"log", {UnaryFunction::Log}},
    {"mish", {UnaryFunction::Mish}},
    {"neg", {UnaryFunction::Neg}},
    {"reciprocal", {UnaryFunction::Reciprocal}},
    {"relu", {UnaryFunction::Relu}},
    {"relu6", {UnaryFunction::Relu6}},
    {"rsqrt", {UnaryFunction::Rsqrt}},
    {"sigmoid", {UnaryFunction::Sigmoid}},
    {"silu", {UnaryFunction::Silu}},
    {"sqrt", {UnaryFunction::Sqrt}},
    {"square", {UnaryFunction::Square}},
    {"tanh", {UnaryFunction::Tanh}},
};

class SfpuGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(SfpuGolden, MatchesBitForBit) {
    const auto golden = read_golden(GetParam());
    const auto& in = golden.at("in0").values;
    const bool block_float = golden.args.at("dtype") == "BFLOAT8_B";
    std::vector<std::uint16_t> values(in.size());
    std::vector<std::uint8_t> magnitudes(in.size());
    std::vector<std::uint8_t> exponents(in.size() / 16);
    if (block_float) {
        host_pack_bfp8(in.data(), in.size(), magnitudes.data(), exponents.data());
        unpack_bfp8_to_bf16(magnitudes.data(), exponents.data(), in.size(), values.data());
    } else {
        host_pack_bf16(in.data(), in.size(), values.data());
    }
    apply_unary_bf16(unary_table(kGoldenOps.at(golden.args.at("op"))), values.data(), values.size(), values.data());
    std::vector<float> out(in.size());
    unpack_bf16(values.data(), values.size(), out.data());
    if (block_float) {
        pack_bfp8(values.data(), values.size(), magnitudes.data(), exponents.data());
        unpack_bfp8(magnitudes.data(), exponents.data(), values.size(), out.data());
    }
    EXPECT_EQ(out, golden.at("out").values);
}

INSTANTIATE_TEST_SUITE_P(Cases, SfpuGolden, ::testing::ValuesIn(golden_names("unary.")), [](const auto& test) {
    std::string name = test.param.substr(6);
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
});

struct Accuracy {
    const char* name;
    UnaryOp op;
    std::function<double(double)> exact;
    double low;
    double high;
    double bf16_bound;     // absolute plus relative error of the bfloat16 form, as measured, rounded up
    double float32_bound;  // the same for a float32 destination
};

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double worst_error(const Accuracy& a, Destination destination) {
    double worst = 0.0;
    for (int i = 0; i <= 4000; ++i) {
        const double x = a.low + (a.high - a.low) * i / 4000.0;
        const float rounded = destination == Destination::Bfloat16
                                  ? bf16_to_float(bf16_round_even(static_cast<float>(x)))
                                  : static_cast<float>(x);
        const double exact = a.exact(rounded);
        const double error = std::abs(apply_unary(a.op, rounded, destination) - exact) / (1.0 + std::abs(exact));
        worst = std::max(worst, error);
    }
    return worst;
}

class SfpuAccuracy : public ::testing::TestWithParam<Accuracy> {};

// The functions without a golden file of their own, and the float32 forms, against exact mathematics.
TEST_P(SfpuAccuracy, StaysNearTheExactFunction) {
    const Accuracy& a = GetParam();
    EXPECT_LT(worst_error(a, Destination::Bfloat16), a.bf16_bound) << a.name;
    EXPECT_LT(worst_error(a, Destination::Float32), a.float32_bound) << a.name;
    Accuracy wrong = a;
    wrong.exact = [&a](double x) { return a.exact(x) + 0.02 * (1.0 + std::abs(a.exact(x))); };
    if (a.bf16_bound < 0.01) {
        EXPECT_GT(worst_error(wrong, Destination::Bfloat16), a.bf16_bound) << "the bound must see 2 %";
    }
}

// Half a bfloat16 unit is up to 4e-3 here, a truncating store 8e-3, a float32 function 2e-7; gelu loses bits where it
// is near 0, softplus is a polynomial good to 4e-5.
INSTANTIATE_TEST_SUITE_P(
    Functions, SfpuAccuracy,
    ::testing::Values(
        Accuracy{"exp", {UnaryFunction::Exp}, [](double x) { return std::exp(x); }, -20, 20, 5e-3, 3e-7},
        Accuracy{"exp_approx", {UnaryFunction::ExpApprox}, [](double x) { return std::exp(x); }, -20, 20, 0.033, 0.033},
        Accuracy{"gelu", {UnaryFunction::Gelu}, [](double x) { return x * cdf(x); }, -8, 8, 3e-3, 8e-7},
        Accuracy{"gelu_approx", {UnaryFunction::GeluApprox}, [](double x) { return x * cdf(x); }, -8, 8, 0.022, 0.022},
        Accuracy{
            "gelu_tanh",
            {UnaryFunction::GeluTanh},
            [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); },
            -8,
            8,
            3e-3,
            4e-7},
        Accuracy{"tanh", {UnaryFunction::Tanh}, [](double x) { return std::tanh(x); }, -6, 6, 3e-3, 3e-7},
        Accuracy{"tanh_approx", {UnaryFunction::TanhApprox}, [](double x) { return std::tanh(x); }, -6, 6, 0.09, 0.09},
        Accuracy{"sigmoid", {UnaryFunction::Sigmoid}, sigmoid, -12, 12, 2e-3, 3e-7},
        Accuracy{"sigmoid_approx", {UnaryFunction::SigmoidApprox}, sigmoid, -12, 12, 0.11, 0.11},
        Accuracy{"silu", {UnaryFunction::Silu}, [](double x) { return x * sigmoid(x); }, -12, 12, 3e-3, 4e-7},
        Accuracy{
            "mish",
            {UnaryFunction::Mish},
            [](double x) { return x * std::tanh(std::log1p(std::exp(x))); },
            -12,
            12,
            4e-3,
            4e-7},
        Accuracy{"reciprocal", {UnaryFunction::Reciprocal}, [](double x) { return 1 / x; }, 0.01, 50, 4e-3, 2e-7},
        Accuracy{"sqrt", {UnaryFunction::Sqrt}, [](double x) { return std::sqrt(x); }, 1e-3, 1e4, 4e-3, 2e-7},
        Accuracy{"rsqrt", {UnaryFunction::Rsqrt}, [](double x) { return 1 / std::sqrt(x); }, 1e-3, 1e4, 4e-3, 2e-7},
        Accuracy{
            "rsqrt_approx",
            {UnaryFunction::RsqrtApprox},
            [](double x) { return 1 / std::sqrt(x); },
            1e-3,
            1e4,
            5e-4,
            9e-4},
        Accuracy{"log", {UnaryFunction::Log}, [](double x) { return std::log(x); }, 1e-3, 1e4, 4e-3, 3e-7},
        Accuracy{"log2", {UnaryFunction::Log2}, [](double x) { return std::log2(x); }, 1e-3, 1e4, 4e-3, 3e-7},
        Accuracy{"log10", {UnaryFunction::Log10}, [](double x) { return std::log10(x); }, 1e-3, 1e4, 3e-3, 3e-7},
        Accuracy{"erf", {UnaryFunction::Erf}, [](double x) { return std::erf(x); }, -5, 5, 5e-3, 3e-7},
        Accuracy{
            "softplus",
            {UnaryFunction::Softplus, 1.0F, 20.0F},
            [](double x) { return std::log1p(std::exp(x)); },
            -30,
            30,
            7e-3,
            3e-5},
        Accuracy{
            "hardsigmoid",
            {UnaryFunction::Hardsigmoid},
            [](double x) { return std::min(1.0, std::max(0.0, x / 6 + 0.5)); },
            -6,
            6,
            4e-3,
            2e-7},
        Accuracy{
            "hardswish",
            {UnaryFunction::Hardswish},
            [](double x) { return x * std::min(1.0, std::max(0.0, x / 6 + 0.5)); },
            -6,
            6,
            8e-3,
            4e-7},
        Accuracy{"cube", {UnaryFunction::Power, 3.0F}, [](double x) { return x * x * x; }, -6, 6, 8e-3, 4e-7},
        Accuracy{"floor", {UnaryFunction::Floor}, [](double x) { return std::floor(x); }, -9, 9, 1e-9, 1e-9},
        Accuracy{"ceil", {UnaryFunction::Ceil}, [](double x) { return std::ceil(x); }, -9, 9, 1e-9, 1e-9},
        Accuracy{"trunc", {UnaryFunction::Trunc}, [](double x) { return std::trunc(x); }, -9, 9, 1e-9, 1e-9},
        Accuracy{
            "clamp",
            {UnaryFunction::Clamp, -1.0F, 2.0F},
            [](double x) { return std::min(2.0, std::max(-1.0, x)); },
            -9,
            9,
            1e-9,
            1e-9},
        Accuracy{
            "relu_max",
            {UnaryFunction::ReluMax, 4.0F},
            [](double x) { return std::min(4.0, std::max(0.0, x)); },
            -9,
            9,
            1e-9,
            1e-9},
        Accuracy{
            "relu_min", {UnaryFunction::ReluMin, 1.5F}, [](double x) { return std::max(1.5, x); }, -9, 9, 1e-9, 1e-9}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Sfpu, MultiplyAddIsFusedExceptForTheProductsTail) {
    std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    int different = 0;
    for (int i = 0; i < 50000; ++i) {
        const float x = normal(generator);
        const float y = normal(generator);
        const float z = normal(generator);
        ASSERT_EQ(sfpu::mul(x, y), x * y);
        ASSERT_EQ(sfpu::add(x, z), x + z);
        const float fused = std::fma(x, y, z);
        different += sfpu::mad(x, y, z) != fused ? 1 : 0;
        ASSERT_NEAR(sfpu::mad(x, y, z), fused, std::abs(x * y) * 6e-8F + std::abs(fused) * 1.2e-7F);
    }
    EXPECT_GT(different, 0) << "cancellation must show the bits that the unit drops";
    EXPECT_LT(different, 5000);
}

TEST(Sfpu, MultiplyAddAtTheEdges) {
    using namespace sfpu;  // NOLINT
    EXPECT_EQ(bits_of(mad(from_bits(0x00400000U), 1.0F, 0.0F)), 0U) << "a denormal is zero";
    EXPECT_EQ(bits_of(mad(-1.0F, 1.0F, 1.0F)), 0U);
    EXPECT_EQ(bits_of(mul(-1e-30F, 1e-30F)), 0U) << "an underflow loses its sign";
    EXPECT_EQ(mad(1e30F, 1e30F, 0.0F), kInfinity);
    EXPECT_EQ(mad(1e30F, -1e30F, 5.0F), -kInfinity);
    EXPECT_TRUE(std::isnan(mad(kInfinity, 0.0F, 1.0F)));
    EXPECT_TRUE(std::isnan(mad(kInfinity, 1.0F, -kInfinity)));
    EXPECT_EQ(mad(2.0F, 3.0F, kInfinity), kInfinity);
}

TEST(Sfpu, SpecialInputs) {
    const auto value = [](UnaryFunction function, float x) {
        return bf16_to_float(unary_table(UnaryOp{function})[bf16_round_even(x)]);
    };
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(value(UnaryFunction::Exp, 200.0F), infinity);
    EXPECT_EQ(value(UnaryFunction::Exp, -200.0F), 0.0F);
    EXPECT_EQ(value(UnaryFunction::Log, 0.0F), -infinity);
    EXPECT_EQ(value(UnaryFunction::Log, infinity), infinity);
    EXPECT_EQ(value(UnaryFunction::Rsqrt, 0.0F), infinity);
    EXPECT_EQ(value(UnaryFunction::Rsqrt, infinity), 0.0F);
    EXPECT_EQ(value(UnaryFunction::Sqrt, infinity), infinity);
    EXPECT_EQ(value(UnaryFunction::Sqrt, -4.0F), infinity) << "NaN leaves the packer as infinity";
    EXPECT_EQ(value(UnaryFunction::Reciprocal, 0.0F), infinity);
    EXPECT_EQ(value(UnaryFunction::Reciprocal, -infinity), 0.0F);
    EXPECT_EQ(unary_table(UnaryOp{UnaryFunction::Neg})[0x0000], 0x0000) << "the packer writes no minus zero";
    EXPECT_EQ(unary_table(UnaryOp{UnaryFunction::Identity})[0x8000], 0x0000);
    EXPECT_EQ(value(UnaryFunction::Sign, -3.0F), -1.0F);
    EXPECT_EQ(value(UnaryFunction::Sign, 0.0F), 0.0F);
}

TEST(Sfpu, Predicates) {
    struct Case {
        UnaryFunction function;
        float minus;
        float zero;
        float plus;
    };
    for (const Case& c :
         {Case{UnaryFunction::EqualZero, 0, 1, 0}, Case{UnaryFunction::NotEqualZero, 1, 0, 1},
          Case{UnaryFunction::GreaterZero, 0, 0, 1}, Case{UnaryFunction::LessZero, 1, 0, 0},
          Case{UnaryFunction::GreaterEqualZero, 0, 1, 1}, Case{UnaryFunction::LessEqualZero, 1, 1, 0}}) {
        EXPECT_EQ(apply_unary({c.function}, -2.0F, Destination::Bfloat16), c.minus);
        EXPECT_EQ(apply_unary({c.function}, 0.0F, Destination::Bfloat16), c.zero);
        EXPECT_EQ(apply_unary({c.function}, 2.0F, Destination::Bfloat16), c.plus);
    }
}

TEST(Sfpu, ChainsComposeThroughTheDestination) {
    const UnaryOp chain[] = {{UnaryFunction::Exp}, {UnaryFunction::AddScalar, 1.0F}, {UnaryFunction::Log}};
    const UnaryTable& table = unary_table(chain);
    for (const float x : {-3.0F, -0.5F, 0.25F, 4.0F}) {
        float value = x;
        for (const UnaryOp& op : chain) {
            value = apply_unary(op, value, Destination::Bfloat16);
        }
        EXPECT_EQ(bf16_to_float(table[bf16_round_even(x)]), value);
    }
    EXPECT_EQ(&table, &unary_table(chain)) << "made once";
}

TEST(Sfpu, RowsGoWhereTheTableSendsThem) {
    std::vector<std::uint16_t> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::uint16_t>(i);  // blocks with NaN, denormals and infinities too
    }
    for (const UnaryOp& op :
         {UnaryOp{UnaryFunction::Relu}, UnaryOp{UnaryFunction::Relu6}, UnaryOp{UnaryFunction::ReluMax, 2.5F},
          UnaryOp{UnaryFunction::Clamp, 0.0F, 3.0F}, UnaryOp{UnaryFunction::Gelu}}) {
        const UnaryTable& table = unary_table(op);
        std::vector<std::uint16_t> out(all.size());
        apply_unary_bf16(table, all.data(), all.size(), out.data());
        for (std::size_t i = 0; i < all.size(); ++i) {
            ASSERT_EQ(out[i], table[all[i]]) << "function " << static_cast<int>(op.function) << ", bits " << i;
        }
    }
    EXPECT_EQ(unary_table(UnaryOp{UnaryFunction::ReluMax, 2.5F}).ceiling(), bf16_round_even(2.5F));
    EXPECT_EQ(unary_table(UnaryOp{UnaryFunction::Gelu}).ceiling(), 0);
    EXPECT_EQ(unary_table(UnaryOp{UnaryFunction::Abs}).ceiling(), 0);
}

TEST(Sfpu, TablesAreSharedByThreads) {
    std::vector<const UnaryTable*> seen(4);
    std::vector<std::thread> threads;
    for (auto& slot : seen) {
        threads.emplace_back([&slot] { slot = &unary_table(UnaryOp{UnaryFunction::LeakyRelu, 0.37F}); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const UnaryTable* table : seen) {
        EXPECT_EQ(table, seen[0]);
    }
}

}  // namespace
}  // namespace ttnn_cpu::kernels

// SPDX-License-Identifier: Apache-2.0
#include "ttnn/operations/eltwise/unary/unary.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "support/device.hpp"
#include "support/matchers.hpp"
#include "support/throws.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace zoo::test;
using ttnn::DataType;
using ttnn::Layout;
using ttnn::Tensor;
using ttnn::operations::unary::EltwiseUnaryWithParam;
using ttnn::operations::unary::GeluVariant;
using ttnn::operations::unary::UnaryOpType;

// One rounding to bfloat16 is 1.7e-3 on average. The card cuts where it does not round (square: 2.8e-3) and approximates (exp: 3.8e-3
// on five values); lowest PCC measured 0.99998, of functions whose values hardly vary.
constexpr Bound kRounded{.pcc = 0.9999, .relative_error = 4.5e-3};

struct Case {
    const char* name;
    std::function<Tensor(const Tensor&)> function;
    std::function<Array(const Array&)> expected;
    float low = -4;
    float high = 4;
    Bound bound = kRounded;
};

std::function<Array(const Array&)> torch_unary(const char* name) {
    return [name](const Array& a) { return torch_ref::unary(name, a); };
}

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class UnaryOp : public DeviceTest, public testing::WithParamInterface<Case> {};

TEST_P(UnaryOp, MatchesTorch) {
    const Case& test = GetParam();
    for (const Dims& shape : {Dims{1, 384, 1024}, Dims{2, 3, 40, 50}, Dims{5}}) {
        const Array input = to_bfloat16(uniform(shape, 11, test.low, test.high));
        EXPECT_WITHIN(test.expected(input), to_array(test.function(on_device(input, device()))), test.bound);
        const Tensor rows = on_device(input, device(), DataType::BFLOAT16, Layout::ROW_MAJOR);
        EXPECT_WITHIN(test.expected(input), to_array(test.function(rows)), test.bound);
    }
}

#define PLAIN(op) [](const Tensor& x) { return ttnn::op(x); }

INSTANTIATE_TEST_SUITE_P(
    Eltwise, UnaryOp,
    testing::Values(
        Case{"relu", PLAIN(relu), torch_unary("relu")}, Case{"relu6", PLAIN(relu6), torch_unary("relu6"), -4, 9},
        Case{"abs", PLAIN(abs), torch_unary("abs")}, Case{"neg", PLAIN(neg), torch_unary("neg")},
        Case{"square", PLAIN(square), torch_unary("square")}, Case{"exp", PLAIN(exp), torch_unary("exp")},
        Case{"log", PLAIN(log), torch_unary("log"), 0.1F, 9}, Case{"sqrt", PLAIN(sqrt), torch_unary("sqrt"), 0.01F, 9},
        Case{"rsqrt", PLAIN(rsqrt), torch_unary("rsqrt"), 0.1F, 9},
        Case{"reciprocal", PLAIN(reciprocal), torch_unary("reciprocal"), 0.2F, 5},
        Case{"gelu", PLAIN(gelu), torch_unary("gelu")},
        Case{
            "gelu_tanh",
            [](const Tensor& x) { return ttnn::gelu(x, GeluVariant::TANH); },
            torch_unary("gelu_tanh"),
            -4,
            4,
            {.pcc = 0.9999, .relative_error = 5e-3}},
        // Six straight lines: off by up to 0.015 near zero; 6.5e-3 measured on five values.
        Case{
            "gelu_fast",
            [](const Tensor& x) { return ttnn::gelu(x, true); },
            torch_unary("gelu"),
            -4,
            4,
            {.pcc = 0.9999, .relative_error = 8e-3}},
        Case{"tanh", PLAIN(tanh), torch_unary("tanh"), -4, 4, {.pcc = 0.9999, .relative_error = 4e-3}},
        Case{"sigmoid", PLAIN(sigmoid), torch_unary("sigmoid")}, Case{"silu", PLAIN(silu), torch_unary("silu")},
        Case{"mish", PLAIN(mish), torch_unary("mish"), -4, 4, {.pcc = 0.99999, .relative_error = 3e-3}},
        Case{
            "leaky_relu", [](const Tensor& x) { return ttnn::leaky_relu(x, 0.1F); },
            [](const Array& a) { return torch_ref::unary("leaky_relu", a, 0.1F); }},
        Case{
            "clamp", [](const Tensor& x) { return ttnn::clamp_tss(x, -1.0F, 2.0F); },
            [](const Array& a) { return torch_ref::unary("clamp", a, -1.0F, 2.0F); }},
        Case{"hardtanh", PLAIN(hardtanh), torch_unary("hardtanh")},
        Case{
            "power", [](const Tensor& x) { return ttnn::power(x, 3.0F); },
            [](const Array& a) { return torch_ref::unary("pow", a, 3.0F); }}),
    [](const auto& tested) { return tested.param.name; });

class Unary : public DeviceTest {};

TEST_F(Unary, KeepsTheDataTypeAndTheMemory) {
    const Array input = to_bfloat16(uniform({1, 1, 64, 64}, 1));
    const Tensor block = on_device(input, device(), DataType::BFLOAT8_B, Layout::TILE, ttnn::L1_MEMORY_CONFIG);
    const Tensor result = ttnn::relu(block);
    EXPECT_EQ(result.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(result.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_WITHIN(torch_ref::unary("relu", input), to_array(result), (Bound{.pcc = 0.9999, .relative_error = 1e-2}));
    EXPECT_EQ(ttnn::relu(block, ttnn::DRAM_MEMORY_CONFIG).memory_config(), ttnn::DRAM_MEMORY_CONFIG);
}

TEST_F(Unary, Float32KeepsItsPrecision) {
    const Array input = uniform({3, 40}, 5, -3, 3);
    const Array expected = torch_ref::unary("exp", input);
    const Array actual = to_array(ttnn::exp(on_device(input, device(), DataType::FLOAT32)));
    EXPECT_WITHIN(expected, actual, (Bound{.pcc = 0.9999999, .relative_error = 1e-5}));
}

TEST_F(Unary, ChainsRunTheFirstFunctionFirst) {
    const Array input = to_bfloat16(uniform({32, 32}, 6, -2, 2));
    const Tensor chained = ttnn::unary_chain(
        on_device(input, device()),
        {EltwiseUnaryWithParam(UnaryOpType::NEG), EltwiseUnaryWithParam(UnaryOpType::RELU)});
    const Array expected = torch_ref::unary("relu", torch_ref::unary("neg", input));
    EXPECT_WITHIN(expected, to_array(chained), kRounded);
    EXPECT_OUTSIDE(torch_ref::unary("neg", torch_ref::unary("relu", input)), to_array(chained), kRounded);
}

TEST_F(Unary, WritesIntoATensorThatIsGiven) {
    const Array input = to_bfloat16(uniform({32, 32}, 6));
    const Tensor output = on_device(input, device());
    const Tensor result = ttnn::square(on_device(input, device()), std::nullopt, output);
    EXPECT_EQ(result.buffer()->address(), output.buffer()->address());
    EXPECT_WITHIN(torch_ref::unary("square", input), to_array(output), kRounded);
}

TEST_F(Unary, ReplaysInATrace) {
    const Array a = to_bfloat16(uniform({1, 1, 64, 64}, 1));
    const Array b = to_bfloat16(uniform({1, 1, 64, 64}, 2));
    const auto op = [](const Tensor& x) { return ttnn::gelu(x); };
    const Tensor other = on_device(b, device()).cpu();
    EXPECT_EQ(replayed(on_device(a, device()), other, op), op(on_device(b, device())).to_vector<float>());
}

TEST_F(Unary, Refuses) {
    const Tensor input = on_device(uniform({32, 32}, 1), device());
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::relu(input.cpu()), "ttnn::relu: Device Operations expect device tensors as inputs",
        "it asks a host tensor for its device, and the process ends");
    EXPECT_THROWS_WITH((void)ttnn::unary_chain(input, {}), "must not be empty");
    EXPECT_EMBEDDED_THROWS_WITH((void)ttnn::power(input, -0.5F), "exponent is -0.5", "it takes such exponents");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::relu(input, ttnn::L1_HEIGHT_SHARDED_MEMORY_CONFIG),
        "requires Input and Output memory layout to match", "it takes the config");
    const Tensor smaller = on_device(uniform({32, 16}, 1), device());
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::relu(input, std::nullopt, smaller), "has shape [32, 16]", "it takes an output of the same tiles");
    EXPECT_THROWS_WITH(
        (void)ttnn::unary_chain(input, {EltwiseUnaryWithParam(UnaryOpType::LEAKY_RELU)}),
        "LEAKY_RELU takes 1 to 1 parameters, got 0");
}

}  // namespace

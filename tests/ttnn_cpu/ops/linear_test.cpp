// SPDX-License-Identifier: Apache-2.0
// ttnn::linear against libtorch: bias and activation, fused or as ops of their own.
#include <ttnn/operations/matmul/matmul.hpp>

#include "op_fixture.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace op_test;
using namespace ttnn::operations::matmul;
using ttnn::CoreGrid;
using ttnn::UnaryOpType;
using ttnn::UnaryWithParam;
namespace ref = zoo::test::torch_ref;

// Measured: 7.9e-3 to 1.94e-2 with the activations here, pcc from 0.99982. A core grid or a program config means LoFi.
constexpr Bound kLoFi{.pcc = 0.99978, .relative_error = 2.3e-2};
// Measured: 3.2e-3 to 3.8e-3, on a card with sums of 16 bits.
constexpr Bounds kHiFi2{{.pcc = 0.99998, .relative_error = 4.5e-3}, 6.45e-3};

class Linear : public OpTest {
protected:
    const Array a_ = rounded(zoo::test::normal({1, 1, 128, 256}, 1), DataType::BFLOAT16);
    const Array b_ = rounded(zoo::test::normal({1, 1, 256, 320}, 2, 0.0F, 0.06F), DataType::BFLOAT16);
    const Array bias_ = rounded(zoo::test::normal({1, 1, 1, 320}, 3), DataType::BFLOAT16);

    Array expected(std::string_view activation = {}) const {
        const Array sum = ref::add(ref::matmul(a_, b_), bias_);
        return activation.empty() ? sum : ref::unary(activation, sum);
    }

    // The ops that a call ran.
    template <typename Call>
    std::vector<std::string> ops_of(Call&& call) {
        ttnn_cpu::start_recording(*device_);
        const Tensor out = call();
        std::vector<std::string> names;
        for (const auto& op : ttnn_cpu::stop_recording(*device_).ops) {
            names.push_back(op.name);
        }
        return names;
    }
};

TEST_F(Linear, FusesARowOfBias) {
    const Tensor a = upload(a_);
    const Tensor b = upload(b_);
    const Tensor bias = upload(bias_);
    EXPECT_WITHIN(expected(), download(ttnn::linear(a, b, bias)), bound(kHiFi2));
    EXPECT_FALSE(zoo::test::within(ref::matmul(a_, b_), download(ttnn::linear(a, b, bias)), bound(kHiFi2)))
        << "the bias is missing";
    EXPECT_EQ(ops_of([&] { return ttnn::linear(a, b, bias); }).size(), 1U);
}

TEST_F(Linear, AddsBiasAfterwardsOutsideOfDram) {
    const Tensor a = upload(a_, DataType::BFLOAT16, ttnn::L1_MEMORY_CONFIG);
    const Tensor b = upload(b_);
    const Tensor bias = upload(bias_);
    const auto call = [&] { return ttnn::linear(a, b, bias, false, false, ttnn::L1_MEMORY_CONFIG); };
    EXPECT_WITHIN(expected(), download(call()), bound(kHiFi2));
    EXPECT_EQ(ops_of(call).size(), 2U);
    EXPECT_EQ(ops_of([&] { return ttnn::linear(a, b, bias); }).size(), 2U) << "a in L1, output in DRAM";
}

TEST_F(Linear, AddsABlockOfBias) {
    const Array block = zoo::test::normal({1, 1, 128, 320}, 4);
    const Array batch = zoo::test::normal({2, 1, 1, 320}, 5);
    EXPECT_WITHIN(
        ref::add(ref::matmul(a_, b_), block), download(ttnn::linear(upload(a_), upload(b_), upload(block))),
        bound(kHiFi2));
    const Tensor out = ttnn::linear(upload(zoo::test::normal({2, 1, 128, 256}, 1)), upload(b_), upload(batch));
    EXPECT_EQ(out.logical_shape(), (Shape{2, 1, 128, 320}));
}

TEST_F(Linear, ActivationIsAnOpOfItsOwnWithoutAGrid) {
    const Tensor a = upload(a_);
    const Tensor b = upload(b_);
    const Tensor bias = upload(bias_);
    const auto call = [&](const std::optional<const CoreGrid>& grid) {
        return ttnn::linear(
            a, b, bias, false, false, std::nullopt, std::nullopt, std::nullopt, "gelu", std::nullopt, grid);
    };
    EXPECT_EQ(ops_of([&] { return call(std::nullopt); }).size(), 2U);
    EXPECT_EQ(ops_of([&] { return call(CoreGrid(8, 8)); }).size(), 1U);
    EXPECT_WITHIN(expected("gelu"), download(call(std::nullopt)), bound(kHiFi2));
    EXPECT_WITHIN(expected("gelu"), download(call(CoreGrid(8, 8))), kLoFi);
}

TEST_F(Linear, FusesActivations) {
    for (const char* const name :
         {"relu", "gelu", "gelu_tanh", "silu", "sigmoid", "tanh", "relu6", "hardtanh", "hardsigmoid"}) {
        const Tensor out = ttnn::linear(
            upload(a_), upload(b_), upload(bias_), false, false, std::nullopt, std::nullopt, std::nullopt, name,
            std::nullopt, CoreGrid(8, 8));
        EXPECT_WITHIN(expected(name), download(out), kLoFi) << name;
    }
    EXPECT_THROWS_WITH(
        (void)ttnn::linear(
            upload(a_), upload(b_), std::nullopt, false, false, std::nullopt, std::nullopt, std::nullopt, "exp",
            std::nullopt, CoreGrid(8, 8)),
        "Unsupported UnaryOpType for fused activation: EXP");
    EXPECT_THROWS_WITH(
        (void)ttnn::linear(
            upload(a_), upload(b_), std::nullopt, false, false, std::nullopt, std::nullopt, std::nullopt, "glue"),
        "Unknown unary op: glue");
}

TEST_F(Linear, BlockFloatsThroughout) {
    const Array a = rounded(a_, DataType::BFLOAT8_B);
    const Array b = rounded(b_, DataType::BFLOAT8_B);
    const Array bias = rounded(bias_, DataType::BFLOAT8_B);
    const Tensor out = ttnn::linear(
        upload(a, DataType::BFLOAT8_B), upload(b, DataType::BFLOAT8_B), upload(bias, DataType::BFLOAT8_B), false, false,
        std::nullopt, std::nullopt, std::nullopt, "gelu", std::nullopt, CoreGrid(8, 8));
    EXPECT_EQ(out.dtype(), DataType::BFLOAT8_B);
    // Measured: 1.45e-2; both inputs are block floats, so LoFi, and the output is rounded to 7 bits of a group.
    EXPECT_WITHIN(ref::unary("gelu", ref::add(ref::matmul(a, b), bias)), download(out), kLoFi);
}

// As bert_large runs its feed-forward: activations in blocks on 8 x 8 cores, weights in DRAM.
TEST_F(Linear, BlockShardedWithAProgramConfig) {
    const Array a = rounded(zoo::test::normal({1, 1, 384, 512}, 1), DataType::BFLOAT8_B);
    const Array b = rounded(zoo::test::normal({1, 1, 512, 1024}, 2, 0.0F, 0.05F), DataType::BFLOAT8_B);
    const Array bias = rounded(zoo::test::normal({1, 1, 1, 1024}, 3), DataType::BFLOAT8_B);
    const Tensor in = upload(a, DataType::BFLOAT8_B, sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 64}, {8, 6}));
    const MatmulMultiCoreReuseMultiCastProgramConfig config{
        .compute_with_storage_grid_size = {8, 6},
        .in0_block_w = 2,
        .out_subblock_h = 1,
        .out_subblock_w = 4,
        .out_block_h = 2,
        .out_block_w = 4,
        .per_core_M = 2,
        .per_core_N = 4,
        .transpose_mcast = false,
        .fused_activation = UnaryWithParam(UnaryOpType::GELU, 0.0F)};
    const auto call = [&](Tensor& input) {
        return ttnn::linear(
            input, upload(b, DataType::BFLOAT8_B), upload(bias, DataType::BFLOAT8_B), false, false,
            ttnn::L1_BLOCK_SHARDED_MEMORY_CONFIG, DataType::BFLOAT8_B, config);
    };
    Tensor input = in;
    const Tensor out = call(input);
    EXPECT_EQ(out.memory_config().memory_layout(), TensorMemoryLayout::BLOCK_SHARDED);
    EXPECT_EQ(out.shard_spec()->shape, (std::array<std::uint32_t, 2>{64, 128}));
    EXPECT_EQ(out.shard_spec()->grid.num_cores(), 48U);
    EXPECT_WITHIN(ref::unary("gelu", ref::add(ref::matmul(a, b), bias)), download(out), kLoFi);
    EXPECT_THROWS_WITH(
        (void)ttnn::linear(in, upload(b), std::nullopt, false, false, std::nullopt, std::nullopt, std::nullopt, "gelu"),
        "Sharded matmul run with GELU activation: this should be placed in the program config's fused_activation "
        "field");
}

TEST_F(Linear, ReplaysFromATrace) {
    const Tensor b = upload(b_, DataType::BFLOAT8_B);
    const Tensor bias = upload(bias_);
    const Tensor second = upload(zoo::test::normal({1, 1, 128, 256}, 9));
    expect_replays(*device_, upload(a_), second, [&](Tensor& input) {
        return ttnn::linear(
            input, b, bias, false, false, std::nullopt, std::nullopt, std::nullopt, "gelu", std::nullopt,
            CoreGrid(8, 8));
    });
}

TEST_F(Linear, RecordsItsArguments) {
    ttnn_cpu::start_recording(*device_);
    (void)ttnn::linear(upload(a_), upload(b_), upload(bias_), false, false, ttnn::L1_MEMORY_CONFIG);
    const auto recording = ttnn_cpu::stop_recording(*device_);
    const auto call = std::find_if(recording.calls.begin(), recording.calls.end(), [](const auto& each) {
        return each.function == "ttnn::linear";
    });
    ASSERT_NE(call, recording.calls.end());
    const auto arguments = nlohmann::json::parse(call->arguments);
    EXPECT_EQ(arguments.at("bias").at("tensor"), 2);
    EXPECT_EQ(arguments.at("transpose_b"), false);
    EXPECT_TRUE(arguments.at("program_config").is_null());
    const auto add = std::find_if(
        recording.calls.begin(), recording.calls.end(), [](const auto& each) { return each.function == "ttnn::add"; });
    ASSERT_NE(add, recording.calls.end());
    EXPECT_EQ(add->parent_id, call->id);
}

}  // namespace

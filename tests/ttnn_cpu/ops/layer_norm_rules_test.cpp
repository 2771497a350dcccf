// SPDX-License-Identifier: Apache-2.0
// What layer_norm and rms_norm refuse, and how they run: from a trace, on any number of threads, with records.
#include <ttnn/operations/normalization/layernorm/layernorm.hpp>
#include <ttnn/operations/normalization/rmsnorm/rmsnorm.hpp>

#include "op_fixture.hpp"

namespace {

using namespace op_test;
using ttnn::prim::LayerNormDefaultProgramConfig;
using ttnn::prim::LayerNormShardedMultiCoreProgramConfig;
using zoo::test::normal;

class LayerNormRules : public OpTest {
protected:
    static Tensor make(
        const zoo::test::Dims& shape, std::uint64_t seed = 1, const MemoryConfig& memory = {},
        DataType dtype = DataType::BFLOAT16, Layout layout = Layout::TILE) {
        return upload(normal(shape, seed), dtype, memory, layout);
    }
    static Tensor rows(const zoo::test::Dims& shape, DataType dtype = DataType::BFLOAT16) {
        return make(shape, 1, {}, dtype, Layout::ROW_MAJOR);
    }
};

TEST_F(LayerNormRules, RefusesInputs) {
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(make({1, 1, 32, 64}, 1, {}, DataType::BFLOAT4_B)),
        "Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: BFLOAT4_B");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(rows({1, 1, 32, 40})),
        "ROW_MAJOR input requires W (40) to be a multiple of tile width (32)");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(
            rows({1, 1, 32, 64}, DataType::FLOAT32), 1e-5F, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
            std::nullopt, ttnn::DeviceComputeKernelConfig{.fp32_dest_acc_en = false}),
        "ROW_MAJOR FLOAT32 input requires fp32_dest_acc_en");
    EXPECT_THROWS_WITH(
        (void)ttnn::rms_norm(rows({1, 1, 32, 64})), "ttnn::rms_norm does not support ROW_MAJOR input tensors");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::layer_norm(make({1, 1, 32, 64}).cpu()), "Device Operations expect device tensors as inputs",
        "a host tensor ends the process");
    const Tensor input = make({1, 1, 64, 64});
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, std::nullopt, std::nullopt, make({1, 1, 32, 64})),
        "Input and residual logical and padded shapes must match");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, std::nullopt, std::nullopt, rows({1, 1, 64, 64})),
        "Residual tensor must have TILE layout");
}

TEST_F(LayerNormRules, RefusesWeights) {
    const Tensor input = make({1, 1, 64, 64});
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, make({1, 1, 1, 32})), "Gamma padded width must match the input's");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, make({1, 1, 64, 64})),
        "Gamma tensor height must equal tile height (32), got: 64");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, rows({1, 1, 1, 64})), "Gamma's last padded dim needs to equal tile width");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, std::nullopt, rows({1, 1, 1, 32})),
        "Beta's last padded dim needs to equal tile width");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, make({1, 1, 1, 64}), rows({1, 1, 2, 32})),
        "Gamma and beta must have the same layout!");
}

TEST_F(LayerNormRules, RefusesShardsAndConfigs) {
    const MemoryConfig blocks = sharded(TensorMemoryLayout::BLOCK_SHARDED, {32, 64}, {4, 4});
    const Tensor input = make({1, 1, 128, 256}, 1, blocks);
    LayerNormShardedMultiCoreProgramConfig config{
        .compute_with_storage_grid_size = {4, 4}, .subblock_w = 1, .block_h = 1, .block_w = 2, .inplace = false};
    const auto run = [&](const Tensor& x, const std::optional<const ttnn::prim::LayerNormProgramConfig>& with) {
        return ttnn::layer_norm(x, 1e-5F, std::nullopt, std::nullopt, std::nullopt, std::nullopt, with);
    };
    const Tensor tall = make({1, 1, 128, 64}, 1, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {4, 1}));
    EXPECT_THROWS_WITH((void)run(tall, std::nullopt), "Height sharded inputs are not supported.");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)run(input, LayerNormDefaultProgramConfig{}),
        "a sharded input needs LayerNormShardedMultiCoreProgramConfig", "the message is of std::get");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)run(make({1, 1, 128, 256}), config), "needs a sharded input, it is interleaved",
        "the message is of std::get");
    config.block_w = 4;
    EXPECT_THROWS_WITH((void)run(input, config), "block_w (4) must equal K (in tiles) / num_cores_c (2)");
    config.block_w = 2;
    config.block_h = 2;
    EXPECT_THROWS_WITH((void)run(input, config), "block_h (2) must equal ceil(Mt / num_cores_r) (1)");
    config.block_h = 1;
    config.subblock_w = 3;
    EXPECT_THROWS_WITH((void)run(input, config), "block_w (2) must be divisible by subblock_w (3)");
    config.subblock_w = 1;
    config.compute_with_storage_grid_size = {2, 2};
    EXPECT_THROWS_WITH(
        (void)run(input, config), "shard_spec.grid size 4x4 does not fit within program_config grid 2x2");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, std::nullopt, std::nullopt, std::nullopt, ttnn::L1_MEMORY_CONFIG),
        "Sharded inputs require sharded outputs.");
    EXPECT_THROWS_WITH(
        (void)ttnn::layer_norm(input, 1e-5F, std::nullopt, std::nullopt, make({1, 1, 128, 256})),
        "residual tensor b should be sharded if input a is sharded");
    EXPECT_THROWS_WITH(
        (void)run(make({1, 1, 32, 64}), LayerNormDefaultProgramConfig{.use_welford = true}),
        "Reciprocal tensor not provided for Welford layernorm");
    EXPECT_THROWS_WITH(
        (void)ttnn::rms_norm(
            make({1, 1, 32, 64}), 1e-5F, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
            LayerNormDefaultProgramConfig{.use_welford = true}),
        "Welford's algorithm is not supported for RMSNorm");
}

TEST_F(LayerNormRules, ReplaysFromATrace) {
    const Tensor first = make({1, 64, 96}, 1);
    const Tensor second = make({1, 64, 96}, 2);
    const Tensor residual = make({1, 64, 96}, 3);
    const Tensor weight = make({1, 1, 1, 96}, 4);
    expect_replays(
        *device_, first, second, [&](Tensor& x) { return ttnn::layer_norm(x, 1e-5F, weight, weight, residual); });
    expect_replays(*device_, first, second, [&](Tensor& x) { return ttnn::rms_norm(x, 1e-5F, weight); });
}

TEST_F(LayerNormRules, ThreadsDoNotChangeBits) {
    const Tensor input = make({1, 100, 200}, 3);
    const std::size_t threads = ttnn_cpu::num_threads();
    ttnn_cpu::set_num_threads(1);
    const std::vector<float> one = ttnn::layer_norm(input).to_vector<float>();
    ttnn_cpu::set_num_threads(3);
    EXPECT_EQ(ttnn::layer_norm(input).to_vector<float>(), one);
    ttnn_cpu::set_num_threads(threads);
}

TEST_F(LayerNormRules, DefaultConfigsAndRecords) {
    const ttnn::DeviceComputeKernelConfig layer = ttnn::layernorm_default_compute_config(tt::ARCH::WORMHOLE_B0);
    EXPECT_TRUE(layer.fp32_dest_acc_en);
    EXPECT_FALSE(layer.math_approx_mode);
    const ttnn::DeviceComputeKernelConfig rms = ttnn::rmsnorm_default_compute_config(tt::ARCH::WORMHOLE_B0);
    EXPECT_FALSE(rms.fp32_dest_acc_en);
    EXPECT_TRUE(rms.math_approx_mode);
    const Tensor input = make({1, 1, 64, 96});
    ttnn_cpu::start_recording(*device_);
    (void)ttnn::layer_norm(input, 1e-5F, std::nullopt, make({1, 1, 1, 96}));
    const ttnn_cpu::Recording recording = ttnn_cpu::stop_recording(*device_);
    ASSERT_EQ(recording.ops.size(), 1U);
    EXPECT_EQ(recording.ops[0].name, "LayerNormDeviceOperation");
    EXPECT_EQ(recording.ops[0].core_count, 2U);
    ASSERT_EQ(recording.calls.size(), 1U);
    EXPECT_NE(recording.calls[0].arguments.find(R"("bias":{"tensor":1})"), std::string::npos)
        << recording.calls[0].arguments;
}

}  // namespace

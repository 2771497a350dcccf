// SPDX-License-Identifier: Apache-2.0
// What scaled_dot_product_attention refuses, and how it runs from a trace and with records.
#include "op_fixture.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace {

using namespace op_test;
using ttnn::operations::transformer::SDPAProgramConfig;
using ttnn::transformer::scaled_dot_product_attention;
using zoo::test::normal;

class SdpaRules : public OpTest {
protected:
    static Tensor make(
        const zoo::test::Dims& shape, std::uint64_t seed = 1, DataType dtype = DataType::BFLOAT16,
        const MemoryConfig& memory = {}, Layout layout = Layout::TILE) {
        return upload(normal(shape, seed), dtype, memory, layout);
    }
    static SDPAProgramConfig chunks(std::size_t q, std::size_t k) {
        return {
            .compute_with_storage_grid_size = {8, 8},
            .sub_core_grids = std::nullopt,
            .q_chunk_size = q,
            .k_chunk_size = k,
            .exp_approx_mode = std::nullopt};
    }

    const Tensor x_ = make({1, 4, 64, 64});
};

TEST_F(SdpaRules, RefusesOperands) {
    const auto run = [&](const Tensor& q, const Tensor& k, const Tensor& v) {
        return scaled_dot_product_attention(q, k, v, std::nullopt, false);
    };
    const Tensor rows = make({1, 4, 64, 64}, 1, DataType::BFLOAT16, {}, Layout::ROW_MAJOR);
    EXPECT_THROWS_WITH((void)run(rows, x_, x_), "Inputs to SDPA must be tilized");
    const Tensor wide = make({1, 4, 64, 64}, 1, DataType::FLOAT32);
    EXPECT_THROWS_WITH((void)run(x_, wide, x_), "must be BFLOAT16, BFLOAT8_B, or BFLOAT4_B and is FLOAT32");
    const Tensor shards =
        make({1, 4, 64, 64}, 1, DataType::BFLOAT16, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 64}, {4, 1}));
    EXPECT_THROWS_WITH((void)run(x_, x_, shards), "Operands to SDPA need to be DRAM/L1 interleaved");
    const Tensor narrow = make({1, 4, 64, 40});
    EXPECT_THROWS_WITH((void)run(narrow, narrow, narrow), "Padding is not supported on the head_dim dimension");
    EXPECT_THROWS_WITH((void)run(x_, make({2, 4, 64, 64}), x_), "K and V batch must match. Got K: 2, V: 1");
    EXPECT_THROWS_WITH((void)run(x_, make({1, 2, 64, 64}), x_), "K and V num_heads must match. Got K: 2, V: 4");
    EXPECT_THROWS_WITH((void)run(x_, make({1, 4, 32, 64}), x_), "K and V sequence length must match. Got K: 32, V: 64");
    EXPECT_THROWS_WITH((void)run(x_, make({1, 4, 64, 32}), x_), "K and V hidden dim must match. Got K: 32, V: 64");
    const Tensor three = make({1, 3, 64, 64});
    EXPECT_THROWS_WITH((void)run(x_, three, three), "Q num_heads must be >= K num_heads and divisible by K num_heads");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)run(x_.cpu(), x_, x_), "Device Operations expect device tensors as inputs",
        "a host tensor ends the process");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)scaled_dot_product_attention(x_, x_, x_, std::nullopt, true, std::nullopt, 32),
        "the embedded provider has no sliding window, 32 was given", "it has one");
}

TEST_F(SdpaRules, RefusesMasksAndChunks) {
    const auto run = [&](const Tensor& mask, bool causal = false) {
        return scaled_dot_product_attention(x_, x_, x_, mask, causal);
    };
    EXPECT_THROWS_WITH((void)run(make({1, 1, 64, 64}), true), "is_causal and attn_mask cannot both be present");
    EXPECT_THROWS_WITH((void)run(make({2, 1, 64, 64})), "Mask batch dim must either be 1");
    EXPECT_THROWS_WITH((void)run(make({1, 2, 64, 64})), "Mask num_heads must either be 1");
    EXPECT_THROWS_WITH((void)run(make({1, 1, 32, 64})), "Mask sequence length 32 must match Q sequence length 64");
    EXPECT_THROWS_WITH((void)run(make({1, 1, 64, 32})), "Mask sequence length 32 must match K sequence length 64");
    EXPECT_THROWS_WITH(
        (void)run(make({1, 1, 64, 64}, 1, DataType::FLOAT32)), "it must be in BF16, BFP8, or BFP4 dataformat");
    EXPECT_THROWS_WITH(
        (void)run(make({1, 1, 64, 64}, 1, DataType::BFLOAT16, ttnn::L1_MEMORY_CONFIG)), "it must be in DRAM");
    const auto chunked = [&](std::size_t q, std::size_t k) {
        return scaled_dot_product_attention(
            x_, x_, x_, std::nullopt, true, std::nullopt, std::nullopt, std::nullopt, chunks(q, k));
    };
    EXPECT_THROWS_WITH((void)chunked(40, 32), "q_chunk_size must be divisible by TILE_SIZE. Got q_chunk_size: 40");
    EXPECT_THROWS_WITH((void)chunked(32, 16), "k_chunk_size must be divisible by TILE_SIZE. Got k_chunk_size: 16");
}

TEST_F(SdpaRules, OutputIsInDramUnlessAsked) {
    const Tensor input = make({1, 4, 64, 64}, 1, DataType::BFLOAT16, ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(scaled_dot_product_attention(input, input, input).memory_config(), ttnn::DRAM_MEMORY_CONFIG);
    EXPECT_EQ(
        scaled_dot_product_attention(
            input, input, input, std::nullopt, true, std::nullopt, std::nullopt, ttnn::L1_MEMORY_CONFIG)
            .memory_config(),
        ttnn::L1_MEMORY_CONFIG);
}

TEST_F(SdpaRules, ReplaysFromATrace) {
    const Tensor mask = make({1, 1, 64, 64}, 5);
    expect_replays(*device_, make({1, 4, 64, 64}, 2), make({1, 4, 64, 64}, 3), [&](Tensor& q) {
        return scaled_dot_product_attention(q, x_, x_, mask, false);
    });
}

TEST_F(SdpaRules, ThreadsDoNotChangeBits) {
    const std::size_t threads = ttnn_cpu::num_threads();
    ttnn_cpu::set_num_threads(1);
    const std::vector<float> one = scaled_dot_product_attention(x_, x_, x_).to_vector<float>();
    ttnn_cpu::set_num_threads(3);
    EXPECT_EQ(scaled_dot_product_attention(x_, x_, x_).to_vector<float>(), one);
    ttnn_cpu::set_num_threads(threads);
}

// As on the card, where the difference of two infinities is 0.
TEST_F(SdpaRules, ARowWithEverythingMaskedIsTheMeanOfTheValues) {
    Array mask{.shape = {1, 1, 64, 64}, .data = std::vector<float>(64 * 64, 0.0F)};
    std::fill_n(mask.data.begin(), 64, -std::numeric_limits<float>::infinity());
    const std::vector<float> values = x_.to_vector<float>();
    std::vector<float> mean(64, 0.0F);
    for (std::size_t i = 0; i < 64 * 64; ++i) {
        mean[i % 64] += values[i] / 64;
    }
    // Measured: 1.7e-3, one rounding to bfloat16. A card divides approximately.
    const Bounds bounds{{.pcc = 0.99999, .relative_error = 2.1e-3}, 2.98e-2};
    const std::vector<float> result = scaled_dot_product_attention(x_, x_, x_, upload(mask), false).to_vector<float>();
    const std::vector<float> first(result.begin(), result.begin() + 64);
    EXPECT_WITHIN(mean, first, bound(bounds));
    const std::vector<float> second(result.begin() + 64, result.begin() + 128);
    EXPECT_OUTSIDE(mean, second, bound(bounds)) << "a row with nothing masked";
}

TEST_F(SdpaRules, RecordsNameTheDeviceOperation) {
    ttnn_cpu::start_recording(*device_);
    (void)scaled_dot_product_attention(
        x_, x_, x_, std::nullopt, true, std::nullopt, std::nullopt, std::nullopt, chunks(32, 64));
    const ttnn_cpu::Recording recording = ttnn_cpu::stop_recording(*device_);
    ASSERT_EQ(recording.ops.size(), 1U);
    EXPECT_EQ(recording.ops[0].name, "SDPAOperation");
    EXPECT_EQ(recording.ops[0].math_fidelity, "HiFi2");
    EXPECT_EQ(recording.ops[0].core_count, 8U);  // 4 heads of two chunks
}

}  // namespace

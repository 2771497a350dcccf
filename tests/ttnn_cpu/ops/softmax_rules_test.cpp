// SPDX-License-Identifier: Apache-2.0
// What the softmax functions refuse, and how they run: in place, from a trace, with records.
#include <ttnn/operations/normalization/softmax/softmax.hpp>
#include <ttnn/operations/transformer/attention_softmax/attention_softmax.hpp>

#include "op_fixture.hpp"

namespace {

using namespace op_test;
using ttnn::SoftmaxShardedMultiCoreProgramConfig;
using zoo::test::normal;

class SoftmaxRules : public OpTest {
protected:
    Tensor make(const zoo::test::Dims& shape, std::uint64_t seed = 1, const MemoryConfig& memory = {}) const {
        return upload(normal(shape, seed), DataType::BFLOAT16, memory);
    }

    const MemoryConfig shards_ = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 64}, {2, 1});
    const SoftmaxShardedMultiCoreProgramConfig config_{
        .compute_with_storage_grid_size = {2, 1}, .subblock_w = 1, .block_h = 2, .block_w = 2};
};

TEST_F(SoftmaxRules, RefusesDimensionsAndTypes) {
    const Tensor input = make({1, 2, 32, 64});
    EXPECT_THROWS_WITH((void)ttnn::softmax(input, 4), "Dimension out of range. Dim: 4");
    EXPECT_THROWS_WITH((void)ttnn::softmax(input, -5), "Dimension out of range. Dim: -5");
    EXPECT_THROWS_WITH((void)ttnn::softmax_in_place(input, 2), "Currently softmax inplace supports dim -1");
    EXPECT_THROWS_WITH((void)ttnn::softmax_in_place(make({2, 32, 64})), "Invalid dimension: 2");
    EXPECT_THROWS_WITH((void)ttnn::softmax(input.cpu(), -1), "Device Operations expect device tensors as inputs");
    const Tensor small = upload(normal({1, 1, 32, 64}, 1), DataType::BFLOAT4_B);
    EXPECT_THROWS_WITH(
        (void)ttnn::softmax(small, -1), "Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: BFLOAT4_B");
    const Tensor rows = upload(normal({2, 32, 64}, 1), DataType::BFLOAT16, {}, Layout::ROW_MAJOR);
    EXPECT_THROWS_WITH((void)ttnn::softmax(rows, -1), "Inputs to softmax must be tilized");
}

TEST_F(SoftmaxRules, RefusesMasks) {
    Tensor input = make({2, 2, 64, 64});
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax(input, 0.5F), "Scale value must not be set when mask is not present");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax(input, std::nullopt, std::nullopt, std::nullopt, true),
        "Causal-mask softmax requires an attention mask");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax(input, 0.5F, make({2, 1, 1, 32})),
        "Input and mask inner dimensions must match, got input: 64 vs mask: 32");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax(input, 0.5F, make({1, 1, 1, 64})),
        "Input and mask batch sizes must match, got input: 2 vs mask: 1");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax(input, 0.5F, make({2, 1, 64, 64})),
        "Mask height must be 1 or input tensor tile height, got: 64");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax(input, 0.5F, make({2, 2, 1, 64})),
        "Mask intermediate dimension 1 must be 1, got: 2");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax_in_place(input, 0.5F, make({1, 1, 1, 64})),
        "Input and mask batch sizes must match");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_causal_mask_hw_dims_softmax_in_place(input, 0.5F, make({2, 1, 64, 64})),
        "Scale causal mask HW dims softmax not supported in default program config");
    EXPECT_THROWS_WITH(
        (void)ttnn::transformer::attention_softmax_(input, 64),
        "Cannot apply divide by sqrt(head_size) using in-place version when attention_mask is not set.");
    Tensor host = make({2, 1, 1, 64}).cpu();
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax(input, 0.5F, host), "Device Operations expect device tensors as inputs");
}

TEST_F(SoftmaxRules, RefusesShardedConfigs) {
    Tensor input = make({1, 2, 64, 64}, 1, shards_);
    const auto with = [&](auto change) {
        SoftmaxShardedMultiCoreProgramConfig config = config_;
        change(config);
        return config;
    };
    EXPECT_THROWS_WITH(
        (void)ttnn::softmax_in_place(input, -1, with([](auto& config) { config.block_h = 1; })),
        "block_h (1) must match the shard height in tiles (2)");
    EXPECT_THROWS_WITH(
        (void)ttnn::softmax_in_place(input, -1, with([](auto& config) { config.block_w = 1; })),
        "block_w (1) must match the shard width in tiles (2)");
    EXPECT_THROWS_WITH(
        (void)ttnn::softmax_in_place(input, -1, with([](auto& config) {
                                         config.compute_with_storage_grid_size = {1, 1};
                                     })),
        "shard_spec.grid size 2x1 does not fit within program_config grid 1x1");
    EXPECT_THROWS_WITH(
        (void)ttnn::softmax_in_place(input, -1, with([](auto& config) {
                                         config.compute_with_storage_grid_size = {20, 1};
                                     })),
        "must be contained within device grid");
    const Tensor mask = make({1, 1, 1, 64});
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax_in_place(input, 0.5F, mask, with([](auto& config) { config.subblock_w = 3; })),
        "block_w 2 must be divisible by subblock_w 3");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax_in_place(input, 0.5F, mask, with([](auto& config) {
                                                    config.compute_with_storage_grid_size = {3, 1};
                                                })),
        "number of shards must equal to number of cores");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_mask_softmax_in_place(make({1, 2, 64, 64}), 0.5F, mask, config_),
        "Input tensor must be sharded when using SoftmaxShardedMultiCoreProgramConfig");
    EXPECT_THROWS_WITH(
        (void)ttnn::scale_causal_mask_hw_dims_softmax_in_place(input, std::nullopt, make({1, 1, 64, 64}), config_),
        "Scale value is required for scale causal mask HW dims softmax");
}

TEST_F(SoftmaxRules, InPlaceAllocatesNothing) {
    Tensor input = make({1, 4, 64, 64});
    const Tensor mask = make({1, 1, 1, 64});
    const auto before = ttnn_cpu::memory_statistics(*device_);
    const Tensor result = ttnn::transformer::attention_softmax_(input, 32, mask);
    EXPECT_EQ(ttnn_cpu::memory_statistics(*device_).dram_allocated, before.dram_allocated);
    EXPECT_EQ(result.buffer(), input.buffer());
}

TEST_F(SoftmaxRules, ReplaysFromATrace) {
    const Tensor mask = make({1, 1, 1, 64}, 9);
    const Tensor first = make({1, 4, 64, 64}, 1);
    const Tensor second = make({1, 4, 64, 64}, 2);
    expect_replays(*device_, first, second, [](Tensor& x) { return ttnn::softmax(x, -1); });
    expect_replays(*device_, first, second, [](Tensor& x) { return ttnn::softmax(x, 1); });
    expect_replays(
        *device_, first, second, [&](Tensor& x) { return ttnn::transformer::attention_softmax(x, 64, mask); });
}

TEST_F(SoftmaxRules, ThreadsDoNotChangeBits) {
    const Tensor input = make({1, 4, 96, 80}, 3);
    const std::size_t threads = ttnn_cpu::num_threads();
    ttnn_cpu::set_num_threads(1);
    const std::vector<float> one = ttnn::softmax(input, -1).to_vector<float>();
    ttnn_cpu::set_num_threads(3);
    EXPECT_EQ(ttnn::softmax(input, -1).to_vector<float>(), one);
    ttnn_cpu::set_num_threads(threads);
}

TEST_F(SoftmaxRules, RecordsNameTheDeviceOperation) {
    Tensor input = make({1, 4, 64, 64});
    const Tensor mask = make({1, 1, 1, 64});
    ttnn_cpu::start_recording(*device_);
    (void)ttnn::transformer::attention_softmax_(input, 64, mask);
    const ttnn_cpu::Recording recording = ttnn_cpu::stop_recording(*device_);
    ASSERT_EQ(recording.ops.size(), 1U);
    EXPECT_EQ(recording.ops[0].name, "SoftmaxDeviceOperation");
    EXPECT_EQ(recording.ops[0].math_fidelity, "HiFi4");
    EXPECT_EQ(recording.ops[0].core_count, 8U);  // 4 heads of 2 rows of tiles
    EXPECT_GT(recording.ops[0].circular_buffer_bytes, 0U);
    EXPECT_EQ(recording.calls.at(0).function, "ttnn::transformer::attention_softmax_");
}

}  // namespace

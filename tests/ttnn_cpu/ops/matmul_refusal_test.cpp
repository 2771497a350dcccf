// SPDX-License-Identifier: Apache-2.0
// What ttnn::matmul and ttnn::linear refuse, and in which words.
#include <ttnn/operations/matmul/matmul.hpp>

#include "op_fixture.hpp"

namespace {

using namespace op_test;
using namespace ttnn::operations::matmul;
using enum TensorMemoryLayout;
using ttnn::CoreGrid;

class MatmulRefusal : public OpTest {
protected:
    static Tensor tensor(
        const Shape& shape, DataType dtype = DataType::BFLOAT16, const MemoryConfig& memory = {},
        Layout layout = Layout::TILE) {
        return ttnn::create_device_tensor(spec_of(shape, dtype, layout, memory), device_.get());
    }
    static Tensor with(
        const Tensor& a, const Tensor& b, const MatmulProgramConfig& config, const MemoryConfig& memory = {},
        const std::optional<ttnn::DeviceComputeKernelConfig>& compute = std::nullopt) {
        return ttnn::matmul(a, b, false, false, memory, std::nullopt, config, std::nullopt, compute);
    }

    const Tensor a_ = tensor(Shape{1, 1, 384, 1024});
    const Tensor b_ = tensor(Shape{1, 1, 1024, 1024});
    // Good for a_ x b_ on 8 x 6 cores.
    const MatmulMultiCoreReuseMultiCastProgramConfig two_d_{
        .compute_with_storage_grid_size = {8, 6},
        .in0_block_w = 4,
        .out_subblock_h = 1,
        .out_subblock_w = 4,
        .out_block_h = 2,
        .out_block_w = 4,
        .per_core_M = 2,
        .per_core_N = 4,
        .transpose_mcast = false,
        .fused_activation = std::nullopt};
};

TEST_F(MatmulRefusal, Operands) {
    EXPECT_THROWS_WITH(
        (void)ttnn::matmul(a_, tensor(Shape{1, 1, 512, 64})),
        "The width of the first tensor must be equal to the height of the second tensor. Mismatch: width=1024 "
        "height=512");
    EXPECT_THROWS_WITH(
        (void)ttnn::matmul(
            tensor(Shape{1, 1, 32, 64}, DataType::BFLOAT16, {}, Layout::ROW_MAJOR), tensor(Shape{64, 64})),
        "Inputs to matmul must be tilized");
    EXPECT_THROWS_WITH(
        (void)ttnn::matmul(tensor(Shape{32, 64}), tensor(Shape{64, 64}, DataType::INT32)),
        "Unsupported data format for input B: INT32");
    EXPECT_THROWS_WITH((void)ttnn::matmul(a_.cpu(), b_), "Device Operations expect device tensors as inputs");
    EXPECT_THROWS_WITH(
        (void)ttnn::matmul(tensor(Shape{1, 3, 32, 64}), tensor(Shape{1, 4, 64, 32})),
        "batch dimension 1 mismatch: a=3 vs b=4");
    EXPECT_THROWS_WITH(
        (void)ttnn::matmul(tensor(Shape{4, 32, 64}), tensor(Shape{1, 4, 64, 32})),
        "Batched (non-bcast) matmul requires inputs of the same rank, got a_shape rank: 3 vs b_shape rank: 4");
}

TEST_F(MatmulRefusal, BothGridAndConfig) {
    EXPECT_THROWS_WITH(
        (void)ttnn::matmul(
            a_, b_, false, false, std::nullopt, std::nullopt, two_d_, std::nullopt, std::nullopt, CoreGrid(8, 8)),
        "Cannot use both user core grid/coordinates and a program config");
    EXPECT_THROWS_WITH(
        (void)ttnn::matmul(
            tensor(Shape{1, 4, 32, 64}), tensor(Shape{1, 4, 64, 32}), false, false, std::nullopt, std::nullopt,
            std::nullopt, "relu", std::nullopt, CoreGrid(8, 8)),
        "Cannot use activation with batched input b");
}

TEST_F(MatmulRefusal, BlocksOfThe2DConfig) {
    SKIP_UNLESS_WORMHOLE(*device_);
    EXPECT_NO_THROW((void)with(a_, b_, two_d_));
    const auto refuses = [&](auto change, const char* message) {
        MatmulMultiCoreReuseMultiCastProgramConfig config = two_d_;
        change(config);
        SCOPED_TRACE(message);
        EXPECT_THROWS_WITH((void)with(a_, b_, config), message);
    };
    refuses([](auto& c) { c.in0_block_w = 5; }, "Kt (32) must be divisible by in0_block_w (5)");
    refuses([](auto& c) { c.in0_block_w = 0; }, "in0_block_w is 0, which is not valid");
    refuses([](auto& c) { c.out_block_h = 0; }, "out_block_h is 0, which is not valid");
    refuses([](auto& c) { c.out_subblock_w = 3; }, "out_block_w (4) must be divisible by out_subblock_w (3)");
    refuses(
        [](auto& c) {
            c.out_block_w = 8;
            c.out_subblock_w = 8;
        },
        "per_core_N (4) must be divisible by out_block_w (8)");
    refuses([](auto& c) { c.compute_with_storage_grid_size = {9, 6}; }, "(9, 6) must fit within device grid (8, 8)");
    refuses(
        [](auto& c) {
            c.compute_with_storage_grid_size = {4, 6};
        },
        "Num output blocks along x (8) must be smaller");
    refuses(
        [](auto& c) {
            c.compute_with_storage_grid_size = {8, 5};
        },
        "Num output blocks along y (6) must be smaller");
    MatmulMultiCoreReuseMultiCastProgramConfig outside = two_d_;
    outside.allowed_worker_cores = CoreRangeSet(CoreRange(CoreCoord(0, 0), CoreCoord(8, 5)));
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)with(a_, b_, outside), "allowed_worker_cores must be a subset of the device compute grid!",
        "it checks these cores in configs of its own making alone");
    MatmulMultiCoreReuseMultiCastProgramConfig large = two_d_;
    large.out_subblock_h = 2;
    EXPECT_NO_THROW((void)with(a_, b_, large));
    EXPECT_THROWS_WITH(
        (void)with(a_, b_, large, {}, ttnn::DeviceComputeKernelConfig{.fp32_dest_acc_en = true}),
        "MatmulMultiCoreReuseMultiCastProgramConfig: out_subblock_w 4 times out_subblock_h 2 needs to be at most 4 to "
        "fit in "
        "hardware");
    EXPECT_THROWS_WITH(
        (void)with(tensor(Shape{2, 1, 192, 1024}), tensor(Shape{2, 1, 1024, 1024}), two_d_),
        "Matmul with fused batch requires input tensors of shapes BCMK*11KN=BCMN");
}

TEST_F(MatmulRefusal, ShardsOfThe2DConfig) {
    const Tensor sharded_a =
        tensor(Shape{1, 1, 384, 1024}, DataType::BFLOAT16, sharded(BLOCK_SHARDED, {64, 128}, {8, 6}));
    EXPECT_NO_THROW((void)with(sharded_a, b_, two_d_, ttnn::L1_BLOCK_SHARDED_MEMORY_CONFIG));
    MatmulMultiCoreReuseMultiCastProgramConfig config = two_d_;
    config.transpose_mcast = true;
    config.compute_with_storage_grid_size = {8, 8};
    EXPECT_THROWS_WITH(
        (void)with(sharded_a, b_, config),
        "Input tensor A must have COL_MAJOR shard orientation for transpose MCAST, got: ROW_MAJOR");
    config = two_d_;
    config.fuse_batch = false;
    EXPECT_THROWS_WITH((void)with(sharded_a, b_, config), "Batch fusion is required when input A is sharded");
    config = two_d_;
    config.in0_block_w = 8;
    EXPECT_THROWS_WITH(
        (void)with(sharded_a, b_, config),
        "shard_shape[1] / in0_tile.get_width() (4) must be divisible by in0_block_w (8)");
    config = two_d_;
    config.per_core_M = config.out_block_h = 3;
    EXPECT_THROWS_WITH(
        (void)with(sharded_a, b_, config), "per_core_M (3) must equal shard_shape[0] / in0_tile.get_height() (2)");
    config = two_d_;
    config.out_subblock_h = 2;
    config.out_subblock_w = 2;
    EXPECT_THROWS_WITH(
        (void)with(sharded_a, b_, config, ttnn::L1_BLOCK_SHARDED_MEMORY_CONFIG),
        "out_subblock_w (2) must equal per_core_N (4) or out_subblock_h (2) must be 1");
    EXPECT_THROWS_WITH(
        (void)with(sharded_a, b_, two_d_, ttnn::L1_HEIGHT_SHARDED_MEMORY_CONFIG),
        "Shard width 128 must match physical width 1024 for height sharded");
    const Tensor width = tensor(Shape{1, 1, 384, 1024}, DataType::BFLOAT16, sharded(WIDTH_SHARDED, {384, 128}, {8, 1}));
    EXPECT_THROWS_WITH((void)with(width, b_, two_d_), "Unsupported memory layout WIDTH_SHARDED");
}

TEST_F(MatmulRefusal, The1DConfig) {
    MatmulMultiCoreReuseMultiCast1DProgramConfig config{
        .compute_with_storage_grid_size = {8, 4},
        .in0_block_w = 2,
        .out_subblock_h = 1,
        .out_subblock_w = 1,
        .out_block_h = 1,
        .out_block_w = 1,
        .per_core_M = 1,
        .per_core_N = 1,
        .fuse_batch = true,
        .fused_activation = std::nullopt,
        .mcast_in0 = true,
        .hop_cores = {}};
    const Tensor row = tensor(Shape{1, 1, 32, 1024});
    EXPECT_NO_THROW((void)with(row, b_, config));
    EXPECT_THROWS_WITH((void)with(a_, b_, config), "Number of blocks exceeds number of cores: 384 blocks > 32 cores");
    MatmulMultiCoreReuseMultiCast1DProgramConfig changed = config;
    changed.per_core_N = changed.out_block_w = 32;
    EXPECT_THROWS_WITH(
        (void)with(a_, b_, changed),
        "mcast_in0 requires M (12) to fit within a single per_core_M block (1), got num_blocks_y=12");
    const Tensor height =
        tensor(Shape{1, 1, 32, 1024}, DataType::BFLOAT16, sharded(HEIGHT_SHARDED, {32, 1024}, {1, 1}));
    EXPECT_THROWS_WITH(
        (void)with(height, b_, config),
        "input A must be WIDTH_SHARDED when mcast_in0 or gather_in0 is set, got: HEIGHT_SHARDED");
    changed = config;
    changed.mcast_in0 = false;
    const Tensor width = tensor(Shape{1, 1, 32, 1024}, DataType::BFLOAT16, sharded(WIDTH_SHARDED, {32, 128}, {8, 1}));
    EXPECT_THROWS_WITH((void)with(width, b_, changed), "input A must be HEIGHT_SHARDED, got: WIDTH_SHARDED");
    changed = config;
    changed.gather_in0 = true;
    EXPECT_THROWS_WITH((void)with(row, b_, changed), "gather_in0 requires input A to be sharded");
    changed = config;
    changed.hop_cores = CoreRangeSet(CoreRange(CoreCoord(7, 7), CoreCoord(7, 7)));
    EXPECT_THROWS_WITH((void)with(row, b_, changed), "Hop cores are not supported for any mode besides gather_in0.");
    changed = config;
    changed.per_core_N = changed.out_block_w = 32;
    EXPECT_THROWS_WITH(
        (void)with(row, b_, changed, ttnn::L1_HEIGHT_SHARDED_MEMORY_CONFIG),
        "output memory layout must be WIDTH_SHARDED or BLOCK_SHARDED on a 1-row grid, got: HEIGHT_SHARDED");
}

TEST_F(MatmulRefusal, TheReuseConfig) {
    const MatmulMultiCoreReuseProgramConfig config{
        .compute_with_storage_grid_size = {8, 2},
        .in0_block_w = 2,
        .out_subblock_h = 1,
        .out_subblock_w = 4,
        .per_core_M = 12,
        .per_core_N = 12};
    const Tensor queries = tensor(Shape{1, 16, 384, 64});
    const Tensor keys = tensor(Shape{1, 16, 64, 384});
    EXPECT_NO_THROW((void)with(queries, keys, config));
    MatmulMultiCoreReuseProgramConfig changed = config;
    changed.per_core_N = 8;
    EXPECT_THROWS_WITH(
        (void)with(queries, keys, changed), "MatmulMultiCoreReuseProgramConfig: N (12) must equal per_core_N (8)");
    changed = config;
    changed.per_core_M = 5;
    EXPECT_THROWS_WITH((void)with(queries, keys, changed), "per_core_M, 5, must divide M, 12, if per_core_M < M!");
    changed.per_core_M = 18;
    EXPECT_THROWS_WITH(
        (void)with(queries, keys, changed), "per_core_M, 18, must be a multiple of M, 12 if per_core_M > M!");
    EXPECT_THROWS_WITH(
        (void)with(queries, tensor(Shape{1, 1, 64, 384}), config),
        "Batch broadcasting is not supported for the chosen program config");
    EXPECT_THROWS_WITH(
        (void)with(queries, keys, config, ttnn::L1_WIDTH_SHARDED_MEMORY_CONFIG),
        "Shard height 384 must match physical height 6144 for width sharded");
}

TEST_F(MatmulRefusal, TheOtherConfigs) {
    const Tensor sharded_a =
        tensor(Shape{1, 1, 384, 1024}, DataType::BFLOAT16, sharded(BLOCK_SHARDED, {64, 128}, {8, 6}));
    EXPECT_THROWS_WITH(
        (void)with(sharded_a, b_, MatmulMultiCoreProgramConfig{}),
        "MatmulMultiCoreProgramConfig: Input A memory layout must be INTERLEAVED, got: BLOCK_SHARDED");
    EXPECT_THROWS_WITH(
        (void)with(a_, b_, MatmulMultiCoreProgramConfig{}, ttnn::L1_BLOCK_SHARDED_MEMORY_CONFIG),
        "Unsupported op for output sharding");
    const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig dram{
        .in0_block_w = 4, .per_core_M = 1, .per_core_N = 4};
    EXPECT_THROWS_WITH(
        (void)with(a_, b_, dram),
        "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig: Input tensor A must be sharded for DRAM sharded "
        "program config");
    const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig batched{
        .in0_block_w = 4, .per_core_M = 1, .per_core_N = 4};
    EXPECT_THROWS_WITH((void)with(a_, b_, batched), "Input tensor A must be sharded for batch-sharded DRAM matmul");
}

TEST_F(MatmulRefusal, BiasAndOutput) {
    const Tensor row = tensor(Shape{1, 1, 1, 64});
    EXPECT_THROWS_WITH(
        (void)ttnn::linear(a_, b_, row),
        "Unsupported bias shape: padded last dimension of bias, 64, not equal to second input's padded last dimension, "
        "1024.");
    const auto into = [&](const Tensor& out, std::optional<const DataType> dtype = std::nullopt) {
        return ttnn::matmul(
            a_, b_, false, false, std::nullopt, dtype, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
            std::nullopt, out);
    };
    EXPECT_THROWS_WITH(
        (void)into(tensor(Shape{1, 1, 384, 512})),
        "Shape of Optional Output Tensor [1, 1, 384, 512] doesn't match Output Tensor [1, 1, 384, 1024]");
    EXPECT_THROWS_WITH(
        (void)into(tensor(Shape{1, 1, 384, 1024}), DataType::BFLOAT8_B),
        "Type mismatch between optional output tensor BFLOAT16 & output tensor BFLOAT8_B");
}

TEST_F(MatmulRefusal, CircularBuffersThatDoNotFit) {
    MatmulMultiCoreReuseMultiCastProgramConfig config = two_d_;
    config.compute_with_storage_grid_size = {1, 1};
    config.in0_block_w = 32;
    config.per_core_M = config.out_block_h = 12;
    config.per_core_N = config.out_block_w = 32;
    EXPECT_THROWS_WITH((void)with(a_, b_, config), "MatmulDeviceOperation");
}

}  // namespace

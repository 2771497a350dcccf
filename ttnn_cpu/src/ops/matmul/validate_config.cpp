// SPDX-License-Identifier: Apache-2.0
// The checks that a program config brings with it.
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/validate_rules.hpp"

namespace ttnn_cpu::matmul_op {

using enum TensorMemoryLayout;

namespace {

void check_config(const Checked& checked, const MultiCoreConfig&) {
    TT_FATAL(
        !checked.a.is_sharded(), "{}: Input A memory layout must be INTERLEAVED, got: {}", checked.name,
        to_string(checked.layout_a()));
    TT_FATAL(
        !checked.b.is_sharded(), "{}: Input B memory layout must be INTERLEAVED, got: {}", checked.name,
        to_string(checked.layout_b()));
    TT_FATAL(
        !checked.out().is_sharded(), "{}: Output memory layout must be INTERLEAVED, got: {}", checked.name,
        to_string(checked.out().memory_layout()));
}

void check_sharded_a(const Checked& checked, const ReuseConfig& config) {
    const MemoryConfig& a = checked.a.memory_config();
    const MemoryConfig& b = checked.b.memory_config();
    TT_FATAL(
        a.memory_layout() != WIDTH_SHARDED, "{}: input A memory layout must not be WIDTH_SHARDED, got: {}",
        checked.name, to_string(a.memory_layout()));
    const ShardSpec& shard = *a.shard_spec();
    const std::uint32_t k = checked.sizes.k_tiles * kTile;
    TT_FATAL(k == shard.shape[1], "{}: K ({}) must equal in0 shard_shape[1] ({})", checked.name, k, shard.shape[1]);
    TT_FATAL(
        shard.shape[1] == config.in0_block_w * kTile,
        "{}: in0 shard_shape[1] ({}) must equal in0_block_w ({}) * in0_tile width ({})", checked.name, shard.shape[1],
        config.in0_block_w, kTile);
    TT_FATAL(
        config.per_core_M * kTile == shard.shape[0],
        "{}: per_core_M ({}) * in0_tile height ({}) must equal in0 shard_shape[0] ({})", checked.name,
        config.per_core_M, kTile, shard.shape[0]);
    if (b.is_sharded()) {
        TT_FATAL(
            a.buffer_type() == b.buffer_type(),
            "{}: Input tensors A and B must have matching buffer types, got A: {} vs B: {}", checked.name,
            to_string(a.buffer_type()), to_string(b.buffer_type()));
        TT_FATAL(
            a.memory_layout() == b.memory_layout(),
            "{}: Input tensors A and B must have matching memory layouts, got A: {} vs B: {}", checked.name,
            to_string(a.memory_layout()), to_string(b.memory_layout()));
        TT_FATAL(
            shard.grid == b.shard_spec()->grid, "{}: input A and B must have matching shard grids, got A: {} vs B: {}",
            checked.name, to_string(shard.grid), to_string(b.shard_spec()->grid));
        TT_FATAL(
            shard.orientation == b.shard_spec()->orientation,
            "{}: Input tensors A and B must have matching shard orientations, got A: {} vs B: {}", checked.name,
            to_string(shard.orientation), to_string(b.shard_spec()->orientation));
    }
    if (checked.out().is_sharded()) {
        check_output_like_a(checked);
    }
}

void check_sharded_b(const Checked& checked, const ReuseConfig& config) {
    const Sizes& sizes = checked.sizes;
    TT_FATAL(
        config.per_core_M % sizes.m_tiles == 0,
        "{}: per_core_M ({}) must be a multiple of M ({}) when input B is sharded", checked.name, config.per_core_M,
        sizes.m_tiles);
    TT_FATAL(
        checked.layout_b() != WIDTH_SHARDED, "{}: Input B memory layout must not be WIDTH_SHARDED, got: {}",
        checked.name, to_string(checked.layout_b()));
    const auto& shape = checked.b.shard_spec()->shape;
    TT_FATAL(
        shape[1] == sizes.b_padded[-1], "{}: Input B shard shape[1] ({}) must equal padded shape[-1] ({})",
        checked.name, shape[1], sizes.b_padded[-1]);
    TT_FATAL(
        shape[0] % (sizes.k_tiles * kTile) == 0, "{}: Input B shard shape[0] ({}) must be divisible by K ({})",
        checked.name, shape[0], sizes.k_tiles * kTile);
}

// Every core has the same number of whole blocks.
void check_work_split(const Checked& checked, const ReuseConfig& config) {
    const Sizes& sizes = checked.sizes;
    const std::uint32_t rows = sizes.batch_a * sizes.m_tiles;
    TT_FATAL(
        rows % config.per_core_M == 0, "B * Mt ({}) must be divisible by per_core_M ({})", rows, config.per_core_M);
    const std::size_t blocks = rows / config.per_core_M * (sizes.n_tiles / config.per_core_N);
    const auto in_l1_shards = [](const Tensor& tensor) {
        return tensor.is_sharded() && tensor.memory_config().is_l1();
    };
    if (in_l1_shards(checked.a) || in_l1_shards(checked.b)) {
        const Tensor& sharded = in_l1_shards(checked.a) ? checked.a : checked.b;
        const std::uint32_t cores = sharded.shard_spec()->grid.num_cores();
        TT_FATAL(
            blocks % cores == 0,
            "MatmulMultiCoreReuseProgramConfig: num_output_blocks ({}) must be evenly divisible by the number of cores "
            "in the "
            "input shard grid ({})",
            blocks, cores);
    }
    const auto& out_shard = checked.out().shard_spec();
    if (!checked.a.is_sharded() && !checked.b.is_sharded() && out_shard && checked.out().is_l1()) {
        TT_FATAL(
            blocks >= out_shard->grid.num_cores(),
            "num_output_blocks_total ({}) must be >= num_cores ({}); some cores would have no work", blocks,
            out_shard->grid.num_cores());
    }
}

void check_config(const Checked& checked, const ReuseConfig& config) {
    const Sizes& sizes = checked.sizes;
    const std::uint32_t m = sizes.m_tiles;
    check_in_device_grid(checked.a);
    check_in_device_grid(checked.b);
    if (config.per_core_M > m) {
        TT_FATAL(
            config.per_core_M % m == 0, "{}: per_core_M, {}, must be a multiple of M, {} if per_core_M > M!",
            checked.name, config.per_core_M, m);
        TT_FATAL(
            sizes.m_tiles_of(true) % config.per_core_M == 0,
            "{}: input a total height, {}, must be divisible by per_core_M, {}!", checked.name, sizes.m_tiles_of(true),
            config.per_core_M);
    } else {
        TT_FATAL(
            m % config.per_core_M == 0, "{}: per_core_M, {}, must divide M, {}, if per_core_M < M!", checked.name,
            config.per_core_M, m);
    }
    TT_FATAL(
        sizes.n_tiles == config.per_core_N, "{}: N ({}) must equal per_core_N ({})", checked.name, sizes.n_tiles,
        config.per_core_N);
    if (checked.a.is_sharded()) {
        check_sharded_a(checked, config);
    }
    TT_FATAL(
        !(sizes.batch_a > 1 && sizes.batch_b == 1),
        "{}: Batch broadcasting is not supported for the chosen program config", checked.name);
    TT_FATAL(
        !(sizes.batch_a > 1 && sizes.batch_b > 1) || m % config.out_subblock_h == 0,
        "{}: out_subblock_h ({}) needs to divide M ({}) evenly and does not. Please update your program config.",
        checked.name, config.out_subblock_h, m);
    if (checked.b.is_sharded()) {
        check_sharded_b(checked, config);
    }
    if (checked.out().is_sharded()) {
        TT_FATAL(
            checked.out().memory_layout() != WIDTH_SHARDED,
            "{}: Output memory layout must not be WIDTH_SHARDED, got: {}", checked.name,
            to_string(checked.out().memory_layout()));
        TT_FATAL(
            config.out_subblock_w == config.per_core_N || config.out_subblock_h == 1,
            "{}: Either out_subblock_w ({}) must equal per_core_N ({}) or out_subblock_h ({}) must be 1", checked.name,
            config.out_subblock_w, config.per_core_N, config.out_subblock_h);
        check_output_grid(checked, checked.a.device()->compute_with_storage_grid_size());
    }
    check_work_split(checked, config);
}

void check_config(const Checked& checked, const DramShardedConfig& config) {
    TT_FATAL(
        checked.a.is_sharded(), "{}: Input tensor A must be sharded for DRAM sharded program config", checked.name);
    TT_FATAL(
        checked.out().is_sharded(), "{}: Output memory config must be sharded for DRAM sharded program config",
        checked.name);
    TT_FATAL(
        checked.layout_a() == WIDTH_SHARDED, "{}: Input A memory layout must be WIDTH_SHARDED, got: {}", checked.name,
        to_string(checked.layout_a()));
    check_output_like_a(checked);
    const ShardSpec& shard = *checked.a.shard_spec();
    TT_FATAL(
        shard.orientation == ShardOrientation::ROW_MAJOR, "{}: Input A shard orientation must be ROW_MAJOR, got: {}",
        checked.name, to_string(shard.orientation));
    const std::uint32_t m = checked.sizes.m_tiles;
    TT_FATAL(m == config.per_core_M, "{}: M ({}) must equal per_core_M ({})", checked.name, m, config.per_core_M);
    TT_FATAL(m == 1, "{}: currently only support in0 tensor height of tile height", checked.name);
    TT_FATAL(
        config.per_core_M == shard.shape[0] / kTile,
        "{}: per_core_M ({}) must equal shard_shape[0] / in0_tile.get_height() ({})", checked.name, config.per_core_M,
        shard.shape[0] / kTile);
    TT_FATAL(
        checked.sizes.k_tiles % config.in0_block_w == 0, "{}: K ({}) must be divisible by in0_block_w ({})",
        checked.name, checked.sizes.k_tiles, config.in0_block_w);
    TT_FATAL(
        shard.shape[1] / kTile % config.in0_block_w == 0,
        "{}: shard_shape[1] / in0_tile.get_width() ({}) must be divisible by in0_block_w ({})", checked.name,
        shard.shape[1] / kTile, config.in0_block_w);
    TT_FATAL(
        checked.layout_b() == WIDTH_SHARDED, "{}: Input B memory layout must be WIDTH_SHARDED, got: {}", checked.name,
        to_string(checked.layout_b()));
}

void check_config(const Checked& checked, const BatchedDramShardedConfig& config) {
    TT_FATAL(checked.a.is_sharded(), "{}: Input tensor A must be sharded for batch-sharded DRAM matmul", checked.name);
    TT_FATAL(
        checked.out().is_sharded(), "{}: Output memory config must be sharded for batch-sharded DRAM matmul",
        checked.name);
    TT_FATAL(
        checked.layout_a() == HEIGHT_SHARDED,
        "{}: Input A memory layout must be HEIGHT_SHARDED for batch-sharded DRAM matmul, got: {}", checked.name,
        to_string(checked.layout_a()));
    check_output_like_a(checked);
    TT_FATAL(
        checked.a.shard_spec()->orientation == ShardOrientation::ROW_MAJOR,
        "{}: Input A shard orientation must be ROW_MAJOR, got: {}", checked.name,
        to_string(checked.a.shard_spec()->orientation));
    TT_FATAL(
        checked.sizes.k_tiles % config.in0_block_w == 0, "{}: N dimension ({}) must be divisible by in0_block_w ({})",
        checked.name, checked.sizes.k_tiles, config.in0_block_w);
    TT_FATAL(
        checked.layout_b() == HEIGHT_SHARDED,
        "{}: Input B memory layout must be HEIGHT_SHARDED for batch-sharded DRAM matmul, got: {}", checked.name,
        to_string(checked.layout_b()));
}

}  // namespace

void check_output_like_a(const Checked& checked) {
    const MemoryConfig& a = checked.a.memory_config();
    TT_FATAL(
        a.buffer_type() == checked.out().buffer_type(),
        "{}: input A and output buffer types must match, got input: {} vs output: {}", checked.name,
        to_string(a.buffer_type()), to_string(checked.out().buffer_type()));
    TT_FATAL(
        a.memory_layout() == checked.out().memory_layout(),
        "{}: input A and output memory layouts must match, got input: {} vs output: {}", checked.name,
        to_string(a.memory_layout()), to_string(checked.out().memory_layout()));
}

void check_in_device_grid(const Tensor& tensor) {
    if (!tensor.is_sharded() || tensor.memory_config().is_dram()) {
        return;
    }
    const CoreCoord grid = tensor.device()->compute_with_storage_grid_size();
    TT_FATAL(
        CoreRange(CoreCoord(0, 0), CoreCoord(grid.x - 1, grid.y - 1))
            .contains(tensor.shard_spec()->grid.bounding_box()),
        "Tensor shard spec grid {} must lie within compute grid ({}, {})", to_string(tensor.shard_spec()->grid), grid.x,
        grid.y);
}

void check_output_grid(const Checked& checked, const CoreCoord& extent) {
    const auto& shard = checked.out().shard_spec();
    if (!shard || checked.out().is_dram()) {
        return;
    }
    TT_FATAL(
        CoreRange(CoreCoord(0, 0), CoreCoord(extent.x - 1, extent.y - 1)).contains(shard->grid.bounding_box()),
        "{}: output shard grid {} must lie within extent {}", checked.name, to_string(shard->grid), to_string(extent));
}

void check_whole_rows(
    const Checked& checked, std::size_t sub_w, std::size_t sub_h, std::size_t w, std::size_t h,
    std::size_t per_core_n) {
    TT_FATAL(
        sub_w == per_core_n || sub_h == 1,
        "{}: out_subblock_w ({}) must equal per_core_N ({}) or out_subblock_h ({}) must be 1", checked.name, sub_w,
        per_core_n, sub_h);
    TT_FATAL(
        w == per_core_n || h == 1, "{}: out_block_w ({}) must equal per_core_N ({}) or out_block_h ({}) must be 1",
        checked.name, w, per_core_n, h);
}

void check_fused_batch(const Checked& checked, bool fuse_batch) {
    if (!fuse_batch) {
        return;
    }
    const Sizes& sizes = checked.sizes;
    TT_FATAL(
        sizes.batch_b == 1,
        "{}: Matmul with fused batch requires input tensors of shapes BCMK*11KN=BCMN or equivalent. Please change the "
        "second "
        "input tensor or adjust the program config.",
        checked.name);
    TT_FATAL(
        !checked.params.transpose_a || sizes.batch_a == 1 || sizes.m_tiles == 1,
        "{}: transpose_a with fuse_batch is not supported when batch dimensions exist and M_per_batch > 1 "
        "(batch_size={}, "
        "M_per_batch={}, a_shape_padded={})",
        checked.name, sizes.batch_a, sizes.m_tiles, to_string(sizes.a_padded));
}

void validate_config(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const Params& params,
    const MatmulProgramConfig& config) {
    const Checked checked{a, b, bias, params, Sizes(a, b, params.transpose_a, params.transpose_b), config_name(config)};
    std::visit([&](const auto& c) { check_config(checked, c); }, config);
}

}  // namespace ttnn_cpu::matmul_op

// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/work_split.hpp>

#include "core/fatal.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/matmul/placement.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

using enum TensorMemoryLayout;

std::uint32_t tiles(std::size_t value) { return static_cast<std::uint32_t>(value); }

MemoryConfig with_shards(const MemoryConfig& memory, const ShardSpec& shards) {
    return MemoryConfig(memory.memory_layout(), memory.buffer_type(), shards);
}

struct Request {
    const Tensor& a;
    const Tensor& b;
    const Params& params;
    Sizes sizes;
};

template <typename Config>
std::array<std::uint32_t, 2> shard_shape(const Config& config) {
    return {tiles(config.per_core_M) * kTile, tiles(config.per_core_N) * kTile};
}

template <typename Config>
std::uint32_t block_count(const Request& request, const Config& config, bool fuse_batch) {
    return div_up(request.sizes.m_tiles_of(fuse_batch), tiles(config.per_core_M)) *
           div_up(request.sizes.n_tiles, tiles(config.per_core_N));
}

MemoryConfig sharded_output(const Request& request, const Mcast1DConfig& config) {
    const MemoryConfig& memory = request.params.output_mem_config;
    if (config.gather_in0) {
        return memory;
    }
    if (memory.memory_layout() == BLOCK_SHARDED && memory.shard_spec()) {
        const CoreCoord grid = memory.shard_spec()->grid.bounding_box().grid_size();
        if (grid.x == 1 || grid.y == 1) {
            return MemoryConfig(
                grid.x == 1 ? HEIGHT_SHARDED : WIDTH_SHARDED, memory.buffer_type(), memory.shard_spec());
        }
    }
    const CoreCoord grid = config.allowed_worker_cores->bounding_box().grid_size();
    const CoreRangeSet cores =
        tt::tt_metal::num_cores_to_corerangeset(block_count(request, config, config.fuse_batch), grid, true);
    return with_shards(memory, ShardSpec(cores, shard_shape(config), ShardOrientation::ROW_MAJOR));
}

MemoryConfig sharded_output(const Request& request, const Mcast2DConfig& config) {
    const std::uint32_t blocks_y = div_up(request.sizes.m_tiles_of(true), tiles(config.per_core_M));
    const std::uint32_t blocks_x = div_up(request.sizes.n_tiles, tiles(config.per_core_N));
    const CoreCoord start = config.allowed_worker_cores->bounding_box().start_coord;
    const CoreCoord size = config.transpose_mcast ? CoreCoord(blocks_y, blocks_x) : CoreCoord(blocks_x, blocks_y);
    const CoreRangeSet cores(CoreRange(start, CoreCoord(start.x + size.x - 1, start.y + size.y - 1)));
    return with_shards(
        request.params.output_mem_config,
        ShardSpec(
            cores, shard_shape(config),
            config.transpose_mcast ? ShardOrientation::COL_MAJOR : ShardOrientation::ROW_MAJOR));
}

MemoryConfig sharded_output(const Request& request, const ReuseConfig& config) {
    ShardOrientation orientation = ShardOrientation::COL_MAJOR;
    if (request.a.is_sharded()) {
        orientation = request.a.shard_spec()->orientation;
    } else if (request.b.is_sharded()) {
        orientation = request.b.shard_spec()->orientation;
    }
    const MemoryConfig& memory = request.params.output_mem_config;
    const CoreRangeSet cores = memory.shard_spec() ? memory.shard_spec()->grid
                                                   : tt::tt_metal::num_cores_to_corerangeset(
                                                         block_count(request, config, true),
                                                         config.allowed_worker_cores->bounding_box().grid_size(),
                                                         orientation == ShardOrientation::ROW_MAJOR);
    return with_shards(memory, ShardSpec(cores, shard_shape(config), orientation));
}

MemoryConfig sharded_output(const Request& request, const DramShardedConfig& config) {
    TT_FATAL(request.a.is_sharded(), "Input tensor A must be sharded for DRAM sharded program config");
    const std::uint32_t per_core_k = request.a.shard_spec()->shape[1] / kTile;
    TT_FATAL(
        per_core_k > 0 && request.sizes.k_tiles % per_core_k == 0,
        "in DRAM sharded Matmul we don't have support for un-even sharding currently. K: {}, per_core_K: {}.",
        request.sizes.k_tiles, per_core_k);
    const CoreRangeSet cores = tt::tt_metal::num_cores_to_corerangeset(
        block_count(request, config, true), request.a.device()->compute_with_storage_grid_size(), true);
    return with_shards(
        request.params.output_mem_config, ShardSpec(cores, shard_shape(config), ShardOrientation::ROW_MAJOR));
}

MemoryConfig sharded_output(const Request& request, const BatchedDramShardedConfig&) {
    TT_FATAL(
        request.params.output_mem_config.shard_spec().has_value(),
        "Output memory config must have a shard spec for batched DRAM sharded matmul");
    return request.params.output_mem_config;
}

MemoryConfig sharded_output(const Request&, const MultiCoreConfig&) { TT_THROW("Unsupported op for output sharding"); }

}  // namespace

TensorSpec output_spec(const Tensor& a, const Tensor& b, const Params& params, const MatmulProgramConfig& config) {
    MemoryConfig memory = params.output_mem_config;
    const Sizes sizes(a, b, params.transpose_a, params.transpose_b);
    if (memory.is_sharded()) {
        const Request request{a, b, params, sizes};
        memory = std::visit([&](const auto& c) { return sharded_output(request, c); }, config);
    }
    const auto layout = params.untilize_out ? tt::tt_metal::Layout::ROW_MAJOR : tt::tt_metal::Layout::TILE;
    const ttnn::Shape shape = output_shape(a, b, params.transpose_a, params.transpose_b);
    const TensorSpec spec(
        shape, tt::tt_metal::TensorLayout(params.output_dtype, tt::tt_metal::PageConfig(layout), memory));
    // Weights of a convolution are padded to the cores' columns; so is then the result.
    ttnn::Shape padded = spec.padded_shape();
    if (padded.rank() == 0 || sizes.n_tiles * kTile <= padded[-1]) {
        return spec;
    }
    padded[-1] = sizes.n_tiles * kTile;
    return spec_with_padding(shape, params.output_dtype, layout, memory, padded);
}

}  // namespace ttnn_cpu::matmul_op

// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/placement.hpp"

#include <algorithm>

#include <tt-metalium/work_split.hpp>

#include "core/board.hpp"
#include "core/device_impl.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

using enum TensorMemoryLayout;

// Sizes that all factories speak of.
struct Buffers {
    Buffers(const Tensor& in0, const Tensor& in1, const std::optional<Tensor>& bias_tensor, const Params& given)
        : a(in0),
          b(in1),
          params(given),
          sizes(in0, in1, given.transpose_a, given.transpose_b),
          in0_tile(tile_bytes(in0.dtype())),
          in1_tile(tile_bytes(in1.dtype())),
          out_tile(tile_bytes(given.output_dtype)),
          bias_tile(bias_tensor ? tile_bytes(bias_tensor->dtype()) : 0),
          has_bias(bias_tensor.has_value()) {}

    bool out_sharded() const { return params.output_mem_config.is_sharded(); }
    bool in1_in_l1_shards() const { return b.is_sharded() && b.memory_config().is_l1(); }

    // The partials' format, and the bytes of the output and partials buffers of a block. They share memory where they
    // can.
    std::uint64_t output_bytes(Placement& placement, std::uint64_t block_tiles, bool separate) const {
        const bool float32_dest = params.compute_kernel_config.fp32_dest_acc_en;
        placement.partials_dtype = float32_dest              ? DataType::FLOAT32
                                   : placement.packer_l1_acc ? DataType::BFLOAT16
                                                             : params.output_dtype;
        const std::uint64_t out = out_sharded() ? 0 : block_tiles * out_tile;
        if (!separate && placement.partials_dtype == params.output_dtype) {
            return out;
        }
        return out + block_tiles * tile_bytes(placement.partials_dtype);
    }

    const Tensor& a;
    const Tensor& b;
    const Params& params;
    Sizes sizes;
    std::uint64_t in0_tile;
    std::uint64_t in1_tile;
    std::uint64_t out_tile;
    std::uint64_t bias_tile;
    bool has_bias;
};

constexpr std::uint64_t kTempVars = 64;

Placement place_config(const Buffers& buffers, const MultiCoreConfig& config) {
    Placement placement;
    const std::uint32_t tiles =
        std::max(buffers.sizes.batch_a, buffers.sizes.batch_b) * buffers.sizes.m_tiles * buffers.sizes.n_tiles;
    placement.cores = std::min(tiles, config.allowed_worker_cores->num_cores());
    placement.circular_buffer_bytes = 2 * (buffers.in0_tile + buffers.in1_tile + buffers.out_tile);
    // Sums stay in the destination for all of K.
    placement.k_block_tiles = buffers.sizes.k_tiles;
    placement.partials_dtype = buffers.params.output_dtype;
    return placement;
}

Placement place_config(const Buffers& buffers, const ReuseConfig& config) {
    Placement placement;
    const Sizes& sizes = buffers.sizes;
    const std::uint64_t per_core_m = config.per_core_M;
    const std::uint64_t per_batch_m = std::min<std::uint64_t>(per_core_m, sizes.m_tiles);
    const std::uint64_t blocks = sizes.k_tiles / config.in0_block_w;
    placement.k_block_tiles = static_cast<std::uint32_t>(config.in0_block_w);
    placement.packer_l1_acc = buffers.params.compute_kernel_config.packer_l1_acc && blocks > 2;
    placement.reload_keeps_float32 = false;

    const std::uint64_t in0 = 2 * per_batch_m * config.in0_block_w * buffers.in0_tile;
    placement.circular_buffer_bytes += buffers.a.is_sharded() ? 0 : in0;
    placement.circular_buffer_bytes +=
        buffers.b.is_sharded() ? 0 : 2 * config.per_core_N * config.in0_block_w * buffers.in1_tile;
    placement.circular_buffer_bytes += per_batch_m * config.per_core_N * buffers.bias_tile;
    placement.circular_buffer_bytes += buffers.params.transpose_a ? in0 : 0;
    placement.circular_buffer_bytes += buffers.output_bytes(placement, per_core_m * config.per_core_N, false);

    const auto total =
        static_cast<std::uint32_t>(sizes.batch_a * sizes.m_tiles / per_core_m * (sizes.n_tiles / config.per_core_N));
    const auto& out_shard = buffers.params.output_mem_config.shard_spec();
    if (buffers.a.is_sharded()) {
        placement.cores = buffers.a.shard_spec()->grid.num_cores();
    } else if (buffers.b.is_sharded()) {
        placement.cores = buffers.b.shard_spec()->grid.num_cores();
    } else if (buffers.out_sharded() && out_shard) {
        placement.cores = out_shard->grid.num_cores();
    } else {
        placement.cores = std::min(total, config.allowed_worker_cores->num_cores());
    }
    return placement;
}

Placement place_config(const Buffers& buffers, const Mcast2DConfig& config) {
    Placement placement;
    const Sizes& sizes = buffers.sizes;
    const std::uint64_t blocks = sizes.k_tiles / config.in0_block_w;
    const std::uint64_t batch = config.fuse_batch ? 1 : sizes.batch_a;
    const std::uint64_t depth = batch * blocks > 1 ? 2 : 1;
    placement.k_block_tiles = static_cast<std::uint32_t>(config.in0_block_w);
    placement.packer_l1_acc =
        buffers.params.compute_kernel_config.packer_l1_acc && (blocks > 2 || (buffers.has_bias && blocks > 1));

    const std::uint64_t in0 = depth * config.out_block_h * config.in0_block_w * buffers.in0_tile;
    const TensorMemoryLayout layout = buffers.a.memory_config().memory_layout();
    placement.circular_buffer_bytes += layout == HEIGHT_SHARDED ? 0 : in0;
    placement.circular_buffer_bytes += layout == BLOCK_SHARDED ? kTempVars : 0;
    placement.circular_buffer_bytes +=
        buffers.in1_in_l1_shards() ? 0 : depth * config.out_block_w * config.in0_block_w * buffers.in1_tile;
    placement.circular_buffer_bytes += config.out_block_w * buffers.bias_tile;
    placement.circular_buffer_bytes += buffers.params.transpose_a ? in0 : 0;
    placement.circular_buffer_bytes += buffers.output_bytes(
        placement, config.out_block_h * config.out_block_w,
        buffers.out_sharded() && config.per_core_M != config.out_block_h);

    const std::uint32_t blocks_y =
        div_up(sizes.m_tiles_of(config.fuse_batch), static_cast<std::uint32_t>(config.per_core_M));
    const std::uint32_t blocks_x = div_up(sizes.n_tiles, static_cast<std::uint32_t>(config.per_core_N));
    placement.cores = blocks_x * blocks_y;
    if (layout == BLOCK_SHARDED) {
        placement.cores = std::max(placement.cores, buffers.a.shard_spec()->grid.num_cores());
    }
    return placement;
}

Placement place_config(const Buffers& buffers, const Mcast1DConfig& config) {
    Placement placement;
    const Sizes& sizes = buffers.sizes;
    const std::uint64_t blocks = sizes.k_tiles / config.in0_block_w;
    const std::uint64_t batch_a = config.fuse_batch ? 1 : sizes.batch_a;
    const bool l1_acc = buffers.params.compute_kernel_config.packer_l1_acc;
    placement.k_block_tiles = static_cast<std::uint32_t>(config.in0_block_w);

    std::uint64_t in0_tiles = config.out_block_h * config.in0_block_w;
    std::uint64_t in1_tiles = config.out_block_w * config.in0_block_w;
    const std::uint64_t depth1 = sizes.batch_b * blocks > 1 ? 2 : 1;
    if (config.gather_in0) {
        // All of in0 goes round the ring; weights are local, or come through a double buffer from DRAM.
        const std::uint64_t shard_k = buffers.a.shard_spec()->shape[1] / kTile;
        const std::uint64_t ring = buffers.a.shard_spec()->grid.num_cores();
        placement.packer_l1_acc = l1_acc && ring > 1;
        placement.cores = static_cast<std::uint32_t>(ring);
        placement.circular_buffer_bytes +=
            std::max<std::uint64_t>(ring - 1, 1) * config.per_core_M * shard_k * buffers.in0_tile;
        placement.circular_buffer_bytes +=
            buffers.b.is_sharded() ? 0 : 2 * shard_k * config.per_core_N * buffers.in1_tile;
        placement.circular_buffer_bytes +=
            buffers.output_bytes(placement, config.out_block_h * config.out_block_w, false);
        return placement;
    }
    if (config.mcast_in0) {
        placement.packer_l1_acc = l1_acc && blocks > 1;
        in0_tiles *= batch_a * blocks > 1 ? 2 : 1;
        placement.circular_buffer_bytes += in0_tiles * buffers.in0_tile + (buffers.a.is_sharded() ? kTempVars : 0);
        placement.circular_buffer_bytes += buffers.in1_in_l1_shards() ? 0 : depth1 * in1_tiles * buffers.in1_tile;
    } else {
        placement.packer_l1_acc = l1_acc && (blocks > 2 || (buffers.has_bias && blocks > 1));
        const bool one_in0 = sizes.batch_a == 1 && sizes.batch_b > 1;
        bool on_shard = false;
        if (one_in0) {
            in0_tiles = config.per_core_M * sizes.k_tiles;
        } else if (buffers.a.is_sharded()) {
            in0_tiles = config.per_core_M * sizes.k_tiles * batch_a;
            const bool copies = buffers.a.shard_spec()->shape[1] / kTile / config.in0_block_w > 1 ||
                                (config.per_core_M > config.out_block_h && config.per_core_N > config.out_block_w);
            on_shard = !copies;
        } else {
            in0_tiles *= batch_a * blocks > 1 ? 2 : 1;
        }
        placement.circular_buffer_bytes += on_shard ? 0 : in0_tiles * buffers.in0_tile;
        placement.circular_buffer_bytes += depth1 * in1_tiles * buffers.in1_tile;
    }
    placement.circular_buffer_bytes += config.out_block_w * buffers.bias_tile;
    placement.circular_buffer_bytes += buffers.params.transpose_a ? in0_tiles * buffers.in0_tile : 0;
    placement.circular_buffer_bytes += buffers.output_bytes(
        placement, config.out_block_h * config.out_block_w,
        buffers.out_sharded() && config.per_core_M != config.out_block_h);
    placement.cores = div_up(sizes.m_tiles_of(config.fuse_batch), static_cast<std::uint32_t>(config.per_core_M)) *
                      div_up(sizes.n_tiles, static_cast<std::uint32_t>(config.per_core_N));
    if (config.mcast_in0 && buffers.a.is_sharded()) {
        placement.cores = std::max(placement.cores, buffers.a.shard_spec()->grid.num_cores());
    }
    return placement;
}

// Both forms with weights in the shards of DRAM: a core for every bank, three blocks of weights on their way.
template <typename Config>
Placement place_dram_sharded(const Buffers& buffers, const Config& config, std::uint64_t columns) {
    Placement placement;
    placement.k_block_tiles = static_cast<std::uint32_t>(config.in0_block_w);
    placement.packer_l1_acc =
        buffers.params.compute_kernel_config.packer_l1_acc && buffers.sizes.k_tiles / config.in0_block_w > 1;
    const std::uint64_t block_tiles = config.per_core_M * columns;
    placement.circular_buffer_bytes = 2 * config.per_core_M * config.in0_block_w * buffers.in0_tile +
                                      3 * columns * config.in0_block_w * buffers.in1_tile + columns * buffers.bias_tile;
    const std::uint64_t shared = buffers.output_bytes(placement, block_tiles, false);
    placement.circular_buffer_bytes += std::max(shared, block_tiles * buffers.out_tile);
    return placement;
}

Placement place_config(const Buffers& buffers, const DramShardedConfig& config) {
    const std::uint32_t banks = buffers.a.device()->impl().board().dram_banks;
    Placement placement = place_dram_sharded(buffers, config, div_up(buffers.sizes.n_tiles, banks));
    placement.cores = std::max(banks, buffers.a.shard_spec()->grid.num_cores());
    return placement;
}

Placement place_config(const Buffers& buffers, const BatchedDramShardedConfig& config) {
    Placement placement = place_dram_sharded(buffers, config, config.per_core_N);
    placement.cores = buffers.a.shard_spec()->grid.num_cores();
    return placement;
}

}  // namespace

Placement place(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const Params& params,
    const MatmulProgramConfig& config) {
    const Buffers buffers(a, b, bias, params);
    return std::visit([&](const auto& c) { return place_config(buffers, c); }, config);
}

}  // namespace ttnn_cpu::matmul_op

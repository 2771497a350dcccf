// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/placement.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "zoo/error.hpp"

namespace zoo::encoder {
namespace {

using ttnn::CoreCoord;
using ttnn::operations::matmul::MatmulMultiCoreReuseMultiCastProgramConfig;
using ttnn::operations::matmul::MatmulMultiCoreReuseProgramConfig;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

constexpr std::size_t kTile = 32;

// Tiles that the destination register holds: half of its 16, and half of that again with float32 accumulation.
constexpr std::size_t kDestTiles = 8;
constexpr std::size_t kDestTilesFloat32 = 4;

// Wider blocks of the inner dimension mean fewer passes and larger circular buffers. Past 8 tiles the first gain is gone.
constexpr std::size_t kMaxInnerBlock = 8;

// What a core of a Wormhole has for tensors and circular buffers (a Blackhole's has a little more), less a margin for the
// gaps that tensors of several lives leave.
constexpr std::size_t kL1Bytes = 1'370'000;
constexpr std::size_t kBfloat16Tile = 2048;
constexpr std::size_t kBfloat8Tile = 1088;

std::size_t largest_divisor(std::size_t number, std::size_t limit) {
    for (std::size_t divisor = std::min(number, limit); divisor > 1; --divisor) {
        if (number % divisor == 0) {
            return divisor;
        }
    }
    return 1;
}

struct Subblock {
    std::size_t h;
    std::size_t w;
};

// The largest block of output tiles that fits the destination register. A sharded output wants it to be as wide as the
// core's block, or one tile high.
Subblock subblock(std::size_t per_core_m, std::size_t per_core_n) {
    const std::size_t w = largest_divisor(per_core_n, kDestTiles);
    return {w == per_core_n ? largest_divisor(per_core_m, kDestTiles / w) : 1, w};
}

// All sizes in tiles.
struct Sizes {
    std::size_t batch;
    std::size_t heads;
    std::size_t sequence;
    std::size_t head;
    std::size_t hidden;
    std::size_t intermediate;
};

ttnn::MemoryConfig sharded(
    ttnn::TensorMemoryLayout layout, const CoreCoord& grid, std::size_t height, std::size_t width,
    ttnn::ShardOrientation orientation = ttnn::ShardOrientation::ROW_MAJOR) {
    const ttnn::CoreRangeSet cores(ttnn::CoreRange(CoreCoord(0, 0), CoreCoord(grid.x - 1, grid.y - 1)));
    const std::array<std::uint32_t, 2> shape{
        static_cast<std::uint32_t>(height * kTile), static_cast<std::uint32_t>(width * kTile)};
    return ttnn::MemoryConfig(layout, ttnn::BufferType::L1, tt::tt_metal::ShardSpec(cores, shape, orientation));
}

// A matrix with `outer` tiles of output over activations with `rows` tiles to each row of cores, `inner_block` tiles of
// the inner dimension at a time.
MatmulMultiCoreReuseMultiCastProgramConfig linear(
    const CoreCoord& grid, std::size_t rows, std::size_t inner_block, std::size_t outer,
    std::optional<UnaryWithParam> activation = std::nullopt) {
    const std::size_t width = outer / grid.x;
    const Subblock block = subblock(rows, width);
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = inner_block,
        .out_subblock_h = block.h,
        .out_subblock_w = block.w,
        .out_block_h = rows,
        .out_block_w = width,
        .per_core_M = rows,
        .per_core_N = width,
        .transpose_mcast = false,
        .fused_activation = activation,
        .fuse_batch = true};
}

// One product a head; each core computes `rows` x `outer` tiles. The inner dimension is taken whole, as a sharded left
// side demands.
MatmulMultiCoreReuseProgramConfig per_head(
    const CoreCoord& grid, std::size_t rows, std::size_t inner, std::size_t outer, std::size_t sequence) {
    // A subblock stays inside one head.
    const Subblock block = subblock(std::gcd(rows, sequence), outer);
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = inner,
        .out_subblock_h = block.h,
        .out_subblock_w = block.w,
        .per_core_M = rows,
        .per_core_N = outer};
}

struct Cut {
    CoreCoord grid;
    std::size_t rows;  // tiles of batch * heads * sequence to a core
};

// Cuts the rows of the scores over a rectangle of cores, as many as possible, never across two sequences of the batch.
Cut cut_scores(std::string_view where, const Sizes& sizes, const CoreCoord& device) {
    std::vector<std::size_t> choices;
    for (std::size_t rows = 1; rows <= sizes.sequence; ++rows) {
        if (sizes.sequence % rows == 0) {
            choices.push_back(rows);
        }
    }
    for (std::size_t heads = 2; heads <= sizes.heads; ++heads) {
        if (sizes.heads % heads == 0) {
            choices.push_back(heads * sizes.sequence);
        }
    }
    for (const std::size_t rows : choices) {
        const std::size_t cores = sizes.batch * sizes.heads * sizes.sequence / rows;
        const std::size_t columns = largest_divisor(cores, device.x);
        if (cores / columns <= device.y) {
            return {CoreCoord(columns, cores / columns), rows};
        }
    }
    fail(
        where, "batch ", sizes.batch, " with ", sizes.heads, " heads and a sequence of ", sizes.sequence * kTile,
        " does not divide over a rectangle of the device's ", device.x, "x", device.y, " cores; take a smaller batch");
}

void place_by_head(Placement& place, const Sizes& sizes, const CoreCoord& grid) {
    using enum ttnn::TensorMemoryLayout;
    const std::size_t rows = sizes.heads / grid.x * sizes.sequence;
    place.qkv_order = QkvOrder::ByHead;
    place.memory.query_key_value = sharded(BLOCK_SHARDED, grid, sizes.sequence, 3 * sizes.hidden / grid.x);
    place.memory.heads = ttnn::L1_HEIGHT_SHARDED_MEMORY_CONFIG;
    place.memory.scores = sharded(HEIGHT_SHARDED, grid, rows, sizes.sequence);
    place.memory.context = sharded(HEIGHT_SHARDED, grid, rows, sizes.head);
    place.memory.joined = place.memory.hidden;
    place.programs.scores = per_head(grid, rows, sizes.head, sizes.sequence, sizes.sequence);
    place.programs.context = per_head(grid, rows, sizes.sequence, sizes.head, sizes.sequence);
    place.programs.softmax = ttnn::SoftmaxShardedMultiCoreProgramConfig{
        .compute_with_storage_grid_size = grid,
        .subblock_w = largest_divisor(sizes.sequence, kDestTiles),
        .block_h = rows,
        .block_w = sizes.sequence};
}

void place_spread(std::string_view where, Placement& place, const Sizes& sizes, const CoreCoord& device) {
    const Cut cut = cut_scores(where, sizes, device);
    place.qkv_order = QkvOrder::Stacked;
    place.memory.query_key_value = ttnn::L1_MEMORY_CONFIG;
    place.memory.heads = ttnn::L1_MEMORY_CONFIG;
    // Column major is what the matmul makes of two interleaved operands, whatever is asked for.
    place.memory.scores = sharded(
        ttnn::TensorMemoryLayout::HEIGHT_SHARDED, cut.grid, cut.rows, sizes.sequence,
        ttnn::ShardOrientation::COL_MAJOR);
    place.memory.context = ttnn::L1_MEMORY_CONFIG;
    place.memory.joined = ttnn::L1_MEMORY_CONFIG;
    place.programs.scores = per_head(cut.grid, cut.rows, sizes.head, sizes.sequence, sizes.sequence);
    place.programs.context = per_head(cut.grid, cut.rows, sizes.sequence, sizes.head, sizes.sequence);
    place.programs.softmax = ttnn::SoftmaxShardedMultiCoreProgramConfig{
        .compute_with_storage_grid_size = cut.grid,
        .subblock_w = largest_divisor(sizes.sequence, kDestTiles),
        .block_h = cut.rows,
        .block_w = sizes.sequence};
}

Sizes sizes_of(std::string_view where, const LayerSpec& spec, std::int64_t batch, std::int64_t sequence) {
    if (batch <= 0) {
        fail(where, "batch is ", batch, "; it must be positive");
    }
    if (sequence <= 0 || sequence % static_cast<std::int64_t>(kTile) != 0) {
        fail(where, "sequence is ", sequence, "; it must be a positive multiple of ", kTile, ", the side of a tile");
    }
    const auto tiles = [](std::int64_t elements) { return static_cast<std::size_t>(elements) / kTile; };
    return {
        .batch = static_cast<std::size_t>(batch),
        .heads = static_cast<std::size_t>(spec.num_attention_heads),
        .sequence = tiles(sequence),
        .head = tiles(spec.head_size()),
        .hidden = tiles(spec.hidden_size),
        .intermediate = tiles(spec.intermediate_size)};
}

// One linear layer of the model and what else lies in L1 when it runs.
struct Fit {
    std::string_view name;
    std::size_t inner;     // tiles of the inner dimension to a core
    std::size_t width;     // tiles of the output's width to a core
    std::size_t in0_tile;  // bytes
    std::size_t out_tile;
    std::size_t held;              // bytes of its input and output and of what waits for later
    bool interleaved_out = false;  // else the output's shard is its own buffer
};

// The circular buffers of a linear layer on one core: two blocks of either side, the bias, partial sums in bfloat16 where
// the result is not, and the result where it leaves the core.
std::size_t buffers(const Fit& fit, std::size_t rows, std::size_t inner_block) {
    return 2 * inner_block * (rows * fit.in0_tile + fit.width * kBfloat8Tile) + fit.width * kBfloat16Tile +
           (fit.out_tile == kBfloat16Tile ? 0 : rows * fit.width * kBfloat16Tile) +
           (fit.interleaved_out ? rows * fit.width * fit.out_tile : 0);
}

// The widest block of the inner dimension with which the layer fits.
std::size_t inner_block(std::string_view where, const Placement& place, const Fit& fit, std::size_t rows) {
    const auto need = [&](std::size_t block) { return fit.held + buffers(fit, rows, block); };
    for (std::size_t block = std::min(fit.inner, kMaxInnerBlock); block > 0; --block) {
        if (fit.inner % block == 0 && need(block) <= kL1Bytes) {
            return block;
        }
    }
    fail(
        where, "batch ", place.batch, " with ", place.sequence, " tokens: ", fit.name, " needs ", need(1),
        " bytes of L1 a core, ", need(1) - kL1Bytes, " more than the ", kL1Bytes,
        " there are; take a smaller batch or shorter sequences");
}

}  // namespace

Placement placement_for(
    std::string_view where, const LayerSpec& spec, std::int64_t batch, std::int64_t sequence,
    const ttnn::CoreCoord& grid) {
    const Sizes sizes = sizes_of(where, spec, batch, sequence);
    const std::size_t all_rows = sizes.batch * sizes.sequence;
    const std::size_t spread_rows = largest_divisor(all_rows, grid.y);
    const bool by_head = sizes.batch <= grid.y && sizes.batch >= spread_rows;

    // The width is cut where the hidden, the fused and the intermediate size can all be cut, and heads stay whole where
    // a core is to hold them.
    const std::size_t whole = by_head ? sizes.heads : sizes.hidden;
    const CoreCoord cores(
        largest_divisor(std::gcd(whole, sizes.intermediate), grid.x), by_head ? sizes.batch : spread_rows);
    const std::size_t rows = all_rows / cores.y;
    const std::size_t hidden = sizes.hidden / cores.x;
    const std::size_t wide = sizes.intermediate / cores.x;

    Placement place{.batch = batch, .sequence = sequence};
    place.memory.embeddings = ttnn::L1_MEMORY_CONFIG;
    // A row of logits may be as wide as the vocabulary.
    place.memory.head = ttnn::DRAM_MEMORY_CONFIG;
    place.memory.hidden = sharded(ttnn::TensorMemoryLayout::BLOCK_SHARDED, cores, rows, hidden);
    place.memory.intermediate = sharded(ttnn::TensorMemoryLayout::BLOCK_SHARDED, cores, rows, wide);
    if (by_head) {
        place_by_head(place, sizes, cores);
    } else {
        place_spread(where, place, sizes, grid);
    }

    const std::size_t hidden_bytes = rows * hidden * kBfloat16Tile;
    const std::size_t joined_bytes = rows * hidden * kBfloat8Tile;
    const std::size_t wide_bytes = rows * wide * kBfloat8Tile;
    const auto block = [&](const Fit& fit) { return inner_block(where, place, fit, rows); };
    const UnaryWithParam gelu = spec.activation == Activation::GeluTanh
                                    ? UnaryWithParam(UnaryOpType::GELU_TANH)
                                    // The parameter of GELU asks for the lookup table; 0 is the accurate one.
                                    : UnaryWithParam(UnaryOpType::GELU, 0.0F);
    place.programs.query_key_value = linear(
        cores, rows,
        block(
            {"query_key_value", hidden, 3 * hidden, kBfloat16Tile, kBfloat8Tile, hidden_bytes + 3 * joined_bytes,
             !by_head}),
        3 * sizes.hidden);
    place.programs.attention_output = linear(
        cores, rows,
        block({"attention_output", hidden, hidden, kBfloat8Tile, kBfloat16Tile, 2 * hidden_bytes + joined_bytes}),
        sizes.hidden);
    place.programs.intermediate = linear(
        cores, rows, block({"intermediate", hidden, wide, kBfloat16Tile, kBfloat8Tile, hidden_bytes + wide_bytes}),
        sizes.intermediate, gelu);
    place.programs.output = linear(
        cores, rows, block({"feed_forward", wide, hidden, kBfloat8Tile, kBfloat16Tile, 2 * hidden_bytes + wide_bytes}),
        sizes.hidden);
    place.programs.layer_norm = ttnn::prim::LayerNormShardedMultiCoreProgramConfig{
        .compute_with_storage_grid_size = cores,
        .subblock_w = largest_divisor(hidden, kDestTilesFloat32),
        .block_h = rows,
        .block_w = hidden,
        .inplace = true};

    // Two phases multiply all the bits of a bfloat8_b weight; one drops its last two.
    place.matmul_kernel = {
        .math_fidelity = tt::tt_metal::MathFidelity::HiFi2, .math_approx_mode = false, .packer_l1_acc = true};
    place.softmax_kernel = {.math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false};
    place.layer_norm_kernel = {
        .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true};
    place.head_kernel = place.layer_norm_kernel;
    return place;
}

ttnn::operations::matmul::MatmulProgramConfig projection_to_hidden(
    const Placement& place, std::int64_t in, std::int64_t hidden_size) {
    const auto& output = std::get<MatmulMultiCoreReuseMultiCastProgramConfig>(place.programs.output);
    return linear(
        output.compute_with_storage_grid_size, output.per_core_M,
        largest_divisor(static_cast<std::size_t>(in) / kTile, kMaxInnerBlock),
        static_cast<std::size_t>(hidden_size) / kTile);
}

ParameterFormat optimized_format(const Placement& place) {
    return {.weight_dtype = place.weight_dtype, .qkv_order = place.qkv_order};
}

}  // namespace zoo::encoder

// SPDX-License-Identifier: Apache-2.0
// The checks of every matmul, in TTNN's order and words.
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/device_operation.hpp"
#include "ops/matmul/placement.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

using enum TensorMemoryLayout;
using tt::tt_metal::Layout;

bool is_float(DataType dtype) {
    return dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32 || dtype == DataType::BFLOAT8_B ||
           dtype == DataType::BFLOAT4_B;
}

void check_operands(const Tensor& a, const Tensor& b) {
    TT_FATAL(a.device() == b.device(), "Operands to matmul need to be on the same device!");
    TT_FATAL(a.layout() == Layout::TILE && b.layout() == Layout::TILE, "Inputs to matmul must be tilized");
    TT_FATAL(is_float(a.dtype()), "Unsupported data format for input A: {}", to_string(a.dtype()));
    TT_FATAL(is_float(b.dtype()), "Unsupported data format for input B: {}", to_string(b.dtype()));
}

void check_dimensions(const Sizes& sizes) {
    TT_FATAL(sizes.b.rank() >= 2, "Matmul expects input B rank >= 2, got {}", sizes.b.rank());
    TT_FATAL(
        sizes.a[-1] == sizes.b[-2],
        "The width of the first tensor must be equal to the height of the second tensor. Mismatch: width={} height={}",
        sizes.a[-1], sizes.b[-2]);
    const std::uint32_t k_tiles_b = sizes.b_padded[-2] / kTile;
    TT_FATAL(
        sizes.k_tiles == k_tiles_b, "K dimension in tiles must match between input A ({}) and input B ({})",
        sizes.k_tiles, k_tiles_b);
}

void check_output(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& output, const Params& params,
    const MatmulProgramConfig& config) {
    if (output) {
        const Shape shape = output_shape(a, b, params.transpose_a, params.transpose_b);
        TT_FATAL(
            output->logical_shape() == shape, "Shape of Optional Output Tensor {} doesn't match Output Tensor {}",
            to_string(output->logical_shape()), to_string(shape));
        TT_FATAL(
            output->layout() == (params.untilize_out ? Layout::ROW_MAJOR : Layout::TILE),
            "matmul: the optional output tensor must be in TILE layout, got {}", to_string(output->layout()));
        return;
    }
    const MemoryConfig computed = output_spec(a, b, params, config).memory_config();
    const MemoryConfig& wanted = params.output_mem_config;
    bool compatible = computed.memory_layout() == wanted.memory_layout();
    if (wanted.memory_layout() == BLOCK_SHARDED && wanted.shard_spec()) {
        // Blocks on one row or column of cores are columns or rows.
        const CoreCoord grid = wanted.shard_spec()->grid.bounding_box().grid_size();
        compatible = compatible || (grid.x == 1 && computed.memory_layout() == HEIGHT_SHARDED) ||
                     (grid.y == 1 && computed.memory_layout() == WIDTH_SHARDED);
    }
    TT_FATAL(
        compatible, "Mismatch between computed {} and provided {} mem config memory layout",
        to_string(computed.memory_layout()), to_string(wanted.memory_layout()));
}

void check_grid(const Tensor& a, const MatmulProgramConfig& config) {
    const CoreCoord device_grid = a.device()->compute_with_storage_grid_size();
    const auto name = config_name(config);
    std::visit(
        [&](const auto& c) {
            if constexpr (requires { c.compute_with_storage_grid_size; }) {
                bool gather = false;
                if constexpr (requires { c.gather_in0; }) {
                    gather = c.gather_in0;
                }
                const CoreCoord& grid = c.compute_with_storage_grid_size;
                TT_FATAL(
                    gather || (grid.x > 0 && grid.y > 0),
                    "{}: compute_with_storage_grid_size must be non-zero, got ({}, {})", name, grid.x, grid.y);
                TT_FATAL(
                    gather || (grid.x <= device_grid.x && grid.y <= device_grid.y),
                    "{}: compute_with_storage_grid_size ({}, {}) must fit within device grid ({}, {})", name, grid.x,
                    grid.y, device_grid.x, device_grid.y);
            }
            if constexpr (requires { c.allowed_worker_cores; }) {
                if (c.allowed_worker_cores) {
                    const CoreRangeSet& cores = *c.allowed_worker_cores;
                    TT_FATAL(cores.num_cores() > 0, "allowed_worker_cores must be non-empty!");
                    TT_FATAL(
                        cores.num_cores() == cores.bounding_box().size(),
                        "allowed_worker_cores must form a dense rectangle (got {} cores in a {} bounding box)",
                        cores.num_cores(), cores.bounding_box().str());
                    TT_FATAL(
                        CoreRange(CoreCoord(0, 0), CoreCoord(device_grid.x - 1, device_grid.y - 1))
                            .contains(cores.bounding_box()),
                        "allowed_worker_cores must be a subset of the device compute grid!");
                }
            }
            if constexpr (requires { c.in0_block_w; }) {
                TT_FATAL(c.in0_block_w != 0, "{}: in0_block_w is 0, which is not valid", name);
                TT_FATAL(c.per_core_M != 0, "{}: per_core_M is 0, which is not valid", name);
                TT_FATAL(c.per_core_N != 0, "{}: per_core_N is 0, which is not valid", name);
            }
        },
        config);
}

void check_divides(
    std::string_view name, std::string_view what, std::size_t value, std::string_view by, std::size_t divisor) {
    TT_FATAL(value % divisor == 0, "{}: {} ({}) must be divisible by {} ({})", name, what, value, by, divisor);
}

void check_blocks(const Sizes& sizes, const Params& params, const MatmulProgramConfig& config) {
    const auto name = config_name(config);
    std::visit(
        [&](const auto& c) {
            if constexpr (requires { c.out_subblock_h; }) {
                check_divides(name, "Kt", sizes.k_tiles, "in0_block_w", c.in0_block_w);
                TT_FATAL(c.out_subblock_h != 0, "{}: out_subblock_h is 0, which is not valid", name);
                TT_FATAL(c.out_subblock_w != 0, "{}: out_subblock_w is 0, which is not valid", name);
                if constexpr (requires { c.out_block_h; }) {
                    TT_FATAL(c.out_block_h != 0, "{}: out_block_h is 0, which is not valid", name);
                    TT_FATAL(c.out_block_w != 0, "{}: out_block_w is 0, which is not valid", name);
                    check_divides(name, "out_block_h", c.out_block_h, "out_subblock_h", c.out_subblock_h);
                    check_divides(name, "out_block_w", c.out_block_w, "out_subblock_w", c.out_subblock_w);
                    check_divides(name, "per_core_M", c.per_core_M, "out_block_h", c.out_block_h);
                    check_divides(name, "per_core_N", c.per_core_N, "out_block_w", c.out_block_w);
                } else {
                    check_divides(name, "per_core_M", c.per_core_M, "out_subblock_h", c.out_subblock_h);
                    check_divides(name, "per_core_N", c.per_core_N, "out_subblock_w", c.out_subblock_w);
                }
                const std::uint32_t registers = ttnn::get_dest_reg_count(params.compute_kernel_config);
                TT_FATAL(
                    c.out_subblock_h * c.out_subblock_w <= registers,
                    "{}: out_subblock_w {} times out_subblock_h {} needs to be at most {} to fit in hardware", name,
                    c.out_subblock_w, c.out_subblock_h, registers);
            }
        },
        config);
}

void check_batch(
    const Tensor& a, const Tensor& b, const Sizes& sizes, const Params& params, const MatmulProgramConfig& config) {
    if (params.broadcast_batch) {
        TT_FATAL(
            sizes.batch_b == 1,
            "Batch-broadcast matmul requires input B batch size 1 (shapes BCMK*11KN=BCMN), got B batch size {}",
            sizes.batch_b);
        return;
    }
    TT_FATAL(
        sizes.a.rank() == sizes.b.rank(),
        "Batched (non-bcast) matmul requires inputs of the same rank, got a_shape rank: {} vs b_shape rank: {}",
        sizes.a.rank(), sizes.b.rank());
    const auto* one_d = std::get_if<Mcast1DConfig>(&config);
    const bool reuses_in0 = one_d != nullptr && !one_d->fuse_batch && !one_d->fused_activation && !one_d->mcast_in0 &&
                            sizes.batch_a == 1 && sizes.a.rank() >= 3 && !a.is_sharded() && !b.is_sharded();
    for (std::int32_t i = 0; i + 2 < static_cast<std::int32_t>(sizes.a.rank()); ++i) {
        TT_FATAL(
            sizes.a[i] == sizes.b[i] || (sizes.a[i] == 1 && reuses_in0),
            "bmm (non-bcast matmul) expects input tensors of shapes BCMK*BCKN=BCMN or batch dimension {} mismatch: "
            "a={} vs b={} "
            "(dimension mismatch only allowed when all batch dimensions of a are size 1 and using "
            "MatmulMultiCoreReuseMultiCast1DProgramConfig with fuse_batch=false, fused_activation=none, "
            "mcast_in0=false, and "
            "non-sharded inputs for in0 reuse optimization)",
            i, sizes.a[i], sizes.b[i]);
    }
}

void check_bias(const Tensor& bias, const Sizes& sizes, const MatmulProgramConfig& config) {
    TT_FATAL(bias.layout() == Layout::TILE, "Unsupported bias layout: {}, has to be TILE", to_string(bias.layout()));
    TT_FATAL(is_float(bias.dtype()), "Unsupported data format for bias: {}", to_string(bias.dtype()));
    TT_FATAL(
        batch_size(bias.logical_shape()) == 1, "Unsupported bias shape: batch size must be 1, got {}",
        batch_size(bias.logical_shape()));
    const std::uint32_t tile_rows = std::holds_alternative<ReuseConfig>(config) ? sizes.m_tiles : 1;
    TT_FATAL(
        bias.padded_shape()[-2] == tile_rows * kTile,
        "Unsupported bias shape: padded second last dimension of bias, {}, not equal to expected bias height, {} (tile "
        "height {} "
        "x {} bias tile-row(s))",
        bias.padded_shape()[-2], tile_rows * kTile, kTile, tile_rows);
    TT_FATAL(
        bias.padded_shape()[-1] == sizes.b_padded[-1],
        "Unsupported bias shape: padded last dimension of bias, {}, not equal to second input's padded last dimension, "
        "{}.",
        bias.padded_shape()[-1], sizes.b_padded[-1]);
    TT_FATAL(
        bias.logical_shape()[-1] >= sizes.b[-1],
        "Unsupported bias shape: last dimension of bias, {}, not equal to or greater than second input's last "
        "dimension, {}.",
        bias.logical_shape()[-1], sizes.b[-1]);
}

void check_untilize(const Params& params, const MatmulProgramConfig& config) {
    TT_FATAL(
        params.output_dtype == DataType::BFLOAT16 || params.output_dtype == DataType::FLOAT32,
        "{}: Unsupported data type: {}, only BFLOAT16 and FLOAT32 are supported", config_name(config),
        to_string(params.output_dtype));
}

}  // namespace

void validate(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const std::optional<Tensor>& output,
    const Params& params, const MatmulProgramConfig& config) {
    check_operands(a, b);
    TT_FATAL(is_float(params.output_dtype), "matmul: unsupported output data type {}", to_string(params.output_dtype));
    const Sizes sizes(a, b, params.transpose_a, params.transpose_b);
    check_dimensions(sizes);
    check_grid(a, config);
    check_blocks(sizes, params, config);
    check_output(a, b, output, params, config);
    check_batch(a, b, sizes, params, config);
    if (bias) {
        check_bias(*bias, sizes, config);
    }
    if (params.untilize_out) {
        check_untilize(params, config);
    }
    validate_config(a, b, bias, params, config);
}

}  // namespace ttnn_cpu::matmul_op

// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/params.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/data_type.hpp"
#include "core/fatal.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

Shape transposed(Shape shape, bool transpose) {
    if (transpose) {
        std::swap(shape[-2], shape[-1]);
    }
    return shape;
}

Shape without_dimension(const Shape& shape, std::size_t index) {
    Shape::Container dims(shape.begin(), shape.end());
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(index));
    return Shape(dims);
}

}  // namespace

std::uint32_t batch_size(const Shape& shape) {
    std::uint32_t size = 1;
    for (std::size_t i = 0; i + 2 < shape.rank(); ++i) {
        size *= shape[static_cast<std::int32_t>(i)];
    }
    return size;
}

std::uint32_t tile_bytes(DataType dtype) { return static_cast<std::uint32_t>(storage_bytes(dtype, kTile * kTile)); }

std::uint32_t div_up(std::uint32_t value, std::uint32_t divisor) { return (value + divisor - 1) / divisor; }

Sizes::Sizes(const Tensor& in0, const Tensor& in1, bool transpose_a, bool transpose_b)
    : a(transposed(in0.logical_shape(), transpose_a)),
      b(transposed(in1.logical_shape(), transpose_b)),
      a_padded(transposed(in0.padded_shape(), transpose_a)),
      b_padded(transposed(in1.padded_shape(), transpose_b)),
      batch_a(batch_size(a_padded)),
      batch_b(batch_size(b_padded)),
      m_tiles(a_padded.rank() < 2 ? 1 : a_padded[-2] / kTile),
      k_tiles(a_padded[-1] / kTile),
      n_tiles(b_padded[-1] / kTile) {}

Shape output_shape(const Tensor& in0, const Tensor& in1, bool transpose_a, bool transpose_b) {
    const Shape a = transposed(in0.logical_shape(), transpose_a);
    const Shape b = transposed(in1.logical_shape(), transpose_b);
    const auto rank_a = static_cast<std::int32_t>(a.rank());
    const auto rank_b = static_cast<std::int32_t>(b.rank());
    const std::int32_t rank = std::max(rank_a, rank_b) - (rank_a == 1 || rank_b == 1 ? 1 : 0);
    const std::int32_t extra = std::max(0, rank - rank_a);
    Shape shape = rank_b > rank_a ? b : a;
    for (std::int32_t i = 0; i < extra; ++i) {
        TT_FATAL(b[i] == 1, "When in1 rank greater than in0 rank front dimensions need to be 1");
        shape[i] = 1;
    }
    for (std::int32_t i = 0; i + 1 < rank_a; ++i) {
        shape[extra + i] = a[i];
    }
    shape[-1] = b[-1];
    if (rank_a == 1 && shape.rank() > 1) {
        shape = without_dimension(shape, shape.rank() - 2);
    }
    if (rank_b == 1) {
        shape = without_dimension(shape, shape.rank() - 1);
    }
    if (rank_a >= 3 && rank_a == rank_b) {
        for (std::int32_t i = 0; i + 2 < rank_a; ++i) {
            shape[i] = a[i] == 1 ? b[i] : shape[i];
        }
    }
    return shape;
}

std::string_view config_name(const MatmulProgramConfig& config) {
    constexpr std::array<std::string_view, 6> kNames = {
        "MatmulMultiCoreProgramConfig",
        "MatmulMultiCoreReuseProgramConfig",
        "MatmulMultiCoreReuseMultiCastProgramConfig",
        "MatmulMultiCoreReuseMultiCast1DProgramConfig",
        "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig",
        "MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig"};
    return kNames[config.index()];
}

std::string_view activation_name(ttnn::UnaryOpType type) {
    // In the order of the enumeration.
    constexpr std::array<std::string_view, 44> kNames = {
        "EXP",
        "RECIP",
        "GELU",
        "GELU_TANH",
        "RELU",
        "SQRT",
        "SIGMOID",
        "LOG",
        "TANH",
        "LOG2",
        "LOG10",
        "ABS",
        "SIGN",
        "SQUARE",
        "EQZ",
        "NEZ",
        "GTZ",
        "LTZ",
        "GEZ",
        "LEZ",
        "RELU_MAX",
        "RELU_MIN",
        "POWER",
        "LEAKY_RELU",
        "RSQRT",
        "RELU6",
        "ERF",
        "RSUB",
        "SILU",
        "SOFTPLUS",
        "IDENTITY",
        "NEG",
        "ADD_UNARY_SFPU",
        "SUB_UNARY_SFPU",
        "MUL_UNARY_SFPU",
        "DIV_UNARY_SFPU",
        "FLOOR",
        "CEIL",
        "TRUNC",
        "MISH",
        "HARDTANH",
        "HARDSIGMOID",
        "HARDSWISH",
        "CLAMP_TSS"};
    static_assert(static_cast<std::size_t>(ttnn::UnaryOpType::CLAMP_TSS) + 1 == kNames.size());
    return kNames[static_cast<std::size_t>(type)];
}

JsonText to_json(const UnaryWithParam& activation) {
    JsonText json;
    json.field("op_type", activation_name(activation.op_type)).field("params", activation.params);
    return json;
}

JsonText to_json(const MatmulProgramConfig& config) {
    JsonText json;
    json.field("type", config_name(config));
    std::visit(
        [&](const auto& c) {
            if constexpr (requires { c.compute_with_storage_grid_size; }) {
                json.field("compute_with_storage_grid_size", c.compute_with_storage_grid_size);
            }
            if constexpr (requires { c.in0_block_w; }) {
                json.field("in0_block_w", c.in0_block_w);
            }
            if constexpr (requires { c.out_subblock_h; }) {
                json.field("out_subblock_h", c.out_subblock_h).field("out_subblock_w", c.out_subblock_w);
            }
            if constexpr (requires { c.out_block_h; }) {
                json.field("out_block_h", c.out_block_h).field("out_block_w", c.out_block_w);
            }
            if constexpr (requires { c.per_core_M; }) {
                json.field("per_core_M", c.per_core_M).field("per_core_N", c.per_core_N);
            }
            if constexpr (requires { c.transpose_mcast; }) {
                json.field("transpose_mcast", c.transpose_mcast);
            }
            if constexpr (requires { c.fused_activation; }) {
                if (c.fused_activation) {
                    json.field("fused_activation", to_json(*c.fused_activation));
                } else {
                    json.field("fused_activation", std::nullopt);
                }
            }
            if constexpr (requires { c.fuse_batch; }) {
                json.field("fuse_batch", c.fuse_batch);
            }
            if constexpr (requires { c.mcast_in0; }) {
                json.field("mcast_in0", c.mcast_in0)
                    .field("gather_in0", c.gather_in0)
                    .field("hop_cores", c.hop_cores)
                    .field("num_global_cb_receivers", c.num_global_cb_receivers)
                    .field("untilize_out", c.untilize_out);
            }
            if constexpr (requires { c.allowed_worker_cores; }) {
                json.field("allowed_worker_cores", c.allowed_worker_cores);
            }
        },
        config);
    return json;
}

JsonText to_json(const ttnn::DeviceComputeKernelConfig& config) {
    JsonText json;
    json.field("math_fidelity", config.math_fidelity)
        .field("math_approx_mode", config.math_approx_mode)
        .field("fp32_dest_acc_en", config.fp32_dest_acc_en)
        .field("packer_l1_acc", config.packer_l1_acc)
        .field("dst_full_sync_en", config.dst_full_sync_en);
    return json;
}

JsonText to_json(const Params& params) {
    JsonText json;
    if (params.program_config) {
        json.field("program_config", to_json(*params.program_config));
    }
    json.field("bcast_batch", params.broadcast_batch)
        .field("output_mem_config", params.output_mem_config)
        .field("output_dtype", params.output_dtype)
        .field("compute_kernel_config", to_json(params.compute_kernel_config))
        .field("untilize_out", params.untilize_out)
        .field("user_core_coord", params.core_grid);
    if (params.activation) {
        json.field("user_fused_activation", to_json(*params.activation));
    } else {
        json.field("user_fused_activation", std::nullopt);
    }
    json.field("user_run_batched", params.batched_b)
        .field("transpose_a", params.transpose_a)
        .field("transpose_b", params.transpose_b);
    return json;
}

void normalize(MatmulProgramConfig& config, const CoreCoord& device_grid) {
    const auto rectangle = [](const CoreCoord& grid) {
        return CoreRangeSet(CoreRange(CoreCoord(0, 0), CoreCoord(grid.x - 1, grid.y - 1)));
    };
    std::visit(
        [&](auto& c) {
            if constexpr (requires { c.allowed_worker_cores; }) {
                if (c.allowed_worker_cores) {
                    return;
                }
                if constexpr (requires { c.compute_with_storage_grid_size; }) {
                    const CoreCoord& grid = c.compute_with_storage_grid_size;
                    if (grid.x > 0 && grid.y > 0) {
                        c.allowed_worker_cores = rectangle(grid);
                    }
                } else {
                    c.allowed_worker_cores = rectangle(device_grid);
                }
            }
        },
        config);
}

}  // namespace ttnn_cpu::matmul_op

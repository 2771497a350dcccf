// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/transformer/sdpa/sdpa.hpp>

#include <algorithm>
#include <cmath>

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/operations/eltwise/binary/binary.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/attention/sdpa_config_text.hpp"
#include "ops/attention/sdpa_kernel.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn::transformer {

using namespace ttnn_cpu;
using operations::transformer::SDPAProgramConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr std::string_view kFunction = "ttnn::transformer::scaled_dot_product_attention";

void check_operand(const Tensor& tensor) {
    TT_FATAL(
        tensor.layout() == Layout::TILE, "{}: Inputs to SDPA must be tilized, the layout is {}", kFunction,
        ttnn_cpu::to_string(tensor.layout()));
    TT_FATAL(
        tensor.dtype() == DataType::BFLOAT16 || tensor.dtype() == DataType::BFLOAT8_B ||
            tensor.dtype() == DataType::BFLOAT4_B,
        "{}: Data type of input tensor must be BFLOAT16, BFLOAT8_B, or BFLOAT4_B and is {}", kFunction,
        ttnn_cpu::to_string(tensor.dtype()));
    TT_FATAL(!tensor.is_sharded(), "{}: Operands to SDPA need to be DRAM/L1 interleaved", kFunction);
    TT_FATAL(
        tensor.logical_shape().rank() == 4, "{}: inputs are [batch, heads, sequence, head_dim], the shape is {}",
        kFunction, ttnn_cpu::to_string(tensor.logical_shape()));
    TT_FATAL(
        tensor.logical_shape()[3] == tensor.padded_shape()[3],
        "{}: Padding is not supported on the head_dim dimension, which is {}", kFunction, tensor.logical_shape()[3]);
}

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, bool is_causal) {
    const auto& q_shape = q.logical_shape();
    const auto& k_shape = k.logical_shape();
    const auto& v_shape = v.logical_shape();
    TT_FATAL(
        !is_causal || q_shape[2] == k_shape[2],
        "{}: Causal SDPA requires Q and K to have the same sequence length. Got Q: {}, K: {}", kFunction, q_shape[2],
        k_shape[2]);
    const auto same = [](std::string_view what, std::uint32_t wanted, std::uint32_t in_k, std::uint32_t in_v) {
        TT_FATAL(
            in_k == wanted && in_v == wanted, "{}: K and V {} must match. Got K: {}, V: {}", kFunction, what, in_k,
            in_v);
    };
    same("batch", q_shape[0], k_shape[0], v_shape[0]);
    same("num_heads", k_shape[1], k_shape[1], v_shape[1]);
    same("sequence length", k_shape[2], k_shape[2], v_shape[2]);
    same("hidden dim", q_shape[3], k_shape[3], v_shape[3]);
    TT_FATAL(
        q_shape[1] >= k_shape[1] && q_shape[1] % k_shape[1] == 0,
        "{}: Q num_heads must be >= K num_heads and divisible by K num_heads. Got Q: {}, K: {}", kFunction, q_shape[1],
        k_shape[1]);
}

void check_mask(const Tensor& mask, const Tensor& q, const Tensor& k) {
    check_device_tensors(kFunction, {&q, &mask});
    TT_FATAL(mask.layout() == Layout::TILE, "{}: When mask is provided to SDPA, it must be tilized", kFunction);
    TT_FATAL(
        mask.dtype() == DataType::BFLOAT16 || mask.dtype() == DataType::BFLOAT8_B ||
            mask.dtype() == DataType::BFLOAT4_B,
        "{}: When mask is provided to SDPA, it must be in BF16, BFP8, or BFP4 dataformat, it is {}", kFunction,
        ttnn_cpu::to_string(mask.dtype()));
    TT_FATAL(
        mask.memory_config().buffer_type() == BufferType::DRAM, "{}: When mask is provided to SDPA, it must be in DRAM",
        kFunction);
    const auto& shape = mask.logical_shape();
    TT_FATAL(
        shape.rank() == 4 && (shape[0] == 1 || shape[0] == q.logical_shape()[0]),
        "{}: Mask batch dim must either be 1 (to be broadcasted across all batches) or must match Q batch dimension; "
        "the mask "
        "is {}",
        kFunction, ttnn_cpu::to_string(shape));
    TT_FATAL(
        shape[1] == 1 || shape[1] == q.logical_shape()[1],
        "{}: Mask num_heads must either be 1 (to be broadcasted across all heads) or must match Q heads dimension; the "
        "mask is {}",
        kFunction, ttnn_cpu::to_string(shape));
    TT_FATAL(
        shape[2] == q.logical_shape()[2], "{}: Mask sequence length {} must match Q sequence length {}", kFunction,
        shape[2], q.logical_shape()[2]);
    TT_FATAL(
        shape[3] == k.logical_shape()[2], "{}: Mask sequence length {} must match K sequence length {}", kFunction,
        shape[3], k.logical_shape()[2]);
}

void check_chunk(std::string_view name, std::size_t size) {
    TT_FATAL(
        size > 0 && size % kTile == 0, "{}: {} must be divisible by TILE_SIZE. Got {}: {}, TILE_SIZE: {}", kFunction,
        name, name, size, kTile);
}

// Rows of tiles of the output that are packed at a time: as many as the destination registers hold, two at most.
std::uint64_t rows_at_once(std::uint64_t rows, std::uint64_t columns) {
    constexpr std::uint64_t kRegisters = 8;
    std::uint64_t most = 0;
    std::uint64_t height = 1;
    std::uint64_t width = 1;
    for (const std::uint64_t h : {2, 1}) {
        for (std::uint64_t w = kRegisters / h; w > 0; --w) {
            if (rows % h == 0 && columns % w == 0 && h * w > most) {
                most = h * w;
                height = h;
                width = w;
            }
        }
    }
    return height == 1 && 2 * width <= kRegisters && rows >= 2 ? 2 : height;
}

// What the writer makes up where no mask is given: a few tiles, or whole blocks of them beside float32 destinations.
std::uint64_t mask_buffers(const SdpaKernel& kernel, std::uint64_t q_length, bool float32) {
    const std::uint64_t block = 2 * kernel.q_chunk / kTile * (kernel.k_chunk / kTile);
    const std::uint64_t tile = tile_bytes(DataType::BFLOAT16);
    if (kernel.mask) {
        return block * tile_bytes(kernel.mask->dtype);
    }
    if (kernel.causal) {
        return 2 * tile;
    }
    if (q_length % kernel.q_chunk == 0 && kernel.k_length % kernel.k_chunk == 0) {
        return 0;
    }
    return float32 ? block * tile_bytes(DataType::BFLOAT4_B) : (kernel.k_length % kTile == 0 ? 1 : 2) * tile;
}

// Queries (twice where a core has several chunks), keys and values twice, mask, scores, two partial outputs, columns of
// statistics, the output.
std::uint64_t buffers(const SdpaKernel& kernel, std::uint64_t q_length, std::uint64_t cores, bool float32) {
    const std::uint64_t q_tiles = kernel.q_chunk / kTile;
    const std::uint64_t k_tiles = kernel.k_chunk / kTile;
    const std::uint64_t d_tiles = kernel.q.cols / kTile;
    const std::uint64_t tile = tile_bytes(DataType::BFLOAT16);
    const std::uint64_t wide = tile_bytes(float32 ? DataType::FLOAT32 : DataType::BFLOAT16);
    const std::uint64_t chunks = divide_up(q_length, kernel.q_chunk);
    const std::uint64_t all = kernel.batch * kernel.heads * chunks;
    // Causal chunks go in pairs of an early and a late one.
    const bool several = kernel.causal && chunks % 2 == 0 ? all > 0 : all > cores;
    const std::uint64_t out_rows = float32 ? q_tiles : 2 * rows_at_once(q_tiles, d_tiles);
    return (several ? 2 : 1) * q_tiles * d_tiles * tile_bytes(kernel.q.dtype) +
           2 * k_tiles * d_tiles * (tile_bytes(kernel.k.dtype) + tile_bytes(kernel.v.dtype)) +
           mask_buffers(kernel, q_length, float32) +
           (2 * q_tiles * d_tiles + 3 * q_tiles + 2 + (float32 ? 0 : 1)) * tile +
           (q_tiles * k_tiles + 2 * q_tiles) * wide + out_rows * d_tiles * tile_bytes(kernel.q.dtype);
}

SdpaKernel kernel_of(
    const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Tensor>& mask, bool is_causal, float scale,
    const std::optional<SDPAProgramConfig>& program_config, const DeviceComputeKernelConfig& config) {
    SdpaKernel kernel{
        .q = stored_matrix(q),
        .k = stored_matrix(k),
        .v = stored_matrix(v),
        .batch = q.logical_shape()[0],
        .heads = q.logical_shape()[1],
        .kv_heads = k.logical_shape()[1],
        .q_rows = q.padded_shape()[2],
        .k_rows = k.padded_shape()[2],
        .k_length = k.logical_shape()[2],
        .scale = scale,
        .causal = is_causal,
        .q_chunk = program_config ? program_config->q_chunk_size : kTile,
        .k_chunk = program_config ? program_config->k_chunk_size : kTile,
        .exp_approx = program_config ? program_config->exp_approx_mode.value_or(true) : true,
        .math_approx = config.math_approx_mode,
        .fidelity = config.math_fidelity,
        .mask = std::nullopt};
    if (mask) {
        kernel.mask = stored_matrix(*mask);
        kernel.mask_by_batch = mask->logical_shape()[0] > 1;
        kernel.mask_by_head = mask->logical_shape()[1] > 1;
    }
    return kernel;
}

}  // namespace

Tensor scaled_dot_product_attention(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v,
    const std::optional<Tensor>& attn_mask, bool is_causal, std::optional<float> scale,
    std::optional<uint32_t> sliding_window_size, const std::optional<MemoryConfig>& memory_config,
    std::optional<SDPAProgramConfig> program_config, std::optional<DeviceComputeKernelConfig> compute_kernel_config) {
    ApiCall call(
        kFunction, {&input_tensor_q, &input_tensor_k, &input_tensor_v, attn_mask ? &*attn_mask : nullptr},
        [&](JsonText& json) {
            json.tensor("input_tensor_q", 0)
                .tensor("input_tensor_k", 1)
                .tensor("input_tensor_v", 2)
                .tensor("attn_mask", attn_mask ? std::optional<std::size_t>(3) : std::nullopt)
                .field("is_causal", is_causal)
                .field("scale", scale)
                .field("sliding_window_size", sliding_window_size)
                .field("memory_config", memory_config)
                .field(
                    "program_config", program_config ? std::optional<JsonText>(to_json(*program_config)) : std::nullopt)
                .field(
                    "compute_kernel_config",
                    compute_kernel_config ? std::optional<JsonText>(describe(*compute_kernel_config)) : std::nullopt);
        });
    check_device_tensors(kFunction, {&input_tensor_q, &input_tensor_k, &input_tensor_v});
    for (const Tensor* tensor : {&input_tensor_q, &input_tensor_k, &input_tensor_v}) {
        check_operand(*tensor);
    }
    TT_FATAL(
        !(is_causal && attn_mask),
        "{}: is_causal and attn_mask cannot both be present. Got is_causal: true, attn_mask: true", kFunction);
    TT_FATAL(
        sliding_window_size.value_or(0) == 0, "{}: the embedded provider has no sliding window, {} was given",
        kFunction, sliding_window_size.value_or(0));
    if (attn_mask) {
        check_mask(*attn_mask, input_tensor_q, input_tensor_k);
    }
    check_shapes(input_tensor_q, input_tensor_k, input_tensor_v, is_causal);
    if (program_config) {
        check_chunk("q_chunk_size", program_config->q_chunk_size);
        check_chunk("k_chunk_size", program_config->k_chunk_size);
    }
    const MemoryConfig memory = memory_config.value_or(DRAM_MEMORY_CONFIG);
    TT_FATAL(!memory.is_sharded(), "{}: the output must be interleaved", kFunction);
    const float factor = scale.value_or(1.0F / std::sqrt(static_cast<float>(input_tensor_q.padded_shape()[-1])));
    // The kernel scales scores and mask together.
    std::optional<Tensor> mask = attn_mask;
    if (mask && factor != 1.0F) {
        mask = ttnn::multiply(*mask, 1.0F / factor);
    }
    const DeviceComputeKernelConfig config = init_device_compute_kernel_config(
        input_tensor_q.device()->arch(), compute_kernel_config, tt::tt_metal::MathFidelity::HiFi2, true, false, false);
    std::vector<Tensor> inputs{input_tensor_q, input_tensor_k, input_tensor_v};
    if (mask) {
        inputs.push_back(*mask);
    }
    const auto create_program = [&](Numerics numerics) {
        const SdpaKernel kernel =
            kernel_of(input_tensor_q, input_tensor_k, input_tensor_v, mask, is_causal, factor, program_config, config);
        Program program;
        program.math_fidelity = config.math_fidelity;
        program.core_count =
            cores_for(input_tensor_q, kernel.batch * kernel.heads * divide_up(kernel.q_rows, kernel.q_chunk));
        if (program_config) {
            const CoreCoord grid = program_config->compute_with_storage_grid_size;
            program.core_count = std::min(program.core_count, static_cast<std::uint32_t>(grid.x * grid.y));
        }
        const CoreCoord whole = program_config ? program_config->compute_with_storage_grid_size
                                               : input_tensor_q.device()->compute_with_storage_grid_size();
        program.circular_buffer_bytes =
            buffers(kernel, input_tensor_q.logical_shape()[2], whole.x * whole.y, config.fp32_dest_acc_en);
        program.kernel = numerics == Numerics::Wormhole ? wormhole_sdpa(kernel) : fast_sdpa(kernel);
        return program;
    };
    return call.returns(
        launch({.name = "SDPAOperation",
                .attributes = JsonText()
                                  .field("scale", factor)
                                  .field("output_mem_config", memory)
                                  .field(
                                      "program_config",
                                      program_config ? std::optional<JsonText>(to_json(*program_config)) : std::nullopt)
                                  .field("is_causal", is_causal)
                                  .field("compute_kernel_config", describe(config))
                                  .str(),
                .inputs = std::move(inputs),
                .output_specs = {TensorSpec(
                    input_tensor_q.logical_shape(),
                    TensorLayout(input_tensor_q.dtype(), PageConfig(Layout::TILE), memory))},
                .outputs = {},
                .create_program = create_program})
            .front());
}

}  // namespace ttnn::transformer

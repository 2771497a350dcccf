// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/transformer/sdpa_decode/sdpa_decode.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <tt-metalium/mesh_device.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/attention/sdpa_config_text.hpp"
#include "ops/attention/sdpa_decode_kernel.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn::transformer {

using namespace ttnn_cpu;
using operations::transformer::SDPAProgramConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr std::string_view kFunction = "ttnn::transformer::scaled_dot_product_attention_decode";

// The largest power of two that divides the length, at most 512.
std::uint32_t chunk_size(std::uint32_t length, const std::optional<SDPAProgramConfig>& config) {
    if (config && config->k_chunk_size > 0) {
        const auto size = static_cast<std::uint32_t>(config->k_chunk_size);
        TT_FATAL(
            std::has_single_bit(size), "{}: User provided k_chunk_size must be power of 2, got: {}", kFunction, size);
        TT_FATAL(size % kTile == 0, "{}: User provided k_chunk_size must be multiple of 32, got: {}", kFunction, size);
        return size;
    }
    const std::uint32_t size = std::min(512U, length & (~length + 1U));
    TT_FATAL(
        size % kTile == 0, "{}: Chunk size must be multiple of 32, but the maximum calculated k_chunk_size is: {}",
        kFunction, size);
    return size;
}

void check_operand(const Tensor& tensor, std::string_view name) {
    TT_FATAL(
        tensor.dtype() == DataType::BFLOAT16 || tensor.dtype() == DataType::BFLOAT8_B ||
            tensor.dtype() == DataType::BFLOAT4_B,
        "{}: Unsupported data type {} of {}.", kFunction, ttnn_cpu::to_string(tensor.dtype()), name);
    TT_FATAL(
        tensor.layout() == Layout::TILE,
        "{}: Inputs to SDPA must be tilized; {} is not (the embedded provider takes a tilized Q too)", kFunction, name);
    TT_FATAL(
        tensor.logical_shape().rank() == 4, "{}: {} has shape {}; it must have rank 4", kFunction, name,
        ttnn_cpu::to_string(tensor.logical_shape()));
}

void check_placement(const Tensor& q, const Tensor& k, const Tensor& v, const MemoryConfig& output) {
    if (q.is_sharded()) {
        TT_FATAL(
            q.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED,
            "{}: Q tensor memory layout must be HEIGHT_SHARDED when sharded but got {}", kFunction,
            ttnn_cpu::to_string(q.memory_config().memory_layout()));
    } else {
        TT_FATAL(
            q.memory_config().buffer_type() == BufferType::DRAM,
            "{}: Q tensor buffer type must be DRAM when not sharded but got {}", kFunction,
            ttnn_cpu::to_string(q.memory_config().buffer_type()));
    }
    for (const Tensor* cache : {&k, &v}) {
        TT_FATAL(
            cache->memory_config().buffer_type() == BufferType::DRAM && !cache->is_sharded(),
            "{}: the buffer type of K and V must be DRAM but one is {}", kFunction,
            ttnn_cpu::to_string(cache->memory_config().buffer_type()));
    }
    TT_FATAL(
        !output.is_sharded() || output.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED,
        "{}: Output memory config layout must be HEIGHT_SHARDED when sharded but got {}", kFunction,
        ttnn_cpu::to_string(output.memory_layout()));
}

void check_shapes(
    const Tensor& q, const Tensor& k, const Tensor& v, std::uint32_t k_chunk, const MemoryConfig& output) {
    const auto& q_shape = q.padded_shape();
    const auto& k_shape = k.padded_shape();
    const auto& v_shape = v.padded_shape();
    TT_FATAL(q_shape[0] == 1, "{}: Q tensor batch size must be 1 for decode mode but got {}", kFunction, q_shape[0]);
    TT_FATAL(
        k_shape[0] == q_shape[1] && v_shape[0] == q_shape[1],
        "{}: K and V tensor batch size ({}, {}) must equal B ({})", kFunction, k_shape[0], v_shape[0], q_shape[1]);
    TT_FATAL(
        k_shape[2] == v_shape[2], "{}: K and V tensors must have the same sequence length. K: {}, V: {}", kFunction,
        k_shape[2], v_shape[2]);
    TT_FATAL(
        k_shape[2] % k_chunk == 0, "{}: K sequence length must be multiple of chunk size, got: {} and {}", kFunction,
        k_shape[2], k_chunk);
    TT_FATAL(
        k_shape[3] == q_shape[3] && v_shape[3] == q_shape[3],
        "{}: K and V tensor hidden dimension ({}, {}) must equal Q tensor hidden dimension ({})", kFunction, k_shape[3],
        v_shape[3], q_shape[3]);
    TT_FATAL(
        k_shape[1] == v_shape[1], "{}: Flash decode expects K and V to have same number of heads, but got {} and {}",
        kFunction, k_shape[1], v_shape[1]);
    TT_FATAL(
        q.logical_shape()[2] % k_shape[1] == 0, "{}: GQA expects Q to have a multiple of K heads, but got {} and {}",
        kFunction, q.logical_shape()[2], k_shape[1]);
    if (k_shape[1] > 1) {
        TT_FATAL(!output.is_sharded(), "{}: Sharded output not supported for GQA", kFunction);
        TT_FATAL(
            q.dtype() == DataType::BFLOAT16, "{}: GQA expects BFLOAT16 input tensor, but got {}", kFunction,
            ttnn_cpu::to_string(q.dtype()));
    }
}

void check_positions(const Tensor& q, const Tensor& k, const std::vector<uint32_t>& given, const Tensor* tensor) {
    TT_FATAL(
        (tensor != nullptr) != !given.empty(), "{}: cur_pos or cur_pos_tensor must be given, and not both", kFunction);
    std::size_t count = given.size();
    if (tensor != nullptr) {
        check_device_tensors(kFunction, {&q, tensor});
        TT_FATAL(
            tensor->dtype() == DataType::INT32, "{}: Expect cur_pos to be INT32, got {}", kFunction,
            ttnn_cpu::to_string(tensor->dtype()));
        TT_FATAL(
            tensor->layout() == Layout::ROW_MAJOR, "{}: Expect cur_pos to be ROW_MAJOR, got {}", kFunction,
            ttnn_cpu::to_string(tensor->layout()));
        TT_FATAL(!tensor->is_sharded(), "{}: the embedded provider takes cur_pos interleaved", kFunction);
        count = tensor->logical_volume();
    }
    TT_FATAL(
        count == q.logical_shape()[1], "{}: cur_pos must have batch size equal to Q, got {} and {}", kFunction, count,
        q.logical_shape()[1]);
    for (const uint32_t position : given) {
        TT_FATAL(
            position < k.padded_shape()[2], "{}: cur_pos {} must be < K sequence dim {}", kFunction, position,
            k.padded_shape()[2]);
    }
}

// Cores as TTNN hands them out: whole heads, and several cores a head while there are more cores than heads.
struct Cores {
    std::uint32_t all;
    std::uint32_t a_head;
};

Cores cores_of(const Tensor& q, const Tensor& k, const std::optional<SDPAProgramConfig>& config) {
    const CoreCoord grid =
        config ? config->compute_with_storage_grid_size : q.device()->compute_with_storage_grid_size();
    const auto available = static_cast<std::uint32_t>(grid.x * grid.y);
    const std::uint32_t users = q.logical_shape()[1];
    const std::uint32_t heads = k.logical_shape()[1];
    TT_FATAL(available >= users, "{}: Cores available ({}) must be >= batch size ({})", kFunction, available, users);
    const std::uint32_t most = config ? config->max_cores_per_head_batch : available;
    TT_FATAL(most > 0, "{}: max_cores_per_head_batch must be > 0", kFunction);
    const std::uint32_t a_user = std::min(available, most * users * heads) / users;
    std::uint32_t heads_a_core = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(divide_up(heads, a_user)));
    while (heads % heads_a_core != 0) {
        ++heads_a_core;
    }
    const std::uint32_t a_head = std::max(1U, a_user / heads);
    return {a_head * heads * users / heads_a_core, a_head};
}

// Q as it comes and in tiles, two chunks of keys and of values, a mask and scores, partial results, statistics, those of
// the other cores of a head, and the result. Up to 16 heads are worked on in tiles of 16 rows.
std::uint64_t buffers(
    const SdpaDecodeKernel& kernel, const Cores& cores, const MemoryConfig& output, std::uint64_t position_bytes) {
    constexpr std::uint64_t kStatistics = 11;
    const std::uint64_t q_tiles = kernel.padded_heads / kTile;
    const std::uint64_t k_tiles = kernel.k_chunk / kTile;
    const std::uint64_t d_tiles = kernel.q.cols / kTile;
    const std::uint64_t tile = tile_bytes(DataType::BFLOAT16);
    const std::uint64_t part = kernel.heads <= 16 && kernel.q.dtype == DataType::BFLOAT16 ? 2 : 1;
    const std::uint64_t others = (q_tiles * d_tiles + 2 * q_tiles) * (cores.a_head - 1);
    return 2 * q_tiles * d_tiles * tile_bytes(kernel.q.dtype) / part +
           2 * k_tiles * d_tiles * (tile_bytes(kernel.k.dtype) + tile_bytes(kernel.v.dtype)) +
           (2 * q_tiles * k_tiles + 4 * q_tiles * d_tiles + kStatistics * q_tiles + 2 + others) * tile / part + tile +
           (output.is_sharded() ? 0 : q_tiles * d_tiles * tile_bytes(kernel.out.dtype)) + 2 * position_bytes;
}

}  // namespace

Tensor scaled_dot_product_attention_decode(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v, bool is_causal,
    const std::optional<const Tensor>& attn_mask, const std::vector<uint32_t>& cur_pos,
    const std::optional<const Tensor>& cur_pos_tensor, const std::optional<const Tensor>& attention_sink,
    std::optional<float> scale, std::optional<uint32_t> sliding_window_size,
    const std::optional<MemoryConfig>& memory_config, std::optional<SDPAProgramConfig> program_config,
    std::optional<DeviceComputeKernelConfig> compute_kernel_config, std::optional<bool> share_cache) {
    const Tensor* positions = cur_pos_tensor ? &*cur_pos_tensor : nullptr;
    const std::optional<JsonText> config_text =
        program_config ? std::optional<JsonText>(to_json(*program_config)) : std::nullopt;
    ApiCall call(kFunction, {&input_tensor_q, &input_tensor_k, &input_tensor_v, positions}, [&](JsonText& json) {
        json.tensor("input_tensor_q", 0)
            .tensor("input_tensor_k", 1)
            .tensor("input_tensor_v", 2)
            .field("is_causal", is_causal)
            .field("cur_pos", cur_pos)
            .tensor("cur_pos_tensor", positions != nullptr ? std::optional<std::size_t>(3) : std::nullopt)
            .field("scale", scale)
            .field("memory_config", memory_config)
            .field("program_config", config_text)
            .field(
                "compute_kernel_config",
                compute_kernel_config ? std::optional<JsonText>(describe(*compute_kernel_config)) : std::nullopt);
    });
    const Tensor& q = input_tensor_q;
    const Tensor& k = input_tensor_k;
    const Tensor& v = input_tensor_v;
    check_device_tensors(kFunction, {&q, &k, &v});
    check_operand(q, "Q");
    check_operand(k, "K");
    check_operand(v, "V");
    TT_FATAL(
        is_causal && !attn_mask && !attention_sink && sliding_window_size.value_or(0) == 0 &&
            !share_cache.value_or(false),
        "{}: the embedded provider has the causal form alone: no mask, attention sink, sliding window or shared cache",
        kFunction);
    const std::uint32_t k_chunk = chunk_size(k.logical_shape()[2], program_config);
    const MemoryConfig memory = memory_config.value_or(DRAM_MEMORY_CONFIG);
    check_placement(q, k, v, memory);
    check_shapes(q, k, v, k_chunk, memory);
    check_positions(q, k, cur_pos, positions);
    const Cores cores = cores_of(q, k, program_config);
    const DeviceComputeKernelConfig config = init_device_compute_kernel_config(
        q.device()->arch(), compute_kernel_config, tt::tt_metal::MathFidelity::HiFi2, true, false, false);
    const float factor = scale.value_or(1.0F / std::sqrt(static_cast<float>(q.padded_shape()[3])));
    const TensorSpec spec(q.logical_shape(), TensorLayout(q.dtype(), PageConfig(Layout::TILE), memory));
    const auto create_program = [&](Numerics numerics) {
        const SdpaDecodeKernel kernel{
            .q = stored_matrix(q),
            .k = stored_matrix(k),
            .v = stored_matrix(v),
            .out = stored_matrix(spec),
            .users = q.logical_shape()[1],
            .heads = q.logical_shape()[2],
            .padded_heads = q.padded_shape()[2],
            .kv_heads = k.logical_shape()[1],
            .positions = k.padded_shape()[2],
            .k_chunk = k_chunk,
            .scale = factor,
            .exp_approx = program_config ? program_config->exp_approx_mode.value_or(true) : true,
            .math_approx = config.math_approx_mode,
            .fidelity = config.math_fidelity,
            .cur_pos = cur_pos};
        Program program;
        program.math_fidelity = config.math_fidelity;
        program.core_count = cores.all;
        const std::uint64_t alignment = q.device()->arch() == tt::ARCH::BLACKHOLE ? 64 : 32;
        program.circular_buffer_bytes = buffers(
            kernel, cores, memory, positions != nullptr ? round_up(kernel.users * sizeof(std::int32_t), alignment) : 0);
        program.kernel = numerics == Numerics::Wormhole ? wormhole_sdpa_decode(kernel) : fast_sdpa_decode(kernel);
        return program;
    };
    std::vector<Tensor> inputs{q, k, v};
    if (positions != nullptr) {
        inputs.push_back(*positions);
    }
    return call.returns(launch({.name = "SdpaDecodeDeviceOperation",
                                .attributes = JsonText()
                                                  .field("cur_pos", cur_pos)
                                                  .field("scale", factor)
                                                  .field("output_mem_config", memory)
                                                  .field("program_config", config_text)
                                                  .field("compute_kernel_config", describe(config))
                                                  .field("k_chunk_size", k_chunk)
                                                  .str(),
                                .inputs = std::move(inputs),
                                .output_specs = {spec},
                                .outputs = {},
                                .create_program = create_program})
                            .front());
}

}  // namespace ttnn::transformer

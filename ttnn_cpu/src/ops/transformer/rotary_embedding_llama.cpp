// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/experimental/transformer/rotary_embedding_llama/rotary_embedding_llama.hpp>

#include <tt-metalium/mesh_device.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/parallel.hpp"
#include "kernels/rotary.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn::experimental {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr std::string_view kFunction = "ttnn::experimental::rotary_embedding_llama";

void check_formats(std::initializer_list<const Tensor*> tensors) {
    for (const Tensor* tensor : tensors) {
        TT_FATAL(tensor->layout() == Layout::TILE, "{}: all input tensors must be tilized", kFunction);
        TT_FATAL(
            tensor->dtype() == DataType::BFLOAT16, "{}: All input tensors must have dtype = bfloat16, one is {}",
            kFunction, ttnn_cpu::to_string(tensor->dtype()));
        TT_FATAL(
            tensor->logical_shape().rank() == 4, "{}: all input tensors must have rank 4, one is {}", kFunction,
            ttnn_cpu::to_string(tensor->logical_shape()));
    }
}

bool by_height(const Tensor& tensor) {
    return tensor.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED;
}

void check_decode(const Tensor& input, const Tensor& cos, const Tensor& sin, const Tensor& trans_mat) {
    const auto& shape = input.logical_shape();
    TT_FATAL(shape[0] == 1, "{}: in decode mode seq_len (in dim 0) must be 1, not {}", kFunction, shape[0]);
    TT_FATAL(by_height(input), "{}: Sharded inputs for RoPE must be HEIGHT_SHARDED.", kFunction);
    TT_FATAL(by_height(cos), "{}: cos tensor for RoPE must be HEIGHT_SHARDED.", kFunction);
    TT_FATAL(by_height(sin), "{}: sin tensor for RoPE must be HEIGHT_SHARDED.", kFunction);
    TT_FATAL(by_height(trans_mat), "{}: transformation matrix for RoPE must be HEIGHT_SHARDED.", kFunction);
    TT_FATAL(
        shape[1] == cos.logical_shape()[1], "{}: Cos and Sin must have the same batch size as the input, {} and {}",
        kFunction, cos.logical_shape()[1], shape[1]);
    TT_FATAL(
        cos.shard_spec()->shape[0] == kTile,
        "{}: In decode mode, RoPE only supports n_heads (shard_shape[0]) less than equal to TILE_HEIGHT", kFunction);
    TT_FATAL(
        trans_mat.shard_spec()->shape[0] == kTile && trans_mat.shard_spec()->shape[1] == kTile,
        "{}: Transformation matrix must have shards of 32x32", kFunction);
    TT_FATAL(
        trans_mat.shard_spec()->num_cores() >= shape[1],
        "{}: the transformation matrix lies on {} cores; each of the {} users needs one", kFunction,
        trans_mat.shard_spec()->num_cores(), shape[1]);
}

void check_prefill(const Tensor& input, const Tensor& cos, const Tensor& sin, const Tensor& trans_mat) {
    for (const Tensor* tensor : {&input, &cos, &sin, &trans_mat}) {
        TT_FATAL(
            !tensor->is_sharded(), "{}: the embedded provider takes interleaved tensors in prefill mode", kFunction);
    }
    const auto& shape = input.logical_shape();
    TT_FATAL(
        cos.logical_shape()[1] == shape[1] || cos.logical_shape()[1] == 1,
        "{}: Num heads in cos/sin must match input tensor num heads or be 1. Expected {}, got {}", kFunction, shape[1],
        cos.logical_shape()[1]);
    TT_FATAL(
        trans_mat.logical_shape()[2] == kTile, "{}: Transformation matrix must have 3rd dim equal to TILE_HEIGHT",
        kFunction);
    // The card would read what lies behind.
    TT_FATAL(
        shape[0] == 1 && cos.padded_shape()[2] >= input.padded_shape()[2],
        "{}: the input is {}, and cos has {} rows; it needs one a position of one sequence", kFunction,
        ttnn_cpu::to_string(shape), cos.logical_shape()[2]);
}

// Two heads' rows of tiles of the input, of cosine and of sine for every row of a core (for one where there are many, or
// where every head has its own angles), of the output; four rows between, and the matrix.
std::uint64_t prefill_buffers(const Tensor& input, bool angles_by_head) {
    constexpr std::uint64_t kMostRows = 8;
    const std::uint64_t width = input.padded_shape()[3] / kTile;
    const std::uint64_t rows = input.padded_shape()[2] / kTile;
    const std::uint64_t batch = input.padded_shape()[0];
    const auto grid = input.device()->compute_with_storage_grid_size();
    const std::uint64_t cores = grid.x * grid.y;
    const std::uint64_t cores_a_row = std::min(cores / std::min(batch, cores), rows);
    std::uint64_t each = divide_up(rows, cores_a_row);
    if (each * input.padded_shape()[1] > kMostRows || angles_by_head) {
        each = 1;
    }
    return ((6 * each + 2 + 4) * width + 1) * tile_bytes(DataType::BFLOAT16);
}

}  // namespace

Tensor rotary_embedding_llama(
    const Tensor& input_tensor, const Tensor& cos_cache, const Tensor& sin_cache, const Tensor& trans_mat,
    bool is_decode_mode, const std::optional<MemoryConfig>& memory_config,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config) {
    ApiCall call(kFunction, {&input_tensor, &cos_cache, &sin_cache, &trans_mat}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .tensor("cos_cache", 1)
            .tensor("sin_cache", 2)
            .tensor("trans_mat", 3)
            .field("is_decode_mode", is_decode_mode)
            .field("memory_config", memory_config);
    });
    check_device_tensors(kFunction, {&input_tensor, &cos_cache, &sin_cache, &trans_mat});
    check_formats({&input_tensor, &cos_cache, &sin_cache, &trans_mat});
    const DeviceComputeKernelConfig config = init_device_compute_kernel_config(
        input_tensor.device()->arch(), compute_kernel_config, tt::tt_metal::MathFidelity::HiFi4, true, false, false);
    const std::uint32_t head_dim = input_tensor.logical_shape()[3];
    TT_FATAL(
        head_dim <= 128 || !config.fp32_dest_acc_en, "{}: If head_dim is > 128, fp32_dest_acc_en must be False",
        kFunction);
    TT_FATAL(head_dim <= 256, "{}: Head dim must be less than 256, it is {}", kFunction, head_dim);
    TT_FATAL(head_dim % kTile == 0, "{}: Head dim must be a multiple of TILE_WIDTH, it is {}", kFunction, head_dim);
    TT_FATAL(
        cos_cache.logical_shape() == sin_cache.logical_shape() && cos_cache.logical_shape()[3] == head_dim,
        "{}: Cos and Sin dims must match, and be as wide as the input: they are {}, {} and {}", kFunction,
        ttnn_cpu::to_string(cos_cache.logical_shape()), ttnn_cpu::to_string(sin_cache.logical_shape()), head_dim);
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    TT_FATAL(
        memory.memory_layout() == input_tensor.memory_config().memory_layout(),
        "{}: Input tensor and output tensor must have same memory layout", kFunction);
    is_decode_mode ? check_decode(input_tensor, cos_cache, sin_cache, trans_mat)
                   : check_prefill(input_tensor, cos_cache, sin_cache, trans_mat);

    const std::size_t slices = input_tensor.logical_shape()[1];
    const std::size_t rows = input_tensor.padded_shape()[2];
    const bool own_rows = is_decode_mode || cos_cache.logical_shape()[1] > 1;
    const std::size_t cos_rows = cos_cache.padded_shape()[2];
    const TensorSpec spec(
        input_tensor.logical_shape(), TensorLayout(DataType::BFLOAT16, PageConfig(Layout::TILE), memory));
    const auto create_program = [&](Numerics numerics) {
        Program program;
        program.math_fidelity = config.math_fidelity;
        program.core_count = ttnn_cpu::cores_for(input_tensor, is_decode_mode ? slices : slices * rows / kTile);
        program.circular_buffer_bytes = is_decode_mode
                                            ? 3 * (head_dim / kTile) * tile_bytes(DataType::BFLOAT16)
                                            : prefill_buffers(input_tensor, cos_cache.padded_shape()[1] == slices);
        const auto turn = numerics == Numerics::Wormhole ? kernels::rotate_row_wormhole : kernels::rotate_row_fast;
        program.kernel = [=](std::span<const BufferRef> in, std::span<const BufferRef> out) {
            kernels::parallel_for(slices, [&](std::size_t slice) {
                for (std::size_t row = 0; row < rows; ++row) {
                    const std::size_t at = (slice * rows + row) * head_dim;
                    const std::size_t angle =
                        ((own_rows ? slice * cos_rows : 0) + (is_decode_mode ? 0 : row)) * head_dim;
                    turn(
                        {in[0].as<const std::uint16_t>() + at, in[1].as<const std::uint16_t>() + angle,
                         in[2].as<const std::uint16_t>() + angle, in[3].as<const std::uint16_t>(), head_dim},
                        out[0].as<std::uint16_t>() + at);
                }
            });
        };
        return program;
    };
    return call.returns(launch({.name = "RotaryEmbeddingLlamaDeviceOperation",
                                .attributes = JsonText()
                                                  .field("is_decode_mode", is_decode_mode)
                                                  .field("output_mem_config", memory)
                                                  .field("compute_kernel_config", describe(config))
                                                  .str(),
                                .inputs = {input_tensor, cos_cache, sin_cache, trans_mat},
                                .output_specs = {spec},
                                .outputs = {},
                                .create_program = create_program})
                            .front());
}

}  // namespace ttnn::experimental

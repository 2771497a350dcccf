// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/operations/normalization/layernorm/layernorm.hpp>
#include <ttnn/operations/normalization/rmsnorm/rmsnorm.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/fidelity_of.hpp"
#include "ops/normalization/layer_norm_kernel.hpp"
#include "ops/normalization/layer_norm_operation.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn_cpu {

using kernels::wormhole::DestWidth;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MathFidelity;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

JsonText describe(const ttnn::prim::LayerNormProgramConfig& config) {
    return std::visit(
        [](const auto& given) {
            JsonText json;
            if constexpr (std::is_same_v<
                              std::decay_t<decltype(given)>, ttnn::prim::LayerNormShardedMultiCoreProgramConfig>) {
                json.field("type", "LayerNormShardedMultiCoreProgramConfig")
                    .field("compute_with_storage_grid_size", given.compute_with_storage_grid_size)
                    .field("subblock_w", given.subblock_w)
                    .field("block_h", given.block_h)
                    .field("block_w", given.block_w)
                    .field("inplace", given.inplace);
            } else {
                json.field("type", "LayerNormDefaultProgramConfig");
            }
            json.field("legacy_reduction", given.legacy_reduction)
                .field("legacy_rsqrt", given.legacy_rsqrt)
                .field("use_welford", given.use_welford);
            return json;
        },
        config);
}

std::uint64_t row_bytes(const OptionalTensor& row) { return tile_bytes(row ? row->dtype() : DataType::BFLOAT16); }

// Rows of tiles for the input, the sum with the residual, the deviations, their squares, weight and bias.
std::uint64_t interleaved_buffers(const LayerNormOperation& op, const LayerNormTensors& tensors) {
    const std::uint64_t block = op.config.fp32_dest_acc_en ? 4 : 8;
    const std::uint64_t in = tile_bytes(tensors.input.dtype());
    const std::uint64_t between = intermediate_tile_bytes(op.config);
    const bool row_major = tensors.input.layout() == Layout::ROW_MAJOR;
    const std::uint64_t residual = tensors.residual ? tile_bytes(tensors.residual->dtype()) : 0;
    const bool weights = tensors.weight || tensors.bias;
    // What decides whether rows are kept whole counts buffers that are not made.
    const auto total = [&](std::uint64_t row, std::uint64_t in_tiles, std::uint64_t out_tiles, bool all, bool whole) {
        const bool sum = all || (tensors.residual && !op.rms && whole);
        const bool centred = all || ((!op.rms || tensors.residual) && whole);
        return (tensors.residual ? 2 * block : in_tiles) * in + 2 * block * residual + out_tiles * in +
               (centred ? 2 : 1) * row * between + row * (row_bytes(tensors.weight) + row_bytes(tensors.bias)) +
               (sum ? (tensors.residual ? row : 2 * block) : 0) * between + (all || weights ? 2 * block * between : 0) +
               (all || !op.rms ? 12 : 10) * between + (whole ? 0 : between) + 4 * tile_bytes(DataType::BFLOAT16) +
               (row_major ? 4 * block * in : 0);
    };
    const std::uint64_t row = round_up(tensors.input.padded_shape()[-1] / kTile, block);
    const std::uint64_t out = row_major ? row : 2 * block;
    const std::uint64_t bytes = total(row, row, out, true, true);
    const bool rows_kernel = (tensors.weight && tensors.weight->layout() == Layout::ROW_MAJOR) ||
                             (tensors.bias && tensors.bias->layout() == Layout::ROW_MAJOR);
    if (static_cast<double>(bytes) < 0.95 * tensors.input.device()->l1_size_per_core() || (rows_kernel && !row_major)) {
        return total(row, row, out, false, true);
    }
    // Rows too long to keep: TTNN goes over them in passes of a fixed size.
    const std::uint64_t most = weights || tensors.input.dtype() == DataType::FLOAT32 ? 56 : 112;
    const std::uint64_t pass = most * tile_bytes(DataType::BFLOAT16) / between;
    return total(pass, row_major ? block : pass, row_major ? block : 2 * block, false, false);
}

std::uint64_t sharded_buffers(const LayerNormOperation& op, const LayerNormTensors& tensors) {
    const auto& config = *op.sharded();
    const std::uint64_t between = intermediate_tile_bytes(op.config);
    const std::uint64_t tiles = config.block_h * config.block_w;
    const std::uint64_t cores = divide_up(tensors.input.padded_shape()[-1] / kTile, config.block_w);
    const std::uint64_t rows = (tensors.weight ? config.block_w * row_bytes(tensors.weight) : 0) +
                               (tensors.bias ? config.block_w * row_bytes(tensors.bias) : 0);
    // Two blocks of intermediate values; sums of the shard's rows, of all cores and those of the other cores, for the mean
    // (which rms_norm has not) and for the variance; the sums that all get, and the rows that this core adds up.
    const std::uint64_t statistics = 2 * config.block_h + cores;
    return (2 * tiles + (op.rms ? 1 : 2) * statistics + config.block_h + divide_up(config.block_h, cores) + 1) *
               between +
           rows + 2 * tile_bytes(DataType::BFLOAT16);
}

Program make_program(const LayerNormOperation& op, const LayerNormTensors& tensors, Numerics numerics) {
    Program program;
    program.math_fidelity = op.config.math_fidelity;
    const auto stored = [](const OptionalTensor& tensor) {
        return tensor ? std::optional<kernels::StoredMatrix>(stored_matrix(*tensor)) : std::nullopt;
    };
    LayerNormKernel kernel{
        .input = stored_matrix(tensors.input),
        .columns = tensors.input.logical_shape()[-1],
        .epsilon = op.epsilon,
        .rms = op.rms,
        .shard_columns = op.sharded() != nullptr ? op.sharded()->block_w * kTile : 0,
        .unit =
            {fidelity_of(op.config.math_fidelity), op.config.fp32_dest_acc_en ? DestWidth::Bits32 : DestWidth::Bits16},
        .approximate = op.config.math_approx_mode,
        .residual = stored(tensors.residual),
        .gamma = stored(tensors.weight),
        .beta = stored(tensors.bias),
        .numerics = numerics};
    const bool sharded = op.sharded() != nullptr;
    program.core_count = sharded ? tensors.input.shard_spec()->num_cores()
                                 : cores_for(tensors.input, divide_up(kernel.input.rows, kTile));
    program.circular_buffer_bytes = sharded ? sharded_buffers(op, tensors) : interleaved_buffers(op, tensors);
    program.kernel = [kernel](std::span<const BufferRef> in, std::span<const BufferRef> out) {
        LayerNormData data{.input = in[0].data, .out = out[0].data};
        std::size_t next = 1;
        data.residual = kernel.residual ? in[next++].data : nullptr;
        data.gamma = kernel.gamma ? in[next++].data : nullptr;
        data.beta = kernel.beta ? in[next++].data : nullptr;
        layer_norm(kernel, data);
    };
    return program;
}

}  // namespace

bool LayerNormOperation::welford() const {
    return std::visit([](const auto& given) { return given.use_welford; }, program_config);
}

ttnn::prim::LayerNormProgramConfig default_layer_norm_program(const Tensor& input) {
    if (!input.is_sharded()) {
        return ttnn::prim::LayerNormDefaultProgramConfig{};
    }
    const auto& shard = *input.shard_spec();
    return ttnn::prim::LayerNormShardedMultiCoreProgramConfig{
        .compute_with_storage_grid_size = shard.grid.bounding_box().grid_size(),
        .subblock_w = 1,
        .block_h = shard.shape[0] / kTile,
        .block_w = shard.shape[1] / kTile,
        .inplace = false};
}

Tensor run_layer_norm(const LayerNormOperation& op, const LayerNormTensors& tensors) {
    check_layer_norm(op, tensors);
    std::vector<Tensor> inputs{tensors.input};
    for (const OptionalTensor* tensor : {&tensors.residual, &tensors.weight, &tensors.bias}) {
        if (*tensor) {
            inputs.push_back(**tensor);
        }
    }
    ttnn::MemoryConfig memory = op.memory;
    if (op.sharded() != nullptr && !memory.shard_spec()) {
        memory = ttnn::MemoryConfig(memory.memory_layout(), memory.buffer_type(), tensors.input.shard_spec());
    }
    const Layout layout = tensors.input.layout();
    return launch({.name = "LayerNormDeviceOperation",
                   .attributes = JsonText()
                                     .field("norm_type", op.rms ? "RMSNORM" : "LAYERNORM")
                                     .field("eps", op.epsilon)
                                     .field("output_mem_config", op.memory)
                                     .field("program_config", describe(op.program_config))
                                     .field("compute_kernel_config", ttnn_cpu::describe(op.config))
                                     .field("residual", tensors.residual.has_value())
                                     .field("weight", tensors.weight.has_value())
                                     .field("bias", tensors.bias.has_value())
                                     .str(),
                   .inputs = std::move(inputs),
                   .output_specs = {TensorSpec(
                       tensors.input.logical_shape(), TensorLayout(
                                                          tensors.input.dtype(), PageConfig(layout),
                                                          op.in_place() ? tensors.input.memory_config() : memory))},
                   .outputs = op.in_place() ? std::vector<Tensor>{tensors.input} : std::vector<Tensor>{},
                   .create_program = [&](Numerics numerics) { return make_program(op, tensors, numerics); }})
        .front();
}

namespace {

struct NormArguments {
    std::string_view function;
    bool rms;
    float epsilon;
    const std::optional<ttnn::MemoryConfig>& memory_config;
    const std::optional<const ttnn::prim::LayerNormProgramConfig>& program_config;
    const std::optional<const ttnn::DeviceComputeKernelConfig>& compute_kernel_config;
};

Tensor norm(const NormArguments& arguments, const LayerNormTensors& tensors) {
    const OptionalTensor* optionals[] = {&tensors.weight, &tensors.bias, &tensors.residual, &tensors.recip};
    const auto pointer = [&](std::size_t i) { return *optionals[i] ? &**optionals[i] : nullptr; };
    ApiCall call(
        arguments.function, {&tensors.input, pointer(0), pointer(1), pointer(2), pointer(3)}, [&](JsonText& json) {
            constexpr std::string_view kNames[] = {"weight", "bias", "residual_input_tensor", "recip_tensor"};
            std::size_t next = 1;
            json.tensor("input_tensor", 0).field("epsilon", arguments.epsilon);
            for (std::size_t i = 0; i < std::size(kNames); ++i) {
                json.tensor(kNames[i], pointer(i) != nullptr ? std::optional<std::size_t>(next++) : std::nullopt);
            }
            json.field("memory_config", arguments.memory_config)
                .field(
                    "program_config", arguments.program_config
                                          ? std::optional<JsonText>(describe(*arguments.program_config))
                                          : std::nullopt)
                .field(
                    "compute_kernel_config",
                    arguments.compute_kernel_config
                        ? std::optional<JsonText>(ttnn_cpu::describe(*arguments.compute_kernel_config))
                        : std::nullopt);
        });
    check_device_tensors(arguments.function, {&tensors.input});
    TT_FATAL(
        tensors.input.logical_volume() > 0, "{}: the input of shape {} is empty", arguments.function,
        to_string(tensors.input.logical_shape()));
    const tt::ARCH arch = tensors.input.device()->arch();
    const ttnn::DeviceComputeKernelConfig fallback =
        arguments.rms ? ttnn::rmsnorm_default_compute_config(arch) : ttnn::layernorm_default_compute_config(arch);
    return call.returns(run_layer_norm(
        {.function = arguments.function,
         .rms = arguments.rms,
         .epsilon = arguments.epsilon,
         .memory = arguments.memory_config.value_or(tensors.input.memory_config()),
         .program_config =
             arguments.program_config ? *arguments.program_config : default_layer_norm_program(tensors.input),
         .config = arguments.compute_kernel_config ? *arguments.compute_kernel_config : fallback},
        tensors));
}

}  // namespace

}  // namespace ttnn_cpu

namespace ttnn {

using tt::tt_metal::MathFidelity;

DeviceComputeKernelConfig layernorm_default_compute_config(tt::ARCH arch) {
    return init_device_compute_kernel_config(arch, std::nullopt, MathFidelity::HiFi4, false, true);
}

DeviceComputeKernelConfig rmsnorm_default_compute_config(tt::ARCH arch) {
    return init_device_compute_kernel_config(arch, std::nullopt, MathFidelity::HiFi4, true, false);
}

Tensor layer_norm(
    const Tensor& input_tensor, float epsilon, const std::optional<const Tensor>& weight,
    const std::optional<const Tensor>& bias, const std::optional<const Tensor>& residual_input_tensor,
    const std::optional<MemoryConfig>& memory_config,
    const std::optional<const prim::LayerNormProgramConfig>& program_config,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config,
    const std::optional<const Tensor>& recip_tensor) {
    return ttnn_cpu::norm(
        {"ttnn::layer_norm", false, epsilon, memory_config, program_config, compute_kernel_config},
        {input_tensor, weight, bias, residual_input_tensor, recip_tensor});
}

Tensor rms_norm(
    const Tensor& input_tensor, float epsilon, const std::optional<const Tensor>& weight,
    const std::optional<const Tensor>& bias, const std::optional<const Tensor>& residual_input_tensor,
    const std::optional<MemoryConfig>& memory_config,
    const std::optional<const prim::LayerNormProgramConfig>& program_config,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config) {
    TT_FATAL(
        input_tensor.layout() != Layout::ROW_MAJOR,
        "ttnn::rms_norm does not support ROW_MAJOR input tensors. Use TILE layout.");
    const std::optional<const Tensor> no_recip;
    return ttnn_cpu::norm(
        {"ttnn::rms_norm", true, epsilon, memory_config, program_config, compute_kernel_config},
        {input_tensor, weight, bias, residual_input_tensor, no_recip});
}

}  // namespace ttnn

// SPDX-License-Identifier: Apache-2.0
#include "ops/normalization/softmax_operation.hpp"

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>

#include "core/fatal.hpp"
#include "core/json_text.hpp"
#include "core/launch.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn_cpu {

using tt::tt_metal::Layout;
using tt::tt_metal::MathFidelity;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

std::string_view to_string(SoftmaxKind kind) {
    switch (kind) {
        case SoftmaxKind::Softmax:
            return "Softmax";
        case SoftmaxKind::ScaleMaskSoftmax:
            return "ScaleMaskSoftmax";
        case SoftmaxKind::SoftmaxInPlace:
            return "SoftmaxInPlace";
        case SoftmaxKind::ScaleMaskSoftmaxInPlace:
            return "ScaleMaskSoftmaxInPlace";
        case SoftmaxKind::ScaleCausalMaskHWSoftmaxInPlace:
            return "ScaleCausalMaskHWSoftmaxInPlace";
    }
    return "";
}

ttnn::DeviceComputeKernelConfig softmax_compute_config(
    const Tensor& input, const std::optional<const ttnn::DeviceComputeKernelConfig>& given) {
    const bool float32 = input.dtype() == tt::tt_metal::DataType::FLOAT32;
    const tt::ARCH arch = input.device()->arch();
    const MathFidelity fidelity = float32 && arch == tt::ARCH::WORMHOLE_B0 ? MathFidelity::HiFi3 : MathFidelity::HiFi4;
    return ttnn::init_device_compute_kernel_config(arch, given, fidelity, true, float32, false);
}

Tensor run_softmax(const SoftmaxOperation& op, const Tensor& input, const OptionalTensor& mask) {
    check_softmax(op, input, mask);
    JsonText attributes;
    attributes.field("softmax_type", to_string(op.kind))
        .field("dim", op.dim)
        .field("scale", op.scale)
        .field("inplace", op.in_place())
        .field("output_mem_config", op.memory)
        .field("is_causal_mask", op.is_causal_mask)
        .field("compute_kernel_config", describe(op.config))
        .field("numeric_stable", op.numeric_stable);
    if (const auto* config = op.sharded()) {
        attributes.field(
            "program_config", JsonText()
                                  .field("compute_with_storage_grid_size", config->compute_with_storage_grid_size)
                                  .field("subblock_w", config->subblock_w)
                                  .field("block_h", config->block_h)
                                  .field("block_w", config->block_w));
    }
    const TensorSpec spec(
        input.logical_shape(),
        TensorLayout(input.dtype(), PageConfig(Layout::TILE), op.in_place() ? input.memory_config() : op.memory));
    return launch({.name = "SoftmaxDeviceOperation",
                   .attributes = attributes.str(),
                   .inputs = mask ? std::vector<Tensor>{input, *mask} : std::vector<Tensor>{input},
                   .output_specs = {spec},
                   .outputs = op.in_place() ? std::vector<Tensor>{input} : std::vector<Tensor>{},
                   .create_program = [&](Numerics numerics) { return softmax_program(op, input, mask, numerics); }})
        .front();
}

Tensor softmax_over_dim(
    std::string_view function, const Tensor& input, std::size_t dim, const ttnn::MemoryConfig& memory,
    const std::optional<const ttnn::DeviceComputeKernelConfig>& config, bool numeric_stable) {
    check_device_tensors(function, {&input});
    const std::size_t rank = input.logical_shape().rank();
    SoftmaxOperation op{
        .function = function,
        .kind = SoftmaxKind::Softmax,
        .dim = dim,
        .scale = std::nullopt,
        .memory = memory,
        .program_config = ttnn::SoftmaxDefaultProgramConfig{},
        .is_causal_mask = false,
        .config = softmax_compute_config(input, config),
        .numeric_stable = numeric_stable};
    if (rank > 4) {
        return run_softmax(op, input, std::nullopt);
    }
    Tensor input_4d = ttnn::unsqueeze_to_4D(input);
    op.dim = dim + 4 - rank;
    // TTNN's own condition: it tilizes for the last dimension of rank 4 only, and for the rows of rank 3.
    if (op.dim == rank - 1 && input_4d.layout() != Layout::TILE) {
        input_4d = ttnn::to_layout(input_4d, Layout::TILE);
    }
    return run_softmax(op, input_4d, std::nullopt);
}

Tensor scale_mask_softmax(
    std::string_view function, const Tensor& input, std::optional<float> scale, const OptionalTensor& mask,
    const ttnn::MemoryConfig& memory, bool is_causal_mask,
    const std::optional<const ttnn::DeviceComputeKernelConfig>& config, bool numeric_stable) {
    check_device_tensors(function, {&input});
    OptionalTensor tiled_mask;
    if (mask) {
        check_device_tensors(function, {&input, &*mask});
        const auto& shape = input.padded_shape();
        const auto& mask_shape = mask->padded_shape();
        TT_FATAL(
            mask_shape.rank() == shape.rank(), "{}: the mask has shape {}; its rank must be {}", function,
            to_string(mask_shape), shape.rank());
        TT_FATAL(
            shape[-1] == mask_shape[-1], "{}: Input and mask inner dimensions must match, got input: {} vs mask: {}",
            function, shape[-1], mask_shape[-1]);
        TT_FATAL(
            shape[0] == mask_shape[0], "{}: Input and mask batch sizes must match, got input: {} vs mask: {}", function,
            shape[0], mask_shape[0]);
        TT_FATAL(
            mask_shape[-2] == 1 || mask_shape[-2] == kTile,
            "{}: Mask height must be 1 or input tensor tile height, got: {}", function, mask_shape[-2]);
        for (std::int32_t i = 1; i + 2 < static_cast<std::int32_t>(shape.rank()); ++i) {
            TT_FATAL(
                mask_shape[i] == 1, "{}: Mask intermediate dimension {} must be 1, got: {}", function, i,
                mask_shape[i]);
        }
        tiled_mask.emplace(mask->layout() == Layout::TILE ? *mask : ttnn::to_layout(*mask, Layout::TILE));
    }
    const Tensor tiled = input.layout() == Layout::TILE ? input : ttnn::to_layout(input, Layout::TILE);
    return run_softmax(
        {.function = function,
         .kind = SoftmaxKind::ScaleMaskSoftmax,
         .dim = tiled.logical_shape().rank() - 1,
         .scale = scale,
         .memory = memory,
         .program_config = ttnn::SoftmaxDefaultProgramConfig{},
         .is_causal_mask = is_causal_mask,
         .config = softmax_compute_config(input, config),
         .numeric_stable = numeric_stable},
        tiled, tiled_mask);
}

}  // namespace ttnn_cpu

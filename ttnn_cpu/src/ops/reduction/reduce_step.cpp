// SPDX-License-Identifier: Apache-2.0
#include "ops/reduction/reduce_step.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "ops/normalization/rules.hpp"
#include "ops/reduction/reduce_kernel.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MathFidelity;
using tt::tt_metal::PageConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

std::string_view name_of(ReduceMath math) {
    switch (math) {
        case ReduceMath::Sum:
            return "SUM";
        case ReduceMath::Max:
            return "MAX";
        case ReduceMath::Min:
            return "MIN";
        case ReduceMath::Std:
            return "STD";
        case ReduceMath::Var:
            return "VAR";
    }
    return "";
}

std::string_view name_of(ReduceAxis axis) {
    switch (axis) {
        case ReduceAxis::Width:
            return "W";
        case ReduceAxis::Height:
            return "H";
        case ReduceAxis::HeightAndWidth:
            return "HW";
        case ReduceAxis::Slices:
            return "NC";
    }
    return "";
}

bool is_spread(ReduceMath math) { return math == ReduceMath::Std || math == ReduceMath::Var; }

TensorSpec output_spec(const ReduceStep& step, const Tensor& input) {
    Shape shape = input.logical_shape();
    if (step.axis == ReduceAxis::Slices) {
        shape[static_cast<std::int32_t>(step.slice_dim)] = 1;
    }
    if (step.axis == ReduceAxis::Width || step.axis == ReduceAxis::HeightAndWidth) {
        shape[-1] = 1;
    }
    if (step.axis == ReduceAxis::Height || step.axis == ReduceAxis::HeightAndWidth) {
        shape[-2] = 1;
    }
    const TensorSpec plain(
        shape, TensorLayout(
                   step.output_dtype, PageConfig(input.layout()),
                   ttnn::MemoryConfig(TensorMemoryLayout::INTERLEAVED, step.memory.buffer_type())));
    if (!step.memory.is_sharded()) {
        return plain;
    }
    const auto& shard = step.memory.shard_spec() ? step.memory.shard_spec() : input.shard_spec();
    TT_FATAL(
        shard.has_value(),
        "{}: Sharded memory layout {} requires a shard_spec on the output memory config or the input tensor",
        step.function, to_string(step.memory.memory_layout()));
    switch (step.memory.memory_layout()) {
        case TensorMemoryLayout::WIDTH_SHARDED:
            return plain.width_sharded(shard->grid, shard->orientation);
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return plain.height_sharded(shard->grid, shard->orientation);
        default:
            return plain.block_sharded(shard->grid.bounding_box(), shard->orientation);
    }
}

ReduceKernel kernel_of(const ReduceStep& step, const Tensor& input, const TensorSpec& output) {
    const auto& shape = input.padded_shape();
    const auto& out = output.physical_shape();
    ReduceKernel kernel{
        .math = step.math,
        .scalar = step.scalar,
        .correction = step.correction,
        .fidelity = step.config.math_fidelity,
        .wide_dest = step.config.fp32_dest_acc_en,
        .vector_unit = step.vector_unit,
        .in = stored_matrix(input),
        .out = {step.output_dtype, out.height(), out.width()},
        .height = input.logical_shape()[-2],
        .padded_height = shape[-2],
        .out_height = output.padded_shape()[-2],
        .width = input.logical_shape()[-1]};
    if (step.axis == ReduceAxis::Slices) {
        kernel.inner = std::size_t{shape[-1]} * shape[-2];
        for (std::size_t i = 0; i + 2 < shape.rank(); ++i) {
            const std::uint32_t size = shape[static_cast<std::int32_t>(i)];
            (i < step.slice_dim ? kernel.outer : i == step.slice_dim ? kernel.slices : kernel.inner) *= size;
        }
    }
    return kernel;
}

}  // namespace

Tensor run_reduce(const ReduceStep& step, const Tensor& input) {
    TT_FATAL(
        input.dtype() == DataType::BFLOAT16 || input.dtype() == DataType::FLOAT32 ||
            input.dtype() == DataType::BFLOAT8_B,
        "{}: Only FLOAT32, BFLOAT16 and BFLOAT8_B are supported for generic reduction by the embedded provider - got "
        "{}.",
        step.function, to_string(input.dtype()));
    const TensorSpec spec = output_spec(step, input);
    JsonText attributes;
    attributes.field("math_op", name_of(step.math))
        .field("dim", name_of(step.axis))
        .field("scaler", step.scalar)
        .field("output_mem_config", step.memory)
        .field("output_dtype", step.output_dtype)
        .field("compute_kernel_config", describe(step.config))
        .field("use_sfpu_reduce", step.vector_unit)
        .field("output_layout", input.layout());
    if (step.axis == ReduceAxis::Slices) {
        attributes.field("slice_dim", step.slice_dim);
    }
    if (is_spread(step.math)) {
        attributes.field("correction", step.correction);
    }
    if (step.sub_core_grids) {
        attributes.field("sub_core_grids", *step.sub_core_grids);
    }
    const std::string_view name = is_spread(step.math)              ? "WelfordReduceDeviceOperation"
                                  : step.axis == ReduceAxis::Slices ? "FastReduceNCDeviceOperation"
                                                                    : "ReduceDeviceOperation";
    const auto create_program = [&](Numerics) {
        const ReduceKernel kernel = kernel_of(step, input, spec);
        Program program;
        program.math_fidelity = step.config.math_fidelity;
        const std::size_t tiles = kernel.in.size() / (kTile * kTile);
        const std::size_t slices = kernel.in.rows / kernel.padded_height;
        const std::size_t units = step.axis == ReduceAxis::Width    ? kernel.in.rows / kTile
                                  : step.axis == ReduceAxis::Height ? slices * kernel.in.cols / kTile
                                  : step.axis == ReduceAxis::Slices ? tiles / kernel.slices
                                                                    : slices;
        program.core_count = cores_for(input, units);
        if (input.is_sharded()) {
            program.core_count = input.shard_spec()->num_cores();
        } else if (step.sub_core_grids) {
            program.core_count = std::min(program.core_count, step.sub_core_grids->num_cores());
        }
        // Two tiles in, two out, one scaler; shards are read where they lie.
        program.circular_buffer_bytes = 2 * tile_bytes(step.output_dtype) + tile_bytes(DataType::BFLOAT16) +
                                        (input.is_sharded() ? 0 : 2 * tile_bytes(input.dtype()));
        program.kernel = [kernel, axis = step.axis](std::span<const BufferRef> in, std::span<const BufferRef> out) {
            switch (axis) {
                case ReduceAxis::Width:
                    reduce_width(kernel, in[0].data, out[0].data);
                    break;
                case ReduceAxis::Height:
                    reduce_height(kernel, in[0].data, out[0].data);
                    break;
                case ReduceAxis::HeightAndWidth:
                    reduce_height_and_width(kernel, in[0].data, out[0].data);
                    break;
                case ReduceAxis::Slices:
                    sum_slices(kernel, in[0].data, out[0].data);
                    break;
            }
        };
        return program;
    };
    return launch({.name = name,
                   .attributes = attributes.str(),
                   .inputs = {input},
                   .output_specs = {spec},
                   .outputs = {},
                   .create_program = create_program})
        .front();
}

}  // namespace ttnn_cpu

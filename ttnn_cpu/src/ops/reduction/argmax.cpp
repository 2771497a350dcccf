// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/reduction/argmax/argmax.hpp>

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr std::string_view kFunction = "ttnn::argmax";

// The lines of a tensor along a dimension, and where the place of each one's largest value goes: line i of [outer,
// inner] gives element i of the output, which has no padding.
struct Lines {
    DataType dtype;
    std::size_t outer = 1;       // logical, with the strides of the padded tensor
    std::size_t inner_rows = 1;  // of the logical elements after the dimension
    std::size_t inner_columns = 1;
    std::size_t length = 1;
    std::size_t step = 1;  // from one element of a line to the next
    std::size_t inner_row_step = 0;
    std::vector<std::size_t> outer_starts;  // where each outer block begins
};

float value_at(DataType dtype, const std::byte* data, std::size_t at) {
    if (dtype == DataType::BFLOAT16) {
        return kernels::bf16_to_float(reinterpret_cast<const std::uint16_t*>(data)[at]);
    }
    return reinterpret_cast<const float*>(data)[at];
}

// Integers go through 64 bits: a float would not tell neighbours apart.
std::int64_t integer_at(DataType dtype, const std::byte* data, std::size_t at) {
    switch (dtype) {
        case DataType::UINT16:
            return reinterpret_cast<const std::uint16_t*>(data)[at];
        case DataType::UINT32:
            return reinterpret_cast<const std::uint32_t*>(data)[at];
        default:
            return reinterpret_cast<const std::int32_t*>(data)[at];
    }
}

template <typename ValueAt>
std::uint32_t place_of_largest(std::size_t start, std::size_t step, std::size_t length, const ValueAt& at) {
    std::uint32_t best = 0;
    auto largest = at(start);
    for (std::size_t i = 1; i < length; ++i) {
        const auto value = at(start + i * step);
        if (value > largest) {
            largest = value;
            best = static_cast<std::uint32_t>(i);
        }
    }
    return best;
}

void find_largest(const Lines& lines, const std::byte* in, std::uint32_t* out) {
    const bool floats = tt::tt_metal::is_floating_point(lines.dtype);
    const std::size_t inner = lines.inner_rows * lines.inner_columns;
    kernels::parallel_for(lines.outer, [&](std::size_t outer) {
        for (std::size_t i = 0; i < inner; ++i) {
            const std::size_t start =
                lines.outer_starts[outer] + i / lines.inner_columns * lines.inner_row_step + i % lines.inner_columns;
            out[outer * inner + i] = floats ? place_of_largest(
                                                  start, lines.step, lines.length,
                                                  [&](std::size_t at) { return value_at(lines.dtype, in, at); })
                                            : place_of_largest(start, lines.step, lines.length, [&](std::size_t at) {
                                                  return integer_at(lines.dtype, in, at);
                                              });
        }
    });
}

Lines lines_along(const Tensor& input, std::optional<std::size_t> dim) {
    const auto& shape = input.logical_shape();
    const std::size_t rank = shape.rank();
    Lines lines{.dtype = input.dtype(), .outer_starts = {}};
    if (!dim) {
        lines.length = input.logical_volume();
        lines.outer_starts = {0};
        return lines;
    }
    // Strides of the stored tensor; a tensor of rank 1 in tiles is one row.
    std::vector<std::size_t> strides(rank, 1);
    const auto& padded = input.padded_shape();
    for (std::size_t i = rank - 1; i-- > 0;) {
        strides[i] = strides[i + 1] * padded[static_cast<std::int32_t>(i + padded.rank() - rank + 1)];
    }
    const auto size = [&](std::size_t i) { return std::size_t{shape[static_cast<std::int32_t>(i)]}; };
    lines.length = size(*dim);
    lines.step = strides[*dim];
    // The elements after the dimension are rows of the last one; dimensions between would need a start each, so they
    // count as outer when the dimension is not one of the last two.
    std::vector<std::size_t> outer_dims;
    for (std::size_t i = 0; i < *dim; ++i) {
        outer_dims.push_back(i);
    }
    lines.outer_starts = {0};
    for (const std::size_t i : outer_dims) {
        std::vector<std::size_t> next;
        for (const std::size_t start : lines.outer_starts) {
            for (std::size_t k = 0; k < size(i); ++k) {
                next.push_back(start + k * strides[i]);
            }
        }
        lines.outer_starts = std::move(next);
    }
    for (std::size_t i = *dim + 1; i + 1 < rank; ++i) {
        if (i + 2 < rank) {
            std::vector<std::size_t> next;
            for (const std::size_t start : lines.outer_starts) {
                for (std::size_t k = 0; k < size(i); ++k) {
                    next.push_back(start + k * strides[i]);
                }
            }
            lines.outer_starts = std::move(next);
        } else {
            lines.inner_rows = size(i);
            lines.inner_row_step = strides[i];
        }
    }
    lines.inner_columns = *dim + 1 < rank ? size(rank - 1) : 1;
    lines.outer = lines.outer_starts.size();
    return lines;
}

// How a row is split over cores: into parts that a transfer can fetch.
struct RowParts {
    std::uint32_t cores;
    std::uint64_t elements;  // of the longest part
};

RowParts row_parts(const Tensor& input, const std::optional<CoreRangeSet>& sub_core_grids) {
    const bool blackhole = input.device()->arch() == tt::ARCH::BLACKHOLE;
    const std::uint64_t alignment = input.memory_config().is_l1() ? 16 : blackhole ? 64 : 32;  // bytes
    const std::uint64_t unit = alignment / 2;  // elements, as if all were bfloat16
    const std::size_t units = divide_up(input.padded_shape()[-1], unit);
    const std::uint32_t cores = sub_core_grids ? sub_core_grids->num_cores() : cores_for(input, units);
    return {cores, divide_up(units, cores) * unit};
}

// A part of a row, the results, and what every core found: places and values.
std::uint64_t row_buffers(const Tensor& input, const RowParts& parts, std::uint64_t results) {
    const auto bytes = [](std::uint64_t elements, std::uint64_t each) { return round_up(elements * each, 32); };
    const std::uint64_t places = bytes(results, sizeof(std::uint32_t));
    return bytes(parts.elements, input.element_size()) + places +
           parts.cores * (places + bytes(results, input.element_size()));
}

void check(const Tensor& input, const std::optional<int>& dim, const MemoryConfig& memory) {
    const auto rank = static_cast<int>(input.logical_shape().rank());
    TT_FATAL(
        !dim || (*dim >= -rank && *dim < rank),
        "{}: Dimension out of range (expected to be in range of [{}, {}], but got {})", kFunction, -rank, rank - 1,
        dim.value_or(0));
    TT_FATAL(
        input.memory_config().memory_layout() == TensorMemoryLayout::INTERLEAVED,
        "{}: Only INTERLEAVED memory layout is supported for inputs, got {}", kFunction,
        ttnn_cpu::to_string(input.memory_config().memory_layout()));
    TT_FATAL(
        memory.memory_layout() == TensorMemoryLayout::INTERLEAVED,
        "{}: Only INTERLEAVED memory layout is supported for outputs, got {}", kFunction,
        ttnn_cpu::to_string(memory.memory_layout()));
    const DataType dtype = input.dtype();
    const bool floats = dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32;
    if (input.layout() == Layout::ROW_MAJOR) {
        TT_FATAL(
            floats || dtype == DataType::INT32 || dtype == DataType::UINT32 || dtype == DataType::UINT16,
            "{}: Only BFLOAT16, FLOAT32, INT32, UINT32, and UINT16 are supported for inputs with ROW_MAJOR layout, got "
            "{}",
            kFunction, ttnn_cpu::to_string(dtype));
        TT_FATAL(
            !dim || floats || *dim == -1 || *dim == rank - 1,
            "{}: ROW_MAJOR: only argmax on the last dim is supported. Got dim={}, expected {}", kFunction, *dim,
            rank - 1);
    } else {
        TT_FATAL(
            floats, "{}: Only BFLOAT16, FLOAT32 are supported for inputs with TILE layout, got {}", kFunction,
            ttnn_cpu::to_string(dtype));
        TT_FATAL(dim.has_value(), "{}: For inputs with TILE layout, dim parameter must be specified!", kFunction);
    }
}

}  // namespace

Tensor argmax(
    const Tensor& input_tensor, const std::optional<int>& dim, bool keepdim,
    const std::optional<CoreRangeSet>& sub_core_grids, const std::optional<MemoryConfig>& memory_config,
    std::optional<Tensor> optional_output_tensor) {
    const Tensor* output = optional_output_tensor ? &*optional_output_tensor : nullptr;
    ApiCall call(kFunction, {&input_tensor, output}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("dim", dim)
            .field("keepdim", keepdim)
            .field("sub_core_grids", sub_core_grids)
            .field("memory_config", memory_config)
            .tensor("optional_output_tensor", output != nullptr ? std::optional<std::size_t>(1) : std::nullopt);
    });
    check_device_tensors(kFunction, {&input_tensor});
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    check(input_tensor, dim, memory);
    const auto& shape = input_tensor.logical_shape();
    const std::size_t rank = shape.rank();
    TT_FATAL(
        input_tensor.logical_volume() > 0, "{}: the input of shape {} is empty", kFunction, ttnn_cpu::to_string(shape));
    std::optional<std::size_t> axis;
    if (dim) {
        axis = static_cast<std::size_t>(*dim < 0 ? *dim + static_cast<int>(rank) : *dim);
    }
    Shape::Container dims;
    for (std::size_t i = 0; i < rank; ++i) {
        const bool reduced = !axis || *axis == i;
        if (!reduced || keepdim) {
            dims.push_back(reduced ? 1 : shape[static_cast<std::int32_t>(i)]);
        }
    }
    const TensorSpec spec(Shape(dims), TensorLayout(DataType::UINT32, PageConfig(Layout::ROW_MAJOR), memory));
    if (output != nullptr) {
        check_device_tensors(kFunction, {&input_tensor, output});
        TT_FATAL(
            output->dtype() == DataType::UINT32 && output->layout() == Layout::ROW_MAJOR &&
                output->logical_shape() == spec.logical_shape() && !output->is_sharded(),
            "{}: the output tensor given is {} {} {}; it must be UINT32, ROW_MAJOR, interleaved, of shape {}",
            kFunction, ttnn_cpu::to_string(output->dtype()), ttnn_cpu::to_string(output->layout()),
            ttnn_cpu::to_string(output->logical_shape()), ttnn_cpu::to_string(spec.logical_shape()));
    }
    const bool last = !axis || *axis + 1 == rank;
    // TTNN computes along other dimensions from tiles.
    const Tensor input =
        last || input_tensor.layout() == Layout::TILE ? input_tensor : to_layout(input_tensor, Layout::TILE);
    const bool outer = axis && *axis + 2 < rank;
    const auto create_program = [&](Numerics) {
        Program program;
        const bool rows = input.layout() == Layout::ROW_MAJOR;
        if (rows) {
            const RowParts parts = row_parts(input, sub_core_grids);
            const std::uint64_t results = !axis || keepdim || rank < 2 ? 1 : input.padded_shape()[-2];
            program.core_count = parts.cores;
            program.circular_buffer_bytes = row_buffers(input, parts, results);
        } else if (outer) {
            program.core_count = cores_for(input, input.logical_volume() / kTile);
            if (sub_core_grids) {
                program.core_count = std::min(program.core_count, sub_core_grids->num_cores());
            }
            program.circular_buffer_bytes = 2 * (tile_bytes(input.dtype()) + tile_bytes(DataType::UINT32));
        } else {
            program.circular_buffer_bytes = tile_bytes(input.dtype()) + spec.compute_page_size_bytes();
        }
        program.kernel = [lines = lines_along(input, axis)](
                             std::span<const BufferRef> in, std::span<const BufferRef> out) {
            find_largest(lines, in[0].data, out[0].as<std::uint32_t>());
        };
        return program;
    };
    return call.returns(launch({.name = outer ? "ArgmaxNCDeviceOperation" : "ArgMaxDeviceOperation",
                                .attributes = JsonText()
                                                  .field("output_dtype", DataType::UINT32)
                                                  .field("dim", dim)
                                                  .field("keepdim", keepdim)
                                                  .field("sub_core_grids", sub_core_grids)
                                                  .field("output_mem_config", memory)
                                                  .str(),
                                .inputs = {input},
                                .output_specs = {spec},
                                .outputs = output != nullptr ? std::vector<Tensor>{*output} : std::vector<Tensor>{},
                                .create_program = create_program})
                            .front());
}

}  // namespace ttnn

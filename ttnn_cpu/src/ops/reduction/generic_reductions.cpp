// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/reduction/generic/generic_reductions.hpp>

#include <algorithm>
#include <limits>

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/data_movement/transpose/transpose.hpp>

#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/normalization/rules.hpp"
#include "ops/reduction/reduce_step.hpp"

namespace ttnn {

using namespace ttnn_cpu;

namespace {

using DimArgument = std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>>;

enum class Kind : std::uint8_t { Sum, Mean, Max, Min, Std, Var };

struct Reduction {
    std::string_view function;
    Kind kind;
    float scalar;
    bool correction;
    std::optional<CoreRangeSet> sub_core_grids;
    MemoryConfig memory;
    DeviceComputeKernelConfig config;
    bool fast_mode;        // FLOAT32 means and maxima in the matrix unit
    bool every_dimension;  // is reduced
};

// TTNN takes means and maxima of FLOAT32 on the vector unit, which keeps all their bits. Sums and minima have no such
// path, nor have means over other dimensions than the last two.
bool on_vector_unit(const Reduction& reduction, const Tensor& input) {
    return (reduction.kind == Kind::Mean || reduction.kind == Kind::Max) && !reduction.fast_mode &&
           input.dtype() == DataType::FLOAT32 && reduction.config.fp32_dest_acc_en;
}

std::vector<int> checked_dims(std::string_view function, const Tensor& input, const DimArgument& argument) {
    std::vector<int> dims;
    if (argument) {
        std::visit(
            [&](const auto& value) {
                if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) {
                    dims.push_back(static_cast<int>(value));
                } else {
                    dims.assign(value.begin(), value.end());
                }
            },
            *argument);
    }
    const auto rank = static_cast<int>(input.logical_shape().rank());
    if (dims.empty()) {
        for (int i = 0; i < rank; ++i) {
            dims.push_back(i);
        }
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const int given = dims[i];
        dims[i] += given < 0 ? rank : 0;
        TT_FATAL(
            dims[i] >= 0 && dims[i] < rank,
            "{}: Unsupported dim {} at index {}. After possible adjustment, needs to be at least 0 and less than rank "
            "{}",
            function, given, i, rank);
    }
    std::sort(dims.begin(), dims.end());
    dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
    return dims;
}

ReduceMath math_of(Kind kind) {
    switch (kind) {
        case Kind::Max:
            return ReduceMath::Max;
        case Kind::Min:
            return ReduceMath::Min;
        case Kind::Std:
            return ReduceMath::Std;
        case Kind::Var:
            return ReduceMath::Var;
        default:
            return ReduceMath::Sum;
    }
}

ReduceStep step_of(
    const Reduction& reduction, const Tensor& input, ReduceAxis axis, float scalar, DataType output_dtype) {
    return {
        .function = reduction.function,
        .math = math_of(reduction.kind),
        .axis = axis,
        .slice_dim = 0,
        .scalar = scalar,
        .correction = reduction.correction,
        .vector_unit = on_vector_unit(reduction, input),
        .output_dtype = output_dtype,
        .memory = reduction.memory,
        .config = reduction.config,
        .sub_core_grids = reduction.sub_core_grids};
}

// TTNN reduces a ROW_MAJOR tensor as it is in this case only.
bool stays_row_major(const Reduction& reduction, const Tensor& input, ReduceAxis axis, bool tile_wanted) {
    return (reduction.kind == Kind::Sum || reduction.kind == Kind::Mean) && input.layout() == Layout::ROW_MAJOR &&
           input.logical_shape().rank() == 4 && !input.is_sharded() && !reduction.memory.is_sharded() &&
           (input.dtype() == DataType::BFLOAT16 || input.dtype() == DataType::FLOAT32) &&
           axis != ReduceAxis::HeightAndWidth && !(tile_wanted && axis == ReduceAxis::Width);
}

// Over the last dimension, the one before, or both; they keep size 1.
Tensor reduce_last(
    const Reduction& reduction, const Tensor& given, ReduceAxis axis, float scalar, DataType output_dtype,
    bool tile_wanted) {
    Tensor input = given;
    if (input.layout() != Layout::TILE && !stays_row_major(reduction, input, axis, tile_wanted)) {
        input = to_layout(input, Layout::TILE);
    }
    if (axis != ReduceAxis::HeightAndWidth || math_of(reduction.kind) > ReduceMath::Min) {
        return run_reduce(step_of(reduction, input, axis, scalar, output_dtype), input);
    }
    // One tile is one step where the matrix unit sums; elsewhere the two dimensions come one after the other.
    const bool one_tile = input.padded_shape().volume() <= kTile * kTile;
    if (one_tile && scalar >= 0 && math_of(reduction.kind) == ReduceMath::Sum && !on_vector_unit(reduction, input)) {
        return run_reduce(step_of(reduction, input, axis, scalar, output_dtype), input);
    }
    // Between the two steps TTNN keeps sums that end in bfloat16 in float32, and nothing else.
    const bool wide = reduction.kind == Kind::Sum && output_dtype == DataType::BFLOAT16 &&
                      (input.dtype() == DataType::FLOAT32 ||
                       (input.dtype() == DataType::BFLOAT16 && reduction.config.fp32_dest_acc_en));
    const Tensor columns =
        run_reduce(step_of(reduction, input, ReduceAxis::Width, 1.0F, wide ? DataType::FLOAT32 : output_dtype), input);
    return run_reduce(step_of(reduction, columns, ReduceAxis::Height, scalar, output_dtype), columns);
}

Tensor reduce_height_of(const Reduction& reduction, const Tensor& input, int dim, float scalar, DataType output_dtype) {
    const auto rank = static_cast<int>(input.logical_shape().rank());
    if (dim >= rank - 2) {
        return reduce_last(
            reduction, input, dim == rank - 1 ? ReduceAxis::Width : ReduceAxis::Height, scalar, output_dtype, false);
    }
    const Tensor turned = transpose(input, dim, -2, reduction.memory);
    return transpose(
        reduce_last(reduction, turned, ReduceAxis::Height, scalar, output_dtype, false), dim, -2, reduction.memory);
}

// Dimension by dimension from the last on; the scalar is for one of the steps.
Tensor reduce_each(Reduction reduction, Tensor input, const std::vector<int>& dims) {
    const DataType dtype = input.dtype();
    float scalar = reduction.scalar;
    if (reduction.kind == Kind::Mean) {
        for (const int dim : dims) {
            scalar /= static_cast<float>(input.logical_shape()[dim]);
        }
        reduction.kind = Kind::Sum;
    }
    const bool sums = reduction.kind == Kind::Sum;
    const bool chain = sums && dims.size() > 1 && dtype == DataType::BFLOAT16 && !reduction.every_dimension;
    for (std::size_t i = dims.size(); i-- > 0;) {
        const bool scaled = sums ? i + 1 == dims.size() : i == 0;
        input = reduce_height_of(
            reduction, input, dims[i], scaled ? scalar : 1.0F, chain && i > 0 ? DataType::FLOAT32 : dtype);
    }
    return input;
}

// Sums over dimensions before the last two add tiles, without a scalar.
Tensor sum_outer(const Reduction& reduction, Tensor input, const std::vector<int>& dims, bool more_follow, bool chain) {
    const DataType dtype = input.dtype();
    if (input.layout() != Layout::TILE) {
        input = to_layout(input, Layout::TILE);
    }
    for (std::size_t i = dims.size(); i-- > 0;) {
        const bool wide = chain && (i > 0 || more_follow);
        ReduceStep step = step_of(reduction, input, ReduceAxis::Slices, 1.0F, wide ? DataType::FLOAT32 : dtype);
        step.slice_dim = static_cast<std::size_t>(dims[i]);
        input = run_reduce(step, input);
    }
    return input;
}

Tensor reduce_dims(
    const Reduction& reduction, const Tensor& input, const std::vector<int>& all_dims, bool tile_wanted) {
    const auto rank = static_cast<int>(input.logical_shape().rank());
    std::vector<int> dims = all_dims;
    Tensor rest = input;
    DataType dtype = input.dtype();
    if (reduction.kind == Kind::Sum && reduction.scalar == 1.0F && dtype != DataType::FLOAT32 &&
        dims.front() < rank - 2) {
        const bool chain = dims.size() > 1 && dtype == DataType::BFLOAT16 && !reduction.every_dimension;
        const auto last = std::find_if(dims.begin(), dims.end(), [&](int dim) { return dim >= rank - 2; });
        const std::vector<int> outer(dims.begin(), last);
        dims.erase(dims.begin(), last);
        rest = sum_outer(reduction, rest, outer, !dims.empty(), chain);
        if (dims.empty()) {
            return rest;
        }
    }
    const bool both = dims.size() == 2 && dims[0] == rank - 2;
    if (!both && (dims.size() > 1 || dims[0] < rank - 2)) {
        return reduce_each(reduction, rest, dims);
    }
    float scalar = reduction.scalar;
    if (reduction.kind == Kind::Mean) {
        std::uint64_t volume = 1;
        for (const int dim : dims) {
            volume *= input.logical_shape()[dim];
        }
        scalar /= static_cast<float>(volume);
    }
    const ReduceAxis axis = both                  ? ReduceAxis::HeightAndWidth
                            : dims[0] == rank - 1 ? ReduceAxis::Width
                                                  : ReduceAxis::Height;
    return reduce_last(reduction, rest, axis, scalar, dtype, tile_wanted);
}

Tensor spread_dims(const Reduction& reduction, const Tensor& input, const std::vector<int>& dims) {
    const auto rank = static_cast<int>(input.logical_shape().rank());
    std::uint64_t volume = 1;
    for (const int dim : dims) {
        volume *= input.logical_shape()[dim];
    }
    TT_FATAL(volume > 1, "{}: Reduction is performed on too few elements: {} of them", reduction.function, volume);
    const bool both = dims.size() == 2 && dims[0] == rank - 2;
    TT_FATAL(
        dims.size() == 1 || both, "{}: the embedded provider takes one dimension or the last two, {} were given",
        reduction.function, dims.size());
    if (both) {
        return reduce_last(reduction, input, ReduceAxis::HeightAndWidth, reduction.scalar, input.dtype(), true);
    }
    return reduce_height_of(reduction, input, dims[0], reduction.scalar, input.dtype());
}

Tensor reduce(
    std::string_view function, Kind kind, const Tensor& input_tensor, const DimArgument& dim_arg, bool keepdim,
    const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config, float scalar, bool correction,
    const std::optional<CoreRangeSet>& sub_core_grids, bool fast_mode = false,
    const std::optional<Layout>& output_layout = std::nullopt) {
    check_device_tensors(function, {&input_tensor});
    const std::vector<int> dims = checked_dims(function, input_tensor, dim_arg);
    ApiCall call(function, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("dim", dims)
            .field("keepdim", keepdim)
            .field("memory_config", memory_config)
            .field(
                "compute_kernel_config",
                compute_kernel_config ? std::optional<JsonText>(describe(*compute_kernel_config)) : std::nullopt)
            .field("scalar", scalar)
            .field("correction", correction)
            .field("sub_core_grids", sub_core_grids)
            .field("output_layout", output_layout);
    });
    TT_FATAL(
        kind != Kind::Mean || tt::tt_metal::is_floating_point(input_tensor.dtype()),
        "{}: ttnn.mean does not support integer inputs - got {}.", function, ttnn_cpu::to_string(input_tensor.dtype()));
    TT_FATAL(
        input_tensor.logical_volume() > 0, "{}: the input of shape {} is empty", function,
        ttnn_cpu::to_string(input_tensor.logical_shape()));
    const tt::ARCH arch = input_tensor.device()->arch();
    const Reduction reduction{
        .function = function,
        .kind = kind,
        .scalar = scalar,
        .correction = correction,
        .sub_core_grids = sub_core_grids,
        .memory = memory_config.value_or(input_tensor.memory_config()),
        .config = compute_kernel_config.value_or(init_device_compute_kernel_config(
            arch, std::nullopt,
            arch == tt::ARCH::WORMHOLE_B0 ? tt::tt_metal::MathFidelity::HiFi3 : tt::tt_metal::MathFidelity::HiFi4,
            false, true)),
        .fast_mode = fast_mode,
        .every_dimension = dims.size() == input_tensor.logical_shape().rank()};

    const std::size_t rank = input_tensor.logical_shape().rank();
    const std::size_t added = rank < 4 ? 4 - rank : 0;
    const Tensor input = added > 0 ? unsqueeze_to_4D(input_tensor) : input_tensor;
    std::vector<int> dims_4d = dims;
    for (int& dim : dims_4d) {
        dim += static_cast<int>(added);
    }
    Tensor result = kind == Kind::Std || kind == Kind::Var
                        ? spread_dims(reduction, input, dims_4d)
                        : reduce_dims(reduction, input, dims_4d, output_layout == Layout::TILE);
    Shape::Container shape;
    for (std::size_t i = 0; i < rank; ++i) {
        const bool reduced = std::find(dims.begin(), dims.end(), static_cast<int>(i)) != dims.end();
        if (!reduced || keepdim) {
            shape.push_back(reduced ? 1 : input_tensor.logical_shape()[static_cast<std::int32_t>(i)]);
        }
    }
    if (result.logical_shape() != Shape(shape)) {
        result = reshape(result, Shape(shape));
    }
    if (output_layout && result.layout() != *output_layout) {
        TT_FATAL(
            *output_layout != Layout::ROW_MAJOR || !tt::tt_metal::is_block_float(result.dtype()),
            "{}: output_layout=ROW_MAJOR is not supported for a {} result: block-float formats only exist in TILE "
            "layout",
            function, ttnn_cpu::to_string(result.dtype()));
        result = to_layout(result, *output_layout);
    }
    return call.returns(result);
}

}  // namespace

Tensor sum(
    const Tensor& input, const DimArgument& dim, bool keepdim, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& config, float scalar, bool correction,
    const std::optional<CoreRangeSet>& sub_core_grids, const std::optional<Layout>& output_layout) {
    return reduce(
        "ttnn::sum", Kind::Sum, input, dim, keepdim, memory_config, config, scalar, correction, sub_core_grids, false,
        output_layout);
}

Tensor mean(
    const Tensor& input, const DimArgument& dim, bool keepdim, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& config, float scalar, bool correction,
    const std::optional<CoreRangeSet>& sub_core_grids, bool fast_and_approximate_mode,
    const std::optional<Layout>& output_layout) {
    return reduce(
        "ttnn::mean", Kind::Mean, input, dim, keepdim, memory_config, config, scalar, correction, sub_core_grids,
        fast_and_approximate_mode, output_layout);
}

// A negative scalar comes after the reduction, so the largest of the scaled values is that of the smallest.
Tensor max(
    const Tensor& input, const DimArgument& dim, bool keepdim, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& config, float scalar, bool correction,
    const std::optional<CoreRangeSet>& sub_core_grids, bool fast_and_approximate_mode) {
    const Kind kind = scalar < 0 ? Kind::Min : Kind::Max;
    return reduce(
        "ttnn::max", kind, input, dim, keepdim, memory_config, config, scalar, correction, sub_core_grids,
        fast_and_approximate_mode);
}

Tensor min(
    const Tensor& input, const DimArgument& dim, bool keepdim, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& config, float scalar, bool correction,
    const std::optional<CoreRangeSet>& sub_core_grids) {
    const Kind kind = scalar < 0 ? Kind::Max : Kind::Min;
    return reduce("ttnn::min", kind, input, dim, keepdim, memory_config, config, scalar, correction, sub_core_grids);
}

Tensor std(
    const Tensor& input, const DimArgument& dim, bool keepdim, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& config, float scalar, bool correction,
    const std::optional<CoreRangeSet>& sub_core_grids) {
    return reduce(
        "ttnn::std", Kind::Std, input, dim, keepdim, memory_config, config, scalar, correction, sub_core_grids);
}

Tensor var(
    const Tensor& input, const DimArgument& dim, bool keepdim, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& config, float scalar, bool correction,
    const std::optional<CoreRangeSet>& sub_core_grids) {
    return reduce(
        "ttnn::var", Kind::Var, input, dim, keepdim, memory_config, config, scalar, correction, sub_core_grids);
}

}  // namespace ttnn

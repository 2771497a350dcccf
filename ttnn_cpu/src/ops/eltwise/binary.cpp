// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/eltwise/binary/binary.hpp>

#include <ttnn/operations/core/to_layout/to_layout_op.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/eltwise/binary_kernel.hpp"
#include "ops/eltwise/unary_functions.hpp"
#include "ops/stored_matrix_of.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using kernels::BinaryFunction;
using operations::unary::EltwiseUnaryWithParam;
using operations::unary::ScalarVariant;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

using Activations = ttsl::Span<const EltwiseUnaryWithParam>;

struct BinaryCall {
    std::string_view function;
    BinaryFunction kernel;
    std::optional<const DataType> dtype;
    std::optional<MemoryConfig> memory_config;
    std::optional<Tensor> output;
    Activations post;
    Activations lhs;
    Activations rhs;
};

std::string_view op_type(BinaryFunction function) {
    switch (function) {
        case BinaryFunction::Add:
            return "ADD";
        case BinaryFunction::Sub:
            return "SUB";
        case BinaryFunction::Mul:
            return "MUL";
        case BinaryFunction::Div:
            return "DIV";
    }
    return "";
}

std::string shape_text(const Tensor& tensor) { return ttnn_cpu::to_string(tensor.logical_shape()); }

// TTNN's choice: lhs's config, unless rhs is the sharded one or has the larger grid.
MemoryConfig default_memory_config(const Tensor& lhs, const Tensor* rhs) {
    if (rhs != nullptr && rhs->is_sharded()) {
        const bool lhs_in_dram = !lhs.is_sharded() && lhs.memory_config().is_dram();
        const bool rhs_larger = lhs.is_sharded() && rhs->shard_spec()->num_cores() > lhs.shard_spec()->num_cores();
        if (lhs_in_dram || rhs_larger) {
            return rhs->memory_config();
        }
    }
    return lhs.memory_config();
}

ShardSpec all_cores_shard(const Tensor& tensor, const TensorSpec& interleaved, TensorMemoryLayout layout) {
    const CoreCoord grid = tensor.device()->compute_with_storage_grid_size();
    const CoreRange cores({0, 0}, {grid.x - 1, grid.y - 1});
    switch (layout) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return *interleaved.height_sharded(cores).memory_config().shard_spec();
        case TensorMemoryLayout::WIDTH_SHARDED:
            return *interleaved.width_sharded(cores).memory_config().shard_spec();
        default:
            return *interleaved.block_sharded(cores).memory_config().shard_spec();
    }
}

TensorSpec output_spec(const BinaryCall& call, const Tensor& lhs, const Tensor* rhs, const Shape& shape) {
    const DataType dtype = call.dtype.value_or(call.output ? call.output->dtype() : lhs.dtype());
    MemoryConfig memory =
        call.memory_config.value_or(call.output ? call.output->memory_config() : default_memory_config(lhs, rhs));
    const auto layout = [&](const MemoryConfig& config) {
        return TensorLayout(dtype, PageConfig(lhs.layout()), config);
    };
    if (memory.is_sharded() && !memory.shard_spec()) {
        std::optional<ShardSpec> shard;
        for (const Tensor* operand : {&lhs, rhs}) {
            if (!shard && operand != nullptr && operand->logical_shape() == shape &&
                operand->memory_config().memory_layout() == memory.memory_layout()) {
                shard = operand->shard_spec();
            }
        }
        if (!shard) {
            const TensorSpec interleaved(
                shape, layout(MemoryConfig(TensorMemoryLayout::INTERLEAVED, memory.buffer_type())));
            shard = all_cores_shard(lhs, interleaved, memory.memory_layout());
        }
        memory = MemoryConfig(memory.memory_layout(), memory.buffer_type(), shard);
    }
    return TensorSpec(shape, layout(memory));
}

void check_types(const BinaryCall& call, const Tensor& lhs, const Tensor* rhs, DataType out) {
    const auto integer = [](DataType dtype) { return dtype == DataType::INT32 || dtype == DataType::UINT32; };
    const auto supported = [&](DataType dtype) {
        return tt::tt_metal::is_floating_point(dtype) || (integer(dtype) && call.kernel != BinaryFunction::Div);
    };
    TT_FATAL(
        supported(lhs.dtype()), "{}: Input tensor A dtype {} is not supported for binary operation {}", call.function,
        ttnn_cpu::to_string(lhs.dtype()), op_type(call.kernel));
    const DataType right = rhs != nullptr ? rhs->dtype() : lhs.dtype();
    TT_FATAL(
        supported(right), "{}: Input tensor B dtype {} is not supported for binary operation {}", call.function,
        ttnn_cpu::to_string(right), op_type(call.kernel));
    const bool mixed_floats = tt::tt_metal::is_floating_point(lhs.dtype()) && tt::tt_metal::is_floating_point(right);
    TT_FATAL(
        mixed_floats || lhs.dtype() == right,
        "{}: Mixed dtype is not supported for binary operation {}, dtype A: {}, dtype B: {}", call.function,
        op_type(call.kernel), ttnn_cpu::to_string(lhs.dtype()), ttnn_cpu::to_string(right));
    TT_FATAL(
        tt::tt_metal::is_floating_point(lhs.dtype()) == tt::tt_metal::is_floating_point(out),
        "{}: output dtype {} does not go with inputs of dtype {}", call.function, ttnn_cpu::to_string(out),
        ttnn_cpu::to_string(lhs.dtype()));
}

// TTNN's choice between its two engines.
bool on_matrix_unit(BinaryFunction function, DataType a, DataType b) {
    switch (function) {
        case BinaryFunction::Add:
        case BinaryFunction::Sub:
            return a != DataType::FLOAT32 || b != DataType::FLOAT32;
        case BinaryFunction::Mul:
            return is_block_float(a) || is_block_float(b);
        case BinaryFunction::Div:
            break;
    }
    return false;
}

std::uint32_t cores_of(const Tensor& lhs, const TensorSpec& out) {
    if (out.memory_config().is_sharded()) {
        return out.memory_config().shard_spec()->num_cores();
    }
    const CoreCoord grid = lhs.device()->compute_with_storage_grid_size();
    return static_cast<std::uint32_t>(std::min(grid.x * grid.y, divide_up(stored_matrix(out).size(), 1024)));
}

// Two tiles of each operand and of the result, but for what is worked on in its shard; a tile of a scalar; one more of an
// operand with activations, two more of one whose rows, columns or single value fill tiles.
std::uint64_t buffers(
    const BinaryCall& call, const Tensor& lhs, const Tensor* rhs, const TensorSpec& out, bool matrix_unit) {
    const auto tile = [](DataType dtype) { return storage_bytes(dtype, 1024); };
    const auto pages = [&](DataType dtype, const MemoryConfig& memory) {
        return memory.is_sharded() ? 0 : 2 * tile(dtype);
    };
    std::uint64_t bytes = pages(lhs.dtype(), lhs.memory_config()) + pages(out.data_type(), out.memory_config()) +
                          (call.lhs.empty() ? 0 : tile(lhs.dtype()));
    if (rhs == nullptr) {
        return bytes + tile(matrix_unit || is_block_float(lhs.dtype()) ? DataType::BFLOAT16 : lhs.dtype());
    }
    bytes += pages(rhs->dtype(), rhs->memory_config()) + (call.rhs.empty() ? 0 : tile(rhs->dtype()));
    const auto size = [](const Tensor& tensor, int dim) {
        return tensor.logical_shape().rank() >= static_cast<std::size_t>(-dim) ? tensor.logical_shape()[dim] : 1;
    };
    const bool rows = size(lhs, -2) != size(*rhs, -2);
    const bool columns = size(lhs, -1) != size(*rhs, -1);
    if (rows || columns) {
        // The row decides where one operand has a single row and the other a single column.
        const bool fills_lhs = rows ? size(lhs, -2) == 1 : size(lhs, -1) == 1;
        bytes += 2 * tile(fills_lhs ? lhs.dtype() : rhs->dtype());
    }
    return bytes;
}

Tensor run(const BinaryCall& call, Tensor lhs, std::optional<Tensor> rhs, ScalarVariant scalar) {
    const Tensor* right = rhs ? &*rhs : nullptr;
    const std::size_t output_index = rhs ? 2 : 1;
    ApiCall record(call.function, {&lhs, right, call.output ? &*call.output : nullptr}, [&](JsonText& json) {
        json.tensor("lhs", 0);
        if (rhs) {
            json.tensor("rhs", 1);
        } else {
            std::visit([&](auto value) { json.field("rhs", value); }, scalar);
        }
        json.field("output_dtype", std::optional<DataType>(call.dtype))
            .field("memory_config", call.memory_config)
            .tensor("output", call.output ? std::optional(output_index) : std::nullopt)
            .field("post_activations", describe(call.post))
            .field("lhs_activations", describe(call.lhs))
            .field("rhs_activations", describe(call.rhs));
    });
    check_device_tensors(call.function, {&lhs});
    if (rhs) {
        check_device_tensors(call.function, {&lhs, right});
    }
    const std::optional<Shape> shape =
        rhs ? broadcast_shape(lhs.logical_shape(), rhs->logical_shape()) : lhs.logical_shape();
    TT_FATAL(
        shape.has_value(),
        "{}: Broadcasting rule violation: shapes {} and {} differ in a dimension in which neither is 1", call.function,
        shape_text(lhs), rhs ? shape_text(*rhs) : "");
    TT_FATAL(
        shape->rank() <= 6, "{}: Broadcasting is supported up to rank 6; the result would be {}", call.function,
        ttnn_cpu::to_string(*shape));

    // Operands of different layouts are brought to tiles, as TTNN does.
    if (rhs && lhs.layout() != rhs->layout()) {
        TT_FATAL(
            !call.output || call.output->layout() == Layout::TILE,
            "{}: an output tensor given for operands of different layouts must be TILE", call.function);
        lhs = to_layout(lhs, Layout::TILE);
        rhs = to_layout(*rhs, Layout::TILE);
        right = &*rhs;
    }
    const TensorSpec out = output_spec(call, lhs, right, *shape);
    check_types(call, lhs, right, out.data_type());
    if (call.output) {
        check_device_tensors(call.function, {&*call.output});
        TT_FATAL(
            call.output->logical_shape() == *shape && call.output->dtype() == out.data_type() &&
                call.output->layout() == out.layout(),
            "{}: the output tensor given has shape {} and dtype {}; the operation gives {} and {}", call.function,
            shape_text(*call.output), ttnn_cpu::to_string(call.output->dtype()), ttnn_cpu::to_string(*shape),
            ttnn_cpu::to_string(out.data_type()));
    }
    const TensorSpec written = call.output ? call.output->tensor_spec() : out;

    BinarySpec spec{
        .function = call.kernel,
        .lhs_chain = kernel_chain(call.function, call.lhs),
        .rhs_chain = kernel_chain(call.function, call.rhs),
        .post_chain = kernel_chain(call.function, call.post),
        .lhs = stored_matrix(lhs.tensor_spec()),
        .out = stored_matrix(written),
        .lhs_rows = RowBroadcast(lhs.tensor_spec(), written)};
    if (rhs) {
        spec.rhs = stored_matrix(rhs->tensor_spec());
        spec.rhs_rows = RowBroadcast(rhs->tensor_spec(), written);
    }
    spec.matrix_unit = on_matrix_unit(call.kernel, lhs.dtype(), rhs ? rhs->dtype() : lhs.dtype());
    spec.scalar = std::visit([](auto value) { return static_cast<float>(value); }, scalar);
    const bool integers = !tt::tt_metal::is_floating_point(lhs.dtype());
    TT_FATAL(
        !integers || (call.lhs.empty() && call.rhs.empty() && call.post.empty()),
        "{}: activations are not supported on integer tensors", call.function);

    JsonText attributes;
    attributes.field("binary_op_type", op_type(call.kernel));
    if (!rhs) {
        attributes.field("scalar", spec.scalar);
    }
    attributes.field("lhs_activations", describe(call.lhs))
        .field("rhs_activations", describe(call.rhs))
        .field("post_activations", describe(call.post));
    return record.returns(
        launch({.name = "BinaryNgDeviceOperation",
                .attributes = attributes.str(),
                .inputs = rhs ? std::vector<Tensor>{lhs, *rhs} : std::vector<Tensor>{lhs},
                .output_specs = {out},
                .outputs = call.output ? std::vector<Tensor>{*call.output} : std::vector<Tensor>{},
                .create_program =
                    [&](Numerics) {
                        Program program;
                        const auto integer_scalar =
                            std::visit([](auto value) { return static_cast<std::int64_t>(value); }, scalar);
                        program.kernel = integers ? integer_binary_kernel(spec, integer_scalar) : binary_kernel(spec);
                        program.elementwise = spec.lhs_rows.identity() && (!spec.rhs || spec.rhs_rows->identity());
                        program.core_count = cores_of(lhs, written);
                        program.circular_buffer_bytes =
                            buffers(call, lhs, rhs ? &*rhs : nullptr, written, spec.matrix_unit);
                        return program;
                    }})
            .front());
}

BinaryCall in_place(
    std::string_view function, BinaryFunction kernel, const Tensor& lhs, Activations post, Activations left,
    Activations right) {
    check_device_tensors(function, {&lhs});
    return {
        .function = function,
        .kernel = kernel,
        .dtype = std::nullopt,
        .memory_config = std::nullopt,
        .output = lhs,
        .post = post,
        .lhs = left,
        .rhs = right};
}

}  // namespace

#define TTNN_CPU_DEFINE_BINARY(op_name, FUNCTION)                                                                      \
    Tensor op_name(                                                                                                    \
        const Tensor& lhs, const Tensor& rhs, const std::optional<const DataType>& dtype,                              \
        const std::optional<MemoryConfig>& memory_config, const std::optional<Tensor>& output, Activations post,       \
        Activations left, Activations right) {                                                                         \
        return run(                                                                                                    \
            {"ttnn::" #op_name, BinaryFunction::FUNCTION, dtype, memory_config, output, post, left, right}, lhs, rhs,  \
            0.0f);                                                                                                     \
    }                                                                                                                  \
    Tensor op_name(                                                                                                    \
        const Tensor& lhs, ScalarVariant rhs, const std::optional<const DataType>& dtype,                              \
        const std::optional<MemoryConfig>& memory_config, const std::optional<Tensor>& output, Activations post,       \
        Activations left, Activations right) {                                                                         \
        return run(                                                                                                    \
            {"ttnn::" #op_name, BinaryFunction::FUNCTION, dtype, memory_config, output, post, left, right}, lhs,       \
            std::nullopt, rhs);                                                                                        \
    }                                                                                                                  \
    Tensor op_name##_(const Tensor& lhs, const Tensor& rhs, Activations post, Activations left, Activations right) {   \
        return run(in_place("ttnn::" #op_name "_", BinaryFunction::FUNCTION, lhs, post, left, right), lhs, rhs, 0.0f); \
    }                                                                                                                  \
    Tensor op_name##_(const Tensor& lhs, ScalarVariant rhs, Activations post, Activations left, Activations right) {   \
        return run(                                                                                                    \
            in_place("ttnn::" #op_name "_", BinaryFunction::FUNCTION, lhs, post, left, right), lhs, std::nullopt,      \
            rhs);                                                                                                      \
    }

TTNN_CPU_DEFINE_BINARY(add, Add)
TTNN_CPU_DEFINE_BINARY(subtract, Sub)
TTNN_CPU_DEFINE_BINARY(multiply, Mul)
TTNN_CPU_DEFINE_BINARY(divide, Div)
#undef TTNN_CPU_DEFINE_BINARY

}  // namespace ttnn

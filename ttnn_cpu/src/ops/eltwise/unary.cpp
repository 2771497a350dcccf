// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/eltwise/unary/unary.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/parallel.hpp"
#include "ops/eltwise/unary_functions.hpp"
#include "ops/stored_matrix_of.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using operations::unary::EltwiseUnaryWithParam;
using operations::unary::GeluVariant;
using operations::unary::ScalarVariant;
using operations::unary::SigmoidMode;
using operations::unary::UnaryOpType;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

using Optional = std::optional<MemoryConfig>;
using OptionalOutput = std::optional<Tensor>;

// Elements that one call of a kernel works on: two tiles of rows keep scratch in the first-level cache.
constexpr std::size_t kChunk = 8192;

Kernel unary_kernel(std::vector<kernels::UnaryOp> chain, kernels::StoredMatrix in, kernels::StoredMatrix out) {
    const std::size_t chunks = divide_up(in.size(), kChunk);
    if (in.fits_bf16() && out.fits_bf16()) {
        const kernels::UnaryTable& table = kernels::unary_table(chain);
        return [&table, in, out, chunks](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
            kernels::parallel_for(chunks, [&](std::size_t chunk) {
                std::uint16_t values[kChunk];
                const std::size_t first = chunk * kChunk;
                const std::size_t n = std::min(kChunk, in.size() - first);
                in.load_bf16(inputs[0].data, first, n, values);
                kernels::apply_unary_bf16(table, values, n, values);
                out.store_bf16(outputs[0].data, first, n, values);
            });
        };
    }
    return [chain = std::move(chain), in, out, chunks](
               std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
        kernels::parallel_for(chunks, [&](std::size_t chunk) {
            float values[kChunk];
            const std::size_t first = chunk * kChunk;
            const std::size_t n = std::min(kChunk, in.size() - first);
            in.load_f32(inputs[0].data, first, n, values);
            kernels::apply_unary_f32(chain, values, n, values);
            out.store_f32(outputs[0].data, first, n, values);
        });
    };
}

// All shards are full, in L1, and on the same cores on both sides.
bool in_place(const TensorSpec& in, const TensorSpec& out) {
    const auto full = [](const TensorSpec& spec) {
        const auto& shard = spec.memory_config().shard_spec();
        return shard && spec.memory_config().is_l1() && spec.physical_shape().height() % shard->shape[0] == 0 &&
               spec.physical_shape().width() % shard->shape[1] == 0 &&
               (spec.layout() == Layout::TILE || shard->numel() % 1024 == 0);
    };
    return full(in) && full(out) && in.memory_config().shard_spec()->grid == out.memory_config().shard_spec()->grid;
}

Tensor unary(
    std::string_view function, const Tensor& input, std::span<const EltwiseUnaryWithParam> chain,
    const Optional& memory_config, const OptionalOutput& output) {
    ApiCall call(function, {&input, output ? &*output : nullptr}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("ops_chain", describe(chain))
            .field("memory_config", memory_config)
            .tensor("optional_output_tensor", output ? std::optional<std::size_t>(1) : std::nullopt);
    });
    check_device_tensors(function, {&input});
    TT_FATAL(!chain.empty(), "{}: the chain of functions must not be empty", function);
    TT_FATAL(
        tt::tt_metal::is_floating_point(input.dtype()),
        "{}: input data type is {}; it must be BFLOAT16, FLOAT32, BFLOAT8_B or BFLOAT4_B", function,
        to_string(input.dtype()));
    const MemoryConfig memory = memory_config.value_or(output ? output->memory_config() : input.memory_config());
    TT_FATAL(
        memory.memory_layout() == input.memory_config().memory_layout(),
        "{}: Unary operation requires Input and Output memory layout to match. Input layout: {}, Output layout: {}",
        function, to_string(input.memory_config().memory_layout()), to_string(memory.memory_layout()));
    if (output) {
        check_device_tensors(function, {&*output});
        TT_FATAL(
            output->logical_shape() == input.logical_shape() && output->layout() == input.layout(),
            "{}: the output tensor given has shape {} and layout {}; it must match the input's {} and {}", function,
            to_string(output->logical_shape()), to_string(output->layout()), to_string(input.logical_shape()),
            to_string(input.layout()));
    }
    const TensorSpec spec(
        input.logical_shape(), TensorLayout(input.dtype(), input.tensor_spec().page_config(), memory));
    const kernels::StoredMatrix in = stored_matrix(input);
    const kernels::StoredMatrix out = output ? stored_matrix(*output) : in;
    TT_FATAL(
        in.size() == out.size() && in.size() == spec.physical_shape().height() * spec.physical_shape().width(),
        "{}: input and output must be padded alike", function);
    const std::vector<kernels::UnaryOp> kernel_functions = kernel_chain(function, chain);
    const std::size_t cores =
        input.device()->compute_with_storage_grid_size().x * input.device()->compute_with_storage_grid_size().y;
    return call.returns(launch({.name = "UnaryDeviceOperation",
                                .attributes = JsonText().field("op_chain", describe(chain)).str(),
                                .inputs = {input},
                                .output_specs = {spec},
                                .outputs = output ? std::vector<Tensor>{*output} : std::vector<Tensor>{},
                                .create_program =
                                    [&](Numerics) {
                                        Program program;
                                        program.kernel = unary_kernel(kernel_functions, in, out);
                                        const std::size_t tiles = divide_up(in.size(), 1024);
                                        program.core_count = input.is_sharded()
                                                                 ? input.shard_spec()->num_cores()
                                                                 : static_cast<std::uint32_t>(std::min(cores, tiles));
                                        // Two tiles in, two tiles out; whole shards are worked on where they lie.
                                        program.circular_buffer_bytes =
                                            in_place(input.tensor_spec(), output ? output->tensor_spec() : spec)
                                                ? 0
                                                : 2 * (storage_bytes(in.dtype, 1024) + storage_bytes(out.dtype, 1024));
                                        return program;
                                    }})
                            .front());
}

float number(const ScalarVariant& scalar) {
    return std::visit([](auto value) { return static_cast<float>(value); }, scalar);
}

Tensor one(
    std::string_view function, const Tensor& input, const EltwiseUnaryWithParam& op, const Optional& memory_config,
    const OptionalOutput& output) {
    return unary(function, input, std::span(&op, 1), memory_config, output);
}

}  // namespace

#define TTNN_CPU_DEFINE_UNARY(op_name, TYPE)                                                                          \
    Tensor op_name(const Tensor& input_tensor, const Optional& memory_config, const OptionalOutput& output) {         \
        return one("ttnn::" #op_name, input_tensor, EltwiseUnaryWithParam(UnaryOpType::TYPE), memory_config, output); \
    }

TTNN_CPU_DEFINE_UNARY(abs, ABS)
TTNN_CPU_DEFINE_UNARY(neg, NEG)
TTNN_CPU_DEFINE_UNARY(gez, GEZ)
TTNN_CPU_DEFINE_UNARY(gtz, GTZ)
TTNN_CPU_DEFINE_UNARY(lez, LEZ)
TTNN_CPU_DEFINE_UNARY(ltz, LTZ)
TTNN_CPU_DEFINE_UNARY(nez, NEZ)
TTNN_CPU_DEFINE_UNARY(eqz, EQZ)
TTNN_CPU_DEFINE_UNARY(reciprocal, RECIP)
TTNN_CPU_DEFINE_UNARY(relu, RELU)
TTNN_CPU_DEFINE_UNARY(relu6, RELU6)
TTNN_CPU_DEFINE_UNARY(sign, SIGN)
TTNN_CPU_DEFINE_UNARY(silu, SILU)
TTNN_CPU_DEFINE_UNARY(swish, SILU)
TTNN_CPU_DEFINE_UNARY(square, SQUARE)
TTNN_CPU_DEFINE_UNARY(floor, FLOOR)
TTNN_CPU_DEFINE_UNARY(ceil, CEIL)
TTNN_CPU_DEFINE_UNARY(trunc, TRUNC)
TTNN_CPU_DEFINE_UNARY(hardsigmoid, HARDSIGMOID)
TTNN_CPU_DEFINE_UNARY(hardswish, HARDSWISH)
TTNN_CPU_DEFINE_UNARY(identity, IDENTITY)
#undef TTNN_CPU_DEFINE_UNARY

#define TTNN_CPU_DEFINE_UNARY_FAST(op_name, TYPE)                                                             \
    Tensor op_name(                                                                                           \
        const Tensor& input_tensor, bool fast, const Optional& memory_config, const OptionalOutput& output) { \
        const EltwiseUnaryWithParam op(UnaryOpType::TYPE, fast ? 1.0f : 0.0f);                                \
        return one("ttnn::" #op_name, input_tensor, op, memory_config, output);                               \
    }

TTNN_CPU_DEFINE_UNARY_FAST(exp, EXP)
TTNN_CPU_DEFINE_UNARY_FAST(erf, ERF)
TTNN_CPU_DEFINE_UNARY_FAST(log, LOG)
TTNN_CPU_DEFINE_UNARY_FAST(log10, LOG10)
TTNN_CPU_DEFINE_UNARY_FAST(log2, LOG2)
TTNN_CPU_DEFINE_UNARY_FAST(rsqrt, RSQRT)
TTNN_CPU_DEFINE_UNARY_FAST(sqrt, SQRT)
TTNN_CPU_DEFINE_UNARY_FAST(mish, MISH)
#undef TTNN_CPU_DEFINE_UNARY_FAST

Tensor gelu(const Tensor& input, GeluVariant variant, const Optional& memory_config, const OptionalOutput& output) {
    const EltwiseUnaryWithParam op =
        variant == GeluVariant::TANH
            ? EltwiseUnaryWithParam(UnaryOpType::GELU_TANH)
            : EltwiseUnaryWithParam(UnaryOpType::GELU, variant == GeluVariant::FAST_LUT ? 1.0f : 0.0f);
    return one("ttnn::gelu", input, op, memory_config, output);
}

Tensor gelu(const Tensor& input, bool fast, const Optional& memory_config, const OptionalOutput& output) {
    return gelu(input, fast ? GeluVariant::FAST_LUT : GeluVariant::ACCURATE, memory_config, output);
}

Tensor leaky_relu(const Tensor& input, float slope, const Optional& memory_config, const OptionalOutput& output) {
    return one("ttnn::leaky_relu", input, {UnaryOpType::LEAKY_RELU, slope}, memory_config, output);
}

Tensor softplus(
    const Tensor& input, float beta, float threshold, const Optional& memory_config, const OptionalOutput& output) {
    return one("ttnn::softplus", input, {UnaryOpType::SOFTPLUS, beta, threshold}, memory_config, output);
}

Tensor hardtanh(
    const Tensor& input, float low, float high, const Optional& memory_config, const OptionalOutput& output) {
    return one("ttnn::hardtanh", input, {UnaryOpType::HARDTANH, low, high}, memory_config, output);
}

Tensor relu_max(const Tensor& input, ScalarVariant limit, const Optional& memory_config, const OptionalOutput& output) {
    return one("ttnn::relu_max", input, {UnaryOpType::RELU_MAX, number(limit)}, memory_config, output);
}

Tensor relu_min(const Tensor& input, ScalarVariant limit, const Optional& memory_config, const OptionalOutput& output) {
    return one("ttnn::relu_min", input, {UnaryOpType::RELU_MIN, number(limit)}, memory_config, output);
}

Tensor power(const Tensor& input, ScalarVariant exponent, const Optional& memory_config, const OptionalOutput& output) {
    const float value = number(exponent);
    TT_FATAL(
        value >= 0 && value == static_cast<float>(static_cast<int>(value)),
        "ttnn::power: exponent is {}; the embedded provider takes integers from 0 on", value);
    return one("ttnn::power", input, {UnaryOpType::POWER, value}, memory_config, output);
}

Tensor clamp_tss(
    const Tensor& input, float low, float high, const Optional& memory_config, const OptionalOutput& output) {
    return one("ttnn::clamp_tss", input, {UnaryOpType::CLAMP_TSS, low, high}, memory_config, output);
}

Tensor tanh(const Tensor& input, const Optional& memory_config, const OptionalOutput& output, bool approx) {
    return one("ttnn::tanh", input, {UnaryOpType::TANH, approx ? 1.0f : 0.0f}, memory_config, output);
}

Tensor sigmoid(
    const Tensor& input, int vector_mode, SigmoidMode mode, const Optional& memory_config,
    const OptionalOutput& output) {
    TT_FATAL(
        vector_mode == static_cast<int>(operations::unary::VecMode::RC),
        "ttnn::sigmoid: vector_mode is {}; the embedded provider computes whole tiles, mode RC (4)", vector_mode);
    const float approximate = mode == SigmoidMode::FAST_APPROXIMATE ? 1.0f : 0.0f;
    return one(
        "ttnn::sigmoid", input, {UnaryOpType::SIGMOID, static_cast<float>(vector_mode), approximate}, memory_config,
        output);
}

Tensor unary_chain(
    const Tensor& input, const std::vector<EltwiseUnaryWithParam>& ops_chain, const Optional& memory_config,
    const OptionalOutput& output) {
    return unary("ttnn::unary_chain", input, ops_chain, memory_config, output);
}

}  // namespace ttnn

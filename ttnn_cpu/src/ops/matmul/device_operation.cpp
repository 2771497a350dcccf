// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/device_operation.hpp"

#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "ops/matmul/matmul_program.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

using tt::tt_metal::MathFidelity;

MathFidelity default_fidelity(const Tensor& a, const Tensor& b, const Arguments& arguments) {
    if (a.dtype() == DataType::FLOAT32 && b.dtype() == DataType::FLOAT32) {
        // HiFi4 with a float32 destination is not safe on Wormhole.
        return a.device()->arch() == tt::ARCH::WORMHOLE_B0 ? MathFidelity::HiFi3 : MathFidelity::HiFi4;
    }
    const bool tuned = arguments.program_config || arguments.core_grid;
    return tuned || (is_block_float(a.dtype()) && is_block_float(b.dtype())) ? MathFidelity::LoFi : MathFidelity::HiFi2;
}

}  // namespace

Params resolve(const Tensor& a, const Tensor& b, const Arguments& arguments, const std::optional<Tensor>& output) {
    TT_FATAL(a.device() != nullptr, "Operand to matmul must be on device");
    TT_FATAL(
        !(arguments.core_grid && arguments.program_config),
        "Cannot use both user core grid/coordinates and a program config");
    const Sizes sizes(a, b, arguments.transpose_a, arguments.transpose_b);
    Params params;
    if (arguments.program_config) {
        params.program_config = *arguments.program_config;
    }
    params.broadcast_batch = sizes.batch_b == 1;
    if (params.program_config && std::holds_alternative<ReuseConfig>(*params.program_config)) {
        params.broadcast_batch = params.broadcast_batch && sizes.batch_a > 1;
    }
    params.output_mem_config = arguments.memory_config ? *arguments.memory_config : MemoryConfig();
    params.output_dtype = arguments.dtype.value_or(a.dtype());
    if (output) {
        if (params.output_mem_config == MemoryConfig()) {
            params.output_mem_config = output->memory_config();
        }
        TT_FATAL(
            output->memory_config() == params.output_mem_config,
            "Memory config mismatch between optional output tensor {} & output tensor {}",
            to_string(output->memory_config()), to_string(params.output_mem_config));
        TT_FATAL(
            !arguments.dtype || *arguments.dtype == output->dtype(),
            "Type mismatch between optional output tensor {} & output tensor {}", to_string(output->dtype()),
            to_string(*arguments.dtype));
        params.output_dtype = output->dtype();
        TT_FATAL(
            !arguments.output_tile,
            "Matmul cannot have both an output_tile and an optional_output_tensor. Configure the tile type of the "
            "output "
            "tensor instead if both are required.");
    }
    const bool float32 = params.output_dtype == DataType::FLOAT32;
    params.compute_kernel_config = ttnn::init_device_compute_kernel_config(
        a.device()->arch(), arguments.compute_kernel_config, default_fidelity(a, b, arguments),
        /*default_approx_mode=*/false,
        /*default_fp32_acc=*/float32,
        /*default_l1_acc=*/!float32);
    if (arguments.core_grid) {
        params.core_grid = CoreCoord(arguments.core_grid->x, arguments.core_grid->y);
    }
    params.activation = arguments.activation;
    params.batched_b = detail::is_input_batched(b.logical_shape());
    params.transpose_a = arguments.transpose_a;
    params.transpose_b = arguments.transpose_b;
    params.untilize_out = arguments.untilize_out;
    return params;
}

Tensor run(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const std::optional<Tensor>& output,
    const Params& given) {
    Params params = given;
    MatmulProgramConfig config = choose_program_config(a, b, params, bias ? tile_bytes(bias->dtype()) : 0);
    normalize(config, a.device()->compute_with_storage_grid_size());
    validate(a, b, bias, output, params, config);
    params.program_config = config;

    LaunchRequest request{
        .name = "MatmulDeviceOperation",
        .attributes = to_json(params).str(),
        .inputs = {a, b},
        .output_specs = {},
        .outputs = {},
        .create_program = {}};
    if (bias) {
        request.inputs.push_back(*bias);
    }
    if (output) {
        request.outputs = {*output};
    } else {
        request.output_specs = {output_spec(a, b, params, config)};
    }
    request.create_program = [&](Numerics numerics) {
        return make_program(program_spec(a, b, bias, params, config), numerics);
    };
    return launch(request).front();
}

}  // namespace ttnn_cpu::matmul_op

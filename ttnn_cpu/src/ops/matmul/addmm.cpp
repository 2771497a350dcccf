// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/eltwise/binary/binary.hpp>
#include <ttnn/operations/matmul/matmul.hpp>

#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/matmul/params.hpp"

namespace ttnn::operations::matmul {

using ttnn_cpu::JsonText;

namespace {

void check_type(const Tensor& tensor, const char* name) {
    const DataType dtype = tensor.dtype();
    TT_FATAL(
        dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32 || dtype == DataType::BFLOAT8_B,
        "only ttnn.bfloat16, ttnn.float32 and ttnn.bfloat8_b types are supported for {}", name);
}

}  // namespace

void addmm_validate(
    const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor, float alpha, float beta) {
    TT_FATAL(alpha != 0.0F, "alpha parameter cannot be 0");
    if (beta != 0.0F) {
        TT_FATAL(
            input_tensor.logical_shape()[0] == mat1_tensor.logical_shape()[0] &&
                input_tensor.logical_shape()[1] == mat2_tensor.logical_shape()[1],
            "input_tensor must have shape matching one of result of mat1_tensor @ mat2_tensor");
        check_type(input_tensor, "input_tensor");
    }
    check_type(mat1_tensor, "mat1_tensor");
    check_type(mat2_tensor, "mat2_tensor");
}

Tensor addmm(
    const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor, float alpha, float beta,
    const std::optional<const MemoryConfig>& memory_config, std::optional<const DataType> dtype,
    const std::optional<const MatmulProgramConfig>& program_config,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config, std::optional<const CoreGrid> core_grid,
    const std::optional<const tt::tt_metal::Tile>& output_tile, std::optional<Tensor> optional_output_tensor) {
    ttnn_cpu::ApiCall call("ttnn::addmm", {&input_tensor, &mat1_tensor, &mat2_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).tensor("mat1_tensor", 1).tensor("mat2_tensor", 2);
        json.field("alpha", alpha).field("beta", beta).field("memory_config", memory_config).field("dtype", dtype);
    });
    TT_FATAL(!output_tile.has_value(), "output_tile must not be provided");
    ttnn_cpu::check_device_tensors("ttnn::addmm", {&input_tensor, &mat1_tensor, &mat2_tensor});
    addmm_validate(input_tensor, mat1_tensor, mat2_tensor, alpha, beta);
    Tensor out = matmul(
        mat1_tensor, mat2_tensor, false, false, memory_config, dtype, program_config, std::nullopt,
        compute_kernel_config, core_grid, std::nullopt, optional_output_tensor);
    if (alpha != 1.0F) {
        multiply_(out, alpha);
    }
    if (beta != 0.0F) {
        Tensor added = beta != 1.0F ? multiply(input_tensor, beta, out.dtype()) : input_tensor;
        if (added.dtype() != out.dtype()) {
            added = typecast(added, out.dtype());
        }
        add_(out, added);
    }
    return call.returns(out);
}

}  // namespace ttnn::operations::matmul

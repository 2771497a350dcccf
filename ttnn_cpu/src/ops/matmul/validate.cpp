// SPDX-License-Identifier: Apache-2.0
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/device_operation.hpp"
namespace ttnn_cpu::matmul_op {
void validate(const Tensor& a, const Tensor& b, const std::optional<Tensor>&, const std::optional<Tensor>&, const Params& params, const MatmulProgramConfig&) {
    const Sizes sizes(a, b, params.transpose_a, params.transpose_b);
    TT_FATAL(a.layout() == tt::tt_metal::Layout::TILE && b.layout() == tt::tt_metal::Layout::TILE, "Inputs to matmul must be tilized");
    TT_FATAL(sizes.b.rank() >= 2, "Matmul expects input B rank >= 2, got {}", sizes.b.rank());
    TT_FATAL(
        sizes.a[-1] == sizes.b[-2],
        "The width of the first tensor must be equal to the height of the second tensor. Mismatch: width={} height={}",
        sizes.a[-1],
        sizes.b[-2]);
}
}

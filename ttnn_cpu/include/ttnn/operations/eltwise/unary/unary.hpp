// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ttnn/operations/eltwise/unary/common/unary_op_types.hpp"
#include "ttnn/types.hpp"

namespace ttnn::operations::unary {

enum class SigmoidMode {
    FAST_APPROXIMATE,
    ACCURATE_FAST_EXP,
    ACCURATE,
};

enum class GeluVariant {
    ACCURATE,  // exact GELU
    FAST_LUT,  // six straight lines
    TANH,      // the tanh form
};

}  // namespace ttnn::operations::unary

// Functions of one tensor, element by element. The input is on a device, in tiles or rows, in any memory layout; the result has
// its data type and, unless told otherwise, its memory config. Padding is computed like the rest.
namespace ttnn {

#define TTNN_CPU_DECLARE_UNARY(op_name)                                                                            \
    [[nodiscard]] Tensor op_name(                                                                                  \
        const Tensor& input_tensor, const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt, \
        const std::optional<Tensor>& optional_output_tensor = std::nullopt);

TTNN_CPU_DECLARE_UNARY(abs)
TTNN_CPU_DECLARE_UNARY(neg)
TTNN_CPU_DECLARE_UNARY(gez)
TTNN_CPU_DECLARE_UNARY(gtz)
TTNN_CPU_DECLARE_UNARY(lez)
TTNN_CPU_DECLARE_UNARY(ltz)
TTNN_CPU_DECLARE_UNARY(nez)
TTNN_CPU_DECLARE_UNARY(eqz)
TTNN_CPU_DECLARE_UNARY(reciprocal)
TTNN_CPU_DECLARE_UNARY(relu)
TTNN_CPU_DECLARE_UNARY(relu6)
TTNN_CPU_DECLARE_UNARY(sign)
TTNN_CPU_DECLARE_UNARY(silu)
TTNN_CPU_DECLARE_UNARY(swish)
TTNN_CPU_DECLARE_UNARY(square)
TTNN_CPU_DECLARE_UNARY(floor)
TTNN_CPU_DECLARE_UNARY(ceil)
TTNN_CPU_DECLARE_UNARY(trunc)
TTNN_CPU_DECLARE_UNARY(hardsigmoid)
TTNN_CPU_DECLARE_UNARY(hardswish)
TTNN_CPU_DECLARE_UNARY(identity)

#undef TTNN_CPU_DECLARE_UNARY

#define TTNN_CPU_DECLARE_UNARY_FAST(op_name)                                           \
    [[nodiscard]] Tensor op_name(                                                      \
        const Tensor& input_tensor, bool fast_and_approximate_mode = false,            \
        const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt, \
        const std::optional<Tensor>& optional_output_tensor = std::nullopt);

TTNN_CPU_DECLARE_UNARY_FAST(exp)
TTNN_CPU_DECLARE_UNARY_FAST(erf)
TTNN_CPU_DECLARE_UNARY_FAST(log)
TTNN_CPU_DECLARE_UNARY_FAST(log10)
TTNN_CPU_DECLARE_UNARY_FAST(log2)
TTNN_CPU_DECLARE_UNARY_FAST(rsqrt)
TTNN_CPU_DECLARE_UNARY_FAST(sqrt)
TTNN_CPU_DECLARE_UNARY_FAST(mish)

#undef TTNN_CPU_DECLARE_UNARY_FAST

[[nodiscard]] Tensor gelu(
    const Tensor& input_tensor, operations::unary::GeluVariant variant = operations::unary::GeluVariant::ACCURATE,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

// True chooses FAST_LUT.
[[nodiscard]] Tensor gelu(
    const Tensor& input_tensor, bool fast_and_approximate_mode,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

[[nodiscard]] Tensor leaky_relu(
    const Tensor& input_tensor, float parameter,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

// parameter_a is beta, parameter_b the threshold above which the input is returned.
[[nodiscard]] Tensor softplus(
    const Tensor& input_tensor, float parameter_a, float parameter_b,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

[[nodiscard]] Tensor hardtanh(
    const Tensor& input_tensor, float parameter_a = -1.0f, float parameter_b = 1.0f,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

#define TTNN_CPU_DECLARE_UNARY_SCALAR(op_name)                                         \
    [[nodiscard]] Tensor op_name(                                                      \
        const Tensor& input_tensor, operations::unary::ScalarVariant parameter,        \
        const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt, \
        const std::optional<Tensor>& optional_output_tensor = std::nullopt);

TTNN_CPU_DECLARE_UNARY_SCALAR(relu_max)
TTNN_CPU_DECLARE_UNARY_SCALAR(relu_min)
TTNN_CPU_DECLARE_UNARY_SCALAR(power)

#undef TTNN_CPU_DECLARE_UNARY_SCALAR

[[nodiscard]] Tensor clamp_tss(
    const Tensor& input_tensor, float min_val, float max_val,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

[[nodiscard]] Tensor tanh(
    const Tensor& input, const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt, bool approx = false);

[[nodiscard]] Tensor sigmoid(
    const Tensor& input, int vector_mode = static_cast<int>(operations::unary::VecMode::RC),
    operations::unary::SigmoidMode mode = operations::unary::SigmoidMode::ACCURATE,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

// Several functions in one op, the first one innermost.
[[nodiscard]] Tensor unary_chain(
    const Tensor& input_tensor, const std::vector<operations::unary::EltwiseUnaryWithParam>& ops_chain,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

}  // namespace ttnn

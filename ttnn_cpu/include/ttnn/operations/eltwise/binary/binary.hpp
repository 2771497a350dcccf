// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt_stl/span.hpp>

#include "ttnn/operations/eltwise/unary/common/unary_op_types.hpp"
#include "ttnn/types.hpp"

// Functions of two tensors, element by element, with numpy's broadcasting over up to six dimensions. The result has the data type
// of lhs and its memory config unless told otherwise. Activations are fused: lhs and rhs ones before, post ones after.
namespace ttnn {

#define TTNN_CPU_DECLARE_BINARY(op_name)                                                                        \
    [[nodiscard]] Tensor op_name(                                                                               \
        const Tensor& lhs, const Tensor& rhs, const std::optional<const DataType>& output_dtype = std::nullopt, \
        const std::optional<MemoryConfig>& memory_config = std::nullopt,                                        \
        const std::optional<Tensor>& output = std::nullopt,                                                     \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> post_activations = {},                       \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> lhs_activations = {},                        \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> rhs_activations = {});                       \
    [[nodiscard]] Tensor op_name(                                                                               \
        const Tensor& lhs, operations::unary::ScalarVariant rhs,                                                \
        const std::optional<const DataType>& output_dtype = std::nullopt,                                       \
        const std::optional<MemoryConfig>& memory_config = std::nullopt,                                        \
        const std::optional<Tensor>& output = std::nullopt,                                                     \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> post_activations = {},                       \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> lhs_activations = {},                        \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> rhs_activations = {});

// Writes into lhs, which must not have to grow.
#define TTNN_CPU_DECLARE_BINARY_INPLACE(op_name)                                          \
    Tensor op_name(                                                                       \
        const Tensor& lhs, const Tensor& rhs,                                             \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> post_activations = {}, \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> lhs_activations = {},  \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> rhs_activations = {}); \
    Tensor op_name(                                                                       \
        const Tensor& lhs, operations::unary::ScalarVariant rhs,                          \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> post_activations = {}, \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> lhs_activations = {},  \
        ttsl::Span<const operations::unary::EltwiseUnaryWithParam> rhs_activations = {});

TTNN_CPU_DECLARE_BINARY(add)
TTNN_CPU_DECLARE_BINARY(subtract)
TTNN_CPU_DECLARE_BINARY(multiply)
TTNN_CPU_DECLARE_BINARY(divide)
TTNN_CPU_DECLARE_BINARY_INPLACE(add_)
TTNN_CPU_DECLARE_BINARY_INPLACE(subtract_)
TTNN_CPU_DECLARE_BINARY_INPLACE(multiply_)
TTNN_CPU_DECLARE_BINARY_INPLACE(divide_)

#undef TTNN_CPU_DECLARE_BINARY
#undef TTNN_CPU_DECLARE_BINARY_INPLACE

}  // namespace ttnn

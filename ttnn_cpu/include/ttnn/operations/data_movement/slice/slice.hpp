// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>

#include <tt_stl/small_vector.hpp>
#include <tt_stl/span.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// Elements begins, begins + step, ... below ends of every dimension. T is uint32_t or int32_t; negative indices count
// from the end. Tiles stay tiles when begins are multiples of 32 in the last two dimensions and no step is taken.
template <typename T>
[[nodiscard]] ttnn::Tensor slice(
    const ttnn::Tensor& input_tensor, ttsl::Span<const T> begins, ttsl::Span<const T> ends, ttsl::Span<const T> step,
    const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt,
    const std::optional<float>& pad_value = std::nullopt);

template <typename T>
[[nodiscard]] ttnn::Tensor slice(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<T>& begins, const ttsl::SmallVector<T>& ends,
    const ttsl::SmallVector<T>& step, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt,
    const std::optional<float>& pad_value = std::nullopt) {
    return slice(
        input_tensor, ttsl::Span<const T>(begins), ttsl::Span<const T>(ends), ttsl::Span<const T>(step),
        memory_config_arg, optional_output_tensor, pad_value);
}

// tt-metal's libraries have this for four dimensions alone, so other ranks are refused here too.
template <typename T, std::size_t N>
requires(std::same_as<T, uint32_t>&& N == 4) [[nodiscard]] ttnn::Tensor slice(
    const ttnn::Tensor& input_tensor, const std::array<T, N>& output_tensor_start,
    const std::array<T, N>& output_tensor_end, const std::array<T, N>& step,
    const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt,
    const std::optional<float>& pad_value = std::nullopt) {
    return slice(
        input_tensor, ttsl::Span<const T>(output_tensor_start), ttsl::Span<const T>(output_tensor_end),
        ttsl::Span<const T>(step), memory_config_arg, optional_output_tensor, pad_value);
}

}  // namespace ttnn

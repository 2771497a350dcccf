// SPDX-License-Identifier: Apache-2.0
#pragma once

// Between the elements a user has and the stored matrix of a tensor.
#include <cstddef>
#include <span>
#include <vector>

#include <tt-metalium/tensor/spec/tensor_spec.hpp>

namespace ttnn_cpu {

// Host packing: `elements` are the logical values in row-major order; padding becomes pad_value. T as Tensor::from_span
// has it; throws for a T that does not go with the data type.
template <typename T>
void encode(std::span<const T> elements, const tt::tt_metal::TensorSpec& spec, T pad_value, std::byte* storage);

template <typename T>
std::vector<T> decode(const std::byte* storage, const tt::tt_metal::TensorSpec& spec);

}  // namespace ttnn_cpu

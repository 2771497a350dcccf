// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/operations/normalization/softmax/device/softmax_operation_types.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn::transformer {

// softmax(input / sqrt(head_size) + mask) over the last dimension; see ttnn::scale_mask_softmax for masks. The program
// config is not used.
ttnn::Tensor attention_softmax(
    ttnn::Tensor& input_tensor, const std::optional<int>& head_size_arg = std::nullopt,
    const std::optional<const ttnn::Tensor>& attention_mask = std::nullopt,
    const ttnn::SoftmaxProgramConfig& program_config = ttnn::SoftmaxDefaultProgramConfig{},
    std::optional<bool> causal_mask = false, const std::optional<ttnn::MemoryConfig>& memory_config = std::nullopt);

// The same into the input's memory. Needs a mask; the memory config is not used.
ttnn::Tensor attention_softmax_(
    ttnn::Tensor& input_tensor, const std::optional<int>& head_size_arg = std::nullopt,
    const std::optional<const ttnn::Tensor>& attention_mask = std::nullopt,
    const ttnn::SoftmaxProgramConfig& program_config = ttnn::SoftmaxDefaultProgramConfig{},
    std::optional<bool> causal_mask = false, const std::optional<ttnn::MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn::transformer

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <tt_stl/small_vector.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// Each dimension repetition_vector times; a longer vector adds dimensions in front. `implementation` picks between
// kernels of the card ("auto", "native" or "codegen") and changes nothing here.
[[nodiscard]] ttnn::Tensor repeat(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<uint32_t>& repetition_vector,
    const std::optional<MemoryConfig>& memory_config = std::nullopt, const std::string& implementation = "auto",
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

[[nodiscard]] ttnn::Tensor repeat(
    const ttnn::Tensor& input_tensor, const ttnn::Shape& repeat_dims, const std::string& implementation = "auto",
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

}  // namespace ttnn

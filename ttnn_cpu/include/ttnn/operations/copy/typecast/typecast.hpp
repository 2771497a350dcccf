// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// Another data type in the same memory layout. A host tensor goes through to_dtype.
[[nodiscard]] Tensor typecast(
    const Tensor& input, const DataType& output_dtype,
    const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

[[nodiscard]] Tensor typecast(
    const Tensor& input_tensor, const DataType& tt_input_dtype, const DataType& tt_output_dtype,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

}  // namespace ttnn

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include <tt-metalium/tensor/spec/layout/layout.hpp>
#include <tt-metalium/tensor/spec/memory_config/memory_config.hpp>
#include <tt-metalium/tensor/tensor_types.hpp>

#include "ttnn/tensor/shape/shape.hpp"

namespace ttnn {

using PadValue = std::variant<std::uint32_t, float>;

enum class StorageType { HOST, DEVICE };

using Array4D = std::array<std::uint32_t, 4>;

}  // namespace ttnn

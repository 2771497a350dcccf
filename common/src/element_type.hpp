// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace zoo {

// Bytes of one element of a dtype, named by its safetensors word; nothing for a dtype that to_float32 cannot read.
[[nodiscard]] std::optional<std::size_t> element_bytes(std::string_view dtype);

// The words element_bytes knows, for messages.
[[nodiscard]] std::string_view known_dtypes();

// Little-endian elements at any alignment. `dtype` must be known and the size a multiple of its bytes.
[[nodiscard]] std::vector<float> to_float32(std::string_view dtype, std::span<const std::byte> bytes);

}  // namespace zoo

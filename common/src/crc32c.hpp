// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace zoo {

// CRC-32C (Castagnoli) as LevelDB and TensorFlow store it: masked, so that a checksum over data that holds checksums
// stays strong.
[[nodiscard]] std::uint32_t masked_crc32c(std::span<const std::byte> bytes);

}  // namespace zoo

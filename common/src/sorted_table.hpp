// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace zoo {

// Calls `visit` for every key and value of an uncompressed LevelDB-style table, in order. Keys ascend strictly;
// whatever breaks a rule of the format, a checksum included, is an Error that opens with `source`.
void read_sorted_table(
    std::string_view source, std::span<const std::byte> file,
    const std::function<void(std::string_view key, std::span<const std::byte> value)>& visit);

}  // namespace zoo

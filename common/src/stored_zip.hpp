// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace zoo {

// The members of a zip archive that are stored as they are, by name, as parts of `archive`. Compressed and encrypted members,
// archives in several volumes and names that appear twice are refused. Sizes of more than 4 GB (zip64) are read. `source` opens
// the messages of Errors.
[[nodiscard]] std::map<std::string, std::span<const std::byte>, std::less<>> read_stored_zip(
    const std::string& source, std::span<const std::byte> archive);

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace zoo {

// The file appears under its name only once it is complete; an existing file is replaced. Error naming the path and the reason.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace zoo

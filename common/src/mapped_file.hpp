// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace zoo {

// A whole file mapped for reading. `where` opens the messages of the Errors for a file that is missing, a directory,
// or not readable.
class MappedFile {
public:
    MappedFile(std::string_view where, const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace zoo

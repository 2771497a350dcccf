// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace zoo {

// A file that does not bear its final name before commit(), and vanishes without it. Errors name `where`.
class PendingFile {
public:
    PendingFile(std::string_view where, std::filesystem::path path);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    void write(const void* data, std::size_t size);
    void commit();

private:
    std::string_view where_;
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

}  // namespace zoo

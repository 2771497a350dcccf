// SPDX-License-Identifier: Apache-2.0
#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "zoo/error.hpp"

namespace zoo {
namespace {

struct Descriptor {
    int value;
    ~Descriptor() {
        if (value >= 0) {
            ::close(value);
        }
    }
};

}  // namespace

MappedFile::MappedFile(std::string_view where, const std::filesystem::path& path) {
    // Not blocking, or a named pipe would wait for its writer.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.value < 0) {
        fail(where, path.string(), " cannot be opened: ", std::strerror(errno));
    }
    struct stat info {};
    if (::fstat(file.value, &info) != 0) {
        fail(where, path.string(), " cannot be examined: ", std::strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        fail(
            where, path.string(), " is ", S_ISDIR(info.st_mode) ? "a directory" : "not a regular file",
            "; a file is needed");
    }
    size_ = static_cast<std::size_t>(info.st_size);
    if (size_ == 0) {
        return;
    }
    void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (address == MAP_FAILED) {
        fail(where, path.string(), " cannot be mapped, ", size_, " bytes: ", std::strerror(errno));
    }
    data_ = static_cast<const std::byte*>(address);
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) {
        ::munmap(const_cast<std::byte*>(data_), size_);
    }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

}  // namespace zoo

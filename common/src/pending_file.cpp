// SPDX-License-Identifier: Apache-2.0
#include "pending_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "zoo/error.hpp"
#include "zoo/write_file.hpp"

namespace zoo {

namespace {

constexpr int kMostLinks = 40;  // in a row, as the kernel follows them

}  // namespace

PendingFile::PendingFile(std::string_view where, std::filesystem::path path) : where_(where), path_(std::move(path)) {
    static std::atomic<unsigned> counter = 0;
    // A link stays, and the file that it names is replaced.
    std::error_code none;
    for (int link = 0; link < kMostLinks && std::filesystem::is_symlink(path_, none); ++link) {
        path_ = path_.parent_path() / std::filesystem::read_symlink(path_, none);
    }
    if (std::filesystem::is_symlink(path_, none)) {
        fail(where_, path_.string(), " is one of more than ", kMostLinks, " links in a row");
    }
    struct stat before = {};
    const bool replaces = ::stat(path_.c_str(), &before) == 0;
    if (replaces && !S_ISREG(before.st_mode)) {
        fail(where_, path_.string(), " is no file that can be replaced");
    }
    temporary_ = path_;
    temporary_ += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
        fail(where_, path_.string(), " cannot be written: ", std::strerror(errno));
    }
    if (replaces) {
        (void)::fchmod(descriptor_, before.st_mode & 07777);
    }
}

PendingFile::~PendingFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
    }
}

void PendingFile::write(const void* data, std::size_t size) {
    const char* position = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = ::write(descriptor_, position, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(where_, path_.string(), " cannot be written: ", std::strerror(errno));
        }
        position += written;
        size -= static_cast<std::size_t>(written);
    }
}

void PendingFile::commit() {
    // Without the sync a power cut could leave the new name on an empty file.
    const bool synced = ::fsync(descriptor_) == 0;
    const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
    if (!synced || !closed) {
        fail(where_, path_.string(), " cannot be written: ", std::strerror(errno));
    }
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
        fail(where_, path_.string(), " cannot be replaced: ", std::strerror(errno));
    }
    temporary_.clear();
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    PendingFile file("write_file", path);
    file.write(bytes.data(), bytes.size());
    file.commit();
}

}  // namespace zoo

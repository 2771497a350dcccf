// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "message.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "save_safetensors";

using NamedTensors = std::span<const std::pair<std::string, const HostTensor*>>;

std::string header_text(
    const std::filesystem::path& path, NamedTensors tensors, const std::map<std::string, std::string>& metadata) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) {
        header["__metadata__"] = metadata;
    }
    std::set<std::string_view> names{"__metadata__"};
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : tensors) {
        if (!names.insert(name).second) {
            fail(
                kWhere, path.string(), ": tensor ", in_quotes(name),
                name == "__metadata__" ? " has a reserved name" : " is given twice");
        }
        if (element_count(tensor->shape) != tensor->size()) {
            fail(
                kWhere, path.string(), ": tensor ", in_quotes(name), " has shape ", to_string(tensor->shape), " but ",
                tensor->size(), " values");
        }
        const std::uint64_t end = offset + tensor->size() * sizeof(float);
        header[name] = {{"dtype", "F32"}, {"shape", tensor->shape}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const nlohmann::json::exception& error) {
        fail(kWhere, path.string(), ": a name or the metadata is not UTF-8: ", in_quotes(error.what(), 160));
    }
    // Spaces round the header up, so that the data is aligned once mapped.
    constexpr std::size_t kAlignment = 8;
    text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
    return text;
}

// A file that does not bear its final name before commit(), and vanishes without it.
class PendingFile {
public:
    explicit PendingFile(std::filesystem::path path) : path_(std::move(path)) {
        static std::atomic<unsigned> counter = 0;
        temporary_ = path_;
        temporary_ += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0) {
            fail(kWhere, temporary_.string(), " cannot be created: ", std::strerror(errno));
        }
    }

    ~PendingFile() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        if (!temporary_.empty()) {
            ::unlink(temporary_.c_str());
        }
    }

    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    void write(const void* data, std::size_t size) {
        const char* position = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t written = ::write(descriptor_, position, size);
            if (written < 0 && errno == EINTR) {
                continue;
            }
            if (written <= 0) {
                fail(kWhere, path_.string(), " cannot be written: ", std::strerror(errno));
            }
            position += written;
            size -= static_cast<std::size_t>(written);
        }
    }

    void commit() {
        // Without the sync a power cut could leave the new name on an empty file.
        const bool synced = ::fsync(descriptor_) == 0;
        const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
        if (!synced || !closed) {
            fail(kWhere, path_.string(), " cannot be written: ", std::strerror(errno));
        }
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
            fail(kWhere, path_.string(), " cannot be replaced: ", std::strerror(errno));
        }
        temporary_.clear();
    }

private:
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

}  // namespace

void save_safetensors(
    const std::filesystem::path& path, NamedTensors tensors, const std::map<std::string, std::string>& metadata) {
    const std::string header = header_text(path, tensors, metadata);
    PendingFile file(path);
    const std::uint64_t length = header.size();
    file.write(&length, sizeof(length));
    file.write(header.data(), header.size());
    for (const auto& [name, tensor] : tensors) {
        file.write(tensor->data.data(), tensor->size() * sizeof(float));
    }
    file.commit();
}

}  // namespace zoo

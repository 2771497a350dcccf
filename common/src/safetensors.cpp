// SPDX-License-Identifier: Apache-2.0
#include "zoo/safetensors.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "element_type.hpp"
#include "json_file.hpp"
#include "mapped_file.hpp"
#include "message.hpp"
#include "safetensors_header.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "safetensors";
// The length of the header, in front of everything.
constexpr std::uint64_t kPrefixBytes = 8;
// The format's own limit.
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

std::uint64_t header_bytes(const std::string& source, std::span<const std::byte> file) {
    if (file.size() < kPrefixBytes) {
        fail(kWhere, source, ": has ", file.size(), " bytes; the header length alone takes ", kPrefixBytes);
    }
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof(length));
    if (length > kMaxHeaderBytes) {
        fail(kWhere, source, ": the header length ", length, " is above the limit of ", kMaxHeaderBytes);
    }
    if (length > file.size() - kPrefixBytes) {
        fail(kWhere, source, ": the header length ", length, " runs past the end of the file, ", file.size(), " bytes");
    }
    return length;
}

// The elements' bytes lie within the data and are as many as dtype and shape need.
void check_extent(const std::string& source, const SafetensorsEntry& entry, std::uint64_t data_bytes) {
    const TensorInfo& info = entry.info;
    const auto where = [&] { return source + ": tensor " + in_quotes(info.name); };
    const auto bytes = element_bytes(info.dtype);
    if (!bytes) {
        fail(kWhere, where(), ": dtype ", in_quotes(info.dtype, 40), " is not known; known are ", known_dtypes());
    }
    std::size_t count = 0;
    try {
        count = element_count(info.shape);
    } catch (const Error&) {
        fail(kWhere, where(), ": shape ", to_string(info.shape), " has more than 2^63 - 1 elements");
    }
    std::uint64_t needed = 0;
    if (__builtin_mul_overflow(count, *bytes, &needed) || needed > data_bytes || entry.end - entry.begin != needed) {
        fail(
            kWhere, where(), ": data_offsets [", entry.begin, ", ", entry.end, ") hold ", entry.end - entry.begin,
            " bytes; ", info.dtype, " ", to_string(info.shape), " needs ", count, " elements of ", *bytes, " bytes");
    }
}

// The format leaves no gaps: in order of their offsets the tensors cover the data once, from the first to the last
// byte.
void check_cover(const std::string& source, const std::vector<SafetensorsEntry>& entries, std::uint64_t data_bytes) {
    std::vector<const SafetensorsEntry*> order;
    for (const SafetensorsEntry& entry : entries) {
        if (entry.begin > entry.end || entry.end > data_bytes) {
            fail(
                kWhere, source, ": tensor ", in_quotes(entry.info.name), ": data_offsets [", entry.begin, ", ",
                entry.end, ") must ascend and stay within the ", data_bytes, " bytes of data");
        }
        order.push_back(&entry);
    }
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
    });
    std::uint64_t covered = 0;
    for (const SafetensorsEntry* entry : order) {
        if (entry->begin != covered) {
            fail(
                kWhere, source, ": tensor ", in_quotes(entry->info.name), ": data begins at ", entry->begin, ", ",
                entry->begin < covered ? "inside another tensor that ends at " : "but the tensor before it ends at ",
                covered, "; tensors may neither overlap nor leave gaps");
        }
        covered = entry->end;
    }
    if (covered != data_bytes) {
        fail(
            kWhere, source, ": the tensors end at ", covered, " of ", data_bytes,
            " bytes of data; none may be left over");
    }
}

class SafetensorsFile final : public Checkpoint {
public:
    SafetensorsFile(const std::filesystem::path& path, const std::vector<std::string>& ignored)
        : source_(path.string()), file_(kWhere, path) {
        const auto bytes = file_.bytes();
        const std::uint64_t length = header_bytes(source_, bytes);
        const auto text = bytes.subspan(kPrefixBytes, length);
        data_ = bytes.subspan(kPrefixBytes + length);
        SafetensorsHeader header =
            parse_safetensors_header(source_, {reinterpret_cast<const char*>(text.data()), text.size()});
        metadata_ = std::move(header.metadata);
        check_cover(source_, header.entries, data_.size());
        for (SafetensorsEntry& entry : header.entries) {
            if (matches_any(entry.info.name, ignored)) {
                continue;
            }
            check_extent(source_, entry, data_.size());
            extents_.push_back(data_.subspan(entry.begin, entry.end - entry.begin));
            tensors_.push_back(std::move(entry.info));
        }
    }

    const std::vector<TensorInfo>& tensors() const override { return tensors_; }
    std::string source() const override { return source_; }
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }

    HostTensor load(std::string_view name) const override {
        const TensorInfo* info = find(name);
        if (info == nullptr) {
            fail(kWhere, source_, ": has no tensor ", in_quotes(name));
        }
        return {.shape = info->shape, .data = to_float32(info->dtype, extents_[info - tensors_.data()])};
    }

private:
    std::string source_;
    MappedFile file_;
    std::span<const std::byte> data_;
    std::vector<TensorInfo> tensors_;
    std::vector<std::span<const std::byte>> extents_;  // of tensors_, by index
    std::map<std::string, std::string> metadata_;
};

// The tensors an index lists, each taken from the shard it names; what else the shards hold does not count.
class ShardedSafetensors final : public Checkpoint {
public:
    ShardedSafetensors(const std::filesystem::path& index, const std::vector<std::string>& ignored)
        : source_(index.string()) {
        const nlohmann::json document = read_json_object(kWhere, index);
        const auto weight_map = document.find("weight_map");
        if (weight_map == document.end() || !weight_map->is_object()) {
            fail(kWhere, source_, ": has no object weight_map from tensor names to shard files");
        }
        std::vector<std::string> absent;
        for (const auto& [name, file] : weight_map->items()) {
            if (matches_any(name, ignored)) {
                continue;
            }
            const Checkpoint& shard = open_shard(index, name, file, ignored);
            if (const TensorInfo* info = shard.find(name)) {
                tensors_.push_back(*info);
                shard_of_.push_back(&shard);
            } else {
                absent.push_back(in_quotes(name) + " in " + file.get<std::string>());
            }
        }
        if (!absent.empty()) {
            fail(kWhere, source_, ": ", absent.size(), " listed tensors are not in their shards: ", listed(absent));
        }
    }

    const std::vector<TensorInfo>& tensors() const override { return tensors_; }
    std::string source() const override { return source_; }

    HostTensor load(std::string_view name) const override {
        const TensorInfo* info = find(name);
        if (info == nullptr) {
            fail(kWhere, source_, ": has no tensor ", in_quotes(name));
        }
        return shard_of_[info - tensors_.data()]->load(name);
    }

private:
    const Checkpoint& open_shard(
        const std::filesystem::path& index, const std::string& tensor, const nlohmann::json& file,
        const std::vector<std::string>& ignored) {
        if (!file.is_string()) {
            fail(
                kWhere, source_, ": weight_map ", in_quotes(tensor), " is a ", file.type_name(),
                "; a file name is needed");
        }
        const auto& name = file.get_ref<const std::string&>();
        // A shard lies beside its index: a name that reaches elsewhere could read any file of the user.
        if (name.empty() || name == "." || name == ".." ||
            name.find_first_of(std::string_view("/\\\0", 3)) != name.npos) {
            fail(
                kWhere, source_, ": weight_map ", in_quotes(tensor), " is in ", in_quotes(name),
                "; a plain file name in the directory of the index is needed");
        }
        auto& shard = shards_[name];
        if (!shard) {
            shard = open_safetensors(index.parent_path() / name, ignored);
        }
        return *shard;
    }

    std::string source_;
    std::map<std::string, std::unique_ptr<Checkpoint>> shards_;
    std::vector<TensorInfo> tensors_;
    std::vector<const Checkpoint*> shard_of_;  // of tensors_, by index
};

}  // namespace

std::unique_ptr<Checkpoint> open_safetensors(
    const std::filesystem::path& file, const std::vector<std::string>& ignored) {
    return std::make_unique<SafetensorsFile>(file, ignored);
}

std::unique_ptr<Checkpoint> open_safetensors_index(
    const std::filesystem::path& index, const std::vector<std::string>& ignored) {
    return std::make_unique<ShardedSafetensors>(index, ignored);
}

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "zoo/tensor_bundle.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "crc32c.hpp"
#include "element_type.hpp"
#include "mapped_file.hpp"
#include "message.hpp"
#include "sorted_table.hpp"
#include "wire_reader.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "tensor_bundle";
constexpr std::size_t kMaxIndexBytes = 16'000'000;
constexpr std::uint64_t kMaxShards = 1000;
constexpr std::size_t kMaxRank = 64;
// TensorFlow 2 writes its object graph, a string, beside the variables.
constexpr std::string_view kObjectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH";

using Bytes = std::span<const std::byte>;

// TensorFlow's DataType numbers.
// clang-format off
constexpr std::array<std::pair<std::uint64_t, std::string_view>, 13> kDataTypes{{
    {1, "F32"}, {2, "F64"}, {3, "I32"}, {4, "U8"}, {5, "I16"}, {6, "I8"}, {9, "I64"},
    {10, "BOOL"}, {14, "BF16"}, {17, "U16"}, {19, "F16"}, {22, "U32"}, {23, "U64"},
}};
// clang-format on

// One field of a protobuf message: a number, or the bytes of a string or a message inside.
struct Field {
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    Bytes bytes;
};

// Nothing when the message is malformed.
std::optional<Field> next_field(WireReader& reader) {
    const auto tag = reader.varint();
    if (!tag || *tag >> 3U == 0) {
        return std::nullopt;
    }
    Field field{.number = *tag >> 3U};
    std::optional<std::uint64_t> value;
    switch (*tag & 7U) {
        case 0:
            value = reader.varint();
            break;
        case 1:
            value = reader.fixed(8);
            break;
        case 2: {
            const auto size = reader.varint();
            const auto bytes = size ? reader.bytes(*size) : std::nullopt;
            if (!bytes) {
                return std::nullopt;
            }
            field.bytes = *bytes;
            return field;
        }
        case 5:
            value = reader.fixed(4);
            break;
        default:
            return std::nullopt;
    }
    if (!value) {
        return std::nullopt;
    }
    field.value = *value;
    return field;
}

// BundleEntryProto.
struct Entry {
    std::uint64_t dtype = 0;
    Shape shape;
    std::uint64_t shard = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::optional<std::uint32_t> checksum;
    bool sliced = false;
};

class TensorBundle final : public Checkpoint {
public:
    TensorBundle(const std::filesystem::path& prefix, const std::vector<std::string>& ignored)
        : prefix_(prefix), source_(prefix.string() + ".index") {
        const MappedFile index(kWhere, source_);
        if (index.bytes().size() > kMaxIndexBytes) {
            fail(kWhere, source_, ": has ", index.bytes().size(), " bytes; at most ", kMaxIndexBytes, " are read");
        }
        bool first = true;
        read_sorted_table(source_, index.bytes(), [&](std::string_view key, Bytes value) {
            if (std::exchange(first, false)) {
                read_header(key, value);
            } else if (key != kObjectGraph && !matches_any(key, ignored)) {
                add_tensor(key, read_entry(key, value));
            }
        });
        if (first) {
            fail(kWhere, source_, ": the table is empty; the first entry must be the header of the bundle");
        }
        check_overlap();
    }

    const std::vector<TensorInfo>& tensors() const override { return tensors_; }
    std::string source() const override { return source_; }

    HostTensor load(std::string_view name) const override {
        const TensorInfo* info = find(name);
        if (info == nullptr) {
            fail(kWhere, source_, ": has no tensor ", in_quotes(name));
        }
        const Extent& extent = extents_[info - tensors_.data()];
        if (extent.checksum && masked_crc32c(extent.bytes) != *extent.checksum) {
            fail(
                kWhere, source_, ": tensor ", in_quotes(name), ": the checksum does not fit its ", extent.bytes.size(),
                " bytes of data");
        }
        return {.shape = info->shape, .data = to_float32(info->dtype, extent.bytes)};
    }

private:
    struct Extent {
        Bytes bytes;
        std::optional<std::uint32_t> checksum;
    };

    template <class... Parts>
    [[noreturn]] void refuse(std::string_view tensor, Parts&&... parts) const {
        fail(kWhere, source_, ": tensor ", in_quotes(tensor), ": ", std::forward<Parts>(parts)...);
    }

    void read_header(std::string_view key, Bytes value) {
        std::uint64_t shards = 0;
        std::uint64_t endianness = 0;
        WireReader reader(value);
        while (key.empty() && !reader.empty()) {
            const auto field = next_field(reader);
            if (!field) {
                fail(kWhere, source_, ": the header of the bundle is malformed");
            }
            if (field->number == 1) {
                shards = field->value;
            } else if (field->number == 2) {
                endianness = field->value;
            }
        }
        if (!key.empty()) {
            fail(
                kWhere, source_, ": the first key is ", in_quotes(key), "; it must be empty, the header of the bundle");
        }
        if (endianness != 0) {
            fail(kWhere, source_, ": the endianness is ", endianness, "; only 0, little, is read");
        }
        if (shards == 0 || shards > kMaxShards) {
            fail(kWhere, source_, ": has ", shards, " shards; 1 to ", kMaxShards, " are read");
        }
        for (std::uint64_t shard = 0; shard < shards; ++shard) {
            std::array<char, 64> suffix{};
            std::snprintf(
                suffix.data(), suffix.size(), ".data-%05u-of-%05u", static_cast<unsigned>(shard),
                static_cast<unsigned>(shards));
            shards_.emplace_back(kWhere, prefix_.string() + suffix.data());
        }
    }

    // TensorShapeProto: field 2, repeated, holds a message whose field 1 is the extent.
    Shape read_shape(std::string_view key, Bytes bytes) const {
        Shape shape;
        WireReader reader(bytes);
        while (!reader.empty()) {
            const auto field = next_field(reader);
            if (!field) {
                refuse(key, "the shape is malformed");
            }
            if (field->number == 3 && field->value != 0) {
                refuse(key, "the shape is of unknown rank");
            }
            if (field->number != 2) {
                continue;
            }
            WireReader dimension(field->bytes);
            std::uint64_t extent = 0;
            while (!dimension.empty()) {
                const auto part = next_field(dimension);
                if (!part) {
                    refuse(key, "the shape is malformed");
                }
                extent = part->number == 1 ? part->value : extent;
            }
            if (shape.size() == kMaxRank) {
                refuse(key, "the shape has more than ", kMaxRank, " dimensions");
            }
            shape.push_back(static_cast<std::int64_t>(extent));
        }
        return shape;
    }

    Entry read_entry(std::string_view key, Bytes value) const {
        Entry entry;
        WireReader reader(value);
        while (!reader.empty()) {
            const auto field = next_field(reader);
            if (!field) {
                refuse(key, "the entry is malformed");
            }
            switch (field->number) {
                case 1:
                    entry.dtype = field->value;
                    break;
                case 2:
                    entry.shape = read_shape(key, field->bytes);
                    break;
                case 3:
                    entry.shard = field->value;
                    break;
                case 4:
                    entry.offset = field->value;
                    break;
                case 5:
                    entry.size = field->value;
                    break;
                case 6:
                    entry.checksum = static_cast<std::uint32_t>(field->value);
                    break;
                case 7:
                    entry.sliced = true;
                    break;
                default:
                    break;
            }
        }
        return entry;
    }

    void add_tensor(std::string_view key, const Entry& entry) {
        const auto type = std::find_if(kDataTypes.begin(), kDataTypes.end(), [&](const auto& candidate) {
            return candidate.first == entry.dtype;
        });
        if (type == kDataTypes.end()) {
            refuse(key, "TensorFlow data type ", entry.dtype, " is not known; known are ", known_dtypes());
        }
        if (entry.sliced) {
            refuse(key, "is stored in slices; only whole tensors are read");
        }
        if (entry.shard >= shards_.size()) {
            refuse(key, "is in shard ", entry.shard, " of ", shards_.size());
        }
        std::size_t count = 0;
        try {
            count = element_count(entry.shape);
        } catch (const Error&) {
            refuse(key, "shape ", to_string(entry.shape), " is negative or has more than 2^63 - 1 elements");
        }
        const Bytes shard = shards_[entry.shard].bytes();
        if (entry.offset > shard.size() || entry.size > shard.size() - entry.offset) {
            refuse(
                key, "offset ", entry.offset, " and size ", entry.size, " run past the ", shard.size(),
                " bytes of shard ", entry.shard);
        }
        std::uint64_t needed = 0;
        const std::size_t bytes = *element_bytes(type->second);
        if (__builtin_mul_overflow(count, bytes, &needed) || needed != entry.size) {
            refuse(
                key, "has ", entry.size, " bytes; ", type->second, " ", to_string(entry.shape), " needs ", count,
                " elements of ", bytes, " bytes");
        }
        tensors_.push_back({.name = std::string(key), .dtype = std::string(type->second), .shape = entry.shape});
        extents_.push_back({.bytes = shard.subspan(entry.offset, entry.size), .checksum = entry.checksum});
    }

    // Gaps are fine here, tensors may be aligned.
    void check_overlap() const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < extents_.size(); ++i) {
            if (!extents_[i].bytes.empty()) {
                order.push_back(i);
            }
        }
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return extents_[a].bytes.data() < extents_[b].bytes.data();
        });
        for (std::size_t i = 1; i < order.size(); ++i) {
            const Bytes before = extents_[order[i - 1]].bytes;
            if (extents_[order[i]].bytes.data() < before.data() + before.size()) {
                refuse(tensors_[order[i]].name, "overlaps the data of ", in_quotes(tensors_[order[i - 1]].name));
            }
        }
    }

    std::filesystem::path prefix_;
    std::string source_;
    std::vector<MappedFile> shards_;
    std::vector<TensorInfo> tensors_;
    std::vector<Extent> extents_;  // of tensors_, by index
};

}  // namespace

std::unique_ptr<Checkpoint> open_tensor_bundle(
    const std::filesystem::path& prefix, const std::vector<std::string>& ignored) {
    return std::make_unique<TensorBundle>(prefix, ignored);
}

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "stored_zip.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include "message.hpp"
#include "wire_reader.hpp"
#include "zoo/error.hpp"

// The layout is that of the .ZIP File Format Specification (APPNOTE): the end record names the place of the central
// directory, whose entries name the place of a local header, which the data follows.
namespace zoo {
namespace {

constexpr std::string_view kWhere = "pth";
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::uint32_t kEntry = 0x02014b50;
constexpr std::uint32_t kLocal = 0x04034b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kLocalSize = 30;
constexpr std::uint64_t kMaxComment = 0xFFFF;
constexpr std::uint64_t kIn64 = 0xFFFFFFFF;  // the value is in the zip64 part
constexpr std::uint64_t kMaxMembers = 1'000'000;

using Bytes = std::span<const std::byte>;
using Members = std::map<std::string, Bytes, std::less<>>;

class Zip {
public:
    Zip(const std::string& source, Bytes archive) : source_(source), archive_(archive) {}

    [[nodiscard]] Members read() const {
        const Directory directory = find_directory();
        WireReader reader(part(directory.offset, directory.size, "the central directory"));
        Members members;
        for (std::uint64_t i = 0; i < directory.count; ++i) {
            auto [name, data] = read_entry(reader);
            if (!members.emplace(name, data).second) {
                refuse("member ", in_quotes(name), " appears twice");
            }
        }
        return members;
    }

private:
    struct Directory {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        std::uint64_t count = 0;
    };

    template <class... Parts>
    [[noreturn]] void refuse(Parts&&... parts) const {
        fail(kWhere, source_, ": zip archive: ", std::forward<Parts>(parts)...);
    }

    template <class... Parts>
    [[nodiscard]] Bytes part(std::uint64_t offset, std::uint64_t size, Parts&&... what) const {
        if (offset > archive_.size() || size > archive_.size() - offset) {
            refuse(
                std::forward<Parts>(what)..., " (", size, " bytes at ", offset, ") runs past the ", archive_.size(),
                " bytes of the file");
        }
        return archive_.subspan(offset, size);
    }

    [[nodiscard]] std::uint64_t number(WireReader& reader, std::size_t size) const {
        const auto value = reader.fixed(size);
        if (!value) {
            refuse("the central directory ends within an entry");
        }
        return *value;
    }

    [[nodiscard]] Bytes bytes(WireReader& reader, std::uint64_t size) const {
        const auto value = reader.bytes(size);
        if (!value) {
            refuse("the central directory ends within an entry");
        }
        return *value;
    }

    [[nodiscard]] std::uint64_t find_end() const {
        for (std::uint64_t back = kEndSize; back <= archive_.size() && back <= kEndSize + kMaxComment; ++back) {
            WireReader reader(archive_.last(back));
            if (reader.fixed(4) == kEnd) {
                return archive_.size() - back;
            }
        }
        refuse("has no end record; the file is cut off");
    }

    [[nodiscard]] Directory find_directory() const {
        const std::uint64_t end = find_end();
        WireReader reader(archive_.subspan(end + 4));
        const std::uint64_t disk = number(reader, 2);
        const std::uint64_t directory_disk = number(reader, 2);
        const std::uint64_t count_here = number(reader, 2);
        Directory directory{.count = number(reader, 2)};
        directory.size = number(reader, 4);
        directory.offset = number(reader, 4);
        if (end >= kLocatorSize) {
            WireReader locator(archive_.subspan(end - kLocatorSize, kLocatorSize));
            if (locator.fixed(4) == kLocator64) {
                (void)number(locator, 4);
                directory = find_directory64(number(locator, 8));
                return checked(directory);
            }
        }
        if (disk != 0 || directory_disk != 0 || count_here != directory.count) {
            refuse("is one of several volumes; a single file is read");
        }
        return checked(directory);
    }

    [[nodiscard]] Directory find_directory64(std::uint64_t offset) const {
        WireReader reader(part(offset, 56, "the zip64 end record"));
        if (number(reader, 4) != kEnd64) {
            refuse("the zip64 end record is not at ", offset);
        }
        (void)bytes(reader, 8 + 2 + 2 + 4 + 4 + 8);  // its size, versions, volumes, entries of this volume
        Directory directory{.count = number(reader, 8)};
        directory.size = number(reader, 8);
        directory.offset = number(reader, 8);
        return directory;
    }

    [[nodiscard]] Directory checked(const Directory& directory) const {
        if (directory.count > kMaxMembers) {
            refuse("has ", directory.count, " members; at most ", kMaxMembers, " are read");
        }
        return directory;
    }

    [[nodiscard]] std::pair<std::string, Bytes> read_entry(WireReader& reader) const {
        if (number(reader, 4) != kEntry) {
            refuse("the central directory is damaged");
        }
        (void)bytes(reader, 4);  // versions
        const std::uint64_t flags = number(reader, 2);
        const std::uint64_t method = number(reader, 2);
        (void)bytes(reader, 8);  // time, date, checksum
        std::uint64_t packed = number(reader, 4);
        std::uint64_t size = number(reader, 4);
        const std::uint64_t name_size = number(reader, 2);
        const std::uint64_t extra_size = number(reader, 2);
        const std::uint64_t comment_size = number(reader, 2);
        (void)bytes(reader, 8);  // volume, attributes
        std::uint64_t offset = number(reader, 4);
        const Bytes raw_name = bytes(reader, name_size);
        std::string name(reinterpret_cast<const char*>(raw_name.data()), raw_name.size());
        read_extra(name, bytes(reader, extra_size), size, packed, offset);
        (void)bytes(reader, comment_size);
        if ((flags & 1U) != 0) {
            refuse("member ", in_quotes(name), " is encrypted");
        }
        if (method != 0 || packed != size) {
            refuse("member ", in_quotes(name), " is compressed (method ", method, "); only stored members are read");
        }
        return {std::move(name), member(name, offset, size)};
    }

    // Field 1 of the extra data holds, in this order, those values that do not fit 32 bits.
    void read_extra(
        std::string_view name, Bytes extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& offset) const {
        WireReader reader(extra);
        while (reader.left() >= 4) {
            const std::uint64_t id = number(reader, 2);
            const auto field = reader.bytes(number(reader, 2));
            if (!field) {
                refuse("member ", in_quotes(name), " has damaged extra data");
            }
            if (id != 1) {
                continue;
            }
            WireReader values(*field);
            for (std::uint64_t* value : {&size, &packed, &offset}) {
                if (*value == kIn64) {
                    *value = number(values, 8);
                }
            }
        }
    }

    [[nodiscard]] Bytes member(std::string_view name, std::uint64_t offset, std::uint64_t size) const {
        WireReader reader(part(offset, kLocalSize, "the header of member ", in_quotes(name)));
        if (number(reader, 4) != kLocal) {
            refuse("member ", in_quotes(name), " has no header at ", offset);
        }
        (void)bytes(reader, 22);
        const std::uint64_t name_size = number(reader, 2);
        const std::uint64_t extra_size = number(reader, 2);
        return part(offset + kLocalSize + name_size + extra_size, size, "member ", in_quotes(name));
    }

    const std::string& source_;
    Bytes archive_;
};

}  // namespace

Members read_stored_zip(const std::string& source, Bytes archive) { return Zip(source, archive).read(); }

}  // namespace zoo

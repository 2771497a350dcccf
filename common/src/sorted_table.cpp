// SPDX-License-Identifier: Apache-2.0
#include "sorted_table.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "crc32c.hpp"
#include "message.hpp"
#include "wire_reader.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "tensor_bundle";
// Footer: two block handles, padded to 40 bytes, and a magic number.
constexpr std::size_t kFooterBytes = 48;
constexpr std::size_t kHandlesBytes = 40;
constexpr std::uint64_t kMagic = 0xDB4775248B80FB57ULL;
// Behind each block: one byte for the compression, four for the checksum of block and that byte.
constexpr std::size_t kTrailerBytes = 5;
// Keys share prefixes, so a small file can spell out huge ones.
constexpr std::size_t kMaxKeyBytes = 1024;

using Bytes = std::span<const std::byte>;
using Visitor = std::function<void(std::string_view, Bytes)>;

class TableReader {
public:
    TableReader(std::string_view source, Bytes file) : source_(source), file_(file) {}

    void read(const Visitor& visit) {
        if (file_.size() < kFooterBytes) {
            refuse("has ", file_.size(), " bytes; the footer of a table alone takes ", kFooterBytes);
        }
        const Bytes footer = file_.last(kFooterBytes);
        if (WireReader(footer.subspan(kHandlesBytes)).fixed(8) != kMagic) {
            refuse("does not end in the magic number of a table");
        }
        WireReader handles(footer.first(kHandlesBytes));
        read_handle(handles, "the meta index");
        const Bytes index = block(read_handle(handles, "the index"));
        std::optional<std::string> last;
        for_each_entry(index, [&](std::string_view, Bytes value) {
            WireReader reader(value);
            for_each_entry(block(read_handle(reader, "a block")), [&](std::string_view key, Bytes content) {
                // Also what keeps a file from listing one block many times.
                if (last && key <= *last) {
                    refuse("key ", in_quotes(key), " follows ", in_quotes(*last), "; keys must ascend");
                }
                last = std::string(key);
                visit(key, content);
            });
        });
    }

private:
    struct Handle {
        std::uint64_t offset;
        std::uint64_t size;
    };

    template <class... Parts>
    [[noreturn]] void refuse(Parts&&... parts) const {
        fail(kWhere, source_, ": ", std::forward<Parts>(parts)...);
    }

    Handle read_handle(WireReader& reader, std::string_view what) const {
        const auto offset = reader.varint();
        const auto size = offset ? reader.varint() : std::nullopt;
        if (!size) {
            refuse("the place of ", what, " is cut short");
        }
        const std::uint64_t limit = file_.size() - kFooterBytes;
        if (*offset > limit || *size > limit - *offset || limit - *offset - *size < kTrailerBytes) {
            refuse(what, " at ", *offset, " with ", *size, " bytes runs past the ", limit, " bytes of blocks");
        }
        return {*offset, *size};
    }

    // Checked for compression and checksum.
    Bytes block(Handle handle) const {
        const Bytes checked = file_.subspan(handle.offset, handle.size + 1);
        const auto compression = std::to_integer<unsigned>(checked.back());
        if (compression != 0) {
            refuse("the block at ", handle.offset, " has compression ", compression, "; only 0, none, is read");
        }
        const auto stored = WireReader(file_.subspan(handle.offset + handle.size + 1, 4)).fixed(4);
        if (stored != masked_crc32c(checked)) {
            refuse("the checksum of the block at ", handle.offset, " does not fit its ", handle.size, " bytes");
        }
        return checked.first(handle.size);
    }

    void for_each_entry(Bytes contents, const Visitor& visit) const {
        if (contents.size() < 4) {
            refuse("a block has ", contents.size(), " bytes; at least 4 are needed");
        }
        // Restart points serve random access; a reader of everything skips them.
        const std::uint64_t restarts = *WireReader(contents.last(4)).fixed(4);
        if (restarts > (contents.size() - 4) / 4) {
            refuse("a block of ", contents.size(), " bytes claims ", restarts, " restart points");
        }
        WireReader reader(contents.first(contents.size() - 4 - 4 * restarts));
        std::string key;
        while (!reader.empty()) {
            const auto shared = reader.varint();
            const auto added = shared ? reader.varint() : std::nullopt;
            const auto value_bytes = added ? reader.varint() : std::nullopt;
            const auto tail = value_bytes ? reader.bytes(*added) : std::nullopt;
            const auto value = tail ? reader.bytes(*value_bytes) : std::nullopt;
            if (!value) {
                refuse("the entry after key ", in_quotes(key), " is cut short");
            }
            if (*shared > key.size() || *shared + tail->size() > kMaxKeyBytes) {
                refuse(
                    "the entry after key ", in_quotes(key), " shares ", *shared, " letters and adds ", tail->size(),
                    "; it may share at most ", key.size(), ", and a key has at most ", kMaxKeyBytes);
            }
            key.resize(*shared);
            key.append(reinterpret_cast<const char*>(tail->data()), tail->size());
            visit(key, *value);
        }
    }

    std::string_view source_;
    Bytes file_;
};

}  // namespace

void read_sorted_table(std::string_view source, Bytes file, const Visitor& visit) {
    TableReader(source, file).read(visit);
}

}  // namespace zoo

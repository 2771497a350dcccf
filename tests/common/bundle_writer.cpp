// SPDX-License-Identifier: Apache-2.0
#include "bundle_writer.hpp"

#include <algorithm>

namespace zoo::testing {
namespace {

std::string fixed(std::uint64_t value, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) {
        bytes += static_cast<char>(value >> (8 * i));
    }
    return bytes;
}

std::string number_field(unsigned number, std::uint64_t value) { return varint(number << 3U) + varint(value); }

std::string bytes_field(unsigned number, std::string_view value) {
    return varint(number << 3U | 2U) + varint(value.size()) + std::string(value);
}

std::string block(const TableEntries& entries, std::size_t restart_interval) {
    std::string contents;
    std::vector<std::size_t> restarts;
    std::string_view previous;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& [key, value] = entries[i];
        std::size_t shared = 0;
        if (i % restart_interval == 0) {
            restarts.push_back(contents.size());
        } else {
            while (shared < std::min(key.size(), previous.size()) && key[shared] == previous[shared]) {
                ++shared;
            }
        }
        contents += varint(shared) + varint(key.size() - shared) + varint(value.size()) + key.substr(shared) + value;
        previous = key;
    }
    for (const std::size_t restart : restarts) {
        contents += fixed(restart, 4);
    }
    return contents + fixed(restarts.size(), 4);
}

}  // namespace

std::uint32_t masked_crc32c(std::string_view bytes) {
    std::uint32_t crc = ~0U;
    for (const char letter : bytes) {
        crc ^= static_cast<unsigned char>(letter);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
        }
    }
    crc = ~crc;
    return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7U) {
        bytes += static_cast<char>(value | 0x80U);
    }
    return bytes + static_cast<char>(value);
}

std::string entry_message(const BundleEntry& entry) {
    std::string shape;
    for (const std::int64_t extent : entry.shape) {
        shape += bytes_field(2, number_field(1, static_cast<std::uint64_t>(extent)));
    }
    std::string message = number_field(1, entry.dtype) + bytes_field(2, shape) + number_field(3, entry.shard) +
                          number_field(4, entry.offset) + number_field(5, entry.size);
    if (entry.checksum) {
        message += varint(6U << 3U | 5U) + fixed(*entry.checksum, 4);
    }
    return entry.sliced ? message + bytes_field(7, "") : message;
}

std::string header_message(std::uint64_t shards, std::uint64_t endianness) {
    // Field 3 is the version, a message of its own.
    return number_field(1, shards) + number_field(2, endianness) + bytes_field(3, number_field(1, 1));
}

std::string table(const TableEntries& entries, const TableOptions& options) {
    std::string file;
    const auto append = [&](std::string contents) {
        if (options.damage) {
            options.damage(contents);
        }
        const std::string handle = varint(file.size()) + varint(contents.size());
        contents += static_cast<char>(options.compression);
        file += contents + fixed(masked_crc32c(contents), 4);
        return handle;
    };
    TableEntries index;
    for (std::size_t begin = 0; begin < entries.size(); begin += options.entries_per_block) {
        const std::size_t end = std::min(begin + options.entries_per_block, entries.size());
        const TableEntries part(
            entries.begin() + static_cast<std::ptrdiff_t>(begin), entries.begin() + static_cast<std::ptrdiff_t>(end));
        index.emplace_back(part.back().first, append(block(part, options.restart_interval)));
    }
    std::string footer = append(block({}, 1));
    footer += append(block(index, 1));
    footer.resize(40, '\0');
    return file + footer + fixed(0xDB4775248B80FB57ULL, 8);
}

}  // namespace zoo::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zoo::testing {

// Writes the table and the messages of a TensorFlow checkpoint, well formed unless told otherwise.

std::uint32_t masked_crc32c(std::string_view bytes);
std::string varint(std::uint64_t value);

struct BundleEntry {
    std::uint64_t dtype = 1;
    std::vector<std::int64_t> shape;
    std::uint64_t shard = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::optional<std::uint32_t> checksum;
    bool sliced = false;
};

std::string entry_message(const BundleEntry& entry);
std::string header_message(std::uint64_t shards, std::uint64_t endianness = 0);

struct TableOptions {
    std::size_t entries_per_block = 3;
    std::size_t restart_interval = 2;
    unsigned compression = 0;
    // Called on each block before its checksum is made, so that damage gets past it.
    std::function<void(std::string&)> damage;
};

using TableEntries = std::vector<std::pair<std::string, std::string>>;
std::string table(const TableEntries& entries, const TableOptions& options = {});

}  // namespace zoo::testing

// SPDX-License-Identifier: Apache-2.0
#include "crc32c.hpp"

#include <array>
#include <cstring>

namespace zoo {
namespace {

using Table = std::array<std::uint32_t, 256>;

// kTables[k][b]: what byte b does to the checksum when k more bytes follow it.
constexpr std::array<Table, 8> make_tables() {
    constexpr std::uint32_t kPolynomial = 0x82F63B78U;
    std::array<Table, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < tables.size(); ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t previous = tables[k - 1][byte];
            tables[k][byte] = (previous >> 8U) ^ tables[0][previous & 0xFFU];
        }
    }
    return tables;
}

constexpr std::array<Table, 8> kTables = make_tables();

// Both take and give the running checksum.
std::uint32_t update_by_table(std::uint32_t crc, std::span<const std::byte> bytes) {
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, sizeof(word));
        word ^= crc;
        crc = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            crc ^= kTables[7 - k][(word >> (8 * k)) & 0xFFU];
        }
    }
    for (; i < bytes.size(); ++i) {
        crc = (crc >> 8U) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(bytes[i])) & 0xFFU];
    }
    return crc;
}

#if defined(__x86_64__)
// The CPU's own instruction. The size must be a multiple of 8.
__attribute__((target("sse4.2"))) std::uint32_t update_by_instruction(
    std::uint32_t crc, std::span<const std::byte> bytes) {
    std::uint64_t state = crc;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, sizeof(word));
        state = __builtin_ia32_crc32di(state, word);
    }
    return static_cast<std::uint32_t>(state);
}
#endif

}  // namespace

std::uint32_t masked_crc32c(std::span<const std::byte> bytes) {
    std::uint32_t crc = ~0U;
#if defined(__x86_64__)
    // Whole weights, hundreds of megabytes; the tables take longer over them than the rest of loading.
    constexpr std::size_t kWorthwhile = 1024;
    if (bytes.size() >= kWorthwhile && __builtin_cpu_supports("sse4.2") != 0) {
        const std::size_t whole = bytes.size() / 8 * 8;
        crc = update_by_instruction(crc, bytes.first(whole));
        bytes = bytes.subspan(whole);
    }
#endif
    crc = ~update_by_table(crc, bytes);
    return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

}  // namespace zoo

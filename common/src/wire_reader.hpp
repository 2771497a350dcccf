// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace zoo {

// Reads little-endian numbers and varints off the front of a span. Nothing is read past its end: the readers return no
// value there and leave the rest undefined.
class WireReader {
public:
    explicit WireReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    [[nodiscard]] bool empty() const { return rest_.empty(); }
    [[nodiscard]] std::size_t left() const { return rest_.size(); }

    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = std::to_integer<std::uint64_t>(rest_.front());
            rest_ = rest_.subspan(1);
            if (shift == 63 && byte > 1) {
                return std::nullopt;
            }
            value |= (byte & 0x7FU) << shift;
            if ((byte & 0x80U) == 0) {
                return value;
            }
        }
        return std::nullopt;
    }

    std::optional<std::span<const std::byte>> bytes(std::uint64_t count) {
        if (count > rest_.size()) {
            return std::nullopt;
        }
        const auto result = rest_.first(count);
        rest_ = rest_.subspan(count);
        return result;
    }

    // What comes before the next `end`, which is taken as well.
    std::optional<std::span<const std::byte>> until(char end) {
        const auto found = std::find(rest_.begin(), rest_.end(), static_cast<std::byte>(end));
        if (found == rest_.end()) {
            return std::nullopt;
        }
        const auto result = rest_.first(static_cast<std::size_t>(found - rest_.begin()));
        rest_ = rest_.subspan(result.size() + 1);
        return result;
    }

    std::optional<std::uint64_t> fixed(std::size_t size) {
        const auto raw = bytes(size);
        if (!raw) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            value |= std::to_integer<std::uint64_t>((*raw)[i]) << (8 * i);
        }
        return value;
    }

private:
    std::span<const std::byte> rest_;
};

}  // namespace zoo

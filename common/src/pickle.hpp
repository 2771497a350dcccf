// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zoo {

// A pickle taken apart into data. Nothing is ever called: a call to one of the names below stays a node that says what
// would have been called with what.
struct PickleNode {
    enum class Kind {
        None,
        Bool,        // number
        Int,         // number
        BigInt,      // text: the little-endian two's complement bytes of what does not fit 64 bits
        Float,       // a value that no reader here asks for
        Text,        // text
        Tuple,       // items
        List,        // items
        Dict,        // items: key, value, key, value, ...
        Global,      // text: "module name"
        Call,        // text: what would be called, "module name"; items: its arguments
        Persistent,  // items: the one id
    };

    Kind kind = Kind::None;
    std::int64_t number = 0;
    std::string_view text;             // into the file
    std::vector<std::uint32_t> items;  // indices of nodes; may form cycles
};

struct Pickle {
    std::vector<PickleNode> nodes;
    std::uint32_t root = 0;
    std::size_t size = 0;  // bytes read, up to and with the STOP

    [[nodiscard]] const PickleNode& at(std::uint32_t index) const { return nodes[index]; }
};

// Reads one pickle off the front of `bytes`. `globals` are the names, "module name", that may appear; collections
// OrderedDict is always known and becomes a Dict. `source` opens the messages of Errors, which name what was refused and
// the byte where it stands.
[[nodiscard]] Pickle read_pickle(
    const std::string& source, std::span<const std::byte> bytes, std::span<const std::string_view> globals);

}  // namespace zoo

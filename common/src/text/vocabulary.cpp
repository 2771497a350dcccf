// SPDX-License-Identifier: Apache-2.0
#include "vocabulary.hpp"

#include <unicode/utf8.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo::text {
namespace {

constexpr std::uint64_t kFreeSlot = std::numeric_limits<std::uint64_t>::max();
// The largest vocabularies in use have a few megabytes; a longer token could not match a word of 100 characters.
constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxTokenBytes = 1000;

std::uint64_t edge_key(Vocabulary::Node node, char32_t c) { return std::uint64_t{node} << 21 | c; }

std::size_t slot_of(std::uint64_t key, std::size_t slots) {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> 32) & (slots - 1);
}

// Calls visit(character) for each character; false if text is not UTF-8 or visit returns false.
template <class Visit>
bool for_each_character(std::string_view text, Visit visit) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    const auto size = static_cast<std::int64_t>(text.size());
    for (std::int64_t i = 0; i < size;) {
        UChar32 c = 0;
        U8_NEXT(bytes, i, size, c);
        if (c < 0 || !visit(static_cast<char32_t>(c))) {
            return false;
        }
    }
    return true;
}

std::string read_all(const std::filesystem::path& path, std::string_view where) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        fail(where, path, " is a directory; give the vocab.txt in it");
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        fail(where, "cannot open ", path, ": ", std::strerror(errno), "; give a vocab.txt, one token a line");
    }
    std::string content;
    char block[1 << 16];
    while (file.read(block, sizeof block) || file.gcount() > 0) {
        content.append(block, static_cast<std::size_t>(file.gcount()));
        if (content.size() > kMaxFileBytes) {
            fail(where, path, " has more than ", kMaxFileBytes, " bytes; a vocab.txt has one short token a line");
        }
    }
    if (file.bad()) {
        fail(where, "cannot read ", path, ": ", std::strerror(errno));
    }
    return content;
}

}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> tokens, std::string_view where, const Place& place)
    : tokens_(std::move(tokens)), token_at_{kNoToken}, edges_(1 << 10, Edge{kFreeSlot, kNoNode}) {
    if (tokens_.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        fail(where, tokens_.size(), " tokens; ids are 32-bit");
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        Node node = kRoot;
        const bool valid = for_each_character(tokens_[i], [&](char32_t c) {
            node = add_edge(node, c);
            return true;
        });
        if (!valid) {
            fail(where, place(i), " is not UTF-8 text; each token must be");
        }
        if (node == kRoot) {
            continue;
        }
        if (token_at_[node] != kNoToken) {
            fail(
                where, "token ", in_quotes(tokens_[i]),
                " is there twice: ", place(static_cast<std::size_t>(token_at_[node])), " and ", place(i),
                "; each token has one id");
        }
        token_at_[node] = static_cast<std::int32_t>(i);
    }
}

std::optional<std::int32_t> Vocabulary::find(std::string_view token) const {
    const Node node = walk(token);
    if (node == kNoNode || token_at_[node] == kNoToken) {
        return std::nullopt;
    }
    return token_at_[node];
}

Vocabulary::Node Vocabulary::next(Node node, char32_t c) const {
    const std::uint64_t key = edge_key(node, c);
    for (std::size_t slot = slot_of(key, edges_.size());; slot = (slot + 1) & (edges_.size() - 1)) {
        if (edges_[slot].key == key) {
            return edges_[slot].child;
        }
        if (edges_[slot].key == kFreeSlot) {
            return kNoNode;
        }
    }
}

Vocabulary::Node Vocabulary::walk(std::string_view prefix) const {
    Node node = kRoot;
    const bool found = for_each_character(prefix, [&](char32_t c) {
        node = next(node, c);
        return node != kNoNode;
    });
    return found ? node : kNoNode;
}

Vocabulary::Node Vocabulary::add_edge(Node node, char32_t c) {
    if (const Node child = next(node, c); child != kNoNode) {
        return child;
    }
    if (token_at_.size() * 2 >= edges_.size()) {
        grow();
    }
    const std::uint64_t key = edge_key(node, c);
    std::size_t slot = slot_of(key, edges_.size());
    while (edges_[slot].key != kFreeSlot) {
        slot = (slot + 1) & (edges_.size() - 1);
    }
    const auto child = static_cast<Node>(token_at_.size());
    edges_[slot] = {key, child};
    token_at_.push_back(kNoToken);
    return child;
}

void Vocabulary::grow() {
    std::vector<Edge> larger(edges_.size() * 2, Edge{kFreeSlot, kNoNode});
    for (const Edge& edge : edges_) {
        if (edge.key == kFreeSlot) {
            continue;
        }
        std::size_t slot = slot_of(edge.key, larger.size());
        while (larger[slot].key != kFreeSlot) {
            slot = (slot + 1) & (larger.size() - 1);
        }
        larger[slot] = edge;
    }
    edges_ = std::move(larger);
}

std::vector<std::string> read_vocab_lines(const std::filesystem::path& path, std::string_view where) {
    const std::string content = read_all(path, where);
    std::string_view rest = content;
    if (rest.starts_with("\xEF\xBB\xBF")) {
        rest.remove_prefix(3);
    }
    // Blank lines at the end of a file are an editor's, not tokens.
    rest = rest.substr(0, rest.find_last_not_of("\r\n") + 1);
    if (rest.empty()) {
        fail(where, path, " is empty; a vocab.txt has one token a line");
    }
    std::vector<std::string> lines;
    while (true) {
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.find('\0') != std::string_view::npos) {
            fail(where, path, " line ", lines.size() + 1, " has a zero byte; this is a binary file, not a vocab.txt");
        }
        if (line.size() > kMaxTokenBytes) {
            fail(
                where, path, " line ", lines.size() + 1, " has ", line.size(), " bytes; a token has at most ",
                kMaxTokenBytes);
        }
        lines.emplace_back(line);
        if (end == std::string_view::npos) {
            return lines;
        }
        rest.remove_prefix(end + 1);
    }
}

}  // namespace zoo::text

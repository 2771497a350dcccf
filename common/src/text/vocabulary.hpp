// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zoo::text {

// Tokens by id, and a trie of their characters for the longest match.
class Vocabulary {
public:
    using Node = std::uint32_t;
    static constexpr Node kRoot = 0;
    static constexpr Node kNoNode = std::numeric_limits<Node>::max();
    static constexpr std::int32_t kNoToken = -1;

    // Throws zoo::Error for a token that is not UTF-8 or is there twice. Empty tokens keep their id but never match.
    // place(i): how an error names the place of token i.
    using Place = std::function<std::string(std::size_t)>;
    Vocabulary(std::vector<std::string> tokens, std::string_view where, const Place& place);

    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    [[nodiscard]] const std::string& token(std::int32_t id) const { return tokens_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] std::optional<std::int32_t> find(std::string_view token) const;

    // The child of a node along a character, or kNoNode.
    [[nodiscard]] Node next(Node node, char32_t c) const;
    // The token that ends at a node, or kNoToken.
    [[nodiscard]] std::int32_t token_at(Node node) const { return token_at_[node]; }
    // The node reached by a string, or kNoNode.
    [[nodiscard]] Node walk(std::string_view prefix) const;

private:
    struct Edge {
        std::uint64_t key;
        Node child;
    };

    Node add_edge(Node node, char32_t c);
    void grow();

    std::vector<std::string> tokens_;
    std::vector<std::int32_t> token_at_;
    // Open addressing; the size is a power of two and at most half of it is used.
    std::vector<Edge> edges_;
};

// The lines of a vocab.txt, checked to be text.
[[nodiscard]] std::vector<std::string> read_vocab_lines(const std::filesystem::path& path, std::string_view where);

}  // namespace zoo::text

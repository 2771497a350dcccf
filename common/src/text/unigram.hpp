// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zoo::text {

// A SentencePiece model of the unigram kind: its normalisation, and the likeliest pieces of a text. Google's library gives
// the same pieces; Debian's build of it brings a protobuf of its own that breaks every program with libtorch in it.
class Unigram {
public:
    // Serialised, as a .model file holds it. Throws zoo::Error, naming `source`, for anything else.
    Unigram(std::string_view model, std::string_view where, const std::string& source);

    struct Piece {
        std::string text;  // of unknown characters in a row: all of them
        std::int32_t id = 0;
        std::size_t begin = 0;  // bytes of the input
        std::size_t end = 0;
    };

    // `text` is UTF-8.
    [[nodiscard]] std::vector<Piece> encode(std::string_view text) const;
    [[nodiscard]] std::string decode(std::span<const std::int32_t> ids) const;

    [[nodiscard]] std::size_t size() const { return pieces_.size(); }
    [[nodiscard]] const std::string& piece(std::int32_t id) const { return pieces_[static_cast<std::size_t>(id)].text; }
    // The id of the unknown piece where there is none of that text.
    [[nodiscard]] std::int32_t id(std::string_view piece) const;

private:
    enum class Type : std::uint8_t { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };
    struct Entry {
        std::string text;
        float score = 0;
        Type type = Type::Normal;
    };
    // Text after normalisation; from[i] is the byte of the input that byte i comes from, with one more at the end.
    struct Normalized {
        std::string text;
        std::vector<std::size_t> from;
    };
    struct Prefix {
        std::string_view normalized;
        std::size_t length;  // of the input
    };
    struct Found {
        std::size_t begin;
        std::size_t end;
        std::int32_t id;
    };

    bool read_piece(std::span<const std::byte> message);
    bool read_normalizer(std::span<const std::byte> message);
    void build_tries();
    [[nodiscard]] Prefix normalize_prefix(std::string_view input) const;
    [[nodiscard]] Normalized normalize(std::string_view input) const;
    [[nodiscard]] std::vector<Found> best_path(std::string_view text) const;

    // Byte by byte; a node and a byte lead to a node.
    class Trie {
    public:
        void add(std::string_view key, std::int32_t value);
        // The node after `byte`, or -1.
        [[nodiscard]] std::int32_t next(std::int32_t node, char byte) const;
        [[nodiscard]] std::int32_t value(std::int32_t node) const { return values_[static_cast<std::size_t>(node)]; }

    private:
        std::unordered_map<std::uint64_t, std::int32_t> edges_;
        std::vector<std::int32_t> values_{-1};  // of the key that ends at a node, or -1
    };

    std::vector<Entry> pieces_;
    std::unordered_map<std::string, std::int32_t> ids_;
    Trie trie_;
    Trie user_defined_;
    std::int32_t unknown_ = -1;
    float least_score_ = 0;
    float greatest_score_ = 0;
    std::vector<std::uint32_t> rules_;  // the double array of the character rules
    std::string replacements_;          // what they lead to, each ended by a zero byte
    bool add_dummy_prefix_ = true;
    bool remove_extra_whitespaces_ = true;
    bool escape_whitespaces_ = true;
};

}  // namespace zoo::text

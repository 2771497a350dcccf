// SPDX-License-Identifier: Apache-2.0
#include "unigram.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <optional>

#include "wire_reader.hpp"
#include "zoo/error.hpp"

namespace zoo::text {
namespace {

constexpr std::string_view kSpace = "\u2581";
constexpr std::string_view kReplacement = "\uFFFD";
// What an unknown character costs below the least likely piece.
constexpr float kUnknownPenalty = 10.0F;

// One field of a protocol buffer message.
struct Field {
    std::uint64_t number = 0;
    std::uint64_t value = 0;           // of varints and fixed numbers
    std::span<const std::byte> bytes;  // of strings and messages
};

std::optional<Field> read_field(WireReader& reader) {
    const auto key = reader.varint();
    if (!key) {
        return std::nullopt;
    }
    Field field{.number = *key >> 3};
    std::optional<std::uint64_t> value;
    switch (*key & 7U) {
        case 0:
            value = reader.varint();
            break;
        case 1:
            value = reader.fixed(8);
            break;
        case 2: {
            const auto length = reader.varint();
            const auto bytes = length ? reader.bytes(*length) : std::nullopt;
            if (!bytes) {
                return std::nullopt;
            }
            field.bytes = *bytes;
            return field;
        }
        case 5:
            value = reader.fixed(4);
            break;
        default:
            return std::nullopt;
    }
    if (!value) {
        return std::nullopt;
    }
    field.value = *value;
    return field;
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// By the first byte alone.
std::size_t character_length(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

void Unigram::Trie::add(std::string_view key, std::int32_t value) {
    std::int32_t node = 0;
    for (const char byte : key) {
        const std::uint64_t edge = static_cast<std::uint64_t>(node) << 8 | static_cast<unsigned char>(byte);
        const auto [found, added] = edges_.try_emplace(edge, static_cast<std::int32_t>(values_.size()));
        if (added) {
            values_.push_back(-1);
        }
        node = found->second;
    }
    values_[static_cast<std::size_t>(node)] = value;
}

std::int32_t Unigram::Trie::next(std::int32_t node, char byte) const {
    const auto found = edges_.find(static_cast<std::uint64_t>(node) << 8 | static_cast<unsigned char>(byte));
    return found == edges_.end() ? -1 : found->second;
}

Unigram::Unigram(std::string_view model, std::string_view where, const std::string& source) {
    WireReader reader(std::as_bytes(std::span(model)));
    bool good = !reader.empty();
    while (good && !reader.empty()) {
        const auto field = read_field(reader);
        good = field && (field->number != 1 || read_piece(field->bytes)) &&
               (field->number != 3 || read_normalizer(field->bytes));
    }
    if (!good || pieces_.empty() || unknown_ < 0) {
        fail(where, source, " of ", model.size(), " bytes is no SentencePiece model");
    }
    build_tries();
}

// piece 1, score 2, type 3.
bool Unigram::read_piece(std::span<const std::byte> message) {
    Entry entry;
    for (WireReader reader(message); !reader.empty();) {
        const auto field = read_field(reader);
        if (!field) {
            return false;
        }
        if (field->number == 1) {
            entry.text = text_of(field->bytes);
        } else if (field->number == 2) {
            entry.score = std::bit_cast<float>(static_cast<std::uint32_t>(field->value));
        } else if (field->number == 3) {
            entry.type = static_cast<Type>(field->value);
        }
    }
    if (entry.type == Type::Unknown) {
        unknown_ = static_cast<std::int32_t>(pieces_.size());
    }
    pieces_.push_back(std::move(entry));
    return true;
}

// precompiled_charsmap 2, add_dummy_prefix 3, remove_extra_whitespaces 4, escape_whitespaces 5. The map is the size of a
// double array, the array, and the replacements.
bool Unigram::read_normalizer(std::span<const std::byte> message) {
    for (WireReader reader(message); !reader.empty();) {
        const auto field = read_field(reader);
        if (!field) {
            return false;
        }
        if (field->number == 3) {
            add_dummy_prefix_ = field->value != 0;
        } else if (field->number == 4) {
            remove_extra_whitespaces_ = field->value != 0;
        } else if (field->number == 5) {
            escape_whitespaces_ = field->value != 0;
        } else if (field->number == 2 && !field->bytes.empty()) {
            WireReader map(field->bytes);
            const auto size = map.fixed(4);
            const auto array = size && *size % 4 == 0 ? map.bytes(*size) : std::nullopt;
            if (!array) {
                return false;
            }
            for (WireReader units(*array); !units.empty();) {
                rules_.push_back(static_cast<std::uint32_t>(*units.fixed(4)));
            }
            replacements_ = text_of(*map.bytes(map.left()));
        }
    }
    return true;
}

void Unigram::build_tries() {
    least_score_ = FLT_MAX;
    greatest_score_ = FLT_MIN;  // SentencePiece's own start: the smallest number above 0
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Entry& entry = pieces_[i];
        const auto id = static_cast<std::int32_t>(i);
        ids_.try_emplace(entry.text, id);
        if (entry.type == Type::Normal) {
            least_score_ = std::min(least_score_, entry.score);
            greatest_score_ = std::max(greatest_score_, entry.score);
        }
        if (entry.type == Type::Normal || entry.type == Type::UserDefined) {
            trie_.add(entry.text, id);
        }
        if (entry.type == Type::UserDefined) {
            user_defined_.add(entry.text, id);
        }
    }
}

std::int32_t Unigram::id(std::string_view piece) const {
    const auto found = ids_.find(std::string(piece));
    return found == ids_.end() ? unknown_ : found->second;
}

// The longest rule that the input starts with, by a walk through the double array (Darts-clone's layout).
Unigram::Prefix Unigram::normalize_prefix(std::string_view input) const {
    std::size_t user_defined = 0;
    for (std::int32_t node = 0, at = 0; static_cast<std::size_t>(at) < input.size(); ++at) {
        node = user_defined_.next(node, input[static_cast<std::size_t>(at)]);
        if (node < 0) {
            break;
        }
        if (user_defined_.value(node) >= 0) {
            user_defined = static_cast<std::size_t>(at) + 1;
        }
    }
    if (user_defined > 0) {
        return {input.substr(0, user_defined), user_defined};
    }
    const auto offset = [](std::uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); };
    std::size_t length = 0;
    std::size_t value = 0;
    std::size_t node = rules_.empty() ? 0 : offset(rules_[0]);
    for (std::size_t i = 0; i < input.size() && !rules_.empty(); ++i) {
        const auto byte = static_cast<unsigned char>(input[i]);
        node ^= byte;
        if (node >= rules_.size() || (rules_[node] & (1U << 31 | 0xFFU)) != byte) {
            break;
        }
        const std::uint32_t unit = rules_[node];
        node ^= offset(unit);
        if ((unit >> 8 & 1U) != 0 && node < rules_.size()) {
            length = i + 1;
            value = rules_[node] & ((1U << 31) - 1);
        }
    }
    if (length > 0 && value < replacements_.size()) {
        return {std::string_view(replacements_.c_str() + value), length};
    }
    const std::size_t character = character_length(input[0]);
    return character <= input.size() ? Prefix{input.substr(0, character), character} : Prefix{kReplacement, 1};
}

Unigram::Normalized Unigram::normalize(std::string_view input) const {
    Normalized out;
    std::size_t consumed = 0;
    const auto add = [&](std::string_view text) {
        out.text += text;
        out.from.resize(out.text.size(), consumed);
    };
    const std::string_view space = escape_whitespaces_ ? kSpace : " ";
    while (remove_extra_whitespaces_ && consumed < input.size()) {
        const Prefix prefix = normalize_prefix(input.substr(consumed));
        if (prefix.normalized != " ") {
            break;
        }
        consumed += prefix.length;
    }
    if (consumed < input.size() && add_dummy_prefix_) {
        add(space);
    }
    bool after_space = remove_extra_whitespaces_;
    while (consumed < input.size()) {
        const Prefix prefix = normalize_prefix(input.substr(consumed));
        std::string_view text = prefix.normalized;
        while (after_space && text.starts_with(' ')) {
            text.remove_prefix(1);
        }
        for (const char& byte : text) {
            add(byte == ' ' ? space : std::string_view(&byte, 1));
        }
        if (!text.empty()) {
            after_space = remove_extra_whitespaces_ && text.ends_with(' ');
        }
        consumed += prefix.length;
    }
    while (remove_extra_whitespaces_ && out.text.ends_with(space)) {
        out.text.resize(out.text.size() - space.size());
        consumed = out.from[out.text.size()];
        out.from.resize(out.text.size());
    }
    out.from.push_back(consumed);
    return out;
}

// Viterbi: the best way to each byte, from left to right.
std::vector<Unigram::Found> Unigram::best_path(std::string_view text) const {
    struct Node {
        std::int32_t id = -1;
        float score = 0;
        std::ptrdiff_t begin = -1;
    };
    std::vector<Node> ends(text.size() + 1);
    const auto offer = [&](std::size_t begin, std::size_t end, std::int32_t id, double score) {
        const double candidate = score + ends[begin].score;
        Node& node = ends[end];
        if (node.begin < 0 || candidate > node.score) {
            node = {id, static_cast<float>(candidate), static_cast<std::ptrdiff_t>(begin)};
        }
    };
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t character = std::min(character_length(text[begin]), text.size() - begin);
        bool known = false;
        std::int32_t node = 0;
        for (std::size_t end = begin + 1; end <= text.size(); ++end) {
            node = trie_.next(node, text[end - 1]);
            if (node < 0) {
                break;
            }
            if (const std::int32_t id = trie_.value(node); id >= 0) {
                const Entry& entry = pieces_[static_cast<std::size_t>(id)];
                const std::size_t length = end - begin;
                // A user's own symbol is always taken whole.
                offer(
                    begin, end, id,
                    entry.type == Type::UserDefined ? static_cast<float>(length) * greatest_score_ - 0.1
                                                    : static_cast<double>(entry.score));
                known |= length == character;
            }
        }
        if (!known) {
            offer(begin, begin + character, unknown_, least_score_ - kUnknownPenalty);
        }
        begin += character;
    }
    std::vector<Found> path;
    for (std::size_t end = text.size(); end > 0;) {
        const Node& node = ends[end];
        path.push_back({static_cast<std::size_t>(node.begin), end, node.id});
        end = static_cast<std::size_t>(node.begin);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<Unigram::Piece> Unigram::encode(std::string_view text) const {
    const Normalized normalized = normalize(text);
    std::vector<Piece> pieces;
    for (const Found& found : best_path(normalized.text)) {
        const std::string_view spelt = std::string_view(normalized.text).substr(found.begin, found.end - found.begin);
        if (found.id == unknown_ && !pieces.empty() && pieces.back().id == unknown_) {
            pieces.back().text += spelt;
            pieces.back().end = normalized.from[found.end];
        } else {
            pieces.push_back({std::string(spelt), found.id, normalized.from[found.begin], normalized.from[found.end]});
        }
    }
    return pieces;
}

std::string Unigram::decode(std::span<const std::int32_t> ids) const {
    std::string text;
    for (const std::int32_t id : ids) {
        text += piece(id);
    }
    for (auto at = text.find(kSpace); at != std::string::npos; at = text.find(kSpace, at + 1)) {
        text.replace(at, kSpace.size(), " ");
    }
    return add_dummy_prefix_ && text.starts_with(' ') ? text.substr(1) : text;
}

}  // namespace zoo::text

// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/byte_pair.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "gpt2_words.hpp"
#include "json_file.hpp"
#include "message.hpp"
#include "utf8.hpp"
#include "zoo/error.hpp"

namespace zoo::text {
namespace {

constexpr const char* kWhere = "text::BytePair";
constexpr std::int32_t kNone = -1;

std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32) | static_cast<std::uint32_t>(right);
}

std::string utf8_of(std::uint32_t c) {
    if (c < 0x80) {
        return {static_cast<char>(c)};
    }
    return {static_cast<char>(0xC0U | (c >> 6)), static_cast<char>(0x80U | (c & 0x3FU))};
}

// The printable character that stands for each byte in the files: itself, or one from 256 on.
std::array<std::string, 256> byte_characters() {
    std::array<std::string, 256> characters;
    std::uint32_t next = 256;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        const bool plain = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        characters[byte] = utf8_of(plain ? byte : next++);
    }
    return characters;
}

struct Merge {
    std::int32_t rank;
    std::int32_t result;
};

}  // namespace

struct BytePair::Impl {
    BytePairOptions options;
    std::vector<std::string> tokens;  // as bytes, by id
    std::array<std::int32_t, 256> byte_ids{};
    std::unordered_map<std::uint64_t, Merge> merges;
    std::optional<std::int32_t> end_of_text;
    // Texts to look for before words are cut, and their ids.
    std::vector<std::pair<std::string, std::int32_t>> searched;

    void read_vocab(const std::filesystem::path& file, std::unordered_map<std::string, std::int32_t>& ids);
    void read_merges(const std::filesystem::path& file, const std::unordered_map<std::string, std::int32_t>& ids);
    void add_tokens();
    void encode_word(std::string_view word, std::vector<std::int32_t>& out) const;
    void encode_plain(std::string_view text, std::vector<std::int32_t>& out) const;
};

void BytePair::Impl::read_vocab(const std::filesystem::path& file, std::unordered_map<std::string, std::int32_t>& ids) {
    const nlohmann::json json = read_json_object(kWhere, file);
    tokens.resize(json.size());
    std::vector<bool> seen(json.size(), false);
    for (const auto& [token, id] : json.items()) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= std::ssize(tokens) ||
            seen[id.get<std::size_t>()]) {
            fail(
                kWhere, file.string(), ": the id of ", in_quotes(token), " is ", in_quotes(id.dump()),
                "; ids must be 0 to ", std::ssize(tokens) - 1, ", each once");
        }
        seen[id.get<std::size_t>()] = true;
        ids.emplace(token, id.get<std::int32_t>());
    }
    const std::array<std::string, 256> characters = byte_characters();
    std::unordered_map<std::string_view, char> bytes;
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const auto found = ids.find(characters[byte]);
        if (found == ids.end()) {
            fail(kWhere, file.string(), ": there is no token for byte ", byte, "; the vocabulary must have all 256");
        }
        byte_ids[byte] = found->second;
        bytes.emplace(characters[byte], static_cast<char>(byte));
    }
    for (const auto& [token, id] : ids) {
        std::string& spelt = tokens[static_cast<std::size_t>(id)];
        for (std::size_t place = 0; place < token.size();) {
            const std::size_t length = static_cast<unsigned char>(token[place]) < 0x80 ? 1 : 2;
            const auto found = bytes.find(std::string_view(token).substr(place, length));
            if (found == bytes.end()) {
                spelt = token;  // a special token, spelt as it is
                break;
            }
            spelt += found->second;
            place += length;
        }
    }
    if (const auto found = ids.find(options.end_of_text); found != ids.end()) {
        end_of_text = found->second;
    }
}

void BytePair::Impl::read_merges(
    const std::filesystem::path& file, const std::unordered_map<std::string, std::int32_t>& ids) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        fail(kWhere, "cannot open '", file.string(), "'; a file of merges is needed beside the vocabulary");
    }
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        if (line.empty() || (number == 1 && line.starts_with("#version"))) {
            continue;
        }
        const std::size_t space = line.find(' ');
        const auto find = [&](const std::string& token) {
            const auto found = ids.find(token);
            return found == ids.end() ? kNone : found->second;
        };
        const bool two = space != std::string::npos && line.find(' ', space + 1) == std::string::npos;
        const std::int32_t left = two ? find(line.substr(0, space)) : kNone;
        const std::int32_t right = two ? find(line.substr(space + 1)) : kNone;
        const std::int32_t result = two ? find(line.substr(0, space) + line.substr(space + 1)) : kNone;
        if (left == kNone || right == kNone || result == kNone) {
            fail(
                kWhere, file.string(), " line ", number, ": ", in_quotes(line),
                " is not two tokens of the vocabulary that join to a third");
        }
        merges.emplace(pair_key(left, right), Merge{static_cast<std::int32_t>(merges.size()), result});
    }
    if (in.bad()) {
        fail(kWhere, "cannot read '", file.string(), "'");
    }
    if (merges.empty()) {
        fail(kWhere, "'", file.string(), "' has no merges; a line with two tokens of the vocabulary is needed");
    }
}

void BytePair::Impl::add_tokens() {
    for (const std::string& token : options.added_tokens) {
        if (token.empty()) {
            fail(kWhere, "an added token is empty; it would match everywhere");
        }
        searched.emplace_back(token, static_cast<std::int32_t>(tokens.size()));
        tokens.push_back(token);
    }
    if (end_of_text && !options.split_special_tokens) {
        searched.emplace_back(options.end_of_text, *end_of_text);
    }
    std::ranges::stable_sort(searched, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

// The pair of lowest rank joins first, the leftmost of equals; a queue of candidates keeps long words quick.
void BytePair::Impl::encode_word(std::string_view word, std::vector<std::int32_t>& out) const {
    struct Symbol {
        std::int32_t id;
        std::int32_t previous;
        std::int32_t next;
    };
    struct Candidate {
        std::int32_t rank;
        std::int32_t left;
        std::int32_t left_id;
        std::int32_t right_id;
        std::int32_t result;
        bool operator<(const Candidate& other) const {  // for a queue that gives the largest first
            return rank != other.rank ? rank > other.rank : left > other.left;
        }
    };
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    for (std::size_t i = 0; i < word.size(); ++i) {
        const auto place = static_cast<std::int32_t>(i);
        const std::int32_t next = i + 1 < word.size() ? place + 1 : kNone;
        symbols.push_back({byte_ids[static_cast<unsigned char>(word[i])], place - 1, next});
    }
    std::priority_queue<Candidate> queue;
    const auto consider = [&](std::int32_t left) {
        if (left == kNone || symbols[static_cast<std::size_t>(left)].next == kNone) {
            return;
        }
        const std::int32_t left_id = symbols[static_cast<std::size_t>(left)].id;
        const std::int32_t right_id =
            symbols[static_cast<std::size_t>(symbols[static_cast<std::size_t>(left)].next)].id;
        if (const auto found = merges.find(pair_key(left_id, right_id)); found != merges.end()) {
            queue.push({found->second.rank, left, left_id, right_id, found->second.result});
        }
    };
    for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(symbols.size()); ++i) {
        consider(i);
    }
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Symbol& left = symbols[static_cast<std::size_t>(best.left)];
        if (left.id != best.left_id || left.next == kNone ||
            symbols[static_cast<std::size_t>(left.next)].id != best.right_id) {
            continue;  // one of the two has joined another since
        }
        Symbol& right = symbols[static_cast<std::size_t>(left.next)];
        left.id = best.result;
        left.next = right.next;
        right.id = kNone;
        if (left.next != kNone) {
            symbols[static_cast<std::size_t>(left.next)].previous = best.left;
        }
        consider(left.previous);
        consider(best.left);
    }
    for (std::int32_t i = 0; i != kNone; i = symbols[static_cast<std::size_t>(i)].next) {
        out.push_back(symbols[static_cast<std::size_t>(i)].id);
    }
}

void BytePair::Impl::encode_plain(std::string_view text, std::vector<std::int32_t>& out) const {
    for_each_gpt2_word(text, [&](std::string_view word) { encode_word(word, out); });
}

BytePair::BytePair(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

BytePair BytePair::from_directory(const std::filesystem::path& directory, BytePairOptions options) {
    static constexpr std::array<std::pair<const char*, const char*>, 2> kNames{
        {{"vocab.json", "merges.txt"}, {"encoder.json", "vocab.bpe"}}};
    for (const auto& [vocab, merges] : kNames) {
        if (std::filesystem::exists(directory / vocab)) {
            return from_files(directory / vocab, directory / merges, std::move(options));
        }
    }
    fail(
        kWhere, "'", directory.string(),
        "' has no vocabulary; it must hold vocab.json and merges.txt, or encoder.json and vocab.bpe");
}

BytePair BytePair::from_files(
    const std::filesystem::path& vocab, const std::filesystem::path& merges, BytePairOptions options) {
    auto impl = std::make_shared<Impl>();
    impl->options = std::move(options);
    std::unordered_map<std::string, std::int32_t> ids;
    impl->read_vocab(vocab, ids);
    impl->read_merges(merges, ids);
    impl->add_tokens();
    return BytePair(std::move(impl));
}

std::vector<std::int32_t> BytePair::encode(std::string_view text) const {
    const std::string valid = valid_utf8(text);
    std::vector<std::int32_t> ids;
    std::string_view rest = valid;
    std::size_t plain = 0;  // bytes before the next token that was searched for
    while (plain < rest.size()) {
        const auto found = std::ranges::find_if(
            impl_->searched, [&](const auto& token) { return rest.substr(plain).starts_with(token.first); });
        if (found == impl_->searched.end()) {
            ++plain;
            continue;
        }
        impl_->encode_plain(rest.substr(0, plain), ids);
        ids.push_back(found->second);
        rest.remove_prefix(plain + found->first.size());
        plain = 0;
    }
    impl_->encode_plain(rest, ids);
    return ids;
}

const std::string& BytePair::bytes(std::int32_t id) const {
    if (id < 0 || id >= std::ssize(impl_->tokens)) {
        fail(kWhere, "there is no token ", id, "; ids are 0 to ", std::ssize(impl_->tokens) - 1);
    }
    return impl_->tokens[static_cast<std::size_t>(id)];
}

std::string BytePair::decode(std::span<const std::int32_t> ids) const {
    std::string joined;
    for (const std::int32_t id : ids) {
        joined += bytes(id);
    }
    return valid_utf8(joined);
}

std::size_t BytePair::vocab_size() const { return impl_->tokens.size(); }
std::optional<std::int32_t> BytePair::end_of_text() const { return impl_->end_of_text; }

std::vector<std::string> codegen_added_tokens() {
    std::vector<std::string> tokens;
    for (std::size_t count = 31; count >= 2; --count) {
        tokens.emplace_back(count, ' ');
    }
    for (std::size_t count = 9; count >= 2; --count) {
        tokens.emplace_back(count, '\t');
    }
    return tokens;
}

std::string StreamDecoder::next(std::int32_t id) {
    pending_ += tokenizer_.bytes(id);
    const std::size_t ready = pending_.size() - unfinished_tail(pending_);
    std::string text = valid_utf8(std::string_view(pending_).substr(0, ready));
    pending_.erase(0, ready);
    return text;
}

std::string StreamDecoder::finish() {
    std::string text = valid_utf8(pending_);
    pending_.clear();
    return text;
}

}  // namespace zoo::text

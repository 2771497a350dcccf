// SPDX-License-Identifier: Apache-2.0
#include "zoo/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr const char* kWhere = "sampling";
constexpr float kNever = -std::numeric_limits<float>::infinity();

void penalise(std::vector<float>& logits, std::span<const std::int32_t> history, float penalty) {
    std::vector<bool> done(logits.size(), false);
    for (const std::int32_t token : history) {
        const auto at = static_cast<std::size_t>(token);
        if (at < logits.size() && !done[at]) {
            logits[at] = logits[at] < 0.0F ? logits[at] * penalty : logits[at] / penalty;
            done[at] = true;
        }
    }
}

// Likeliest first; equal ones by their place.
std::vector<std::int32_t> by_logit(const std::vector<float>& logits, std::size_t count) {
    std::vector<std::int32_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    const auto likelier = [&](std::int32_t a, std::int32_t b) {
        const float left = logits[static_cast<std::size_t>(a)];
        const float right = logits[static_cast<std::size_t>(b)];
        return left != right ? left > right : a < b;
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), likelier);
    order.resize(count);
    return order;
}

void keep_only(std::vector<float>& logits, std::span<const std::int32_t> kept) {
    std::vector<float> result(logits.size(), kNever);
    for (const std::int32_t token : kept) {
        result[static_cast<std::size_t>(token)] = logits[static_cast<std::size_t>(token)];
    }
    logits = std::move(result);
}

std::vector<float> softmax(const std::vector<float>& logits) {
    const float largest = *std::ranges::max_element(logits);
    std::vector<float> result(logits.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        result[i] = std::exp(logits[i] - largest);
        sum += result[i];
    }
    for (float& value : result) {
        value = static_cast<float>(value / sum);
    }
    return result;
}

// The likeliest tokens up to and with the one that reaches top_p.
void keep_top_p(std::vector<float>& logits, float top_p) {
    const std::vector<float> chances = softmax(logits);
    const std::vector<std::int32_t> order = by_logit(logits, logits.size());
    double sum = 0.0;
    std::size_t count = 0;
    while (count < order.size() && sum < top_p) {
        sum += chances[static_cast<std::size_t>(order[count])];
        ++count;
    }
    keep_only(logits, std::span(order).first(std::max<std::size_t>(1, count)));
}

}  // namespace

void validate(const SamplingOptions& options) {
    // Below, logits divided by it would not fit float32.
    constexpr float kLowest = 1e-6F;
    if (options.temperature != 0.0F && !(options.temperature >= kLowest && std::isfinite(options.temperature))) {
        fail(kWhere, "temperature is ", options.temperature, "; it must be 0, or finite and at least ", kLowest);
    }
    if (options.top_k < 0) {
        fail(kWhere, "top_k is ", options.top_k, "; it must be 0 or more");
    }
    if (!(options.top_p > 0.0F && options.top_p <= 1.0F)) {
        fail(kWhere, "top_p is ", options.top_p, "; it must be above 0 and at most 1");
    }
    if (!(options.repetition_penalty > 0.0F && std::isfinite(options.repetition_penalty))) {
        fail(kWhere, "repetition_penalty is ", options.repetition_penalty, "; it must be above 0 and finite");
    }
}

std::vector<float> next_token_probabilities(
    std::span<const float> logits, std::span<const std::int32_t> history, const SamplingOptions& options) {
    if (logits.empty()) {
        fail(kWhere, "there are no logits to choose from");
    }
    std::vector<float> values(logits.begin(), logits.end());
    // What is not a number is never chosen.
    std::ranges::replace_if(
        values, [](float value) { return std::isnan(value); }, kNever);
    if (options.repetition_penalty != 1.0F) {
        penalise(values, history, options.repetition_penalty);
    }
    if (options.greedy()) {
        std::vector<float> result(values.size(), 0.0F);
        result[static_cast<std::size_t>(std::ranges::max_element(values) - values.begin())] = 1.0F;
        return result;
    }
    for (float& value : values) {
        value /= options.temperature;
    }
    if (options.top_k > 0 && options.top_k < std::ssize(values)) {
        keep_only(values, by_logit(values, static_cast<std::size_t>(options.top_k)));
    }
    if (options.top_p < 1.0F) {
        keep_top_p(values, options.top_p);
    }
    return softmax(values);
}

std::int32_t sample(
    std::span<const float> logits, std::span<const std::int32_t> history, const SamplingOptions& options,
    Random& random) {
    const std::vector<float> chances = next_token_probabilities(logits, history, options);
    if (options.greedy()) {
        return static_cast<std::int32_t>(std::ranges::max_element(chances) - chances.begin());
    }
    const double drawn = random.uniform();
    double sum = 0.0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
        if (chances[i] > 0.0F) {
            last = i;
            sum += chances[i];
            if (drawn < sum) {
                break;
            }
        }
    }
    return static_cast<std::int32_t>(last);
}

}  // namespace zoo

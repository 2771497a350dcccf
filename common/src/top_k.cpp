// SPDX-License-Identifier: Apache-2.0
#include "zoo/top_k.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace zoo {

std::vector<Candidate> softmax_top_k(std::span<const float> logits, std::size_t count) {
    const auto value = [&](std::size_t index) {
        return std::isnan(logits[index]) ? -std::numeric_limits<float>::infinity() : logits[index];
    };
    std::vector<std::size_t> order(logits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    count = std::min(count, order.size());
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
        [&](std::size_t a, std::size_t b) { return value(a) != value(b) ? value(a) > value(b) : a < b; });
    const double highest = count > 0 ? value(order.front()) : 0.0;
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        sum += std::exp(value(i) - highest);
    }
    std::vector<Candidate> best;
    for (std::size_t i = 0; i < count; ++i) {
        best.push_back({static_cast<std::int64_t>(order[i]), std::exp(value(order[i]) - highest) / sum});
    }
    return best;
}

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "causal/perplexity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

double loss(const std::vector<float>& logits, std::int32_t token) {
    const double largest = *std::ranges::max_element(logits);
    double sum = 0.0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - largest);
    }
    return std::log(sum) + largest - static_cast<double>(logits[static_cast<std::size_t>(token)]);
}

}  // namespace

double perplexity(CausalLm& model, std::span<const std::int32_t> tokens) {
    if (tokens.size() < 2) {
        fail("perplexity", "the text has ", tokens.size(), " tokens; it must have 2 or more");
    }
    double total = 0.0;
    std::size_t count = 0;
    const auto window = static_cast<std::size_t>(model.context());
    for (std::size_t start = 0; start + 1 < tokens.size(); start += window) {
        NextToken next = model.prefill(0, tokens.subspan(start, 1), true);
        for (std::size_t i = 1; start + i < tokens.size(); ++i) {
            total += loss(next.logits, tokens[start + i]);
            ++count;
            if (i == window) {
                break;
            }
            const std::vector<std::int32_t> token{tokens[start + i]};
            const std::vector<std::int32_t> place{static_cast<std::int32_t>(i)};
            next = std::move(model.decode(token, place, true).front());
        }
    }
    return std::exp(total / static_cast<double>(count));
}

}  // namespace zoo::apps

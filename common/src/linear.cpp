// SPDX-License-Identifier: Apache-2.0
#include "zoo/linear.hpp"

#include <cmath>

namespace zoo {

LinearParameters linear_parameters(const LinearWeights& weights, ttnn::DataType dtype, ttnn::MeshDevice& device) {
    return linear_parameters(weights.weight, weights.bias, dtype, device);
}

void add_rows(
    std::vector<WeightRow>& rows, const std::string& name, LinearWeights& linear, std::int64_t out, std::int64_t in) {
    rows.push_back({.name = name + ".weight", .shape = {out, in}, .target = &linear.weight});
    rows.push_back({.name = name + ".bias", .shape = {out}, .target = &linear.bias});
}

LinearWeights random_linear(const Random& random, const std::string& name, std::int64_t out, std::int64_t in) {
    const float deviation = 1.0F / std::sqrt(static_cast<float>(in));
    return {
        .weight = random.stream(name + ".weight").normal({out, in}, 0.0F, deviation),
        .bias = random.stream(name + ".bias").normal({out}, 0.0F, 0.1F)};
}

}  // namespace zoo

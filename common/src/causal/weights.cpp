// SPDX-License-Identifier: Apache-2.0
#include "zoo/causal/weights.hpp"

#include <cmath>

#include "zoo/random.hpp"

namespace zoo::causal {

LayerNormParameters layer_norm_parameters(const LayerNorm& weights, ttnn::MeshDevice& device) {
    return zoo::layer_norm_parameters(weights.weight, weights.bias, device);
}

void WeightTable::matrix(const std::string& name, std::int64_t out, std::int64_t in, Linear& target, float gain) {
    entries_.push_back(
        {.name = name + ".weight",
         .shape = {out, in},
         .target = &target.weight,
         .deviation = gain / std::sqrt(static_cast<float>(in)),
         .projection = true});
}

void WeightTable::linear(const std::string& name, std::int64_t out, std::int64_t in, Linear& target, float gain) {
    matrix(name, out, in, target, gain);
    entries_.push_back({.name = name + ".bias", .shape = {out}, .target = &target.bias, .deviation = 0.05F});
}

void WeightTable::layer_norm(const std::string& name, std::int64_t width, LayerNorm& target) {
    entries_.push_back(
        {.name = name + ".weight", .shape = {width}, .target = &target.weight, .mean = 1.0F, .deviation = 0.1F});
    entries_.push_back({.name = name + ".bias", .shape = {width}, .target = &target.bias, .deviation = 0.05F});
}

void WeightTable::table(
    const std::string& name, std::int64_t rows, std::int64_t width, HostTensor& target, float deviation) {
    entries_.push_back({.name = name + ".weight", .shape = {rows, width}, .target = &target, .deviation = deviation});
}

void WeightTable::fill_random(std::uint64_t seed) const {
    const Random source(seed);
    for (const WeightEntry& entry : entries_) {
        Random random = source.stream(entry.name);
        *entry.target = random.normal(entry.shape, entry.mean, entry.deviation);
    }
}

}  // namespace zoo::causal

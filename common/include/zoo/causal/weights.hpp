// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zoo/host_tensor.hpp"
#include "zoo/linear.hpp"

// The weights of causal models on the host, and the table that ties them to the names of a checkpoint.
namespace zoo::causal {

using Linear = LinearWeights;  // an empty bias is none

struct LayerNorm {
    HostTensor weight;  // [n_embd]
    HostTensor bias;
};
[[nodiscard]] LayerNormParameters layer_norm_parameters(const LayerNorm& weights, ttnn::MeshDevice& device);

struct WeightEntry {
    std::string name;
    Shape shape;  // of the target
    HostTensor* target = nullptr;
    // Of random values.
    float mean = 0.0F;
    float deviation = 1.0F;
    bool projection = false;  // the matrix of a linear layer
};

// A model's one table of names.
class WeightTable {
public:
    // gain is how much larger than its input the output of a random layer is.
    void matrix(const std::string& name, std::int64_t out, std::int64_t in, Linear& target, float gain);
    void linear(const std::string& name, std::int64_t out, std::int64_t in, Linear& target, float gain);
    void layer_norm(const std::string& name, std::int64_t width, LayerNorm& target);
    void table(const std::string& name, std::int64_t rows, std::int64_t width, HostTensor& target, float deviation);

    [[nodiscard]] const std::vector<WeightEntry>& entries() const { return entries_; }
    // A tensor's values depend on the seed and its name only.
    void fill_random(std::uint64_t seed) const;

private:
    std::vector<WeightEntry> entries_;
};

}  // namespace zoo::causal

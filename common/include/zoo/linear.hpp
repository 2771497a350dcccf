// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ttnn/types.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/layer_parameters.hpp"
#include "zoo/random.hpp"

// Fully connected layers, on the host and on the device.
namespace zoo {

struct LinearWeights {
    HostTensor weight;  // [out, in], as torch keeps it
    HostTensor bias;    // [out]
};

[[nodiscard]] LinearParameters linear_parameters(
    const LinearWeights& weights, ttnn::DataType dtype, ttnn::MeshDevice& device);

// The lines of a name table: NAME.weight and NAME.bias.
void add_rows(
    std::vector<WeightRow>& rows, const std::string& name, LinearWeights& linear, std::int64_t out, std::int64_t in);

// An output of the input's mean square. Values depend on the generator's seed and the name only.
[[nodiscard]] LinearWeights random_linear(
    const Random& random, const std::string& name, std::int64_t out, std::int64_t in);

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model_check.hpp"
#include "models/yolov4/weights.hpp"

namespace zoo::apps {

// Every module of the network in its three versions, on random input. Without libtorch: none.
std::vector<CheckedModule> yolov4_modules(
    const yolov4::Config& config, const yolov4::Weights& weights, ttnn::MeshDevice& device, std::uint64_t seed);

}  // namespace zoo::apps

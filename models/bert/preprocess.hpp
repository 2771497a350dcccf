// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/bert/config.hpp"
#include "models/bert/placement.hpp"
#include "models/bert/weights.hpp"
#include "ttnn/types.hpp"
#include "zoo/encoder/parameters.hpp"

namespace zoo::bert {

using encoder::DeviceInputs;
using encoder::EmbeddingsParameters;
using encoder::functional_format;
using encoder::Inputs;
using encoder::LayerParameters;
using encoder::optimized_format;
using encoder::ParameterFormat;
using encoder::preprocess;

// Weights on the device: what the TTNN versions take.
struct Parameters : encoder::HeadParameters {
    EmbeddingsParameters embeddings;
    std::vector<LayerParameters> layers;
};

// Copies to the device's DRAM, interleaved; of the heads those that are asked for and there. The host weights are not
// needed after that. encoder::preprocess() makes the trees of single modules.
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device,
    const Heads& heads = {});

}  // namespace zoo::bert

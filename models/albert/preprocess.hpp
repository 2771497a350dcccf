// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/albert/config.hpp"
#include "models/albert/placement.hpp"
#include "models/albert/weights.hpp"
#include "ttnn/types.hpp"
#include "zoo/encoder/parameters.hpp"

namespace zoo::albert {

using encoder::DeviceInputs;
using encoder::EmbeddingsParameters;
using encoder::functional_format;
using encoder::Inputs;
using encoder::LayerParameters;
using encoder::LinearParameters;
using encoder::optimized_format;
using encoder::ParameterFormat;
using encoder::preprocess;

// Weights on the device: what the TTNN versions take. A layer is there once, however often it runs.
struct Parameters : encoder::HeadParameters {
    EmbeddingsParameters embeddings;
    LinearParameters embedding_hidden_mapping;
    std::vector<std::vector<LayerParameters>> groups;
};

// Copies to the device's DRAM, interleaved; of the heads those that are asked for and there. The host weights are not
// needed after that.
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device,
    const Heads& heads = {});

}  // namespace zoo::albert

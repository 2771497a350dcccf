// SPDX-License-Identifier: Apache-2.0
#pragma once

// The same networks as torch::nn modules, written against torch's own classes: an opinion independent of the goldens.

#include "models/bert/config.hpp"
#include "models/bert/inputs.hpp"
#include "models/bert/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::bert::torch_modules {

// Hugging Face's BertIntermediate: a torch::nn::Linear and GELU.
[[nodiscard]] HostTensor intermediate(const Config& config, const Linear& weights, const HostTensor& hidden);

// torch::nn::TransformerEncoder with GELU: a BERT encoder is one, with other names.
[[nodiscard]] HostTensor encoder(
    const Config& config, const std::vector<LayerWeights>& layers, const HostTensor& hidden, const Inputs& inputs);

}  // namespace zoo::bert::torch_modules

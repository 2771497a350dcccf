// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"
#include "zoo/host_tensor.hpp"

// Weights of common layers on the device, as causal models take them: interleaved in DRAM, vectors as rows [1, width] in BFLOAT16.
namespace zoo {

struct LinearParameters {
    ttnn::Tensor weight;               // [in, out], TILE
    std::optional<ttnn::Tensor> bias;  // [1, out], TILE
};

struct LayerNormParameters {
    ttnn::Tensor weight;  // [1, width], TILE
    ttnn::Tensor bias;
};

// From torch's [out, in]. A bias without values is none.
[[nodiscard]] LinearParameters linear_parameters(
    const HostTensor& weight, const HostTensor& bias, ttnn::DataType dtype, ttnn::MeshDevice& device);
[[nodiscard]] LayerNormParameters layer_norm_parameters(
    const HostTensor& weight, const HostTensor& bias, ttnn::MeshDevice& device);
// [rows, width], BFLOAT16 and ROW_MAJOR, as the embedding op reads it.
[[nodiscard]] ttnn::Tensor table_parameter(const HostTensor& table, ttnn::MeshDevice& device);

}  // namespace zoo

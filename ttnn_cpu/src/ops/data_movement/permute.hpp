// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ttnn/tensor/tensor.hpp>

#include "ops/data_movement/common.hpp"

namespace ttnn_cpu {

// The padded shape of `shape` in a layout, shards apart.
tt::tt_metal::Shape tile_padded(const tt::tt_metal::Shape& shape, tt::tt_metal::Layout layout);

// From a tensor to the one whose dimension i is dims[i] of it. New padding becomes `fill`.
Transfer permuted_transfer(
    const tt::tt_metal::TensorSpec& from, const tt::tt_metal::TensorSpec& to, const std::vector<std::uint32_t>& dims,
    std::uint32_t fill);

// PermuteDeviceOperation, for any rank.
ttnn::Tensor permute_op(
    const ttnn::Tensor& input, const std::vector<std::uint32_t>& dims, const tt::tt_metal::MemoryConfig& memory,
    float pad_value);

}  // namespace ttnn_cpu

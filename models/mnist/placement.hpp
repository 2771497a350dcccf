// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/mnist/config.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"

namespace zoo::mnist {

// Where the optimized network keeps its activations, for one batch size: in L1, each core with some rows of pixels and all
// channels; the linear layers work on interleaved rows.
struct Placement {
    std::int64_t batch = 0;
    std::int64_t input_channels = 8;  // of the pixels: rows of 16 bytes, as sharding wants them

    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT8_B;
    ttnn::DataType activation_dtype = ttnn::DataType::BFLOAT16;  // max-pools take no other

    ttnn::TensorMemoryLayout shard_layout = ttnn::TensorMemoryLayout::HEIGHT_SHARDED;
    ttnn::MemoryConfig head;         // behind the convolutions
    ttnn::CoreGrid head_grid{1, 1};  // of the linear layers
    ttnn::DeviceComputeKernelConfig kernel;
};

// `grid` is the device's compute_with_storage_grid_size(). Error for a batch that is not positive.
[[nodiscard]] Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& grid);

}  // namespace zoo::mnist

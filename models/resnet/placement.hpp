// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/resnet/config.hpp"
#include "ttnn/operations/conv/conv2d/conv2d.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/types.hpp"

namespace zoo::resnet {

// Where the optimized model keeps its activations and how it cuts its work, for one batch size.
//
// Activations stay in L1 in shards from the first convolution to the classifier. Early stages have many pixels and few
// channels and are cut by pixels (height sharded); late ones have few pixels and many channels and are cut by both (block
// sharded).
struct Placement {
    std::int64_t batch = 0;
    // Images come with zeros behind their three channels. A stem of stride 2 is folded into one of stride 1 on 2x2
    // pixels: 16 channels then, which fill the rows that the convolution reads.
    std::int64_t input_channels = 4;

    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT8_B;
    ttnn::DataType activation_dtype = ttnn::DataType::BFLOAT8_B;
    ttnn::DataType head_dtype = ttnn::DataType::BFLOAT16;  // of the means and the logits

    ttnn::Conv2dConfig stem;
    struct Stage {
        ttnn::Conv2dConfig pointwise;  // 1x1
        ttnn::Conv2dConfig window;     // 3x3
    };
    std::array<Stage, kStages> stages;

    ttnn::MemoryConfig last;  // what the means are taken of: width sharded
    ttnn::operations::matmul::MatmulProgramConfig classifier;

    ttnn::DeviceComputeKernelConfig conv_kernel;
    ttnn::DeviceComputeKernelConfig head_kernel;
};

// `grid` is the device's compute_with_storage_grid_size(). Error for a batch that does not fit the device's L1.
[[nodiscard]] Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& grid);

}  // namespace zoo::resnet

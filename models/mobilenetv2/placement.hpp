// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/mobilenetv2/config.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/types.hpp"

namespace zoo::mobilenetv2 {

// Where the optimized model keeps its activations and how it cuts its work, for one batch size.
//
// Everything stays in L1, in shards. Wide images of few channels are cut by height: each core takes some rows of pixels
// and all channels. Behind the third stage images are small and channels many, so that weights no longer fit one core:
// they are cut in both directions. TTNN itself chooses the cores of a layout.
struct Placement {
    std::int64_t batch = 0;
    std::int64_t input_channels = 8;  // of the pixels: rows of 16 bytes, as sharding wants them

    // Of the stem and the 1x1 convolutions: 16 channels would share an exponent, which costs as much as all other roundings together,
    // and the weights are few. A row of a depthwise kernel has one value among zeros, so it keeps its bits in bfloat8_b.
    ttnn::DataType dense_dtype = ttnn::DataType::BFLOAT16;
    ttnn::DataType depthwise_dtype = ttnn::DataType::BFLOAT8_B;
    ttnn::DataType classifier_dtype = ttnn::DataType::BFLOAT8_B;
    ttnn::DataType stream_dtype = ttnn::DataType::BFLOAT16;  // between blocks: what residuals add up in

    struct Conv {
        ttnn::TensorMemoryLayout shard_layout = ttnn::TensorMemoryLayout::HEIGHT_SHARDED;
        std::uint32_t act_block_h = 0;  // rows of a block of activations; 0: all of a core
        bool double_buffer = true;      // of activations: reading goes on while a block computes
    };
    struct Block {
        Conv expand;
        Conv depthwise;
        Conv project;
        // Of what the first two give, where tensors are widest: bfloat16 while a core has room for it, else bfloat8_b, which ReLU6
        // makes easy by keeping all values in one range.
        ttnn::DataType expanded_dtype = ttnn::DataType::BFLOAT8_B;
        ttnn::DataType filtered_dtype = ttnn::DataType::BFLOAT8_B;
    };
    Conv stem;
    ttnn::DataType stem_dtype = ttnn::DataType::BFLOAT8_B;  // of its result, which the first block reads
    std::vector<Block> blocks;
    Conv last;

    // What the mean reads: of several images, each core takes all pixels of some channels.
    ttnn::MemoryConfig pixels;
    ttnn::MemoryConfig head;  // of the means and the logits
    ttnn::operations::matmul::MatmulProgramConfig classifier;

    ttnn::DeviceComputeKernelConfig conv_kernel;
    ttnn::DeviceComputeKernelConfig head_kernel;
};

// `grid` is the device's compute_with_storage_grid_size(). Error for a batch that is not positive, or that does not fit.
[[nodiscard]] Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& grid);

}  // namespace zoo::mobilenetv2

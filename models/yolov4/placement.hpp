// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/yolov4/config.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"

namespace zoo::yolov4 {

// Where the optimized versions keep their maps and how they cut their work: the only tuned numbers.
//
// Maps stay in L1, sharded, from the first convolution to the heads. Large maps of few channels are cut along their pixels (height), small
// ones of many channels along both (block), so that all cores have work. Convolutions of stride 2 move their input to the next stage's
// shards; all others leave it where it is.
struct Placement {
    // Of the maps of one size.
    struct Stage {
        ttnn::TensorMemoryLayout shard_layout = ttnn::TensorMemoryLayout::HEIGHT_SHARDED;
        ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
        std::uint32_t act_block_h = 0;  // rows of a block of 3x3 convolutions; 0 for TTNN's choice
    };

    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT8_B;
    std::array<Stage, 6> stages;  // of strides 1, 2, 4, 8, 16 and 32
    ttnn::MemoryConfig head;      // of a head's map and what it turns into: interleaved
    ttnn::DeviceComputeKernelConfig conv_kernel;

    ttnn::CoreCoord grid;

    // Of maps with one value for `stride` pixels; `stride` is one of those above.
    [[nodiscard]] const Stage& at(std::uint32_t stride) const;
    // Shards for a map that comes from elsewhere.
    [[nodiscard]] ttnn::MemoryConfig shards(const Stage& stage, std::uint32_t pixels, std::uint32_t channels) const;
};

// Error, saying what does not fit and by how much, for pictures that are too large for the L1 of the grid's cores.
[[nodiscard]] Placement placement_for(const Config& config, const ttnn::CoreCoord& grid);

}  // namespace zoo::yolov4

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ttnn::operations::op_slicing {

// How an op on images [N, H, W, C] in DRAM is cut into parts that fit L1.
struct Op2DSliceConfig {
    enum class SliceType : uint8_t {
        DRAM_HEIGHT,
        DRAM_WIDTH,
        L1_FULL,  // not at all: the input moves to L1 and the output stays there
    };
    SliceType slice_type = SliceType::DRAM_WIDTH;
    // 0: as few as fit.
    uint32_t num_slices = 0;
};

}  // namespace ttnn::operations::op_slicing

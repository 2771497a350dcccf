// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"

namespace zoo::causal {

// The tuned choices that causal models share; a model adds the programs of its matrices.
struct Placement {
    std::int64_t batch = 1;
    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT8_B;
    ttnn::MemoryConfig activations = ttnn::L1_MEMORY_CONFIG;
    ttnn::CoreGrid grid{8, 8};  // of the matmuls over a sequence, whose configs TTNN chooses

    ttnn::DeviceComputeKernelConfig matmul_kernel;
    ttnn::DeviceComputeKernelConfig gelu_kernel;  // of the matmul that ends in GELU
    ttnn::DeviceComputeKernelConfig attention_kernel;
    ttnn::DeviceComputeKernelConfig layer_norm_kernel;
};

// Error in `where` for a batch that one tile of rows does not hold.
[[nodiscard]] Placement placement_for(std::int64_t batch, const ttnn::CoreCoord& device_grid, std::string_view where);

}  // namespace zoo::causal

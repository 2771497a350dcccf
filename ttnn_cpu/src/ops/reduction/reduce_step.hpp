// SPDX-License-Identifier: Apache-2.0
#pragma once

// One device operation of a reduction.
#include <cstdint>
#include <optional>
#include <string_view>

#include <tt-metalium/core_coord.hpp>
#include <ttnn/operations/core/compute_kernel/compute_kernel_config.hpp>
#include <ttnn/tensor/tensor.hpp>
#include <ttnn/types.hpp>

namespace ttnn_cpu {

enum class ReduceMath : std::uint8_t { Sum, Max, Min, Std, Var };

// Width and Height are the last two dimensions; Slices is one of the dimensions before them.
enum class ReduceAxis : std::uint8_t { Width, Height, HeightAndWidth, Slices };

struct ReduceStep {
    std::string_view function;  // for messages
    ReduceMath math = ReduceMath::Sum;
    ReduceAxis axis = ReduceAxis::Width;
    std::size_t slice_dim = 0;  // for Slices
    float scalar = 1.0F;        // multiplies the result
    bool correction = true;     // for Std and Var
    bool vector_unit = false;   // FLOAT32: whole float32 on the vector unit, not TF32 in the matrix unit
    ttnn::DataType output_dtype;
    ttnn::MemoryConfig memory;
    ttnn::DeviceComputeKernelConfig config;
    std::optional<tt::tt_metal::CoreRangeSet> sub_core_grids;
};

// Runs one step; reduced dimensions keep size 1 and the layout stays. HeightAndWidth is for Std and Var, and for the Sum
// of a tensor of one tile; Slices for Sum.
ttnn::Tensor run_reduce(const ReduceStep& step, const ttnn::Tensor& input);

}  // namespace ttnn_cpu

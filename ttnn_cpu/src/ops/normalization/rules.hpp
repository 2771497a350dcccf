// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the normalisation ops share: rules for shards, text of configs, sizes of work.
#include <cstdint>
#include <string_view>

#include <ttnn/operations/core/compute_kernel/compute_kernel_config.hpp>
#include <ttnn/tensor/tensor.hpp>

#include "core/json_text.hpp"
#include "ops/stored_matrix_of.hpp"

namespace ttnn_cpu {

constexpr std::uint32_t kTile = 32;

// The shards cover the tensor, lie on whole tiles and fit the grid of the program config. Throws what TTNN says
// otherwise.
void check_sharded_input(std::string_view op, const ttnn::Tensor& tensor, const tt::tt_metal::CoreCoord& program_grid);

JsonText describe(const ttnn::DeviceComputeKernelConfig& config);

// Bytes of a tile in the format of intermediate results.
std::uint64_t tile_bytes(tt::tt_metal::DataType dtype);
std::uint64_t intermediate_tile_bytes(const ttnn::DeviceComputeKernelConfig& config);

// Cores that share `units` of work: as many as there are units, up to the whole grid.
std::uint32_t cores_for(const ttnn::Tensor& tensor, std::size_t units);

}  // namespace ttnn_cpu

// SPDX-License-Identifier: Apache-2.0
#include "ops/normalization/rules.hpp"

#include <algorithm>

#include <tt-metalium/mesh_device.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"

namespace ttnn_cpu {

using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::DataType;
using tt::tt_metal::TensorMemoryLayout;

void check_sharded_input(std::string_view op, const ttnn::Tensor& tensor, const CoreCoord& program_grid) {
    const auto& shard = *tensor.shard_spec();
    const std::uint32_t cores = shard.grid.num_cores();
    TT_FATAL(cores > 0, "{}: Shard grid must have at least one core", op);
    const CoreCoord device_grid = tensor.device()->compute_with_storage_grid_size();
    TT_FATAL(
        program_grid.x <= device_grid.x && program_grid.y <= device_grid.y,
        "{}: program_config grid ({}x{}) must be contained within device grid ({}x{})", op, program_grid.x,
        program_grid.y, device_grid.x, device_grid.y);
    const CoreCoord box = shard.grid.bounding_box().grid_size();
    TT_FATAL(
        box.x <= program_grid.x && box.y <= program_grid.y,
        "{}: shard_spec.grid size {}x{} does not fit within program_config grid {}x{}", op, box.x, box.y,
        program_grid.x, program_grid.y);
    TT_FATAL(
        shard.shape[0] % kTile == 0 && shard.shape[1] % kTile == 0,
        "{}: shard height {} must be divisible by tile height {}, and shard width {} by tile width {}", op,
        shard.shape[0], kTile, shard.shape[1], kTile);
    const std::uint64_t width = tensor.tensor_spec().physical_shape().width();
    const std::uint64_t height = tensor.tensor_spec().physical_shape().height();
    std::uint64_t down = divide_up(height, shard.shape[0]);
    std::uint64_t across = divide_up(width, shard.shape[1]);
    if (tensor.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED) {
        down = cores;
        across = 1;
    } else if (tensor.memory_config().memory_layout() == TensorMemoryLayout::WIDTH_SHARDED) {
        down = 1;
        across = cores;
    }
    TT_FATAL(
        down * across == cores, "{}: Shard layout requires {}x{} = {} shards but shard grid has {} cores", op, down,
        across, down * across, cores);
    const auto covers = [](std::uint64_t count, std::uint64_t shard_size, std::uint64_t size) {
        return count * shard_size >= size && count * shard_size - size < shard_size;
    };
    TT_FATAL(
        covers(down, shard.shape[0], height) && covers(across, shard.shape[1], width),
        "{}: {}x{} shards of {}x{} do not align with the tensor's {}x{}: trailing pad must be less than one shard", op,
        down, across, shard.shape[0], shard.shape[1], height, width);
}

JsonText describe(const ttnn::DeviceComputeKernelConfig& config) {
    JsonText json;
    json.field("math_fidelity", config.math_fidelity)
        .field("math_approx_mode", config.math_approx_mode)
        .field("fp32_dest_acc_en", config.fp32_dest_acc_en)
        .field("packer_l1_acc", config.packer_l1_acc)
        .field("dst_full_sync_en", config.dst_full_sync_en);
    return json;
}

std::uint64_t tile_bytes(DataType dtype) { return storage_bytes(dtype, kTile * kTile); }

std::uint64_t intermediate_tile_bytes(const ttnn::DeviceComputeKernelConfig& config) {
    return tile_bytes(config.fp32_dest_acc_en ? DataType::FLOAT32 : DataType::BFLOAT16);
}

std::uint32_t cores_for(const ttnn::Tensor& tensor, std::size_t units) {
    const CoreCoord grid = tensor.device()->compute_with_storage_grid_size();
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(units, 1, grid.x * grid.y));
}

}  // namespace ttnn_cpu

// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/halo.hpp"

#include <memory>
#include <vector>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/tensor_impl.hpp"
#include "kernels/movement_copy.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/move.hpp"

namespace ttnn_cpu::sliding {

using tt::tt_metal::BufferType;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

struct Stash {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::vector<std::byte> copy;
};

// A halo and its consumer run one after the other on the thread of their queue.
Stash& stash() {
    thread_local Stash instance;
    return instance;
}

TensorSpec output_spec(const Tensor& input, const HaloRequest& request, std::uint32_t sticks) {
    const DataType dtype =
        input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::UINT16 ? input.dtype() : DataType::BFLOAT16;
    const ShardSpec& shard = *input.shard_spec();
    const MemoryConfig memory(
        input.memory_config().memory_layout(), input.memory_config().buffer_type(),
        ShardSpec(shard.grid, {sticks, shard.shape[1]}, shard.orientation));
    const std::uint32_t rows = request.window.cores_nhw * sticks;
    const auto width = static_cast<std::uint32_t>(round_up(input.padded_shape()[-1], shard.shape[1]));
    return TensorSpec(Shape{1, 1, rows, width}, TensorLayout(dtype, PageConfig(Layout::ROW_MAJOR), memory));
}

}  // namespace

const std::byte* haloed_input(const std::byte* output, std::size_t output_bytes) {
    Stash& kept = stash();
    if (kept.data + kept.bytes <= output || output + output_bytes <= kept.data) {
        return kept.data;
    }
    if (kept.copy.size() < kept.bytes) {
        kept.copy.resize(kept.bytes);
    }
    kernels::copy_bytes(kept.bytes, kept.data, kept.copy.data());
    return kept.copy.data();
}

Tensor make_table(
    const ParallelConfig& parallel, std::uint32_t length, bool in_dram, tt::tt_metal::distributed::MeshDevice* device) {
    const auto cores = static_cast<std::uint32_t>(in_dram ? parallel.cores_nhw() : parallel.grid.num_cores());
    const MemoryConfig memory =
        in_dram ? MemoryConfig()
                : MemoryConfig(
                      TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1_SMALL, ShardSpec(parallel.grid, {1, length}));
    return make_device_tensor(
        TensorSpec(Shape{cores, length}, TensorLayout(DataType::UINT16, PageConfig(Layout::ROW_MAJOR), memory)),
        device);
}

Tensor halo(const Tensor& input, const HaloRequest& request) {
    check_device_tensors("HaloDeviceOperation", {&input});
    TT_FATAL(input.memory_config().is_sharded(), "Halo expects sharded input tensor");
    const std::uint32_t sticks = max_halo_sticks(request.window);
    const Window& window = request.window;
    const TensorSpec spec = output_spec(input, request, sticks);
    const std::size_t bytes = input.tensor_spec().compute_packed_buffer_size_bytes();
    return launch({.name = "HaloDeviceOperation",
                   .attributes = JsonText()
                                     .field("batch_size", window.batch)
                                     .field("input_hw", window.input)
                                     .field("window_hw", window.kernel)
                                     .field("stride_hw", window.stride)
                                     .field("padding", window.padding)
                                     .field("dilation_hw", window.dilation)
                                     .field("ceil_pad_hw", window.ceil_pad)
                                     .field("num_cores_nhw", window.cores_nhw)
                                     .field("snap_to_tile", window.snap_to_tile)
                                     .field("pad_val", request.pad_value)
                                     .field("max_out_nsticks_per_core", sticks)
                                     .field("config_tensors_in_dram", request.tables_in_dram)
                                     .str(),
                   .inputs = {input},
                   .output_specs = {spec},
                   .create_program =
                       [&](Numerics) {
                           const ShardSpec& shard = *input.shard_spec();
                           const bool tiled = input.layout() == Layout::TILE;
                           auto tables = std::make_shared<std::vector<Tensor>>();
                           std::uint64_t table_bytes = 0;
                           for (const std::uint32_t length : halo_table_lengths(window, shard.shape[0], tiled)) {
                               tables->push_back(
                                   make_table(request.parallel, length, request.tables_in_dram, input.device()));
                               table_bytes += round_up(std::uint64_t{2} * length, 16);
                           }
                           Program program;
                           program.core_count = shard.num_cores();
                           const std::uint64_t stick = round_up(storage_bytes(spec.data_type(), shard.shape[1]), 16);
                           program.circular_buffer_bytes = 2 * stick;
                           if (tiled) {
                               program.circular_buffer_bytes +=
                                   4 * divide_up(shard.shape[1], 32) * storage_bytes(spec.data_type(), 1024);
                           }
                           if (request.tables_in_dram) {
                               program.circular_buffer_bytes += table_bytes;
                           }
                           program.lends_input = true;
                           program.writes_output = false;
                           program.kernel = [bytes, tables](std::span<const BufferRef> in, std::span<const BufferRef>) {
                               stash().data = in[0].data;
                               stash().bytes = bytes;
                           };
                           return program;
                       }})
        .front();
}

Tensor move(Tensor& tensor) {
    const TensorSpec spec = tensor.tensor_spec();
    const auto address = tensor.buffer()->address();
    tt::tt_metal::distributed::MeshDevice* const device = tensor.device();
    tensor.deallocate(true);
    Tensor moved = make_device_tensor(spec, device);
    if (moved.buffer()->address() == address) {
        return moved;
    }
    return launch({.name = "MoveDeviceOperation",
                   .attributes = JsonText().field("output_mem_config", spec.memory_config()).str(),
                   .inputs = {moved},
                   .outputs = {moved},
                   .create_program =
                       [&](Numerics) {
                           Program program;
                           program.core_count = spec.memory_config().shard_spec()->num_cores();
                           program.writes_output = false;
                           program.kernel = [](std::span<const BufferRef>, std::span<const BufferRef>) {};
                           return program;
                       }})
        .front();
}

Tensor move_with_contents(Tensor& tensor) {
    const TensorSpec spec = tensor.tensor_spec();
    const std::byte* const from = tensor.impl().buffer()->impl().data();
    const std::shared_ptr<PackedForms> forms = tensor.impl().buffer()->impl().packed();
    tt::tt_metal::distributed::MeshDevice* const device = tensor.device();
    tensor.deallocate(true);
    const Tensor moved = make_device_tensor(spec, device);
    if (const std::ptrdiff_t distance = from - moved.impl().buffer()->impl().data(); distance != 0) {
        launch_move(moved, distance);
    } else {
        moved.impl().buffer()->impl().continue_forms(forms);
    }
    return moved;
}

}  // namespace ttnn_cpu::sliding

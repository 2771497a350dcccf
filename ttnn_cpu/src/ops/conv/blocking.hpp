// SPDX-License-Identifier: Apache-2.0
#pragma once

// How TTNN's conv cuts its work into blocks, what that takes of L1, and which sharding it therefore prefers.
#include <array>
#include <cstdint>
#include <optional>

#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <ttnn/operations/conv/conv2d/conv2d.hpp>

#include "ops/conv/parallel.hpp"
#include "ops/conv/window.hpp"

namespace ttnn_cpu::conv_op {

using sliding::Padding;
using sliding::Pair;
using sliding::ParallelConfig;
using ttnn::Conv2dConfig;
using ttnn::DataType;
using ttnn::DeviceComputeKernelConfig;
using ttnn::Layout;
using ttnn::MemoryConfig;
using ttnn::TensorMemoryLayout;

constexpr std::uint32_t kTile = 32;

// A convolution as its arguments say it, without tensors.
struct ConvShape {
    std::uint32_t batch = 1;
    std::uint32_t in_channels = 1;
    std::uint32_t out_channels = 1;
    Pair input{1, 1};
    Pair kernel{1, 1};
    Pair stride{1, 1};
    Padding padding{0, 0, 0, 0};
    Pair dilation{1, 1};
    std::uint32_t groups = 1;

    Pair output() const;
    sliding::Window window() const;
    // Runs as a matmul; not when width sharding is asked for.
    bool is_matmul(const Conv2dConfig& config) const;
    // One-dimensional, every channel its own group, no bias: the only groups that have a kernel of their own.
    bool is_depthwise_1d(bool has_bias) const;
};

struct ConvBlocks {
    std::uint32_t act_block_h = 0;  // tiles
    std::uint32_t act_block_w = 0;
    std::uint32_t out_subblock_h = 0;
    std::uint32_t out_subblock_w = 0;
};

// Where and in what pieces a convolution runs.
struct ConvPlan {
    ParallelConfig input;
    ParallelConfig output;
    std::uint32_t in_channels_padded = 0;
    MemoryConfig output_memory;
    std::uint32_t out_tiles_h = 0;  // of a core
    std::uint32_t out_tiles_w = 0;
    ConvBlocks blocks;
    bool coalesced_taps = false;  // of a one-dimensional depthwise conv
};

// Input channels are padded to a multiple of this times the cores along channels.
std::uint32_t channels_alignment(
    TensorMemoryLayout scheme, Layout layout, bool sliced, bool is_matmul,
    const std::optional<MemoryConfig>& input_memory);

ParallelConfig output_parallel_config(
    const ParallelConfig& input, tt::tt_metal::CoreCoord grid, std::uint32_t out_channels, bool is_matmul,
    const Conv2dConfig& config);

ConvPlan make_plan(
    const ConvShape& shape, const ParallelConfig& input, std::uint32_t in_channels_padded, const Conv2dConfig& config,
    const DeviceComputeKernelConfig& compute, tt::tt_metal::CoreCoord grid, bool is_matmul, bool has_bias,
    DataType input_dtype);

// Shards for the input of a conv.
MemoryConfig input_memory_config(
    const ConvShape& shape, TensorMemoryLayout scheme, Layout layout, bool sliced, bool is_matmul,
    tt::tt_metal::CoreCoord grid, const Conv2dConfig& config, const std::optional<ParallelConfig>& parallel);

// What the conv op's circular buffers are sized by.
struct BufferRequest {
    const ConvShape* shape;
    const ConvPlan* plan;
    const Conv2dConfig* config;  // weights_dtype and shard_layout are set
    DeviceComputeKernelConfig compute;
    DataType input_dtype;
    DataType output_dtype;
    std::uint32_t weight_rows;
    std::uint32_t weight_columns;
    bool has_bias;
    std::uint32_t shard_channels;  // what a reader sees of the channels
    bool skip_activation_mcast = false;
    // Bytes of the reader's index table, where it is known.
    std::optional<std::uint32_t> index_bytes;
    tt::ARCH arch;
};

struct BufferSizes {
    std::uint64_t circular_buffers = 0;  // bytes a core
    std::uint64_t output = 0;
    bool split_reader = false;
};

BufferSizes conv_buffers(const BufferRequest& request);

struct L1Usage {
    std::uint32_t core_count = 0;
    std::uint64_t halo_input = 0;  // bytes a core
    std::uint64_t halo_output = 0;
    std::uint64_t total = 0;  // of the conv op and its input
};

L1Usage l1_usage(
    const ConvShape& shape, TensorMemoryLayout scheme, Conv2dConfig config, const DeviceComputeKernelConfig& compute,
    DataType input_dtype, DataType output_dtype, Layout input_layout, bool is_matmul, bool has_bias,
    tt::tt_metal::distributed::MeshDevice& device, const std::optional<MemoryConfig>& halo_input = std::nullopt);

// Sets config.shard_layout to the layout that takes the least of L1, unless it is set.
void choose_shard_layout(
    const ConvShape& shape, Conv2dConfig& config, const DeviceComputeKernelConfig& compute, DataType input_dtype,
    DataType output_dtype, Layout input_layout, bool is_matmul, bool has_bias,
    tt::tt_metal::distributed::MeshDevice& device);

bool packs_into_l1(const DeviceComputeKernelConfig& compute, bool has_bias, std::uint32_t k_blocks);

}  // namespace ttnn_cpu::conv_op

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A pool without its tensors: checks, sharding and circular buffers.
#include <optional>

#include <ttnn/operations/pool/generic/generic_pools.hpp>

#include "ops/conv/parallel.hpp"
#include "ops/conv/slicing.hpp"
#include "ops/conv/window.hpp"

namespace ttnn_cpu::pool_op {

using sliding::ParallelConfig;
using sliding::Window;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::distributed::MeshDevice;
using ttnn::Tensor;

enum class PoolType : unsigned char { Max, Average };

struct Pool {
    PoolType type = PoolType::Max;
    Window window;  // ceil_pad is set
    std::uint32_t channels = 1;
    bool ceil_mode = false;
    bool count_include_pad = true;
    std::optional<std::int32_t> divisor;
    std::optional<TensorMemoryLayout> scheme;
    std::optional<ttnn::DeviceComputeKernelConfig> compute;
    DataType dtype = DataType::BFLOAT16;
    Layout output_layout = Layout::ROW_MAJOR;
    bool tables_in_dram = false;

    bool tiled_output() const { return output_layout == Layout::TILE; }
    // Rows of a window that one reduction takes, on cores with `channels_a_core` channels.
    std::uint32_t rows_at_once(std::uint32_t channels_a_core) const;
    bool one_scalar() const;
};

void check_pool(const Pool& pool, const Tensor& input);

// The way to shard an input that takes least of L1.
ParallelConfig cheapest_parallel(const Pool& pool, Layout input_layout, MeshDevice& device);

// Shards for an input of `pixels` pixels.
MemoryConfig input_memory(
    const Pool& pool, std::uint32_t pixels, Layout input_layout, DataType input_dtype, MeshDevice& device);

// The cores' part of the output.
MemoryConfig output_memory(const Pool& pool, const MemoryConfig& input);

// Bytes a core.
std::uint64_t circular_buffers(const Pool& pool, const ParallelConfig& parallel, std::uint32_t table_bytes);
std::uint64_t l1_usage(const Pool& pool, const MemoryConfig& input, DataType input_dtype, Layout input_layout);

}  // namespace ttnn_cpu::pool_op

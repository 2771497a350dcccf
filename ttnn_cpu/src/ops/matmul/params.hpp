// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a matmul is asked for, and the sizes that its rules speak of.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ttnn/operations/matmul/matmul.hpp>

#include "core/json_text.hpp"

namespace ttnn_cpu::matmul_op {

using namespace ttnn::operations::matmul;
using tt::tt_metal::BufferType;
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt::tt_metal::DataType;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::ShardOrientation;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;
using ttnn::UnaryWithParam;

using MultiCoreConfig = MatmulMultiCoreProgramConfig;
using ReuseConfig = MatmulMultiCoreReuseProgramConfig;
using Mcast2DConfig = MatmulMultiCoreReuseMultiCastProgramConfig;
using Mcast1DConfig = MatmulMultiCoreReuseMultiCast1DProgramConfig;
using DramShardedConfig = MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig;
using BatchedDramShardedConfig = MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig;

constexpr std::uint32_t kTile = 32;

struct Params {
    std::optional<MatmulProgramConfig> program_config;
    bool broadcast_batch = false;
    MemoryConfig output_mem_config;
    DataType output_dtype = DataType::BFLOAT16;
    ttnn::DeviceComputeKernelConfig compute_kernel_config;
    bool untilize_out = false;
    std::optional<CoreCoord> core_grid;
    std::optional<UnaryWithParam> activation;
    bool batched_b = false;
    bool transpose_a = false;
    bool transpose_b = false;
};

// Shapes after the transposes. Tiles are 32 by 32.
struct Sizes {
    Sizes(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b);

    Shape a;
    Shape b;
    Shape a_padded;
    Shape b_padded;
    std::uint32_t batch_a = 1;
    std::uint32_t batch_b = 1;
    std::uint32_t m_tiles = 0;  // of one batch element
    std::uint32_t k_tiles = 0;
    std::uint32_t n_tiles = 0;

    std::uint32_t m_tiles_of(bool fuse_batch) const { return fuse_batch ? batch_a * m_tiles : m_tiles; }
};

// Product of the dimensions in front of the last two.
std::uint32_t batch_size(const Shape& shape);
std::uint32_t tile_bytes(DataType dtype);
std::uint32_t div_up(std::uint32_t value, std::uint32_t divisor);

// Torch's rule, without broadcast of the batch but for an a with batch 1.
Shape output_shape(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b);

// TTNN's name of the config's type, as its messages have it.
std::string_view config_name(const MatmulProgramConfig& config);
std::string_view activation_name(ttnn::UnaryOpType type);

JsonText to_json(const UnaryWithParam& activation);
JsonText to_json(const MatmulProgramConfig& config);
JsonText to_json(const ttnn::DeviceComputeKernelConfig& config);
JsonText to_json(const Params& params);

// Gives every config that has them the cores it runs on.
void normalize(MatmulProgramConfig& config, const CoreCoord& device_grid);

// The config given, or the one that TTNN chooses. bias_tile_bytes is 0 when there is none.
MatmulProgramConfig choose_program_config(
    const Tensor& a, const Tensor& b, const Params& params, std::uint32_t bias_tile_bytes);

}  // namespace ttnn_cpu::matmul_op

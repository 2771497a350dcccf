// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ops that the libraries of tt-metal v0.77.0 export and whose headers its packages lack, or hold without what those include: there
// they are declared here, as v0.77.0 declares them. Everywhere else this is just the headers.
#include <array>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/transformer/sdpa_config.hpp"
#include "ttnn/types.hpp"

#if __has_include("ttnn/operations/experimental/transformer/nlp_concat_heads_decode/nlp_concat_heads_decode.hpp")
#include "ttnn/operations/experimental/transformer/nlp_concat_heads_decode/nlp_concat_heads_decode.hpp"
#include "ttnn/operations/experimental/transformer/nlp_create_qkv_heads_decode/nlp_create_qkv_heads_decode.hpp"
#else
namespace ttnn::experimental {

Tensor nlp_concat_heads_decode(
    const Tensor& input_tensor, uint32_t num_heads, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

std::tuple<Tensor, Tensor, Tensor> nlp_create_qkv_heads_decode(
    const Tensor& input_tensor, uint32_t num_heads, std::optional<const uint32_t> num_kv_heads,
    std::optional<std::array<Tensor, 3>>& optional_output_tensors, std::optional<const bool> overlap_qk_coregrid = true,
    const std::optional<const Tensor>& batch_offset = std::nullopt,
    std::optional<const uint32_t> slice_size = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn::experimental
#endif

// Packages hold this header, and lack one that it reads.
#if __has_include(                           \
    "ttnn/operations/ccl/ccl_common.hpp") && \
    !__has_include("ttnn/operations/transformer/sdpa/device/exp_ring_joint_sdpa_device_operation.hpp")
namespace ttnn::transformer {

Tensor scaled_dot_product_attention(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v,
    const std::optional<Tensor>& attn_mask = std::nullopt, bool is_causal = true,
    std::optional<float> scale = std::nullopt, std::optional<uint32_t> sliding_window_size = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<operations::transformer::SDPAProgramConfig> program_config = std::nullopt,
    std::optional<DeviceComputeKernelConfig> compute_kernel_config = std::nullopt,
    const std::optional<Tensor>& attention_sink = std::nullopt,
    const std::optional<Tensor>& cu_window_seqlens = std::nullopt);

}  // namespace ttnn::transformer
#else
#include "ttnn/operations/transformer/sdpa/sdpa.hpp"
#endif

#if __has_include("ttnn/operations/data_movement/tilize/tilize.hpp")
#include "ttnn/operations/data_movement/fold/fold.hpp"
#include "ttnn/operations/data_movement/split/split.hpp"
#include "ttnn/operations/data_movement/tilize/tilize.hpp"
#else
namespace ttnn {

Tensor fold(
    const Tensor& input_tensor, uint32_t stride_h, uint32_t stride_w, bool use_transpose_as_fold = false,
    const std::optional<const Shape>& output_shape = std::nullopt,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>, std::array<uint32_t, 6>> padding =
        std::array<uint32_t, 2>{0, 0},
    const std::optional<CoreRangeSet>& core_grid = std::nullopt,
    const std::optional<MemoryConfig>& override_memory_config = std::nullopt, bool collapse_output = false);

std::vector<Tensor> split(
    const Tensor& input_tensor, const ttsl::SmallVector<int64_t>& split_sizes, int64_t dim = 0,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

Tensor tilize(
    const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<DataType> output_dtype = std::nullopt, bool use_multicore = true, bool use_low_perf = false,
    tt::tt_metal::Tile tile = tt::tt_metal::Tile(), const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

}  // namespace ttnn
#endif

#if __has_include("ttnn/operations/reduction/topk/topk.hpp")
#include "ttnn/operations/reduction/topk/topk.hpp"
#else
namespace ttnn {

std::vector<Tensor> topk(
    const Tensor& input_tensor, uint32_t k, int8_t dim, bool largest, bool sorted,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt,
    const std::optional<Tensor>& indices_tensor = std::nullopt,
    std::optional<std::tuple<Tensor&, Tensor&>> preallocated_output_tensors = std::nullopt, bool stable = false);

}  // namespace ttnn
#endif

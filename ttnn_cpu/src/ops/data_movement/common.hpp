// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the ops that move data have in common: from specs to kernels.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/tensor/tensor.hpp>
#include <ttnn/tensor/types.hpp>

#include "core/json_text.hpp"
#include "core/launch.hpp"
#include "kernels/movement_convert.hpp"
#include "kernels/movement_copy.hpp"

namespace ttnn_cpu {

constexpr std::uint32_t kTileSide = 32;
constexpr std::uint32_t kL1Alignment = 16;    // bytes
constexpr std::uint32_t kDramAlignment = 32;  // bytes

kernels::MatrixShape matrix_of(const tt::tt_metal::TensorSpec& spec);

// The spec of a tensor that is padded to `padded` rather than to what its layout asks for at least.
tt::tt_metal::TensorSpec spec_with_padding(
    const tt::tt_metal::Shape& logical, tt::tt_metal::DataType dtype, tt::tt_metal::Layout layout,
    const tt::tt_metal::MemoryConfig& memory, const tt::tt_metal::Shape& padded);

// Logical shape, or padded shape, with ones in front up to `rank`.
std::vector<std::size_t> sizes_at_rank(const tt::tt_metal::Shape& shape, std::size_t rank);
// Elements from one index to the next of each dimension of the stored matrix.
std::vector<std::size_t> strides_at_rank(const tt::tt_metal::TensorSpec& spec, std::size_t rank);

// The bits of a padding value in a data type; block floats are filled as bfloat16.
std::uint32_t padding_bits(tt::tt_metal::DataType dtype, float value);
std::uint32_t padding_bits(tt::tt_metal::DataType dtype, const ttnn::PadValue& value);

// Cores that `spec` keeps busy: those with shards, or one for each tile or row while there are some.
std::uint32_t cores_for(const tt::tt_metal::TensorSpec& spec, tt::tt_metal::distributed::MeshDevice& device);

// Circular buffers of ops that pass pages on: two of each side that is not in the core's own L1 already. Wide pages are
// passed in parts.
std::uint64_t copy_buffer_bytes(const tt::tt_metal::TensorSpec& input, const tt::tt_metal::TensorSpec& output);

// One input on its way to the output of an op.
struct Transfer {
    kernels::StridedMove move;          // between the stored matrices
    std::optional<std::uint32_t> fill;  // bits for the padding of the output, written before the elements
    bool fill_all = false;              // `fill` goes everywhere, not only into the padding
    kernels::ConvertRule rule = kernels::ConvertRule::Pack;
};

// All logical elements from one spec to another of the same logical shape. Padding goes along where both sides are
// padded alike, and becomes zero otherwise.
Transfer whole_transfer(const tt::tt_metal::TensorSpec& from, const tt::tt_metal::TensorSpec& to);

struct MovementOp {
    std::string_view name;
    std::string attributes;
    std::vector<ttnn::Tensor> inputs;
    tt::tt_metal::TensorSpec output_spec;
    std::optional<ttnn::Tensor> output;  // to write into
    // One for each input.
    std::vector<Transfer> transfers;
    // Bytes of circular buffers a core; by default copy_buffer_bytes of the first input.
    std::optional<std::uint64_t> circular_buffer_bytes = std::nullopt;
};

ttnn::Tensor launch_movement(const MovementOp& op);

// launch_movement of one tensor with whole_transfer.
ttnn::Tensor launch_copy(
    std::string_view name, std::string attributes, const ttnn::Tensor& input, const tt::tt_metal::TensorSpec& spec,
    const std::optional<ttnn::Tensor>& output = std::nullopt, kernels::ConvertRule rule = kernels::ConvertRule::Pack,
    std::optional<std::uint64_t> circular_buffer_bytes = std::nullopt);

bool is_device_tensor(const ttnn::Tensor& tensor);
bool has_aligned_pages(const ttnn::Tensor& tensor);

}  // namespace ttnn_cpu

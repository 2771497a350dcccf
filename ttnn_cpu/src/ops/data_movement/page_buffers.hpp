// SPDX-License-Identifier: Apache-2.0
#pragma once

// Circular buffers of the programs that pass pages on, bytes a core, as TTNN's program factories size them.
#include <cstdint>
#include <span>

#include <ttnn/tensor/tensor.hpp>

namespace ttnn_cpu {

// Shards that are in L1 are read and written where they are; pages that cross go through a scratch pad.
std::uint64_t interleaved_to_sharded_buffers(const ttnn::Tensor& input, const tt::tt_metal::TensorSpec& output);
std::uint64_t sharded_to_interleaved_buffers(const ttnn::Tensor& input, const tt::tt_metal::TensorSpec& output);
// Of shards that become shards: none, but for two tiled inputs side by side.
std::uint64_t concat_buffers(
    std::span<const ttnn::Tensor> inputs, const tt::tt_metal::TensorSpec& output, std::int64_t dim);
// `first` is where the slice begins in a row.
std::uint64_t slice_buffers(
    const ttnn::Tensor& input, const tt::tt_metal::TensorSpec& output, std::uint32_t first, bool strided);
// Of a change of the order of dimensions: two pages, and two more where `turns` says that tiles are transposed too.
std::uint64_t permute_buffers(const ttnn::Tensor& input, bool turns);
// Of rows that are cut anew.
std::uint64_t reshape_buffers(const ttnn::Tensor& input, const tt::tt_metal::TensorSpec& output);

// Of interleaved rows that are padded to `row_bytes`; `front` where some of the padding comes before them.
std::uint64_t pad_row_buffers(const ttnn::Tensor& input, std::uint64_t row_bytes, bool front);

}  // namespace ttnn_cpu

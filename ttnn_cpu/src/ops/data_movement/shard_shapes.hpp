// SPDX-License-Identifier: Apache-2.0
#pragma once

// The shards that an op gives its output when the caller did not say.
#include <optional>

#include <ttnn/tensor/tensor.hpp>

namespace ttnn_cpu {

// The shards of `from` scaled to another padded shape of the same rank; none when they do not divide.
std::optional<tt::tt_metal::ShardSpec> scaled_shards(
    const tt::tt_metal::ShardSpec& shards, const tt::tt_metal::Shape& from, const tt::tt_metal::Shape& to);

// Shards of whole tiles for `padded` over as many cores of the device as there are tiles for.
tt::tt_metal::ShardSpec fresh_shards(
    const ttnn::Tensor& input, const tt::tt_metal::Shape& padded, tt::tt_metal::TensorMemoryLayout layout,
    std::optional<tt::tt_metal::ShardOrientation> orientation = std::nullopt);

// `memory` with shards for an output of padded shape `padded` where it asks for shards without saying which.
tt::tt_metal::MemoryConfig with_shards(
    const ttnn::Tensor& input, const tt::tt_metal::Shape& padded, const tt::tt_metal::MemoryConfig& memory);

bool tile_sized(const tt::tt_metal::ShardSpec& shards);

// Row-major shards cut across the rows of a matrix that is no multiple of tiles: the card moves those by way of
// interleaved memory.
bool irregular_rows_in_shards(const ttnn::Tensor& tensor);

// Whether the transpose kernels work on the shards themselves: in L1, by height or width, cut evenly.
bool transposes_in_shards(const tt::tt_metal::TensorSpec& spec);

// Where ttnn::reshape puts a sharded output: on the same grid as far as it goes, else interleaved.
tt::tt_metal::MemoryConfig reshaped_memory(
    const tt::tt_metal::MemoryConfig& memory, const tt::tt_metal::TensorSpec& output, bool explicit_memory,
    const std::optional<tt::tt_metal::ShardSpec>& input_shards);

// The padded shape of a view.
tt::tt_metal::Shape view_padding(const tt::tt_metal::TensorSpec& spec, const tt::tt_metal::Shape& shape);

}  // namespace ttnn_cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn::prim {

enum class EmbeddingsType { GENERIC, PADDED, BINARY };

}  // namespace ttnn::prim

namespace ttnn {

// Rows of weight [vocabulary, hidden] (BFLOAT16, interleaved) by index: ids [batch, seq] (UINT32 or BFLOAT16) give
// [batch, seq, hidden], ids [seq] give [seq, hidden]. A pad token's row is kept on each core; its values are the table's.
[[nodiscard]] ttnn::Tensor embedding(
    const Tensor& input_tensor, const Tensor& weight_arg, const std::optional<int>& pad_token = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    ttnn::prim::EmbeddingsType embeddings_type = ttnn::prim::EmbeddingsType::GENERIC,
    std::optional<const DataType> dtype = std::nullopt, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

}  // namespace ttnn

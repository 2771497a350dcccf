// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/normalization/layernorm/layernorm.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/types.hpp"
#include "zoo/encoder/parameters.hpp"
#include "zoo/encoder/spec.hpp"
#include "zoo/preprocess.hpp"

namespace zoo::encoder {

// Where the optimized model keeps its activations and how it cuts its work, for one batch size and sequence length.
//
// Activations are block sharded: rows of cores share batch times sequence, columns of cores share the width. Attention
// is done in one of two ways:
//   - by head: each row of cores holds one sequence, each core whole heads of it. Heads are split, multiplied,
//     normalised and joined without leaving their core. Needs as many rows as sequences.
//   - spread: few sequences would leave rows of cores idle, so that each core takes some rows of the scores of one head
//     instead; queries, keys, values and the joined heads pass through interleaved L1.
struct Placement {
    std::int64_t batch = 0;
    std::int64_t sequence = 0;
    QkvOrder qkv_order = QkvOrder::Stacked;

    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT8_B;
    ttnn::DataType hidden_dtype = ttnn::DataType::BFLOAT16;  // the residual stream: outliers share no exponent there
    ttnn::DataType inner_dtype = ttnn::DataType::BFLOAT8_B;  // everything inside attention and feed forward

    struct Memory {
        ttnn::MemoryConfig embeddings;       // of words, segments and positions apart
        ttnn::MemoryConfig hidden;           // [batch * sequence, hidden_size], block sharded
        ttnn::MemoryConfig query_key_value;  // block sharded by head, else L1
        ttnn::MemoryConfig heads;            // of query, key and value apart
        ttnn::MemoryConfig scores;           // [batch * heads * sequence, sequence], height sharded
        ttnn::MemoryConfig context;          // [batch * heads * sequence, head_size]
        ttnn::MemoryConfig joined;           // [batch * sequence, hidden_size]
        ttnn::MemoryConfig intermediate;     // [batch * sequence, intermediate_size], block sharded
        ttnn::MemoryConfig head;             // what a task's head reads and returns
    } memory;

    struct Programs {
        ttnn::operations::matmul::MatmulProgramConfig query_key_value;
        ttnn::operations::matmul::MatmulProgramConfig scores;
        ttnn::operations::matmul::MatmulProgramConfig context;
        ttnn::operations::matmul::MatmulProgramConfig attention_output;
        ttnn::operations::matmul::MatmulProgramConfig intermediate;  // with GELU
        ttnn::operations::matmul::MatmulProgramConfig output;
        ttnn::SoftmaxProgramConfig softmax;
        ttnn::prim::LayerNormProgramConfig layer_norm;  // in place
    } programs;

    ttnn::DeviceComputeKernelConfig matmul_kernel;
    ttnn::DeviceComputeKernelConfig softmax_kernel;
    ttnn::DeviceComputeKernelConfig layer_norm_kernel;
    ttnn::DeviceComputeKernelConfig head_kernel;
};

// `grid` is the device's compute_with_storage_grid_size(). Error in `where` when the sequence is not a multiple of 32, the
// work cannot be cut evenly, or a core's L1 does not hold its part, saying how much is missing.
[[nodiscard]] Placement placement_for(
    std::string_view where, const LayerSpec& spec, std::int64_t batch, std::int64_t sequence,
    const ttnn::CoreCoord& grid);

// The program of a projection from an interleaved tensor [batch * sequence, in] to the hidden state.
[[nodiscard]] ttnn::operations::matmul::MatmulProgramConfig projection_to_hidden(
    const Placement& place, std::int64_t in, std::int64_t hidden_size);

[[nodiscard]] ParameterFormat optimized_format(const Placement& place);

}  // namespace zoo::encoder

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layer norm over stored matrices: decodes rows, calls the row kernels, encodes.
#include <cstddef>
#include <optional>

#include <ttnn_cpu/device_options.hpp>

#include "kernels/stored_matrix.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

namespace ttnn_cpu {

struct LayerNormKernel {
    kernels::StoredMatrix input;  // the output is stored alike
    std::size_t columns;          // logical
    float epsilon;
    bool rms;
    std::size_t shard_columns;  // of one core; 0 where the input is not sharded
    kernels::wormhole::MatrixUnit unit;
    bool approximate;
    std::optional<kernels::StoredMatrix> residual;
    // Their first elements, as many as the input has columns, are the row.
    std::optional<kernels::StoredMatrix> gamma;
    std::optional<kernels::StoredMatrix> beta;
    Numerics numerics;
};

struct LayerNormData {
    const std::byte* input = nullptr;
    const std::byte* residual = nullptr;
    const std::byte* gamma = nullptr;
    const std::byte* beta = nullptr;
    std::byte* out = nullptr;  // may be the input
};

// Columns past the logical ones become zero.
void layer_norm(const LayerNormKernel& kernel, const LayerNormData& data);

}  // namespace ttnn_cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tt-metalium/tensor/tensor_types.hpp>

namespace ttnn_cpu::kernels {

// How the matrix of a tensor is stored, for reading and writing runs of its elements in row-major order. A run of a block float
// starts and ends at a multiple of 16. Integers are not converted: use plain pointers for them.
struct StoredMatrix {
    tt::tt_metal::DataType dtype;
    std::size_t rows;
    std::size_t cols;

    std::size_t size() const { return rows * cols; }
    // True when every value is a bfloat16: BFLOAT16 and the block floats.
    bool fits_bf16() const { return dtype != tt::tt_metal::DataType::FLOAT32; }

    void load_f32(const std::byte* data, std::size_t first, std::size_t n, float* out) const;
    // Not for FLOAT32.
    void load_bf16(const std::byte* data, std::size_t first, std::size_t n, std::uint16_t* out) const;
    // With the device's packing rules.
    void store_f32(std::byte* data, std::size_t first, std::size_t n, const float* in) const;
    void store_bf16(std::byte* data, std::size_t first, std::size_t n, const std::uint16_t* in) const;
};

}  // namespace ttnn_cpu::kernels

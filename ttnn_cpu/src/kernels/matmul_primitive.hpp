// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kernels/onednn.hpp"

// oneDNN's matmul with float32 sums, on one thread.
namespace ttnn_cpu::kernels {

enum class WeightsLayout : unsigned char {
    Rows,     // [k, n]
    Columns,  // [n, k]
    Packed,   // what the primitive likes best, made by pack()
};

class MatmulPrimitive {
public:
    // All matrices are dense. With `like` given, Packed is the form that it reads.
    MatmulPrimitive(
        std::size_t m, std::size_t k, std::size_t n, OperandType type, WeightsLayout layout,
        const MatmulPrimitive* like = nullptr);
    ~MatmulPrimitive();
    MatmulPrimitive(const MatmulPrimitive&) = delete;
    MatmulPrimitive& operator=(const MatmulPrimitive&) = delete;

    // out [m, n] = in [m, k] * weights [k, n]. To be called inside parallel_for, which keeps it to one thread.
    void run(const void* in, const void* weights, float* out) const;

    // Packed: how many bytes, and from rows [k, n] or columns [n, k].
    [[nodiscard]] std::size_t packed_bytes() const;
    void pack(const void* weights, bool columns, void* packed) const;
    // Names the packed form: equal for primitives that read the same.
    [[nodiscard]] std::string packing() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ttnn_cpu::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Unary functions as TTNN 0.77 computes them on Wormhole's vector unit, bit for bit.
namespace ttnn_cpu::kernels {

enum class UnaryFunction : std::uint8_t {
    Identity,
    Exp,
    ExpApprox,
    Gelu,
    GeluApprox,
    GeluTanh,
    Tanh,
    TanhApprox,
    Sigmoid,
    SigmoidApprox,
    Silu,
    Mish,
    MishApprox,
    Reciprocal,
    Sqrt,
    Rsqrt,
    RsqrtApprox,
    Log,
    Log2,
    Log10,
    Erf,
    Relu,
    Relu6,
    ReluMax,    // param0: upper limit
    ReluMin,    // param0: lower limit
    LeakyRelu,  // param0: slope
    Clamp,      // param0: low, param1: high; hardtanh is the same
    Hardsigmoid,
    Hardswish,
    Softplus,  // param0: beta, param1: threshold
    Abs,
    Neg,
    Sign,
    Square,
    Power,  // param0: an integer from 0 on
    Floor,
    Ceil,
    Trunc,
    EqualZero,
    NotEqualZero,
    GreaterZero,
    LessZero,
    GreaterEqualZero,
    LessEqualZero,
    AddScalar,   // x + param0
    SubScalar,   // x - param0
    MulScalar,   // x * param0; a division passes 1 / divisor
    RsubScalar,  // param0 - x
};

struct UnaryOp {
    UnaryFunction function = UnaryFunction::Identity;
    float param0 = 0.0F;
    float param1 = 0.0F;

    friend bool operator==(const UnaryOp&, const UnaryOp&) = default;
};

// The format of the destination register, which decides the algorithm and the rounding of the result. TTNN uses Float32
// for FLOAT32 tensors, and where a compute config asks for it.
enum class Destination : std::uint8_t { Bfloat16, Float32 };

// What the function leaves in the destination for a value that is in it. With Bfloat16, x and the result are bfloat16
// values.
float apply_unary(const UnaryOp& op, float x, Destination destination);

// A chain of functions with a bfloat16 destination, from packed bfloat16 to packed bfloat16.
class UnaryTable {
public:
    explicit UnaryTable(std::span<const UnaryOp> chain);

    [[nodiscard]] std::uint16_t operator[](std::uint16_t bits) const { return entries_[bits]; }
    [[nodiscard]] const std::uint16_t* data() const { return entries_.data(); }
    // Of a chain that clamps from zero, as ReLU and ReLU6 do: the largest bfloat16 that it leaves, for all inputs but NaN.
    // 0 for any other chain. A clamp is much quicker than a look-up for each value.
    [[nodiscard]] std::uint16_t ceiling() const { return ceiling_; }

private:
    std::array<std::uint16_t, 65536> entries_;
    std::uint16_t ceiling_ = 0;
};

// The table of a chain, made at its first use (some ms) and kept for good. Safe from any thread.
const UnaryTable& unary_table(std::span<const UnaryOp> chain);
inline const UnaryTable& unary_table(const UnaryOp& op) { return unary_table(std::span(&op, 1)); }

// out[i] = table[in[i]]; out may be in.
void apply_unary_bf16(const UnaryTable& table, const std::uint16_t* in, std::size_t n, std::uint16_t* out);

// A chain on float32 tensors (float32 destination and packing); out may be in.
void apply_unary_f32(std::span<const UnaryOp> chain, const float* in, std::size_t n, float* out);

}  // namespace ttnn_cpu::kernels

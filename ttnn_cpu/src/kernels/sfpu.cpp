// SPDX-License-Identifier: Apache-2.0
#include "kernels/sfpu.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/sfpu_functions.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

using namespace sfpu;  // NOLINT: the models of this file's own unit

float truth(bool value) { return value ? 1.0F : 0.0F; }

// NaN takes part in no order: less, greater and their equals are all false for it.
bool is_nan(float x) { return (bits_of(x) & 0x7FFFFFFFU) > 0x7F800000U; }

float evaluate(const UnaryOp& op, float x, Destination destination) {
    const bool float32 = destination == Destination::Float32;
    switch (op.function) {
        case UnaryFunction::Identity:
            return x;
        case UnaryFunction::Exp:
            return float32 ? exp_float32(x) : exp_bf16(x);
        case UnaryFunction::ExpApprox:
            return exp_approx(x);
        case UnaryFunction::Gelu:
            return gelu(x, destination);
        case UnaryFunction::GeluApprox:
            return gelu_approx(x);
        case UnaryFunction::GeluTanh:
            return gelu_tanh(x, destination);
        case UnaryFunction::Tanh:
            return sfpu::tanh(x, destination);
        case UnaryFunction::TanhApprox:
            return tanh_approx(x);
        case UnaryFunction::Sigmoid:
            return rounded(sigmoid(x, destination), destination);
        case UnaryFunction::SigmoidApprox:
            return sigmoid_approx(x);
        case UnaryFunction::Silu:
            return silu(x, destination);
        case UnaryFunction::Mish:
            return mish(x, false, destination);
        case UnaryFunction::MishApprox:
            return mish(x, true, destination);
        case UnaryFunction::Reciprocal:
            return rounded(reciprocal(x, float32 ? 2 : 1), destination);
        case UnaryFunction::Sqrt:
            return sfpu::sqrt(x, false, destination);
        case UnaryFunction::Rsqrt:
            return sfpu::sqrt(x, true, destination);
        case UnaryFunction::RsqrtApprox:
            return rsqrt_approx(x, destination);
        case UnaryFunction::Log:
            return sfpu::log(x, 1.0F, destination);
        case UnaryFunction::Log2:
            return sfpu::log(x, 1.4426950408889634F, destination);
        case UnaryFunction::Log10:
            return sfpu::log(x, 0.4342944819032518F, destination);
        case UnaryFunction::Erf:
            return sfpu::erf(x, destination);
        case UnaryFunction::Relu:
            return maximum(x, 0.0F);
        case UnaryFunction::Relu6:
        case UnaryFunction::ReluMax: {
            const float limit = op.function == UnaryFunction::Relu6 ? 6.0F : op.param0;
            const float limited = greater(x, limit) ? limit : x;
            return negative(limited) ? 0.0F : limited;
        }
        case UnaryFunction::ReluMin:
            return maximum(x, op.param0);
        case UnaryFunction::LeakyRelu:
            return negative(x) ? mul(x, op.param0) : x;
        case UnaryFunction::Clamp:
            return clamp(x, op.param0, op.param1);
        case UnaryFunction::Hardsigmoid:
            return hardsigmoid(x);
        case UnaryFunction::Hardswish:
            return hardswish(x, destination);
        case UnaryFunction::Softplus:
            return softplus(x, op.param0, op.param1, destination);
        case UnaryFunction::Abs:
            return is_nan(x) ? x : magnitude(x);
        case UnaryFunction::Neg:
            return negate(x);
        case UnaryFunction::Sign:
            return negative(x) ? -1.0F : truth(bits_of(x) != 0);
        case UnaryFunction::Square:
            return mul(x, x);
        case UnaryFunction::Power:
            return power(x, static_cast<std::uint32_t>(op.param0));
        case UnaryFunction::Floor:
            return sfpu::floor(x);
        case UnaryFunction::Ceil:
            return sfpu::ceil(x);
        case UnaryFunction::Trunc:
            return sfpu::trunc(x);
        case UnaryFunction::EqualZero:
            return truth(bits_of(magnitude(x)) == 0);
        case UnaryFunction::NotEqualZero:
            return truth(bits_of(magnitude(x)) != 0);
        case UnaryFunction::GreaterZero:
            return truth(!is_nan(x) && x > 0.0F);
        case UnaryFunction::LessZero:
            return truth(!is_nan(x) && x < 0.0F);
        case UnaryFunction::GreaterEqualZero:
            return truth(!is_nan(x) && x >= 0.0F);
        case UnaryFunction::LessEqualZero:
            return truth(!is_nan(x) && x <= 0.0F);
        case UnaryFunction::AddScalar:
            return add(x, op.param0);
        case UnaryFunction::SubScalar:
            return sub(x, op.param0);
        case UnaryFunction::MulScalar:
            return mul(x, op.param0);
        case UnaryFunction::RsubScalar:
            return float32 ? sub(op.param0, x) : round_bf16_even(sub(op.param0, x));
    }
    return x;
}

float flush(float x) { return biased_exponent(x) == 0 ? 0.0F : x; }

constexpr std::uint16_t kBf16Infinity = 0x7F80;

// Not for NaN. Denormals are zero.
TTNN_CPU_ALWAYS_INLINE std::uint16_t clamp_bf16(std::uint16_t bits, std::uint16_t ceiling) {
    const std::uint16_t kept = bits >= 0x8000U || bits < 0x80U ? 0 : bits;
    return kept < ceiling ? kept : ceiling;
}

TTNN_CPU_SIMD_CLONES
void clamp_block(const std::uint16_t* in, std::size_t n, std::uint16_t ceiling, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = clamp_bf16(in[i], ceiling);
    }
}

TTNN_CPU_SIMD_CLONES
bool has_nan(const std::uint16_t* in, std::size_t n) {
    std::uint16_t found = 0;
    for (std::size_t i = 0; i < n; ++i) {
        found |= (in[i] & 0x7FFFU) > kBf16Infinity ? 1 : 0;
    }
    return found != 0;
}

struct CachedTable {
    std::vector<UnaryOp> chain;
    std::unique_ptr<const UnaryTable> table;
};

}  // namespace

float apply_unary(const UnaryOp& op, float x, Destination destination) {
    const float result = evaluate(op, x, destination);
    if (destination == Destination::Bfloat16) {
        return store_bf16(result);
    }
    return biased_exponent(result) == 0 ? from_bits(bits_of(result) & 0x80000000U) : result;
}

UnaryTable::UnaryTable(std::span<const UnaryOp> chain) : entries_() {
    for (std::uint32_t input = 0; input < entries_.size(); ++input) {
        // Moving an operand to the destination turns a denormal, and minus zero, into zero.
        float value = flush(bf16_to_float(static_cast<std::uint16_t>(input)));
        for (const UnaryOp& op : chain) {
            value = apply_unary(op, value, Destination::Bfloat16);
        }
        entries_[input] = bf16_round_away(value);
    }
    const std::uint16_t most = entries_[kBf16Infinity];
    bool clamps = true;
    for (std::uint32_t magnitude = 0; magnitude <= kBf16Infinity; ++magnitude) {
        const auto input = static_cast<std::uint16_t>(magnitude);
        clamps = clamps && entries_[input] == clamp_bf16(input, most) && entries_[input | 0x8000U] == 0;
    }
    ceiling_ = clamps ? most : 0;
}

const UnaryTable& unary_table(std::span<const UnaryOp> chain) {
    static std::mutex mutex;
    static std::vector<CachedTable>* const cache = new std::vector<CachedTable>;  // outlives every queue thread
    const std::lock_guard lock(mutex);
    for (const CachedTable& cached : *cache) {
        if (std::equal(chain.begin(), chain.end(), cached.chain.begin(), cached.chain.end())) {
            return *cached.table;
        }
    }
    cache->push_back({{chain.begin(), chain.end()}, std::make_unique<const UnaryTable>(chain)});
    return *cache->back().table;
}

void apply_unary_bf16(const UnaryTable& table, const std::uint16_t* in, std::size_t n, std::uint16_t* out) {
    const std::uint16_t* entries = table.data();
    constexpr std::size_t kBlock = 512;
    for (std::size_t first = 0; first < n; first += kBlock) {
        const std::size_t count = std::min(kBlock, n - first);
        if (table.ceiling() != 0 && !has_nan(in + first, count)) {
            clamp_block(in + first, count, table.ceiling(), out + first);
            continue;
        }
        for (std::size_t i = first; i < first + count; ++i) {
            out[i] = entries[in[i]];
        }
    }
}

void apply_unary_f32(std::span<const UnaryOp> chain, const float* in, std::size_t n, float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        float value = in[i];
        for (const UnaryOp& op : chain) {
            value = apply_unary(op, value, Destination::Float32);
        }
        out[i] = value;
    }
}

}  // namespace ttnn_cpu::kernels

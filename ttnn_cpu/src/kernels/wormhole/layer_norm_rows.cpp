// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/sfpu.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/wormhole/layer_norm_elementwise.hpp"
#include "kernels/wormhole/reduce_sums.hpp"

namespace ttnn_cpu::kernels::wormhole {
namespace {

void load(const std::uint16_t* values, std::size_t n, float* out) { unpack_bf16(values, n, out); }
void load(const float* values, std::size_t n, float* out) { std::copy_n(values, n, out); }

// As the unit sees them: with a 16-bit destination its sources hold 16 bits as well.
template <typename T>
void load(const LayerNormSpec& spec, const T* values, std::size_t n, float* out) {
    load(values, n, out);
    if (spec.unit.dest == DestWidth::Bits16) {
        std::transform(out, out + n, out, [](float value) { return bf16_to_float(bf16_truncate(value)); });
    }
}

template <typename T>
std::vector<float> widened(const LayerNormSpec& spec, const T* values, std::size_t n) {
    std::vector<float> out(values == nullptr ? 0 : n);
    load(spec, values, out.size(), out.data());
    return out;
}

// The averages of `rows` <= kSumLanes rows of `padded` columns, zero past the logical ones.
void averages(const LayerNormSpec& spec, const float* x, std::size_t padded, std::size_t rows, float* out) {
    const auto columns = static_cast<float>(spec.columns);
    const bool wide = spec.unit.dest == DestWidth::Bits32;
    const auto sum = [&](float scaler, const float* from, std::size_t stride, std::size_t width, float* sums) {
        sum_rows(
            {.scaler = scaler, .fidelity = spec.unit.fidelity, .dest = spec.unit.dest}, from, stride, rows, width,
            sums);
    };
    if (spec.shard_columns == 0) {
        sum(1.0F, x, padded, padded, out);
        for (std::size_t row = 0; row < rows; ++row) {
            out[row] = sfpu::mul(out[row], 1.0F / columns);
            // The vector unit leaves out what a 16-bit destination cannot hold.
            out[row] = wide ? out[row] : bf16_to_float(bf16_truncate(out[row]));
        }
        return;
    }
    const std::size_t cores = (padded + spec.shard_columns - 1) / spec.shard_columns;
    const auto in_bf16 = [](float value) { return bf16_to_float(bf16_round_even(value)); };
    const float of_core = in_bf16(static_cast<float>(cores) / columns);
    // A core's averages are the first column of a tile.
    constexpr std::size_t kTile = 32;
    std::vector<float> partial(rows * cores * kTile);
    for (std::size_t core = 0; core < cores; ++core) {
        const std::size_t first = core * spec.shard_columns;
        float sums[kSumLanes];
        sum(of_core, x + first, padded, std::min(spec.shard_columns, padded - first), sums);
        for (std::size_t row = 0; row < rows; ++row) {
            partial[(row * cores + core) * kTile] = sums[row];
        }
    }
    const float of_cores = in_bf16(1.0F / static_cast<float>(cores));
    sum(of_cores, partial.data(), cores * kTile, cores * kTile, out);
}

// T: bfloat16 as it is stored, or float.
template <typename T>
void norm_rows(const LayerNormSpec& spec, const LayerNormOperands<T>& data) {
    const std::size_t columns = spec.columns;
    const std::size_t padded = (columns + 31) / 32 * 32;
    const float epsilon = bf16_to_float(bf16_truncate(spec.epsilon));
    const std::vector<float> gamma = widened(spec, data.gamma, columns);
    const std::vector<float> beta = widened(spec, data.beta, columns);
    const UnaryOp root{spec.approximate ? UnaryFunction::RsqrtApprox : UnaryFunction::Rsqrt};
    const auto root_dest = spec.unit.dest == DestWidth::Bits32 ? Destination::Float32 : Destination::Bfloat16;
    // Between two steps values are in memory; every step cuts its operands to TF32.
    std::vector<float> x(kSumLanes * padded);
    std::vector<float> squares(kSumLanes * padded);
    std::vector<float> other(data.residual == nullptr ? 0 : columns);
    float means[kSumLanes];
    float variances[kSumLanes];

    for (std::size_t start = 0; start < data.rows; start += kSumLanes) {
        const std::size_t rows = std::min(kSumLanes, data.rows - start);
        for (std::size_t row = 0; row < rows; ++row) {
            float* values = &x[row * padded];
            load(spec, data.in + (start + row) * data.in_stride, columns, values);
            if (data.residual != nullptr) {
                load(spec, data.residual + (start + row) * data.residual_stride, columns, other.data());
                elementwise_add(spec.unit, {values}, {other.data()}, columns, values);
            }
        }
        if (!spec.rms) {
            averages(spec, x.data(), padded, rows, means);
        }
        for (std::size_t row = 0; row < rows; ++row) {
            float* values = &x[row * padded];
            if (!spec.rms) {
                elementwise_sub(spec.unit, {values}, {&means[row], true}, columns, values);
            }
            float* squared = &squares[row * padded];
            elementwise_mul(spec.unit, {values}, {values}, columns, squared);
        }
        averages(spec, squares.data(), padded, rows, variances);
        for (std::size_t row = 0; row < rows; ++row) {
            float shifted = 0.0F;
            elementwise_add(spec.unit, {&variances[row]}, {&epsilon}, 1, &shifted);
            const float factor = apply_unary(root, shifted, root_dest);
            float* out = data.out + (start + row) * data.out_stride;
            elementwise_mul(spec.unit, {&x[row * padded]}, {&factor, true}, columns, out);
            if (!gamma.empty()) {
                elementwise_mul(spec.unit, {out}, {gamma.data()}, columns, out);
            }
            if (!beta.empty()) {
                elementwise_add(spec.unit, {out}, {beta.data()}, columns, out);
            }
        }
    }
}

}  // namespace

void layer_norm_rows(const LayerNormSpec& spec, const LayerNormRows& data) { norm_rows(spec, data); }
void layer_norm_float_rows(const LayerNormSpec& spec, const LayerNormFloatRows& data) { norm_rows(spec, data); }

}  // namespace ttnn_cpu::kernels::wormhole

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

std::vector<float> widened(const std::uint16_t* values, std::size_t n) {
    std::vector<float> out(values == nullptr ? 0 : n);
    unpack_bf16(values, out.size(), out.data());
    return out;
}

}  // namespace

void layer_norm_rows(const LayerNormSpec& spec, const LayerNormRows& data) {
    const std::size_t columns = spec.columns;
    const std::size_t padded = (columns + 31) / 32 * 32;
    const float inverse = 1.0F / static_cast<float>(columns);
    const float epsilon = bf16_to_float(bf16_truncate(spec.epsilon));
    const std::vector<float> gamma = widened(data.gamma, columns);
    const std::vector<float> beta = widened(data.beta, columns);
    // Between two steps values are float32 in memory; every step cuts its operands to TF32.
    std::vector<float> x(kSumLanes * padded);
    std::vector<float> squares(kSumLanes * padded);
    std::vector<float> other(data.residual == nullptr ? 0 : columns);
    float means[kSumLanes];
    float variances[kSumLanes];

    for (std::size_t start = 0; start < data.rows; start += kSumLanes) {
        const std::size_t rows = std::min(kSumLanes, data.rows - start);
        for (std::size_t row = 0; row < rows; ++row) {
            float* values = &x[row * padded];
            unpack_bf16(data.in + (start + row) * data.in_stride, columns, values);
            if (data.residual != nullptr) {
                unpack_bf16(data.residual + (start + row) * data.residual_stride, columns, other.data());
                elementwise_add({values}, {other.data()}, columns, values);
            }
        }
        if (!spec.rms) {
            sum_rows({}, x.data(), padded, rows, padded, means);
        }
        for (std::size_t row = 0; row < rows; ++row) {
            float* values = &x[row * padded];
            if (!spec.rms) {
                const float mean = sfpu::mul(means[row], inverse);
                elementwise_sub({values}, {&mean, true}, columns, values);
            }
            float* squared = &squares[row * padded];
            elementwise_mul({values}, {values}, columns, squared);
        }
        sum_rows({}, squares.data(), padded, rows, padded, variances);
        for (std::size_t row = 0; row < rows; ++row) {
            const float variance = sfpu::mul(variances[row], inverse);
            float shifted = 0.0F;
            elementwise_add({&variance}, {&epsilon}, 1, &shifted);
            const float factor = apply_unary({UnaryFunction::Rsqrt}, shifted, Destination::Float32);
            float* out = data.out + (start + row) * data.out_stride;
            elementwise_mul({&x[row * padded]}, {&factor, true}, columns, out);
            if (!gamma.empty()) {
                elementwise_mul({out}, {gamma.data()}, columns, out);
            }
            if (!beta.empty()) {
                elementwise_add({out}, {beta.data()}, columns, out);
            }
        }
    }
}

}  // namespace ttnn_cpu::kernels::wormhole

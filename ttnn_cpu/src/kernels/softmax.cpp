// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/eltwise.hpp"
#include "kernels/formats.hpp"
#include "kernels/fpu_rows.hpp"
#include "kernels/reduce.hpp"
#include "kernels/sfpu.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/wormhole/reduce_sums.hpp"

namespace ttnn_cpu::kernels {

float reciprocal_compat(float x, bool approx) {
    using namespace sfpu;  // NOLINT
    constexpr float kGuess = 1.442695F;
    const float minus_x = set_exponent(copy_sign(x, -1.0F), 126);
    float y = mul(kGuess, mad(minus_x, kGuess, 2.0F));
    for (int step = 1; step < (approx ? 2 : 3); ++step) {
        y = mul(y, mad(minus_x, y, 2.0F));
    }
    const int exp = exponent(y) - exponent(x) + 126;
    const float result = copy_sign(exp < 0 ? 0.0F : set_exponent(y, exp), x);
    return store_bf16(approx ? result : round_bf16(result));
}

namespace {

// The largest of each line, side by side.
void largest_of_lines(const std::uint16_t* block, std::size_t length, std::size_t width, std::uint16_t* line) {
    std::copy_n(block, width, line);
    for (std::size_t d = 1; d < length; ++d) {
        for (std::size_t i = 0; i < width; ++i) {
            const std::uint16_t pair[] = {line[i], block[d * width + i]};
            line[i] = max_bf16(pair, 2);
        }
    }
}

}  // namespace

void softmax_rows(const SoftmaxSpec& spec, const SoftmaxRows& data) {
    const std::size_t columns = spec.columns;
    const std::size_t padded = (columns + 31) / 32 * 32;
    const UnaryTable& exponential =
        unary_table(UnaryOp{spec.exp_approx ? UnaryFunction::ExpApprox : UnaryFunction::Exp});
    std::vector<std::uint16_t> block(kRowSumBlock * padded);
    for (std::size_t start = 0; start < data.rows; start += kRowSumBlock) {
        const std::size_t rows = std::min(kRowSumBlock, data.rows - start);
        for (std::size_t row = 0; row < rows; ++row) {
            std::uint16_t* x = &block[row * padded];
            const std::uint16_t* in = data.in + (start + row) * data.in_stride;
            if (spec.scale.has_value()) {
                fpu_scale_bf16(in, bf16_truncate(*spec.scale), columns, x);
                in = x;
            }
            if (data.mask != nullptr) {
                add_bf16(in, data.mask + (start + row) * data.mask_stride, columns, x);
                in = x;
            }
            if (spec.numeric_stable) {
                binary_bf16(BinaryFunction::Sub, in, max_bf16(in, columns), columns, x);
                in = x;
            }
            apply_unary_bf16(exponential, in, columns, x);
        }
        std::uint16_t sums[kRowSumBlock];
        fpu_row_sums_bf16(block.data(), padded, rows, padded, sums);
        for (std::size_t row = 0; row < rows; ++row) {
            const float inverse = reciprocal_compat(bf16_to_float(sums[row]), spec.reciprocal_approx);
            fpu_scale_bf16(
                &block[row * padded], bf16_truncate(inverse), columns, data.out + (start + row) * data.out_stride);
        }
    }
}

void softmax_lines(
    SoftmaxSum sum, bool reciprocal_approx, std::size_t length, std::size_t width, std::uint16_t* block) {
    const UnaryTable& exponential = unary_table(UnaryOp{UnaryFunction::Exp});
    constexpr std::size_t kWidth = 32;
    std::uint16_t line[kWidth];
    largest_of_lines(block, length, width, line);
    for (std::size_t d = 0; d < length; ++d) {
        std::uint16_t* x = block + d * width;
        sub_bf16(x, line, width, x);
        apply_unary_bf16(exponential, x, width, x);
    }
    if (sum == SoftmaxSum::ColumnReduction) {
        for (std::size_t i = 0; i < width; ++i) {
            line[i] = wormhole::sum_column_bf16(block + i, width, length);
        }
    } else {
        std::copy_n(block, width, line);
        for (std::size_t d = 1; d < length; ++d) {
            add_bf16(line, block + d * width, width, line);
        }
    }
    for (std::size_t i = 0; i < width; ++i) {
        line[i] = bf16_truncate(reciprocal_compat(bf16_to_float(line[i]), reciprocal_approx));
    }
    for (std::size_t d = 0; d < length; ++d) {
        std::uint16_t* x = block + d * width;
        fpu_mul_bf16(x, 1, line, 1, width, x);
    }
}

void softmax_rows_f32(
    std::size_t columns, const float* in, std::size_t in_stride, std::size_t rows, float* out, std::size_t out_stride) {
    for (std::size_t row = 0; row < rows; ++row) {
        const float* x = in + row * in_stride;
        float* y = out + row * out_stride;
        const float largest = columns == 0 ? 0.0F : *std::max_element(x, x + columns);
        double sum = 0.0;
        for (std::size_t i = 0; i < columns; ++i) {
            y[i] = std::exp(x[i] - largest);
            sum += y[i];
        }
        const auto inverse = static_cast<float>(1.0 / sum);
        for (std::size_t i = 0; i < columns; ++i) {
            y[i] *= inverse;
        }
    }
}

}  // namespace ttnn_cpu::kernels

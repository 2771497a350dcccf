// SPDX-License-Identifier: Apache-2.0
#include "ops/eltwise/broadcast.hpp"

#include <algorithm>

namespace ttnn_cpu {

using tt::tt_metal::Shape;
using tt::tt_metal::TensorSpec;

std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b) {
    const std::size_t rank = std::max(a.rank(), b.rank());
    const Shape left = a.to_rank(rank);
    Shape result = b.to_rank(rank);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(rank); ++i) {
        if (left[i] != result[i] && left[i] != 1 && result[i] != 1) {
            return std::nullopt;
        }
        result[i] = left[i] == 1 ? result[i] : left[i];
    }
    return result;
}

RowBroadcast::RowBroadcast(const TensorSpec& operand, const TensorSpec& result) {
    const std::size_t rank = std::max<std::size_t>(2, result.logical_shape().rank());
    const Shape own = operand.logical_shape().to_rank(rank);
    const Shape whole = result.logical_shape().to_rank(rank);
    result_rows_ = result.padded_shape().to_rank(rank)[-2];
    operand_rows_ = operand.padded_shape().to_rank(rank)[-2];
    one_row_ = own[-2] == 1 && whole[-2] != 1;
    one_column_ = own[-1] == 1 && whole[-1] != 1;
    identity_ = own == whole && operand.physical_shape() == result.physical_shape();

    const std::size_t outer = rank - 2;
    std::size_t count = 1;
    for (std::size_t i = 0; i < outer; ++i) {
        count *= whole[static_cast<std::int32_t>(i)];
    }
    slices_.resize(count);
    for (std::size_t slice = 0; slice < count; ++slice) {
        std::size_t rest = slice;
        std::size_t own_slice = 0;
        std::size_t stride = 1;
        for (std::size_t i = outer; i-- > 0;) {
            const auto dim = static_cast<std::int32_t>(i);
            const std::size_t index = rest % whole[dim];
            rest /= whole[dim];
            own_slice += (own[dim] == 1 ? 0 : index) * stride;
            stride *= own[dim];
        }
        slices_[slice] = own_slice;
    }
}

std::size_t RowBroadcast::row(std::size_t result_row) const {
    const std::size_t slice = result_row / result_rows_;
    const std::size_t in_slice = result_row % result_rows_;
    return slices_[slice] * operand_rows_ + (one_row_ ? 0 : in_slice);
}

}  // namespace ttnn_cpu

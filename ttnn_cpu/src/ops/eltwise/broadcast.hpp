// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which rows of two operands go with each row of a broadcast result.
#include <cstddef>
#include <optional>
#include <vector>

#include <tt-metalium/tensor/spec/tensor_spec.hpp>

namespace ttnn_cpu {

// numpy's rule. Empty when the shapes do not go together.
std::optional<tt::tt_metal::Shape> broadcast_shape(const tt::tt_metal::Shape& a, const tt::tt_metal::Shape& b);

// For one operand: the row of its matrix that goes with a row of the result's, and whether it is one column wide.
class RowBroadcast {
public:
    RowBroadcast(const tt::tt_metal::TensorSpec& operand, const tt::tt_metal::TensorSpec& result);

    std::size_t row(std::size_t result_row) const;
    bool one_column() const { return one_column_; }
    // True when every row is its own: the operand has the result's shape.
    bool identity() const { return identity_; }

private:
    std::vector<std::size_t> slices_;  // operand slice by result slice
    std::size_t result_rows_;          // padded rows of a slice
    std::size_t operand_rows_;
    bool one_row_;
    bool one_column_;
    bool identity_;
};

}  // namespace ttnn_cpu

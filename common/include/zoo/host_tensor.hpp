// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace zoo {

using Shape = std::vector<std::int64_t>;

// float32 values in host memory, row-major. A scalar has an empty shape and one value.
struct HostTensor {
    Shape shape;
    std::vector<float> data;

    [[nodiscard]] std::size_t size() const { return data.size(); }
};

// The number of elements of a shape. Error for a negative dimension, or when the product does not fit 63 bits.
[[nodiscard]] std::size_t element_count(std::span<const std::int64_t> shape);

// "[2, 3]"; "[]" for a scalar.
[[nodiscard]] std::string to_string(std::span<const std::int64_t> shape);

[[nodiscard]] HostTensor zeros(Shape shape);

// [rows, columns] to [columns, rows].
[[nodiscard]] HostTensor transpose(const HostTensor& matrix);

// Joins tensors along `dim` (negative counts from the end); the other dimensions must agree.
[[nodiscard]] HostTensor concat(std::span<const HostTensor> parts, std::int64_t dim);

// The same values under another shape; one dimension may be -1 and takes what is left.
[[nodiscard]] HostTensor reshape(HostTensor tensor, Shape shape);

}  // namespace zoo

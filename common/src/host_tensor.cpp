// SPDX-License-Identifier: Apache-2.0
#include "zoo/host_tensor.hpp"

#include <algorithm>
#include <utility>

#include "zoo/error.hpp"

namespace zoo {

std::size_t element_count(std::span<const std::int64_t> shape) {
    for (const std::int64_t extent : shape) {
        if (extent < 0) {
            fail("element_count", "shape ", to_string(shape), " has the dimension ", extent, "; none may be negative");
        }
    }
    // A zero anywhere makes the product zero, however large the rest is.
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
        return 0;
    }
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) {
        if (__builtin_mul_overflow(count, extent, &count)) {
            fail("element_count", "shape ", to_string(shape), " has more than 2^63 - 1 elements");
        }
    }
    return static_cast<std::size_t>(count);
}

std::string to_string(std::span<const std::int64_t> shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return text + "]";
}

HostTensor zeros(Shape shape) {
    const std::size_t count = element_count(shape);
    return {.shape = std::move(shape), .data = std::vector<float>(count)};
}

HostTensor transpose(const HostTensor& matrix) {
    if (matrix.shape.size() != 2) {
        fail("transpose", "shape ", to_string(matrix.shape), " has ", matrix.shape.size(), " dimensions; 2 are needed");
    }
    const auto rows = static_cast<std::size_t>(matrix.shape[0]);
    const auto columns = static_cast<std::size_t>(matrix.shape[1]);
    HostTensor result{.shape = {matrix.shape[1], matrix.shape[0]}, .data = std::vector<float>(matrix.size())};
    // Square blocks that fit the L1 cache: whole columns of a large matrix would miss it on every element.
    constexpr std::size_t kBlock = 32;
    for (std::size_t row0 = 0; row0 < rows; row0 += kBlock) {
        for (std::size_t column0 = 0; column0 < columns; column0 += kBlock) {
            for (std::size_t row = row0; row < std::min(row0 + kBlock, rows); ++row) {
                for (std::size_t column = column0; column < std::min(column0 + kBlock, columns); ++column) {
                    result.data[column * rows + row] = matrix.data[row * columns + column];
                }
            }
        }
    }
    return result;
}

HostTensor concat(std::span<const HostTensor> parts, std::int64_t dim) {
    if (parts.empty()) {
        fail("concat", "no tensors given; at least 1 is needed");
    }
    const auto rank = static_cast<std::int64_t>(parts[0].shape.size());
    const std::int64_t axis = dim < 0 ? dim + rank : dim;
    if (axis < 0 || axis >= rank) {
        fail("concat", "dim ", dim, " is outside shape ", to_string(parts[0].shape));
    }
    HostTensor result{.shape = parts[0].shape, .data = {}};
    for (const HostTensor& part : parts.subspan(1)) {
        Shape aligned = part.shape;
        if (aligned.size() == parts[0].shape.size()) {
            aligned[axis] = parts[0].shape[axis];
        }
        if (aligned != parts[0].shape) {
            fail(
                "concat", "shapes ", to_string(parts[0].shape), " and ", to_string(part.shape), " differ outside dim ",
                dim);
        }
        result.shape[axis] += part.shape[axis];
    }
    result.data.reserve(element_count(result.shape));
    const std::size_t outer = element_count(std::span(result.shape).first(axis));
    for (std::size_t slice = 0; slice < outer; ++slice) {
        for (const HostTensor& part : parts) {
            const auto length = static_cast<std::ptrdiff_t>(part.size() / outer);
            const auto begin = part.data.begin() + static_cast<std::ptrdiff_t>(slice) * length;
            result.data.insert(result.data.end(), begin, begin + length);
        }
    }
    return result;
}

HostTensor reshape(HostTensor tensor, Shape shape) {
    const auto unknown = std::find(shape.begin(), shape.end(), -1);
    if (unknown != shape.end()) {
        *unknown = 1;
        const std::size_t known = element_count(shape);
        // A remainder, or a second -1, is caught by the count below.
        *unknown = known == 0 ? 0 : static_cast<std::int64_t>(tensor.size() / known);
    }
    if (element_count(shape) != tensor.size()) {
        fail(
            "reshape", "shape ", to_string(tensor.shape), " has ", tensor.size(), " elements and cannot become ",
            to_string(shape));
    }
    tensor.shape = std::move(shape);
    return tensor;
}

}  // namespace zoo

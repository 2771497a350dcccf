// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/squeeze/squeeze.hpp>

#include <algorithm>
#include <numeric>

#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/data_movement/unsqueeze/unsqueeze.hpp>

#include "core/describe.hpp"
#include "core/fatal.hpp"

namespace ttnn {

Tensor squeeze(const Tensor& input_tensor, const ttsl::SmallVector<int>& dim) {
    const Shape& shape = input_tensor.logical_shape();
    const auto rank = static_cast<int>(shape.rank());
    ttsl::SmallVector<int> dims = dim;
    for (int& index : dims) {
        TT_FATAL(
            (index >= -rank && index < rank) || (rank == 0 && (index == 0 || index == -1)),
            "squeeze: Dimension out of range (expected to be in range of [{},{}], but got {})", -rank, rank - 1, index);
        index += index < 0 ? rank : 0;
        TT_FATAL(
            std::count(dims.begin(), dims.end(), index) == 1 || rank == 0,
            "squeeze: dim {} appears multiple times in the list of dims", index);
    }
    Shape::Container sizes;
    for (int i = 0; i < rank; ++i) {
        const bool dropped = shape[i] == 1 && std::find(dims.begin(), dims.end(), i) != dims.end();
        if (!dropped) {
            sizes.push_back(shape[i]);
        }
    }
    const Shape squeezed(std::move(sizes));
    return squeezed == shape ? input_tensor : reshape(input_tensor, squeezed);
}

Tensor squeeze(const Tensor& input_tensor, int dim) { return squeeze(input_tensor, ttsl::SmallVector<int>{dim}); }

Tensor squeeze(const Tensor& input_tensor) {
    ttsl::SmallVector<int> dims(input_tensor.logical_shape().rank());
    std::iota(dims.begin(), dims.end(), 0);
    return squeeze(input_tensor, dims);
}

Tensor unsqueeze(const Tensor& input_tensor, int dim) {
    const Shape& shape = input_tensor.logical_shape();
    const auto rank = static_cast<int>(shape.rank());
    TT_FATAL(
        dim >= -rank - 1 && dim <= rank,
        "unsqueeze: Dimension out of range (expected to be in range of [{},{}], but got {})", -rank - 1, rank, dim);
    Shape::Container sizes(shape.begin(), shape.end());
    sizes.insert(sizes.begin() + (dim < 0 ? rank + 1 + dim : dim), 1);
    return reshape(input_tensor, Shape(std::move(sizes)));
}

}  // namespace ttnn

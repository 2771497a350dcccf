// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ttnn/tensor/tensor.hpp>

#include "kernels/stored_matrix.hpp"

namespace ttnn_cpu {

// How kernels see the memory of a tensor.
inline kernels::StoredMatrix stored_matrix(const tt::tt_metal::TensorSpec& spec) {
    return {spec.data_type(), spec.physical_shape().height(), spec.physical_shape().width()};
}

inline kernels::StoredMatrix stored_matrix(const ttnn::Tensor& tensor) { return stored_matrix(tensor.tensor_spec()); }

}  // namespace ttnn_cpu

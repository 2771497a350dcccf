// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <cstring>

#include "zoo/host_tensor.hpp"

// Between the goldens' host tensors and libtorch's. For torch_*.cpp only.
namespace zoo {

// A view; libtorch must only read through it.
inline at::Tensor torch_view(const HostTensor& tensor) {
    return at::from_blob(const_cast<float*>(tensor.data.data()), tensor.shape, at::kFloat);
}

// A copy of float32 values.
inline HostTensor from_torch(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.contiguous();
    HostTensor result{flat.sizes().vec(), std::vector<float>(static_cast<std::size_t>(flat.numel()))};
    if (!result.data.empty()) {
        std::memcpy(result.data.data(), flat.data_ptr<float>(), result.data.size() * sizeof(float));
    }
    return result;
}

}  // namespace zoo

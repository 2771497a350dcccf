// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "zoo/host_tensor.hpp"

// Between the goldens' host tensors and libtorch's. For torch_*.cpp only.
namespace zoo {

// Set on a thread by whoever wants the gradients of the goldens that run there.
struct TorchGradients {
    std::function<bool(const HostTensor& tensor)> wanted;  // asked for each view
    std::vector<at::Tensor> results = {};                  // of the goldens, with their graphs
};
inline thread_local TorchGradients* torch_gradients = nullptr;

// The golden function that runs while it lives, under its own name, for whoever traces its ops; a check and no more for others.
class TorchScope {
public:
    explicit TorchScope(const char* name) : record_(at::RecordScope::USER_SCOPE) {
        if (record_.isActive()) {
            record_.before(name);
        }
    }

private:
    at::RecordFunction record_;
};

// A view; libtorch must only read through it.
inline at::Tensor torch_view(const HostTensor& tensor) {
    at::Tensor view = at::from_blob(const_cast<float*>(tensor.data.data()), tensor.shape, at::kFloat);
    if (torch_gradients != nullptr && torch_gradients->wanted(tensor)) {
        view.set_requires_grad(true);
    }
    return view;
}

// 64 bit integers, as libtorch has indices.
template <class Integer>
at::Tensor torch_index(std::span<const Integer> ids, const Shape& shape) {
    auto* values = new std::vector<std::int64_t>(ids.begin(), ids.end());
    return at::from_blob(
        values->data(), shape, [values](void*) { delete values; }, at::kLong);
}

// A copy of float32 values.
inline HostTensor from_torch(const at::Tensor& tensor) {
    if (torch_gradients != nullptr && tensor.requires_grad()) {
        torch_gradients->results.push_back(tensor);
    }
    const at::Tensor flat = tensor.contiguous();
    HostTensor result{flat.sizes().vec(), std::vector<float>(static_cast<std::size_t>(flat.numel()))};
    if (!result.data.empty()) {
        std::memcpy(result.data.data(), flat.data_ptr<float>(), result.data.size() * sizeof(float));
    }
    return result;
}

}  // namespace zoo

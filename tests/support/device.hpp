// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "support/arithmetic.hpp"
#include "support/arrays.hpp"
#include "ttnn/device.hpp"
#include "ttnn/operations/trace.hpp"
#include "ttnn/tensor/tensor_ops.hpp"
#include "ttnn/types.hpp"

namespace zoo::test {

inline ttnn::Tensor on_device(
    const Array& array, ttnn::MeshDevice& device, ttnn::DataType dtype = ttnn::DataType::BFLOAT16,
    ttnn::Layout layout = ttnn::Layout::TILE, const ttnn::MemoryConfig& memory = {}) {
    ttsl::SmallVector<std::uint32_t> dims(array.shape.begin(), array.shape.end());
    const tt::tt_metal::TensorSpec spec(
        ttnn::Shape(dims), tt::tt_metal::TensorLayout(dtype, tt::tt_metal::PageConfig(layout), memory));
    return ttnn::Tensor::from_vector(array.data, spec, &device);
}

inline Array to_array(const ttnn::Tensor& tensor) {
    Array array;
    array.shape.assign(tensor.logical_shape().view().begin(), tensor.logical_shape().view().end());
    array.data = tensor.to_vector<float>();
    return array;
}

// One device for a whole suite: opening one is cheap here and takes seconds on a card.
class DeviceTest : public testing::Test {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, 32768, 16 << 20, 2); }
    static void TearDownTestSuite() {
        ttnn::close_device(*device_);
        device_.reset();
    }
    static ttnn::MeshDevice& device() { return *device_; }
    static Bound bound(const Bounds& bounds) { return bound_on(*device_, bounds); }

    // Captures `op` over an input, replays it with another, and gives what the replay left in the output.
    template <typename Op>
    static std::vector<float> replayed(const ttnn::Tensor& input, const ttnn::Tensor& other_on_host, Op op) {
        ttnn::Tensor persistent = input;
        (void)op(persistent);
        const auto id = ttnn::operations::trace::begin_trace_capture(device_.get(), ttnn::QueueId(0));
        const ttnn::Tensor output = op(persistent);
        ttnn::operations::trace::end_trace_capture(device_.get(), id, ttnn::QueueId(0));
        ttnn::copy_to_device(other_on_host, persistent);
        ttnn::operations::trace::execute_trace(device_.get(), id, ttnn::QueueId(0), false);
        std::vector<float> values = output.to_vector<float>();
        ttnn::operations::trace::release_trace(device_.get(), id);
        return values;
    }

private:
    static inline std::shared_ptr<ttnn::MeshDevice> device_;
};

}  // namespace zoo::test

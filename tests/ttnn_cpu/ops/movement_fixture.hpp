// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device and tensors of whole numbers, which bfloat16 holds exactly: ops that only move data must not change one bit.
#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn/operations/trace.hpp>
#include <ttnn/tensor/tensor_ops.hpp>
#include <ttnn/types.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include <functional>
#include <vector>

#include "support/arrays.hpp"
#include "support/throws.hpp"

namespace movement_test {

using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardOrientation;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::BufferType;
using ttnn::CoreCoord;
using ttnn::CoreRange;
using ttnn::CoreRangeSet;
using ttnn::DataType;
using ttnn::Layout;
using ttnn::MemoryConfig;
using ttnn::Shape;
using ttnn::Tensor;
using ttnn::TensorMemoryLayout;
using zoo::test::Array;
using zoo::test::Dims;

inline TensorSpec spec_of(const Shape& shape, DataType dtype, Layout layout, const MemoryConfig& memory = {}) {
    return TensorSpec(shape, TensorLayout(dtype, PageConfig(layout), memory));
}

inline Dims dims_of(const Shape& shape) { return Dims(shape.begin(), shape.end()); }

// 1, 2, ... 251, 1, ...: exact in bfloat16, never the zero of padding, and a period that no shape shares.
inline Array numbers(const Shape& shape) {
    Array array{dims_of(shape), std::vector<float>(shape.volume())};
    for (std::size_t i = 0; i < array.data.size(); ++i) {
        array.data[i] = static_cast<float>(i % 251 + 1);
    }
    return array;
}

// Small numbers that bfloat8_b holds exactly whatever shares their exponent.
inline std::vector<float> small_numbers(std::size_t n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<float>(i % 61 + 64);
    }
    return values;
}

inline MemoryConfig sharded(
    TensorMemoryLayout layout, std::array<std::uint32_t, 2> shape, CoreCoord last,
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR, BufferType buffer = BufferType::L1) {
    return MemoryConfig(layout, buffer, ShardSpec(CoreRangeSet(CoreRange(CoreCoord(0, 0), last)), shape, orientation));
}

class Movement : public testing::Test {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, 0, 1 << 20); }
    static void TearDownTestSuite() { device_.reset(); }

    static Tensor make(
        const std::vector<float>& values, const Shape& shape, DataType dtype, Layout layout,
        const MemoryConfig& memory = {}) {
        return Tensor::from_vector(values, spec_of(shape, dtype, layout, memory), device_.get());
    }
    static Tensor make(const Shape& shape, DataType dtype, Layout layout, const MemoryConfig& memory = {}) {
        return make(numbers(shape).data, shape, dtype, layout, memory);
    }

    // The op captured in a trace gives, for new input, what it gives outside of one, and takes no memory when replayed.
    static void expect_same_in_trace(
        const Shape& shape, DataType dtype, Layout layout, const std::function<Tensor(const Tensor&)>& op) {
        Tensor input = make(std::vector<float>(shape.volume(), 3.0F), shape, dtype, layout);
        (void)op(input);
        const auto trace = ttnn::operations::trace::begin_trace_capture(device_.get(), ttnn::QueueId(0));
        const Tensor output = op(input);
        ttnn::operations::trace::end_trace_capture(device_.get(), trace, ttnn::QueueId(0));
        const std::vector<float> values = small_numbers(shape.volume());
        ttnn::copy_to_device(Tensor::from_vector(values, spec_of(shape, dtype, layout)), input);
        ttnn_cpu::reset_memory_peaks(*device_);
        const auto before = ttnn_cpu::memory_statistics(*device_);
        ttnn::operations::trace::execute_trace(device_.get(), trace, ttnn::QueueId(0), true);
        const auto after = ttnn_cpu::memory_statistics(*device_);
        EXPECT_EQ(after.dram_allocated_peak, before.dram_allocated);
        EXPECT_EQ(after.l1_allocated_peak, before.l1_allocated);
        EXPECT_EQ(output.to_vector<float>(), op(make(values, shape, dtype, layout)).to_vector<float>());
        ttnn::operations::trace::release_trace(device_.get(), trace);
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
};

}  // namespace movement_test

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device, tensors on it, and what every op is tested for: golden results, replays of a trace, records.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include <ttnn/device.hpp>
#include <ttnn/operations/trace.hpp>
#include <ttnn/tensor/tensor_ops.hpp>
#include <ttnn/types.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/memory_statistics.hpp>
#include <ttnn_cpu/records.hpp>
#include <zoo/metrics.hpp>

#include "support/arithmetic.hpp"
#include "support/arrays.hpp"
#include "support/golden_file.hpp"
#include "support/matchers.hpp"
#include "support/throws.hpp"

namespace op_test {

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
using zoo::test::Bound;
using zoo::test::Bounds;
using zoo::testing::GoldenFile;
using zoo::testing::GoldenTensor;

inline MemoryConfig sharded(
    TensorMemoryLayout layout, std::array<std::uint32_t, 2> shape, CoreCoord grid,
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR) {
    const CoreRangeSet cores(CoreRange(CoreCoord(0, 0), CoreCoord(grid.x - 1, grid.y - 1)));
    return MemoryConfig(layout, BufferType::L1, ShardSpec(cores, shape, orientation));
}

template <typename Dims>
Shape shape_of(const Dims& dims) {
    Shape::Container values;
    for (const auto dim : dims) {
        values.push_back(static_cast<std::uint32_t>(dim));
    }
    return Shape(values);
}

inline TensorSpec spec_of(const Shape& shape, DataType dtype, Layout layout, const MemoryConfig& memory = {}) {
    return TensorSpec(shape, TensorLayout(dtype, PageConfig(layout), memory));
}

class OpTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, 0, 1 << 20); }
    static void TearDownTestSuite() { device_.reset(); }
    void SetUp() override { ttnn_cpu::set_numerics(*device_, ttnn_cpu::default_device_options().numerics); }

    static Tensor upload(
        const Array& array, DataType dtype = DataType::BFLOAT16, const MemoryConfig& memory = {},
        Layout layout = Layout::TILE) {
        return Tensor::from_vector(array.data, spec_of(shape_of(array.shape), dtype, layout, memory), device_.get());
    }
    static Tensor upload(const GoldenTensor& golden, Layout layout = Layout::TILE) {
        return Tensor::from_vector(
            golden.values, spec_of(shape_of(golden.shape), DataType::BFLOAT16, layout), device_.get());
    }
    static Array download(const Tensor& tensor) {
        Array result{.shape = {}, .data = tensor.to_vector<float>()};
        for (const std::uint32_t dim : tensor.logical_shape().view()) {
            result.shape.push_back(dim);
        }
        return result;
    }
    static Bound bound(const Bounds& bounds) { return zoo::test::bound_on(*device_, bounds); }
    // What a tensor of the type made from the array holds.
    static Array rounded(const Array& array, DataType dtype) { return download(upload(array, dtype)); }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
};

// At most 1.5 times as far from the card's result as that one is from exact arithmetic.
inline void expect_as_close_as_the_card(
    const std::vector<float>& golden, const std::vector<float>& actual, const std::vector<float>& exact) {
    const zoo::Comparison found = zoo::compare(golden, actual);
    const double own = zoo::compare(exact, golden).relative_error;
    ::testing::Test::RecordProperty("pcc", zoo::describe(found));
    EXPECT_GE(found.pcc, 0.9999) << zoo::describe(found);
    EXPECT_LE(found.relative_error, 1.5 * own) << zoo::describe(found) << "; the card's own error is " << own;
}

// The bar of numerics mode wormhole for ops that are not bit-exact throughout.
inline void expect_within_a_step(const std::vector<float>& golden, const std::vector<float>& actual) {
    const zoo::UlpHistogram found = zoo::ulp_histogram(golden, actual);
    EXPECT_EQ(found.within_1, found.count) << zoo::describe(found);
    EXPECT_GE(found.exact_share(), 0.95) << zoo::describe(found);
}

inline void expect_exact(const std::vector<float>& golden, const std::vector<float>& actual) {
    const zoo::UlpHistogram found = zoo::ulp_histogram(golden, actual);
    EXPECT_EQ(found.exact, found.count) << zoo::describe(found);
}

// Captures run(input), replays it with other input, and compares with what running eagerly gives. Replays allocate
// nothing.
template <typename T = float>
void expect_replays(
    ttnn::MeshDevice& device, const Tensor& first, const Tensor& second, const std::function<Tensor(Tensor&)>& run) {
    using namespace ttnn::operations::trace;
    const ttnn::QueueId queue(0);
    Tensor other = ttnn::create_device_tensor(second.tensor_spec(), &device);
    ttnn::copy_to_device(second.cpu(), other);
    const std::vector<T> expected = run(other).template to_vector<T>();

    Tensor input = ttnn::create_device_tensor(first.tensor_spec(), &device);
    ttnn::copy_to_device(first.cpu(), input);
    const std::vector<T> eager = run(input).template to_vector<T>();
    ASSERT_NE(eager, expected) << "the two inputs give the same result: the test shows nothing";
    ttnn::copy_to_device(first.cpu(), input);
    const auto trace = begin_trace_capture(&device, queue);
    const Tensor output = run(input);
    end_trace_capture(&device, trace, queue);
    const auto before = ttnn_cpu::memory_statistics(device);
    execute_trace(&device, trace, queue, true);
    EXPECT_EQ(output.template to_vector<T>(), eager);
    ttnn::copy_to_device(second.cpu(), input);
    execute_trace(&device, trace, queue, true);
    EXPECT_EQ(output.template to_vector<T>(), expected);
    const auto after = ttnn_cpu::memory_statistics(device);
    EXPECT_EQ(after.l1_allocated, before.l1_allocated);
    EXPECT_EQ(after.dram_allocated, before.dram_allocated);
    release_trace(&device, trace);
}

}  // namespace op_test

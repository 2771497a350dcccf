// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device and tensors of whole numbers, which bfloat16 holds exactly, for the tests of ops that only move data.
#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn/tensor/tensor_ops.hpp>
#include <ttnn/types.hpp>

#include <functional>
#include <numeric>
#include <vector>

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

inline TensorSpec spec_of(const Shape& shape, DataType dtype, Layout layout, const MemoryConfig& memory = {}) {
    return TensorSpec(shape, TensorLayout(dtype, PageConfig(layout), memory));
}

// 1, 2, ... 251, 1, ...: exact in bfloat16, and a prime period that no shape shares.
inline std::vector<float> numbers(std::size_t n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<float>(i % 251 + 1);
    }
    return values;
}

inline MemoryConfig sharded(
    TensorMemoryLayout layout,
    std::array<std::uint32_t, 2> shape,
    CoreCoord last,
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR,
    BufferType buffer = BufferType::L1) {
    return MemoryConfig(layout, buffer, ShardSpec(CoreRangeSet(CoreRange(CoreCoord(0, 0), last)), shape, orientation));
}

// The elements of a row-major array in the order of another one: `source` maps an index of the new shape to one of the old.
inline std::vector<float> rearranged(
    const std::vector<float>& values,
    const Shape& old_shape,
    const Shape& new_shape,
    const std::function<std::vector<std::size_t>(const std::vector<std::size_t>&)>& source) {
    std::vector<float> result(new_shape.volume());
    std::vector<std::size_t> index(new_shape.rank(), 0);
    for (float& value : result) {
        const std::vector<std::size_t> from = source(index);
        std::size_t offset = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
            offset = offset * old_shape[static_cast<int>(i)] + from[i];
        }
        value = values.at(offset);
        for (std::size_t i = index.size(); i-- > 0;) {
            if (++index[i] < new_shape[static_cast<int>(i)]) {
                break;
            }
            index[i] = 0;
        }
    }
    return result;
}

class Movement : public testing::Test {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, 0, 1 << 20); }
    static void TearDownTestSuite() { device_.reset(); }

    static Tensor make(const Shape& shape, DataType dtype, Layout layout, const MemoryConfig& memory = {}) {
        return Tensor::from_vector(numbers(shape.volume()), spec_of(shape, dtype, layout, memory), device_.get());
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
};

}  // namespace movement_test

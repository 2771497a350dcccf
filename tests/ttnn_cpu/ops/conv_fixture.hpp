// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device with L1_SMALL, and convolutions on it as models call them.
#include <ttnn/operations/conv/conv2d/conv2d.hpp>

#include "op_fixture.hpp"
#include "support/torch_bridge.hpp"

namespace op_test {

namespace ref = zoo::test::torch_ref;

struct ConvCase {
    const char* name;
    std::uint32_t batch = 1;
    std::uint32_t in = 1;
    std::uint32_t out = 1;
    std::uint32_t height = 1;
    std::uint32_t width = 1;
    std::uint32_t kernel = 1;
    std::uint32_t stride = 1;
    std::uint32_t padding = 0;
    std::uint32_t dilation = 1;
    std::uint32_t groups = 1;
};

inline void PrintTo(const ConvCase& c, std::ostream* os) { *os << c.name; }

struct ConvOptions {
    std::optional<DataType> dtype = std::nullopt;
    ttnn::Conv2dConfig config = {};
    std::optional<ttnn::DeviceComputeKernelConfig> compute = std::nullopt;
    std::optional<MemoryConfig> memory = std::nullopt;
    std::optional<ttnn::Conv2dSliceConfig> slices = std::nullopt;
};

class ConvTest : public OpTest {
protected:
    using Options = ConvOptions;

    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, 32768, 1 << 20); }
    // Index tables live as long as their programs.
    void TearDown() override { device_->clear_program_cache(); }

    struct Operands {
        Array image;    // NCHW
        Array weights;  // OIHW
        Array bias;     // [O]
    };

    // Weights of about the size that keeps the deviation of the result near 1.
    static Operands operands(const ConvCase& c) {
        const float fan_in = static_cast<float>(c.in / c.groups * c.kernel * c.kernel);
        return {
            zoo::test::to_bfloat16(zoo::test::normal({c.batch, c.in, c.height, c.width}, 1)),
            zoo::test::to_bfloat16(
                zoo::test::normal({c.out, c.in / c.groups, c.kernel, c.kernel}, 2, 0.0F, 1.0F / std::sqrt(fan_in))),
            zoo::test::to_bfloat16(zoo::test::normal({c.out}, 3))};
    }

    // [N*OH*OW, O], as conv2d returns it.
    static Array expected(const ConvCase& c, const Operands& from, bool with_bias = true) {
        Array nhwc = ref::to_nhwc(ref::conv2d(
            from.image, from.weights, with_bias ? std::optional(from.bias) : std::nullopt,
            {.stride = {c.stride, c.stride},
             .padding = {c.padding, c.padding},
             .dilation = {c.dilation, c.dilation},
             .groups = c.groups}));
        nhwc.shape = {1, 1, nhwc.shape[0] * nhwc.shape[1] * nhwc.shape[2], nhwc.shape[3]};
        return nhwc;
    }

    static Tensor pixels(
        const ConvCase& c, const Operands& from, const MemoryConfig& memory = {}, Layout layout = Layout::ROW_MAJOR,
        DataType dtype = DataType::BFLOAT16) {
        const Array nhwc = ref::to_nhwc(from.image);
        return Tensor::from_vector(
            nhwc.data, spec_of(Shape{1, 1, c.batch * c.height * c.width, c.in}, dtype, layout, memory), device_.get());
    }
    static Tensor host(const Array& array, const Shape& shape) {
        return Tensor::from_vector(array.data, spec_of(shape, DataType::BFLOAT16, Layout::ROW_MAJOR));
    }
    static Tensor host_weights(const Operands& from) { return host(from.weights, shape_of(from.weights.shape)); }
    static Tensor host_bias(const Operands& from) {
        return host(from.bias, Shape{1, 1, 1, static_cast<std::uint32_t>(from.bias.data.size())});
    }

    static ttnn::Conv2dResultWithOptions call(
        const ConvCase& c, const Tensor& input, const Tensor& weights, const std::optional<Tensor>& bias,
        const Options& options, bool size = false, bool parameters = false) {
        std::optional<const DataType> dtype;
        if (options.dtype) {
            dtype.emplace(*options.dtype);
        }
        std::optional<const Tensor> bias_tensor;
        if (bias) {
            bias_tensor.emplace(*bias);
        }
        std::optional<const ttnn::DeviceComputeKernelConfig> compute;
        if (options.compute) {
            compute.emplace(*options.compute);
        }
        std::optional<const MemoryConfig> memory;
        if (options.memory) {
            memory.emplace(*options.memory);
        }
        std::optional<const ttnn::Conv2dSliceConfig> slices;
        if (options.slices) {
            slices.emplace(*options.slices);
        }
        return ttnn::conv2d(
            input, weights, device_.get(), c.in, c.out, c.batch, c.height, c.width, {c.kernel, c.kernel},
            {c.stride, c.stride}, std::array<uint32_t, 2>{c.padding, c.padding}, {c.dilation, c.dilation}, c.groups,
            dtype, bias_tensor, options.config, compute, memory, slices, size, parameters);
    }
    static Tensor conv(const ConvCase& c, const Operands& from, const Tensor& input, const Options& options = {}) {
        return std::get<Tensor>(call(c, input, host_weights(from), host_bias(from), options));
    }
};

}  // namespace op_test

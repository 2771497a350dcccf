// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kernels/onednn.hpp"

// oneDNN's convolution with float32 sums, on one thread. Images are [batch, height, width, channels].
namespace ttnn_cpu::kernels {

struct ConvPrimitiveSpec {
    std::size_t batch = 1;
    std::size_t in_channels = 0;
    std::size_t in_h = 0;
    std::size_t in_w = 0;
    std::size_t out_channels = 0;
    std::size_t kernel_h = 1;
    std::size_t kernel_w = 1;
    std::size_t stride_h = 1;
    std::size_t stride_w = 1;
    std::size_t dilation_h = 1;
    std::size_t dilation_w = 1;
    std::size_t pad_left = 0;  // rows of padding are part of the input
    std::size_t pad_right = 0;
    std::size_t groups = 1;
    OperandType type = OperandType::Float32;

    std::size_t out_h() const { return (in_h - dilation_h * (kernel_h - 1) - 1) / stride_h + 1; }
    std::size_t out_w() const { return (in_w + pad_left + pad_right - dilation_w * (kernel_w - 1) - 1) / stride_w + 1; }
    std::size_t in_size() const { return batch * in_h * in_w * in_channels; }
    std::size_t out_size() const { return batch * out_h() * out_w() * out_channels; }
    std::size_t weight_size() const { return kernel_h * kernel_w * in_channels / groups * out_channels; }
};

class ConvPrimitive {
public:
    // With `like` given, it reads the weights that were packed for that one.
    explicit ConvPrimitive(const ConvPrimitiveSpec& spec, const ConvPrimitive* like = nullptr);
    ~ConvPrimitive();
    ConvPrimitive(const ConvPrimitive&) = delete;
    ConvPrimitive& operator=(const ConvPrimitive&) = delete;

    // To be called inside parallel_for, which keeps it to one thread.
    void run(const void* in, const void* packed, float* out) const;

    [[nodiscard]] std::size_t packed_bytes() const;
    // From [kernel_h, kernel_w, in_channels / groups, out_channels], or with groups
    // [groups, kernel_h, kernel_w, in_channels / groups, out_channels / groups].
    void pack(const void* weights, void* packed) const;
    // Names the packed form: equal for primitives that read the same.
    [[nodiscard]] std::string packing() const;
    // Whether oneDNN found only its plain loops, which take a thousand times as long.
    [[nodiscard]] bool plain_loops() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ttnn_cpu::kernels

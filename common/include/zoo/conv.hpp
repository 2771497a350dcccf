// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "ttnn/operations/conv/conv2d/conv2d.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/pool/generic/generic_pools.hpp"
#include "ttnn/operations/pool/upsample/upsample.hpp"
#include "ttnn/types.hpp"
#include "zoo/conv_weights.hpp"

// TTNN's convolution, pools and upsampling on images, their arguments by name. The positional order is spelled once, in
// conv.cpp.
namespace zoo {

// Images on the device: tensor is [1, 1, batch * height * width, channels], what these ops take and return.
struct FeatureMap {
    ttnn::Tensor tensor;
    std::uint32_t batch = 1;
    std::uint32_t height = 1;
    std::uint32_t width = 1;
    std::uint32_t channels = 1;
};

using Pair = std::array<std::uint32_t, 2>;   // {height, width}
using Sides = std::array<std::uint32_t, 4>;  // {top, bottom, left, right}

[[nodiscard]] constexpr Pair square(std::uint32_t side) { return {side, side}; }
[[nodiscard]] constexpr Sides all_sides(std::uint32_t width) { return {width, width, width, width}; }

// The weights of one convolution of a model, for the device.
//
// How they lie there depends on the input's sharding and on the config, so conv2d does it: the first call with these
// parameters lays them out, and they stay in DRAM. Every later call, and so every trace, finds them there. A call with
// another image size, input memory or sharding lays them out once more, which is not possible inside a trace. Copies
// share what is on the device.
class ConvParameters {
public:
    ConvParameters() = default;
    // `dtype` is that of weight and bias on the device: BFLOAT16, BFLOAT8_B, BFLOAT4_B or FLOAT32.
    explicit ConvParameters(const ConvWeights& weights, ttnn::DataType dtype = ttnn::DataType::BFLOAT16);

    [[nodiscard]] ttnn::DataType dtype() const;
    [[nodiscard]] std::uint32_t out_channels() const;
    // Channels that one group of outputs reads.
    [[nodiscard]] std::uint32_t group_channels() const;
    [[nodiscard]] Pair kernel() const;

private:
    friend struct ConvCall;
    struct State;
    std::shared_ptr<State> state_;
};

struct Conv2dArgs {
    Pair stride = square(1);
    Sides padding = all_sides(0);
    Pair dilation = square(1);
    std::optional<ttnn::DataType> dtype = std::nullopt;  // of the result; the input's by default
    ttnn::Conv2dConfig config = {};                      // weights_dtype is that of the parameters
    std::optional<ttnn::DeviceComputeKernelConfig> compute_kernel_config = std::nullopt;
    std::optional<ttnn::MemoryConfig> memory_config = std::nullopt;
    // By default an input in DRAM is cut as it takes, to DRAM, and one in L1 stays there.
    std::optional<ttnn::Conv2dSliceConfig> slice_config = std::nullopt;
};

struct MaxPool2dArgs {
    Pair kernel = square(2);
    Pair stride = square(2);
    Sides padding = all_sides(0);
    Pair dilation = square(1);
    bool ceil_mode = false;
    std::optional<ttnn::MemoryConfig> memory_config = std::nullopt;
    std::optional<ttnn::operations::op_slicing::Op2DSliceConfig> slice_config = std::nullopt;
    std::optional<ttnn::TensorMemoryLayout> shard_layout = std::nullopt;  // for inputs that are not sharded
    bool deallocate_input = false;
    bool reallocate_halo_output = true;
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    ttnn::Layout output_layout = ttnn::Layout::ROW_MAJOR;
    bool config_tensors_in_dram = false;
};

struct AvgPool2dArgs {
    Pair kernel = square(2);
    Pair stride = square(2);
    Sides padding = all_sides(0);
    bool ceil_mode = false;
    bool count_include_pad = true;
    std::optional<std::int32_t> divisor = std::nullopt;
    std::optional<ttnn::MemoryConfig> memory_config = std::nullopt;
    std::optional<ttnn::operations::op_slicing::Op2DSliceConfig> slice_config = std::nullopt;
    std::optional<ttnn::TensorMemoryLayout> shard_layout = std::nullopt;  // for inputs that are not sharded
    std::optional<ttnn::DeviceComputeKernelConfig> compute_kernel_config = std::nullopt;
    bool deallocate_input = false;
    bool reallocate_halo_output = true;
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    ttnn::Layout output_layout = ttnn::Layout::ROW_MAJOR;
    bool config_tensors_in_dram = false;
};

struct UpsampleArgs {
    std::array<int, 2> scale = {2, 2};
    std::string mode = "nearest";
    std::optional<ttnn::MemoryConfig> memory_config = std::nullopt;
    std::optional<ttnn::DeviceComputeKernelConfig> compute_kernel_config = std::nullopt;
};

// Groups follow from the channels: input.channels / parameters.group_channels(). Error when that is no whole number.
// config.deallocate_activation frees an input in L1.
[[nodiscard]] FeatureMap conv2d(const FeatureMap& input, const ConvParameters& parameters, const Conv2dArgs& args = {});
[[nodiscard]] FeatureMap max_pool2d(const FeatureMap& input, const MaxPool2dArgs& args = {});
[[nodiscard]] FeatureMap avg_pool2d(const FeatureMap& input, const AvgPool2dArgs& args = {});
// The mean of each image: [1, 1, batch, channels]. kernel, stride and padding of the arguments are not read.
[[nodiscard]] FeatureMap global_avg_pool2d(const FeatureMap& input, AvgPool2dArgs args = {});
// The result is ROW_MAJOR.
[[nodiscard]] FeatureMap upsample(const FeatureMap& input, const UpsampleArgs& args = {});

}  // namespace zoo

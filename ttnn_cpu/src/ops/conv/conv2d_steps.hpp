// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of ttnn::conv2d that preparing its weights takes too.
#include <optional>
#include <string_view>

#include <ttnn/operations/conv/conv2d/conv2d.hpp>

#include "core/json_text.hpp"
#include "ops/conv/blocking.hpp"
#include "ops/conv/slicing.hpp"
#include "ops/conv/weights.hpp"

namespace ttnn_cpu::conv_op {

using sliding::Rect;
using sliding::SliceConfig;
using tt::tt_metal::distributed::MeshDevice;
using ttnn::Tensor;

DeviceComputeKernelConfig compute_config(
    const std::optional<const DeviceComputeKernelConfig>& given, DataType input_dtype, DataType weights_dtype);

// Throws for sizes that make no convolution.
void check_shape(const ConvShape& shape);
void check_config(const Conv2dConfig& config);

// Whether the strides become channels: as config says, or where kernel and stride are equal.
bool folds_stride(const ConvShape& shape, const Conv2dConfig& config, const MemoryConfig& memory, Layout layout);
// The conv that is left after that.
ConvShape folded_shape(const ConvShape& shape);

// An input in DRAM is cut into slices, unless L1_FULL is asked for.
bool runs_in_dram(bool input_in_l1, const std::optional<const SliceConfig>& slice_config);

// Where the input of a conv has to be, and how it gets there.
struct InputPlacement {
    MemoryConfig memory;
    bool moves = false;
};
InputPlacement place_input(
    const ConvShape& shape, const MemoryConfig& memory, Layout layout, const Conv2dConfig& config, bool is_matmul,
    MeshDevice& device);

// A conv on images in DRAM.
class SlicedConv : public sliding::SlicedOp {
public:
    struct Arguments {
        ConvShape shape;
        Layout input_layout;
        DataType input_dtype;
        DataType output_dtype;
        bool has_bias;
        Conv2dConfig config;  // weights_dtype is set
        DeviceComputeKernelConfig compute;
        MeshDevice* device;
    };

    explicit SlicedConv(Arguments arguments) : arguments_(std::move(arguments)) {}

    std::string_view name() const override { return "Conv2D"; }
    sliding::InputSlice input(const Rect& output) const override;
    std::uint64_t l1_usage(const Rect& output) const override;
    MemoryConfig input_memory(const Rect& output) const override;
    std::uint32_t run_width(const Rect& output) const override;
    Tensor run(const Tensor& input, const Rect& output) override;

    ConvShape slice_shape(const Rect& output) const;
    bool is_whole(const Rect& output) const;

protected:
    Arguments arguments_;
};

JsonText describe(const Conv2dConfig& config);
JsonText describe(const DeviceComputeKernelConfig& config);
JsonText describe(const SliceConfig& config);

}  // namespace ttnn_cpu::conv_op

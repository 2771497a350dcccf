// SPDX-License-Identifier: Apache-2.0
#pragma once

// Convs and pools on images in DRAM: one slice of the output at a time goes through L1.
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <ttnn/operations/sliding_window/op_slicing/op_slicing.hpp>
#include <ttnn/tensor/tensor.hpp>
#include <ttnn/types.hpp>

#include "ops/conv/window.hpp"

namespace ttnn_cpu::sliding {

using SliceConfig = ttnn::operations::op_slicing::Op2DSliceConfig;

// Pixels [first, last) of an image in both directions.
struct Rect {
    Pair first;
    Pair last;

    std::uint32_t size(int axis) const { return last[axis] - first[axis]; }
};

// The part of the input that a part of the output needs, and the padding it needs around that.
struct InputSlice {
    Rect input;
    Padding padding;
};

// `round_width`: slices whose output is in tiles are padded to whole tiles in width, unless they are all of the image.
InputSlice input_slice(const Window& window, const Rect& output, bool round_width);

class SlicedOp {
public:
    virtual ~SlicedOp() = default;
    virtual std::string_view name() const = 0;
    virtual InputSlice input(const Rect& output) const = 0;
    // Bytes a core.
    virtual std::uint64_t l1_usage(const Rect& output) const = 0;
    virtual tt::tt_metal::MemoryConfig input_memory(const Rect& output) const = 0;
    // input: the slice, sharded, or all of the input in DRAM where one slice is enough. Output pixels come as rows, and
    // may be more than `output` has in width.
    virtual ttnn::Tensor run(const ttnn::Tensor& input, const Rect& output) = 0;
    // Columns of pixels that run() returns for a slice.
    virtual std::uint32_t run_width(const Rect& output) const = 0;
};

// The slice config itself where it says how many slices; otherwise the smallest number whose slices fit the free L1.
SliceConfig choose_slices(
    const SlicedOp& op, Pair input, Pair output, const std::optional<SliceConfig>& wanted,
    tt::tt_metal::Layout output_layout, tt::tt_metal::distributed::MeshDevice& device);

// The parts of the output that are computed one after the other.
std::vector<Rect> slices(const SliceConfig& config, Pair output, tt::tt_metal::Layout output_layout);

// A batch of images that is cut up, and what becomes of them.
struct SlicedImages {
    std::uint32_t batch;
    Pair input;
    Pair output;
    tt::tt_metal::TensorSpec output_spec;  // [1, 1, N*OH*OW, C], DRAM
};

// input: [1, 1, N*H*W, C] in DRAM.
ttnn::Tensor run_sliced(
    const ttnn::Tensor& input, const SlicedImages& images, SlicedOp& op, const std::optional<SliceConfig>& config);

}  // namespace ttnn_cpu::sliding

// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/slicing.hpp"

#include <algorithm>

#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/untilize/untilize.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/device_impl.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/tensor_impl.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn_cpu::sliding {

using tt::tt_metal::BufferType;
using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using tt::tt_metal::distributed::MeshDevice;
using ttnn::Tensor;
using Type = SliceConfig::SliceType;

namespace {

constexpr std::uint32_t kTile = 32;

int axis_of(const SliceConfig& config) { return config.slice_type == Type::DRAM_HEIGHT ? 0 : 1; }

std::string_view axis_name(const SliceConfig& config) { return axis_of(config) == 0 ? "height" : "width"; }

std::uint32_t unit_of(const SliceConfig& config, Layout layout) {
    return layout == Layout::TILE && config.slice_type == Type::DRAM_WIDTH ? kTile : 1;
}

std::uint64_t free_l1(MeshDevice& device) {
    const BankAllocator& l1 = device.impl().memory()->allocator(BufferType::L1);
    return l1.region().bank_size - l1.usage().allocated;
}

// Wide slices share fewer pixels; tiles want slices of whole tiles in width, which narrow images do not have.
Type likely_type(Pair input, Layout layout) {
    if (layout == Layout::ROW_MAJOR) {
        return static_cast<float>(input[0]) > static_cast<float>(input[1]) * 3.0F ? Type::DRAM_HEIGHT
                                                                                  : Type::DRAM_WIDTH;
    }
    return input[1] < 200 || input[0] > input[1] ? Type::DRAM_HEIGHT : Type::DRAM_WIDTH;
}

// Strides of pixels in rows of `columns` values.
std::vector<std::size_t> image_strides(std::uint32_t height, std::uint32_t width, std::size_t columns) {
    return {std::size_t{height} * width * columns, width * columns, columns, 1};
}

// From a part of images in DRAM to rows of pixels in shards.
Tensor padded_slice(const Tensor& input, const SlicedImages& images, const Rect& part, const MemoryConfig& memory) {
    const std::uint32_t channels = input.logical_shape()[-1];
    const auto& shard = memory.shard_spec()->shape;
    const TensorSpec spec(
        Shape{1, 1, images.batch * part.size(0) * part.size(1), channels},
        TensorLayout(
            is_block_float(input.dtype()) ? ttnn::DataType::BFLOAT16 : input.dtype(), PageConfig(Layout::ROW_MAJOR),
            memory, tt::tt_metal::Alignment{shard[0], shard[1]}));
    const std::vector<std::size_t> strides =
        image_strides(images.input[0], images.input[1], input.tensor_spec().physical_shape().width());
    Transfer transfer;
    transfer.move = {
        .sizes = {images.batch, part.size(0), part.size(1), channels},
        .in_strides = strides,
        .out_strides = image_strides(part.size(0), part.size(1), spec.physical_shape().width()),
        .in_offset = part.first[0] * strides[1] + part.first[1] * strides[2]};
    transfer.fill = 0;
    return launch_movement(
        {.name = "PaddedSliceDeviceOperation",
         .attributes = JsonText()
                           .field("input_hw", images.input)
                           .field("slice_start", part.first)
                           .field("slice_end", part.last)
                           .field("output_mem_config", memory)
                           .str(),
         .inputs = {input},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {std::move(transfer)}});
}

// Rows of pixels, `width` of them for each row of the slice, into a part of the output.
void slice_write(
    const Tensor& slice, const Tensor& output, const SlicedImages& images, const Rect& part, std::uint32_t width) {
    const std::size_t columns = output.tensor_spec().physical_shape().width();
    // Tiles begin anew with each row of images that are not flattened.
    const bool flat = output.logical_shape()[2] != images.output[1];
    const std::uint32_t pitch = flat ? images.output[1] : output.padded_shape()[2];
    const std::vector<std::size_t> strides = image_strides(images.output[0], pitch, columns);
    Transfer transfer;
    transfer.move = {// Block floats in whole groups, so that none is taken apart.
                     .sizes =
                         {images.batch, part.size(0), part.size(1),
                          is_block_float(output.dtype()) ? columns : output.logical_shape()[-1]},
                     .in_strides = image_strides(part.size(0), width, slice.tensor_spec().physical_shape().width()),
                     .out_strides = strides,
                     .out_offset = part.first[0] * strides[1] + part.first[1] * strides[2]};
    launch_movement(
        {.name = "SliceWriteDeviceOperation",
         .attributes = JsonText()
                           .field("output_hw", images.output)
                           .field("slice_start", part.first)
                           .field("slice_end", part.last)
                           .field("width", width)
                           .str(),
         .inputs = {slice},
         .output_spec = output.tensor_spec(),
         .output = output,
         .transfers = {std::move(transfer)}});
}

}  // namespace

InputSlice input_slice(const Window& window, const Rect& output, bool round_width) {
    InputSlice slice{};
    for (int axis = 0; axis < 2; ++axis) {
        const auto stride = static_cast<std::int64_t>(window.stride[axis]);
        const auto before = static_cast<std::int64_t>(window.padding[2 * axis]);
        const auto size = static_cast<std::int64_t>(window.input[axis]);
        const std::int64_t first = output.first[axis] * stride - before;
        const std::int64_t last = (output.last[axis] - 1) * stride - before + window.reach(axis);
        slice.input.first[axis] = static_cast<std::uint32_t>(std::max<std::int64_t>(0, first));
        slice.input.last[axis] = static_cast<std::uint32_t>(std::min(size, last));
        slice.padding[2 * axis] = static_cast<std::uint32_t>(std::max<std::int64_t>(0, -first));
        slice.padding[2 * axis + 1] = static_cast<std::uint32_t>(std::max<std::int64_t>(0, last - size));
        // At the edges of the image all of it and all of its padding is used.
        if (output.first[axis] == 0) {
            slice.input.first[axis] = 0;
            slice.padding[2 * axis] = window.padding[2 * axis];
        }
        if (output.last[axis] == window.output(axis)) {
            slice.input.last[axis] = window.input[axis];
            slice.padding[2 * axis + 1] = window.padding[2 * axis + 1];
        }
    }
    const bool whole = slice.input.size(0) == window.input[0] && slice.input.size(1) == window.input[1];
    if (round_width && !whole && output.size(1) % kTile != 0) {
        slice.padding[3] += (kTile - output.size(1) % kTile) * window.stride[1];
    }
    return slice;
}

std::vector<Rect> slices(const SliceConfig& config, Pair output, Layout output_layout) {
    const int axis = axis_of(config);
    const std::uint32_t unit = unit_of(config, output_layout);
    const auto units = static_cast<std::uint32_t>(divide_up(output[axis], unit));
    std::vector<Rect> parts;
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < config.num_slices && first < output[axis]; ++i) {
        const std::uint32_t size = unit * (units / config.num_slices + (i < units % config.num_slices ? 1 : 0));
        const std::uint32_t last = std::min(output[axis], first + size);
        if (last == first) {
            continue;
        }
        Rect part{{0, 0}, output};
        part.first[axis] = first;
        part.last[axis] = last;
        parts.push_back(part);
        first = last;
    }
    return parts;
}

SliceConfig choose_slices(
    const SlicedOp& op, Pair input, Pair output, const std::optional<SliceConfig>& wanted, Layout output_layout,
    MeshDevice& device) {
    if (wanted && wanted->num_slices > 0) {
        return *wanted;
    }
    const std::uint64_t available = free_l1(device);
    const auto fitting = [&](Type type) {
        SliceConfig config{.slice_type = type, .num_slices = 1};
        const auto most =
            static_cast<std::uint32_t>(divide_up(output[axis_of(config)], unit_of(config, output_layout)));
        for (; config.num_slices <= most; ++config.num_slices) {
            std::uint64_t usage = 0;
            for (const Rect& part : slices(config, output, output_layout)) {
                usage = std::max(usage, op.l1_usage(part));
            }
            if (usage <= available) {
                return config;
            }
        }
        config.num_slices = 0;
        return config;
    };
    SliceConfig config = fitting(wanted ? wanted->slice_type : likely_type(input, output_layout));
    if (config.num_slices == 0 && !wanted) {
        config = fitting(axis_of(config) == 0 ? Type::DRAM_WIDTH : Type::DRAM_HEIGHT);
    }
    TT_FATAL(
        config.num_slices > 0,
        "DRAM Auto slice could not find valid slice configuration. Tried up to {} slices for {}-slicing on output "
        "dimension "
        "{}. Available L1: {} bytes. Operation requires more memory than available even with maximum slicing: {} needs "
        "{} "
        "bytes for its smallest slice.",
        divide_up(output[axis_of(config)], unit_of(config, output_layout)), axis_name(config), output[axis_of(config)],
        available, op.name(),
        op.l1_usage(slices(
                        {.slice_type = config.slice_type,
                         .num_slices = static_cast<std::uint32_t>(
                             divide_up(output[axis_of(config)], unit_of(config, output_layout)))},
                        output, output_layout)
                        .front()));
    return config;
}

Tensor run_sliced(
    const Tensor& input, const SlicedImages& images, SlicedOp& op, const std::optional<SliceConfig>& wanted) {
    const Layout layout = images.output_spec.layout();
    // The output is there while TTNN looks for the slices.
    Tensor result = make_device_tensor(images.output_spec, input.device());
    const SliceConfig config = choose_slices(op, images.input, images.output, wanted, layout, *input.device());
    const auto most = static_cast<std::uint32_t>(divide_up(images.output[axis_of(config)], unit_of(config, layout)));
    TT_FATAL(
        config.num_slices <= most,
        "Number of slices ({}) exceeds the maximum allowed ({}) for the given output dimension and alignment.",
        config.num_slices, most);
    if (config.num_slices == 1) {
        result.deallocate(true);
        return ttnn::to_memory_config(op.run(input, {{0, 0}, images.output}), MemoryConfig());
    }
    for (const Rect& part : slices(config, images.output, layout)) {
        const InputSlice needed = op.input(part);
        Tensor slice = op.run(padded_slice(input, images, needed.input, op.input_memory(part)), part);
        if (layout == Layout::ROW_MAJOR) {
            if (slice.memory_config().memory_layout() == TensorMemoryLayout::WIDTH_SHARDED) {
                slice = ttnn::to_memory_config(slice, MemoryConfig(TensorMemoryLayout::INTERLEAVED, BufferType::L1));
            }
            if (slice.layout() == Layout::TILE) {
                slice = ttnn::untilize(slice);
            }
        }
        slice_write(slice, result, images, part, op.run_width(part));
    }
    return result;
}

}  // namespace ttnn_cpu::sliding

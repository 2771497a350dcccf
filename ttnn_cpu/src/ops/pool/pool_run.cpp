// SPDX-License-Identifier: Apache-2.0
#include "ops/pool/pool_run.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/sliding_window/sliding_window.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/tensor_impl.hpp"
#include "kernels/pool_window.hpp"
#include "ops/conv/conv2d_steps.hpp"
#include "ops/conv/halo.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/fidelity_of.hpp"

namespace ttnn_cpu::pool_op {

using sliding::Rect;
using sliding::SliceConfig;
using tt::tt_metal::BufferType;
using tt::tt_metal::PageConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

kernels::PoolImages images_of(const Pool& pool, const TensorSpec& in, const TensorSpec& out) {
    const Window& w = pool.window;
    return {
        .batch = w.batch,
        .in_h = w.input[0],
        .in_w = w.input[1],
        .channels = pool.channels,
        .out_h = w.output(0),
        .out_w = w.output(1),
        .kernel = {w.kernel[0], w.kernel[1]},
        .stride = {w.stride[0], w.stride[1]},
        .dilation = {w.dilation[0], w.dilation[1]},
        .padding = {w.padding[0], w.padding[1], w.padding[2], w.padding[3]},
        .in = {in.data_type(), in.physical_shape().height(), in.physical_shape().width()},
        .out = {out.data_type(), out.physical_shape().height(), out.physical_shape().width()}};
}

Kernel pool_kernel(
    const Pool& pool, const TensorSpec& source, const TensorSpec& result, const ParallelConfig& parallel,
    Numerics numerics) {
    const kernels::PoolImages images = images_of(pool, source, result);
    const std::size_t bytes = result.compute_packed_buffer_size_bytes();
    if (pool.type == PoolType::Max) {
        return [images, bytes](std::span<const BufferRef>, std::span<const BufferRef> out) {
            kernels::max_pool(images, sliding::haloed_input(out[0].data, bytes), out[0].data);
        };
    }
    const std::uint32_t rows = pool.rows_at_once(pool.channels / parallel.cores_channels());
    const bool large = pool.window.kernel[0] * pool.window.kernel[1] > rows;
    const kernels::AveragePool average{
        .count_include_pad = pool.count_include_pad,
        .divisor = pool.divisor ? static_cast<std::size_t>(*pool.divisor) : 0,
        .exact = numerics == Numerics::Wormhole,
        .tile_rows = rows,
        .float32_destination = pool.compute ? pool.compute->fp32_dest_acc_en : large};
    return [images, average, bytes](std::span<const BufferRef>, std::span<const BufferRef> out) {
        kernels::average_pool(images, average, sliding::haloed_input(out[0].data, bytes), out[0].data);
    };
}

Tensor launch_pool(const Tensor& haloed, const TensorSpec& source, const Pool& pool, const MemoryConfig& memory) {
    const ParallelConfig parallel = sliding::parallel_config_of(memory);
    const Window& w = pool.window;
    const auto& shard = memory.shard_spec()->shape;
    // The last shard may have pixels that the tensor does not: its padding ends with the last row of tiles, or has none.
    const std::uint32_t rows =
        pool.tiled_output() ? static_cast<std::uint32_t>(round_up(w.output_pixels(), 32)) : w.output_pixels();
    const TensorSpec spec = spec_with_padding(
        Shape{1, 1, w.output_pixels(), pool.channels}, pool.dtype, pool.output_layout, memory,
        Shape{1, 1, rows, shard[1] * parallel.cores_channels()});
    return launch({.name = "Pool2D",
                   .attributes = JsonText()
                                     .field("pool_type", pool.type == PoolType::Max ? "MAX_POOL2D" : "AVG_POOL2D")
                                     .field("batch_size", w.batch)
                                     .field("channels", pool.channels)
                                     .field("input_hw", w.input)
                                     .field("window_hw", w.kernel)
                                     .field("stride_hw", w.stride)
                                     .field("padding", w.padding)
                                     .field("ceil_pad_hw", w.ceil_pad)
                                     .field("dilation_hw", w.dilation)
                                     .field("ceil_mode", pool.ceil_mode)
                                     .field("count_include_pad", pool.count_include_pad)
                                     .field("divisor_override", pool.divisor)
                                     .field("output_dtype", pool.dtype)
                                     .field("output_layout", pool.output_layout)
                                     .field("fp32_dest_acc_en", pool.compute && pool.compute->fp32_dest_acc_en)
                                     .field("memory_config", memory)
                                     .field("config_tensor_in_dram", pool.tables_in_dram)
                                     .field("halo_input", source)
                                     .str(),
                   .inputs = {haloed},
                   .output_specs = {spec},
                   .create_program =
                       [&](Numerics numerics) {
                           Window window = w;
                           window.cores_nhw = parallel.cores_nhw();
                           window.snap_to_tile = pool.tiled_output();
                           const std::uint32_t length = sliding::reader_table_length(window, 0, 0, false);
                           auto tables = std::make_shared<std::vector<Tensor>>();
                           tables->push_back(
                               sliding::make_table(parallel, length, pool.tables_in_dram, haloed.device()));
                           Program program;
                           program.core_count = static_cast<std::uint32_t>(parallel.grid.num_cores());
                           program.circular_buffer_bytes = circular_buffers(
                               pool, parallel,
                               pool.tables_in_dram ? static_cast<std::uint32_t>(round_up(2 * length, 16)) : 0);
                           program.borrows = true;
                           program.kernel = [tables, kernel = pool_kernel(pool, source, spec, parallel, numerics)](
                                                std::span<const BufferRef> in, std::span<const BufferRef> out) {
                               kernel(in, out);
                           };
                           return program;
                       }})
        .front();
}

Tensor flattened(const Tensor& tensor) {
    const Shape& shape = tensor.logical_shape();
    return shape[0] == 1 && shape[1] == 1
               ? tensor
               : ttnn::reshape(tensor, Shape{1, 1, shape[0] * shape[1] * shape[2], shape[3]});
}

Tensor pool_in_l1(const Tensor& given, const Pool& pool, const Handling& handling) {
    check_pool(pool, given);
    Tensor input = given;
    const bool from_dram = given.memory_config().is_dram();
    if (!given.is_sharded()) {
        input = flattened(given);
        const MemoryConfig memory = input_memory(
            pool, static_cast<std::uint32_t>(input.tensor_spec().physical_shape().height()), input.layout(),
            input.dtype(), *input.device());
        input = ttnn::to_memory_config(input, memory);
    } else {
        TT_FATAL(!pool.scheme, "A sharding scheme should not be specified for a sharded input tensor.");
        TT_FATAL(
            given.shard_spec()->orientation == tt::tt_metal::ShardOrientation::ROW_MAJOR,
            "Only row major orientation is supported.");
    }
    const MemoryConfig memory = output_memory(pool, input.memory_config());
    const ParallelConfig parallel = sliding::parallel_config_of(input.memory_config());
    Window window = pool.window;
    window.cores_nhw = parallel.cores_nhw();
    window.snap_to_tile = pool.tiled_output();
    const TensorSpec source = input.tensor_spec();
    Tensor haloed = sliding::halo(
        input, {.window = window,
                .parallel = parallel,
                .pad_value = pool.type == PoolType::Max ? 0xFF80U : 0U,
                .tables_in_dram = pool.tables_in_dram});
    if (handling.frees_input || from_dram) {
        input.deallocate(true);
    }
    if (!given.is_sharded()) {
        input = Tensor();
    }
    if (handling.moves_halo) {
        haloed = sliding::move(haloed);
    }
    Tensor output = launch_pool(haloed, source, pool, memory);
    if (handling.memory_config && *handling.memory_config != output.memory_config()) {
        output = ttnn::to_memory_config(output, *handling.memory_config);
    }
    return output;
}

class SlicedPool final : public sliding::SlicedOp {
public:
    SlicedPool(Pool pool, Layout input_layout, DataType input_dtype, MeshDevice& device)
        : pool_(std::move(pool)), input_layout_(input_layout), input_dtype_(input_dtype), device_(device) {
        // Slices are sharded as the whole would be.
        if (!pool_.scheme) {
            pool_.scheme = cheapest_parallel(pool_, input_layout, device).scheme;
        }
    }

    std::string_view name() const override { return "Pool2D"; }

    sliding::InputSlice input(const Rect& output) const override {
        sliding::InputSlice slice = sliding::input_slice(pool_.window, output, false);
        const bool whole = output.size(0) == pool_.window.output(0) && output.size(1) == pool_.window.output(1);
        if (pool_.tiled_output() && !whole && output.size(1) % 32 != 0) {
            const auto width = static_cast<std::uint32_t>(round_up(output.size(1), 32));
            slice.padding[3] =
                (width - 1) * pool_.window.stride[1] + pool_.window.reach(1) - slice.input.size(1) - slice.padding[2];
        }
        return slice;
    }

    std::uint64_t l1_usage(const Rect& output) const override {
        return pool_op::l1_usage(slice_pool(output), input_memory(output), input_dtype_, input_layout_);
    }

    MemoryConfig input_memory(const Rect& output) const override {
        const Pool pool = slice_pool(output);
        std::uint32_t pixels = pool.window.batch * pool.window.input[0] * pool.window.input[1];
        if (input_layout_ == Layout::TILE) {
            pixels = static_cast<std::uint32_t>(round_up(pixels, 32));
        }
        return pool_op::input_memory(pool, pixels, input_layout_, input_dtype_, device_);
    }

    std::uint32_t run_width(const Rect& output) const override { return slice_pool(output).window.output(1); }

    Tensor run(const Tensor& slice, const Rect& output) override {
        Pool pool = slice_pool(output);
        if (slice.is_sharded()) {
            pool.scheme.reset();
        }
        return pool_in_l1(
            slice, pool, {.memory_config = std::nullopt, .frees_input = slice.is_sharded(), .moves_halo = true});
    }

private:
    Pool slice_pool(const Rect& output) const {
        const sliding::InputSlice slice = input(output);
        Pool pool = pool_;
        pool.window.input = {slice.input.size(0), slice.input.size(1)};
        pool.window.padding = slice.padding;
        for (int axis = 0; axis < 2; ++axis) {
            if (output.last[axis] != pool_.window.output(axis)) {
                pool.window.ceil_pad[axis] = 0;
            }
        }
        return pool;
    }

    Pool pool_;
    Layout input_layout_;
    DataType input_dtype_;
    MeshDevice& device_;
};

Tensor pool_in_dram(
    const Tensor& given, const Pool& pool, const Handling& handling, const std::optional<SliceConfig>& slice_config) {
    check_pool(pool, given);
    const Window& w = pool.window;
    const sliding::Pair out{w.output(0), w.output(1)};
    SlicedPool op(pool, given.layout(), given.dtype(), *given.device());
    const SliceConfig slices =
        sliding::choose_slices(op, w.input, out, slice_config, pool.output_layout, *given.device());
    // What fits as a whole stays in L1, as if it had been there.
    if (slices.num_slices == 1) {
        return pool_in_l1(given, pool, handling);
    }
    // Slices go to DRAM, whatever memory is asked for.
    const TensorSpec spec(
        Shape{w.batch, out[0], out[1], pool.channels},
        TensorLayout(pool.dtype, PageConfig(pool.output_layout), MemoryConfig()));
    return sliding::run_sliced(flattened(given), {w.batch, w.input, out, spec}, op, slices);
}

// A kernel as large as the image, without padding: one reduction over its pixels.
bool is_global(const Pool& pool, const Tensor& input) {
    const Window& w = pool.window;
    const Shape& padded = input.padded_shape();
    const std::uint32_t rows = padded[0] * padded[1] * padded[2];
    const bool block_tiles = is_block_float(input.dtype()) && input.layout() == Layout::TILE;
    return pool.type == PoolType::Average && w.kernel == w.input && w.padding == sliding::Padding{0, 0, 0, 0} &&
           w.dilation == sliding::Pair{1, 1} && !pool.scheme && rows % w.batch == 0 &&
           (!block_tiles || w.input[0] * w.input[1] % 32 == 0);
}

// Two tiles in, two out and the scaler. Rows are made into tiles, up to eight of a column at a time, and back.
std::uint64_t reduce_buffers(const Tensor& input, const TensorSpec& output, std::size_t rows) {
    const auto tile = [](DataType dtype) { return storage_bytes(dtype, 32 * 32); };
    const std::uint64_t in = tile(input.dtype());
    const std::uint64_t out = tile(output.data_type());
    const std::uint64_t plain = 2 * out + tile(DataType::BFLOAT16);
    if (input.layout() == Layout::TILE) {
        return plain + 2 * in;
    }
    const std::uint64_t column = std::clamp<std::uint64_t>(divide_up(rows, 32), 1, 8);
    return plain + (3 + std::max<std::uint64_t>(2, column)) * in + out;
}

Tensor global_average(const Tensor& given, const Pool& pool, const Handling& handling) {
    const Window& w = pool.window;
    const std::uint32_t pixels = w.input[0] * w.input[1];
    const bool whole_tiles = pixels % 32 == 0;
    const MemoryConfig wanted = handling.memory_config.value_or(given.memory_config());
    const MemoryConfig memory = wanted.is_sharded() || given.memory_config().is_sharded()
                                    ? MemoryConfig(tt::tt_metal::TensorMemoryLayout::INTERLEAVED, wanted.buffer_type())
                                    : wanted;
    Tensor input = given.memory_config() == memory ? given : ttnn::to_memory_config(given, memory);
    if (input.layout() != Layout::ROW_MAJOR && !whole_tiles && !is_block_float(input.dtype())) {
        input = ttnn::to_layout(input, Layout::ROW_MAJOR);
    }
    const auto& physical = input.tensor_spec().physical_shape();
    const DataType dtype =
        is_block_float(input.dtype()) && pool.output_layout == Layout::ROW_MAJOR ? DataType::BFLOAT16 : input.dtype();
    const TensorSpec spec(
        Shape{1, 1, w.batch, pool.channels}, TensorLayout(dtype, PageConfig(pool.output_layout), memory));
    kernels::PoolImages images = images_of(pool, input.tensor_spec(), spec);
    const std::size_t stride = physical.height() / w.batch;
    const float scale = 1.0F / static_cast<float>(pool.divisor ? static_cast<std::uint32_t>(*pool.divisor) : pixels);
    const ttnn::DeviceComputeKernelConfig compute = pool.compute.value_or(ttnn::DeviceComputeKernelConfig{
        .math_fidelity = tt::tt_metal::MathFidelity::HiFi3, .fp32_dest_acc_en = true});  // a reduction's default
    Tensor output =
        launch({.name = "ReduceDeviceOperation",
                .attributes = JsonText()
                                  .field("math_op", "SUM")
                                  .field("dim", "H")
                                  .field("scaler", scale)
                                  .field("rows", pixels)
                                  .field("batch", w.batch)
                                  .field("math_fidelity", compute.math_fidelity)
                                  .field("fp32_dest_acc_en", compute.fp32_dest_acc_en)
                                  .field("output_mem_config", memory)
                                  .str(),
                .inputs = {input},
                .output_specs = {spec},
                .create_program =
                    [&](Numerics numerics) {
                        Program program;
                        program.core_count = cores_for(spec, *input.device());
                        program.circular_buffer_bytes = reduce_buffers(input, spec, stride);
                        kernels::ReduceSpec sum{.scalar = scale};
                        if (numerics == Numerics::Wormhole) {
                            sum.fidelity = fidelity_of(compute.math_fidelity);
                            sum.dest = compute.fp32_dest_acc_en ? kernels::wormhole::DestWidth::Bits32
                                                                : kernels::wormhole::DestWidth::Bits16;
                        }
                        program.kernel = [images, stride, sum](
                                             std::span<const BufferRef> in, std::span<const BufferRef> out) {
                            kernels::global_sum(images, stride, sum, in[0].data, out[0].data);
                        };
                        return program;
                    }})
            .front();
    if (!wanted.is_sharded() && output.memory_config() != wanted) {
        output = ttnn::to_memory_config(output, wanted);
    }
    return output;
}

// [N, H, W, C] of what may have fewer dimensions.
Tensor four_dimensional(const Tensor& input, const Pool& pool) {
    const Shape& shape = input.logical_shape();
    const Window& w = pool.window;
    TT_FATAL(
        shape.rank() >= 2 && shape.rank() <= 4, "Pool2D: Input tensor must be rank 2, 3, or 4, got rank {}",
        shape.rank());
    TT_FATAL(
        shape.volume() == std::uint64_t{w.batch} * w.input[0] * w.input[1] * pool.channels,
        "Pool2D: an input of shape {} is no batch of {} images of {}x{} with {} channels", to_string(shape), w.batch,
        w.input[0], w.input[1], pool.channels);
    return shape.rank() == 4 ? input : ttnn::reshape(input, Shape{w.batch, w.input[0], w.input[1], pool.channels});
}

}  // namespace

Tensor run_pool(
    const Tensor& given, Pool pool, const Handling& handling, const std::optional<SliceConfig>& slice_config) {
    check_device_tensors("Pool2D", {&given});
    if (pool.ceil_mode) {
        pool.window.ceil_pad = sliding::ceil_padding(pool.window);
    }
    const Tensor input = four_dimensional(given, pool);
    if (is_global(pool, input)) {
        return global_average(input, pool, handling);
    }
    const bool in_l1 = input.memory_config().is_l1();
    return conv_op::runs_in_dram(in_l1, slice_config) ? pool_in_dram(input, pool, handling, slice_config)
                                                      : pool_in_l1(input, pool, handling);
}

}  // namespace ttnn_cpu::pool_op

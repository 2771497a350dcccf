// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/reduction/topk/topk.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/data_movement/slice/slice.hpp>
#include <ttnn/operations/data_movement/transpose/transpose.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/parallel.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr std::string_view kFunction = "ttnn::topk";
// TTNN pads shorter rows with infinities that lose.
constexpr std::uint32_t kLeastWidth = 64;

struct TopRows {
    kernels::StoredMatrix in;
    kernels::StoredMatrix values;
    std::size_t width;  // logical
    std::size_t k;      // of the output rows, a multiple of 32
    bool largest;
    bool wide_indices;
};

void find_top(const TopRows& top, const std::byte* in, std::byte* values, std::byte* indices) {
    kernels::parallel_for(top.in.rows, [&](std::size_t row) {
        std::vector<float> x(top.in.cols);
        top.in.load_f32(in, row * top.in.cols, top.in.cols, x.data());
        // What is left of k past the width are the losing infinities of the padding.
        x.resize(std::max(x.size(), top.k));
        std::fill(
            x.begin() + static_cast<std::ptrdiff_t>(top.width), x.end(),
            top.largest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity());
        std::vector<std::uint32_t> order(x.size());
        std::iota(order.begin(), order.end(), 0U);
        std::partial_sort(
            order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top.k), order.end(),
            [&](std::uint32_t a, std::uint32_t b) {
                return x[a] == x[b] ? a < b : (top.largest ? x[a] > x[b] : x[a] < x[b]);
            });
        std::vector<float> best(top.k);
        for (std::size_t i = 0; i < top.k; ++i) {
            best[i] = x[order[i]];
            if (top.wide_indices) {
                reinterpret_cast<std::uint32_t*>(indices)[row * top.k + i] = order[i];
            } else {
                reinterpret_cast<std::uint16_t*>(indices)[row * top.k + i] = static_cast<std::uint16_t>(order[i]);
            }
        }
        top.values.store_f32(values, row * top.k, top.k, best.data());
    });
}

}  // namespace

std::vector<Tensor> topk(
    const Tensor& input_tensor, uint32_t k, int8_t dim, bool largest, bool sorted,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config) {
    ApiCall call(kFunction, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("k", k)
            .field("dim", static_cast<int>(dim))
            .field("largest", largest)
            .field("sorted", sorted)
            .field("memory_config", memory_config);
    });
    check_device_tensors(kFunction, {&input_tensor});
    const auto& shape = input_tensor.logical_shape();
    const auto rank = static_cast<int>(shape.rank());
    TT_FATAL(
        dim >= -rank && dim < rank,
        "{}: Dimension for topk is out of range (expected to be in range of [{}, {}], got {})", kFunction, -rank,
        rank - 1, static_cast<int>(dim));
    const int axis = dim < 0 ? dim + rank : dim;
    TT_FATAL(
        k <= shape[axis], "{}: K cannot be larger than the dimension size! K={}, dimension size={}", kFunction, k,
        shape[axis]);
    TT_FATAL(k != 0, "{}: K must be non-zero", kFunction);
    TT_FATAL(
        input_tensor.layout() == Layout::TILE, "{}: The input must be in tiled format, it is {}", kFunction,
        ttnn_cpu::to_string(input_tensor.layout()));
    TT_FATAL(
        input_tensor.dtype() == DataType::BFLOAT16 || input_tensor.dtype() == DataType::BFLOAT8_B ||
            input_tensor.dtype() == DataType::FLOAT32,
        "{}: Input tensor must be BFLOAT16, BFLOAT8_B, or FLOAT32, got: {}", kFunction,
        ttnn_cpu::to_string(input_tensor.dtype()));
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    TT_FATAL(!memory.is_sharded(), "{}: Sharded implementation not supported yet", kFunction);

    const bool last = axis == rank - 1;
    const Tensor turned = last ? input_tensor : transpose(input_tensor, axis, -1, input_tensor.memory_config());
    const Shape turned_shape = turned.logical_shape();
    const Tensor input = rank < 4 ? unsqueeze_to_4D(turned) : turned;
    const auto rounded = static_cast<std::uint32_t>(round_up(k, kTile));
    Shape out_shape = input.logical_shape();
    const std::uint32_t width = out_shape[-1];
    const std::uint32_t padded_width = std::max(kLeastWidth, input.padded_shape()[-1]);
    const bool wide = input.dtype() == DataType::FLOAT32 || padded_width > std::numeric_limits<std::uint16_t>::max();
    out_shape[-1] = rounded;
    const auto spec = [&](DataType dtype) {
        return TensorSpec(out_shape, TensorLayout(dtype, PageConfig(Layout::TILE), memory));
    };
    const DataType index_dtype = wide ? DataType::UINT32 : DataType::UINT16;
    const auto create_program = [&](Numerics) {
        Program program;
        const kernels::StoredMatrix in = stored_matrix(input);
        program.core_count =
            padded_width >= 8192 ? cores_for(input, padded_width / kLeastWidth) : cores_for(input, in.rows / kTile);
        const std::uint64_t tiles = std::min<std::uint64_t>(padded_width, 8192) / kTile;
        program.circular_buffer_bytes = 2 * tiles * (tile_bytes(input.dtype()) + tile_bytes(index_dtype));
        const TopRows top{
            .in = in,
            .values = {input.dtype(), in.rows, rounded},
            .width = width,
            .k = rounded,
            .largest = largest,
            .wide_indices = wide};
        program.kernel = [top](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
            find_top(top, inputs[0].data, outputs[0].data, outputs[1].data);
        };
        return program;
    };
    std::vector<Tensor> results = launch(
        {.name = "TopKDeviceOperation",
         .attributes = JsonText()
                           .field("k", rounded)
                           .field("dim", -1)
                           .field("largest", largest)
                           .field("sorted", sorted)
                           .field("output_memory_config", memory)
                           .str(),
         .inputs = {input},
         .output_specs = {spec(input.dtype()), spec(index_dtype)},
         .outputs = {},
         .create_program = create_program});
    for (Tensor& result : results) {
        if (rounded != k) {
            ttsl::SmallVector<std::uint32_t> begin;
            ttsl::SmallVector<std::uint32_t> end;
            ttsl::SmallVector<std::uint32_t> step;
            for (const std::uint32_t size : result.logical_shape().view()) {
                begin.push_back(0);
                end.push_back(size);
                step.push_back(1);
            }
            end.back() = k;
            result = slice(result, begin, end, step, memory);
        }
        Shape final_shape = turned_shape;
        final_shape[-1] = k;
        if (result.logical_shape() != final_shape) {
            result = reshape(result, final_shape);
        }
        if (!last) {
            result = transpose(result, axis, -1, input_tensor.memory_config());
        }
    }
    return call.returns(results);
}

}  // namespace ttnn

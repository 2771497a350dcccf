// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/embedding/embedding.hpp>

#include <algorithm>
#include <cstring>

#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using prim::EmbeddingsType;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr std::string_view kFunction = "ttnn::embedding";

struct Lookup {
    std::size_t ids;        // how many
    std::size_t id_stride;  // ids of a padded id row
    std::size_t row_ids;    // ids of a row
    bool float_ids;
    std::size_t vocabulary;
    std::size_t width;     // of a weight row, in elements
    std::size_t out_rows;  // padded rows of a slice of the result
    std::size_t out_width;
};

void look_up(const Lookup& lookup, const BufferRef& ids, const std::uint16_t* weight, std::uint16_t* out) {
    constexpr std::size_t kIdsPerChunk = 64;
    kernels::parallel_for(divide_up(lookup.ids, kIdsPerChunk), [&](std::size_t chunk) {
        const std::size_t end = std::min(lookup.ids, (chunk + 1) * kIdsPerChunk);
        for (std::size_t i = chunk * kIdsPerChunk; i < end; ++i) {
            const std::size_t slice = i / lookup.row_ids;
            const std::size_t place = i % lookup.row_ids;
            const std::size_t at = slice * lookup.id_stride + place;
            const std::size_t id =
                lookup.float_ids ? static_cast<std::size_t>(kernels::bf16_to_float(ids.as<const std::uint16_t>()[at]))
                                 : ids.as<const std::uint32_t>()[at];
            std::uint16_t* const row = out + (slice * lookup.out_rows + place) * lookup.out_width;
            // An id past the table reads garbage on the card; zeros are as good and safe.
            if (id >= lookup.vocabulary) {
                std::fill_n(row, lookup.width, std::uint16_t{0});
            } else {
                std::memcpy(row, weight + id * lookup.width, lookup.width * sizeof(std::uint16_t));
            }
        }
    });
}

// Bytes of rows of the table that are on their way at most.
constexpr std::uint64_t kMostRowBytes = 1 << 20;

// Ids, rows of the table and, where they are made into tiles, the tiles; and rows that are kept for ids of their own.
std::uint64_t buffers(
    const Tensor& ids, const Tensor& weight, const TensorSpec& output, EmbeddingsType type, std::size_t rows_a_core) {
    const std::uint64_t row = std::uint64_t{weight.padded_shape()[-1]} * weight.element_size();
    const std::uint64_t kept = (type == EmbeddingsType::PADDED   ? 1
                                : type == EmbeddingsType::BINARY ? 2
                                                                 : 0) *
                               round_up(row, 32);
    const bool sharded = output.memory_config().is_sharded();
    if (output.layout() == Layout::TILE) {
        constexpr std::uint64_t kMostTiles = 64;  // of which there are two sets
        const std::uint64_t tile = storage_bytes(weight.dtype(), 32 * 32);
        const std::uint64_t width = sharded ? output.memory_config().shard_spec()->shape[1] : weight.padded_shape()[-1];
        std::uint64_t tiles = width / 32;
        if (2 * tiles * tile > kMostRowBytes) {
            tiles = std::min(tiles, kMostTiles);
        }
        return (tiles > kMostTiles ? 1 : 2) * tiles * tile * (sharded ? 1 : 2) + 32 * ids.element_size() + kept;
    }
    const bool blackhole = ids.device()->arch() == tt::ARCH::BLACKHOLE;
    const std::uint64_t alignment = ids.memory_config().is_l1() ? 16 : blackhole ? 64 : 32;
    const std::uint64_t part = std::min(round_up(row, alignment), kMostRowBytes);
    constexpr std::uint64_t kIdPage = 32;
    if (ids.layout() == Layout::TILE) {
        return 2 * part + 16 * kIdPage + kept;
    }
    return (sharded ? 0 : (rows_a_core > 1 ? 2 : 1) * part) + alignment / ids.element_size() * kIdPage + kept;
}

void check(const Tensor& ids, const Tensor& weight, EmbeddingsType type, const std::optional<int>& pad_token) {
    const std::size_t rank = ids.logical_shape().rank();
    TT_FATAL(
        rank == 1 || rank == 2 || (rank == 4 && ids.logical_shape()[1] == 1 && ids.logical_shape()[2] == 1),
        "{}: indices have shape {}; it must be [seq], [batch, seq] or [batch, 1, 1, seq]", kFunction,
        ttnn_cpu::to_string(ids.logical_shape()));
    TT_FATAL(
        ids.dtype() == DataType::UINT32 || ids.dtype() == DataType::BFLOAT16,
        "{}: Input must be UINT32 or BFLOAT16, not {}", kFunction, ttnn_cpu::to_string(ids.dtype()));
    TT_FATAL(
        weight.dtype() == DataType::BFLOAT16, "{}: Weights tensor must have BFLOAT16 dtype, not {}", kFunction,
        ttnn_cpu::to_string(weight.dtype()));
    TT_FATAL(
        weight.logical_volume() == std::uint64_t{weight.logical_shape()[-1]} * weight.logical_shape()[-2],
        "{}: First two dimensions for the weights must be 1; their shape is {}", kFunction,
        ttnn_cpu::to_string(weight.logical_shape()));
    TT_FATAL(!ids.is_sharded(), "{}: Embedding does not currently support sharded inputs", kFunction);
    TT_FATAL(!weight.is_sharded(), "{}: Embedding does not currently support sharded weights", kFunction);
    TT_FATAL(
        type != EmbeddingsType::PADDED || pad_token,
        "{}: Pad token must be specified when PADDED Embeddings Type is specified", kFunction);
    TT_FATAL(
        type != EmbeddingsType::BINARY || weight.logical_shape()[-2] == 2,
        "{}: Weight tensor must have 2 embeddings for BINARY Embeddings Type, not {}", kFunction,
        weight.logical_shape()[-2]);
}

}  // namespace

Tensor embedding(
    const Tensor& input_tensor, const Tensor& weight_arg, const std::optional<int>& pad_token,
    const std::optional<Layout>& layout, EmbeddingsType embeddings_type, std::optional<const DataType> dtype,
    const std::optional<MemoryConfig>& memory_config, const std::optional<Tensor>& optional_output_tensor) {
    const Tensor* output = optional_output_tensor ? &*optional_output_tensor : nullptr;
    ApiCall call(kFunction, {&input_tensor, &weight_arg, output}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .tensor("weight", 1)
            .field("pad_token", pad_token)
            .field("layout", layout)
            .field("embeddings_type", static_cast<int>(embeddings_type))
            .field("dtype", std::optional<DataType>(dtype))
            .field("memory_config", memory_config)
            .tensor("optional_output_tensor", output ? std::optional<std::size_t>(2) : std::nullopt);
    });
    check_device_tensors(kFunction, {&input_tensor, &weight_arg});
    if (pad_token) {
        embeddings_type = EmbeddingsType::PADDED;
    }
    check(input_tensor, weight_arg, embeddings_type, pad_token);
    const Tensor weight = weight_arg.layout() == Layout::TILE ? to_layout(weight_arg, Layout::ROW_MAJOR) : weight_arg;

    const auto& id_shape = input_tensor.logical_shape();
    const std::uint32_t seq = id_shape[-1];
    const std::uint32_t batch = id_shape.rank() == 1 ? 1 : id_shape[0];
    const std::uint32_t hidden = weight.logical_shape()[-1];
    const Layout target = layout.value_or(weight_arg.layout());
    const bool whole_tiles = input_tensor.padded_shape()[-1] % 32 == 0 && hidden % 32 == 0;
    const bool fused = target == Layout::TILE && whole_tiles && input_tensor.layout() == Layout::ROW_MAJOR;
    TT_FATAL(
        target == Layout::TILE || dtype.value_or(DataType::BFLOAT16) == DataType::BFLOAT16,
        "{}: Can only typecast output embeddings when producing TILE_LAYOUT output", kFunction);

    const Shape shape = id_shape.rank() == 1 ? Shape{seq, hidden} : Shape{batch, seq, hidden};
    const TensorSpec spec(
        shape, TensorLayout(
                   DataType::BFLOAT16, PageConfig(fused ? Layout::TILE : Layout::ROW_MAJOR),
                   memory_config.value_or(input_tensor.memory_config())));
    if (output != nullptr) {
        TT_FATAL(
            output->logical_shape().volume() == shape.volume() && output->layout() == spec.layout() &&
                output->dtype() == DataType::BFLOAT16 && output->padded_shape()[-1] == spec.padded_shape()[-1],
            "{}: the output tensor given has shape {}, layout {} and dtype {}; the operation gives {}, {} and BFLOAT16",
            kFunction, ttnn_cpu::to_string(output->logical_shape()), ttnn_cpu::to_string(output->layout()),
            ttnn_cpu::to_string(output->dtype()), ttnn_cpu::to_string(shape), ttnn_cpu::to_string(spec.layout()));
    }
    const auto& id_physical = input_tensor.tensor_spec().physical_shape();
    const Lookup lookup{
        .ids = std::size_t{batch} * seq,
        .id_stride = id_physical.height() / batch * id_physical.width(),
        .row_ids = seq,
        .float_ids = input_tensor.dtype() == DataType::BFLOAT16,
        .vocabulary = weight.logical_shape()[-2],
        .width = hidden,
        .out_rows = spec.physical_shape().height() / batch,
        .out_width = spec.physical_shape().width()};
    Tensor result =
        launch({.name = "EmbeddingsDeviceOperation",
                .attributes = JsonText()
                                  .field("tilized", fused)
                                  .field("pad_token", pad_token)
                                  .field("output_mem_config", spec.memory_config())
                                  .str(),
                .inputs = {input_tensor, weight},
                .output_specs = {spec},
                .outputs = output != nullptr ? std::vector<Tensor>{*output} : std::vector<Tensor>{},
                .create_program =
                    [&](Numerics) {
                        Program program;
                        const CoreCoord grid = input_tensor.device()->compute_with_storage_grid_size();
                        const std::size_t units = fused ? lookup.ids / 32 : lookup.ids;
                        program.core_count =
                            static_cast<std::uint32_t>(std::min(grid.x * grid.y, std::max<std::size_t>(1, units)));
                        program.circular_buffer_bytes =
                            buffers(input_tensor, weight, spec, embeddings_type, divide_up(units, program.core_count));
                        program.kernel = [lookup](std::span<const BufferRef> in, std::span<const BufferRef> out) {
                            look_up(lookup, in[0], in[1].as<const std::uint16_t>(), out[0].as<std::uint16_t>());
                        };
                        return program;
                    }})
            .front();
    if (result.layout() != target) {
        result = to_layout(result, target);
    }
    if (dtype && result.dtype() != *dtype) {
        result = typecast(result, *dtype);
    }
    return call.returns(result);
}

}  // namespace ttnn

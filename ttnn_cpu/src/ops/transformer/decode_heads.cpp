// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/experimental/transformer/nlp_concat_heads_decode/nlp_concat_heads_decode.hpp>
#include <ttnn/operations/experimental/transformer/nlp_create_qkv_heads_decode/nlp_create_qkv_heads_decode.hpp>

#include <cstring>

#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/work_split.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/stored_matrix_of.hpp"

namespace ttnn::experimental {

using namespace ttnn_cpu;
using tt::tt_metal::num_cores_to_corerangeset;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr std::uint32_t kTileSide = 32;
constexpr std::uint32_t kMostUsers = 32;

void check_input(std::string_view function, const Tensor& input) {
    check_device_tensors(function, {&input});
    TT_FATAL(
        input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::BFLOAT16,
        "{}: Unsupported data format {}; it must be FLOAT32 or BFLOAT16", function, ttnn_cpu::to_string(input.dtype()));
    TT_FATAL(input.layout() == Layout::TILE, "{}: Only tile layout is supported for input tensor", function);
    TT_FATAL(
        input.logical_shape().rank() == 4, "{}: Unsupported input shape = {}", function,
        ttnn_cpu::to_string(input.logical_shape()));
}

CoreCoord rectangle(std::string_view function, const CoreRangeSet& cores) {
    const CoreCoord size = cores.bounding_box().grid_size();
    TT_FATAL(
        cores.num_cores() == size.x * size.y && cores.bounding_box().start_coord == CoreCoord(0, 0),
        "{}: the embedded provider takes a rectangle of cores from (0, 0) on, not {}", function,
        ttnn_cpu::to_string(cores));
    return size;
}

// The grid that one user a core is taken from, row by row.
CoreCoord grid_of(std::string_view function, const Tensor& input, const std::optional<MemoryConfig>& memory_config) {
    if (!memory_config || !memory_config->shard_spec()) {
        return input.device()->compute_with_storage_grid_size();
    }
    return rectangle(function, memory_config->shard_spec()->grid);
}

// Rows of `heads` pieces of a matrix with one row a user, to or from `padded` rows a user.
struct UserHeads {
    std::size_t users;
    std::size_t heads;
    std::size_t padded;
    std::size_t bytes;   // of a piece
    std::size_t stride;  // of a user's row, in bytes
    std::size_t offset;  // of the first piece in it
};

void split(const UserHeads& h, const std::byte* in, std::byte* out) {
    for (std::size_t user = 0; user < h.users; ++user) {
        std::byte* const to = out + user * h.padded * h.bytes;
        std::memcpy(to, in + user * h.stride + h.offset, h.heads * h.bytes);
        std::memset(to + h.heads * h.bytes, 0, (h.padded - h.heads) * h.bytes);
    }
}

void join(const UserHeads& h, std::size_t rows, const std::byte* in, std::byte* out) {
    for (std::size_t user = 0; user < h.users; ++user) {
        std::memcpy(out + user * h.stride, in + user * h.padded * h.bytes, h.heads * h.bytes);
    }
    std::memset(out + h.users * h.stride, 0, (rows - h.users) * h.stride);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> nlp_create_qkv_heads_decode(
    const Tensor& input_tensor, uint32_t num_heads, std::optional<const uint32_t> num_kv_heads,
    std::optional<std::array<Tensor, 3>>& /*optional_output_tensors*/, std::optional<const bool> overlap_qk_coregrid,
    const std::optional<const Tensor>& batch_offset, std::optional<const uint32_t> slice_size,
    const std::optional<MemoryConfig>& memory_config) {
    constexpr std::string_view kFunction = "ttnn::experimental::nlp_create_qkv_heads_decode";
    const std::uint32_t kv_heads = num_kv_heads.value_or(num_heads);
    ApiCall call(kFunction, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("num_heads", num_heads)
            .field("num_kv_heads", kv_heads)
            .field("overlap_qk_coregrid", overlap_qk_coregrid.value_or(true))
            .field("memory_config", memory_config);
    });
    check_input(kFunction, input_tensor);
    TT_FATAL(
        !batch_offset && !slice_size && !input_tensor.is_sharded(),
        "{}: the embedded provider takes an interleaved input and all of its users", kFunction);
    const auto& shape = input_tensor.logical_shape();
    const std::uint32_t users = shape[2];
    const std::uint32_t pieces = num_heads + 2 * kv_heads;
    TT_FATAL(
        pieces > 0 && shape[3] % pieces == 0, "{}: Input shape {} must be divisible by num_heads + 2*num_kv_heads = {}",
        kFunction, shape[3], pieces);
    const std::uint32_t head_dim = shape[3] / pieces;
    TT_FATAL(
        head_dim % kTileSide == 0, "{}: head_dim is {}; it must be a multiple of the tile width (32)", kFunction,
        head_dim);
    TT_FATAL(
        shape[0] == 1 && shape[1] == 1 && users <= kMostUsers, "{}: Unsupported input shape = {}", kFunction,
        ttnn_cpu::to_string(shape));
    TT_FATAL(
        num_heads >= kv_heads, "{}: num_q_heads={} must be greater than or equal to num_kv_heads={}", kFunction,
        num_heads, kv_heads);
    const CoreCoord grid = grid_of(kFunction, input_tensor, memory_config);
    TT_FATAL(
        grid.x * grid.y >= users, "{}: Grid Size is {}. Need at least {} cores for decode", kFunction, grid.x * grid.y,
        users);

    const auto cores = num_cores_to_corerangeset(users, grid, true);
    const auto spec_of = [&](std::uint32_t heads) {
        const auto padded = static_cast<std::uint32_t>(round_up(heads, kTileSide));
        const MemoryConfig memory(
            TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, ShardSpec(cores, {padded, head_dim}));
        return TensorSpec(
            Shape{1, users, heads, head_dim}, TensorLayout(input_tensor.dtype(), PageConfig(Layout::TILE), memory));
    };
    const std::size_t piece = std::size_t{head_dim} * element_size(input_tensor.dtype());
    const auto heads_of = [&](std::uint32_t heads, std::size_t before) {
        return UserHeads{users, heads, round_up(heads, kTileSide), piece, pieces * piece, before * piece};
    };
    const UserHeads q = heads_of(num_heads, 0);
    const UserHeads k = heads_of(kv_heads, num_heads);
    const UserHeads v = heads_of(kv_heads, num_heads + kv_heads);
    const auto outputs = launch(
        {.name = "NLPCreateQKVHeadsDecodeDeviceOperation",
         .attributes = JsonText().field("num_q_heads", num_heads).field("num_kv_heads", kv_heads).str(),
         .inputs = {input_tensor},
         .output_specs = {spec_of(num_heads), spec_of(kv_heads), spec_of(kv_heads)},
         .outputs = {},
         .create_program = [&](Numerics) {
             Program program;
             program.core_count = users;
             program.kernel = [q, k, v](std::span<const BufferRef> in, std::span<const BufferRef> out) {
                 split(q, in[0].data, out[0].data);
                 split(k, in[0].data, out[1].data);
                 split(v, in[0].data, out[2].data);
             };
             return program;
         }});
    call.returns(outputs);
    return {outputs[0], outputs[1], outputs[2]};
}

Tensor nlp_concat_heads_decode(
    const Tensor& input_tensor, uint32_t num_heads, const std::optional<MemoryConfig>& /*memory_config*/,
    const std::optional<Tensor>& optional_output_tensor, const std::optional<CoreRangeSet>& sub_core_grids) {
    constexpr std::string_view kFunction = "ttnn::experimental::nlp_concat_heads_decode";
    ApiCall call(kFunction, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("num_heads", num_heads).field("sub_core_grids", sub_core_grids);
    });
    check_input(kFunction, input_tensor);
    TT_FATAL(!optional_output_tensor, "{}: the embedded provider has no output to write into", kFunction);
    const auto& shape = input_tensor.padded_shape();
    const std::uint32_t users = shape[1];
    const std::uint32_t head_dim = shape[3];
    TT_FATAL(shape[0] == 1, "{}: seqlen=1 for decode", kFunction);
    TT_FATAL(users <= kMostUsers, "{}: currently only support less than 32 users, got {}", kFunction, users);
    TT_FATAL(
        shape[2] >= num_heads, "{}: num_heads is {}, and the input has {} rows a user", kFunction, num_heads, shape[2]);
    TT_FATAL(
        input_tensor.is_sharded() && input_tensor.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED,
        "{}: Input tensor memory layout must be HEIGHT_SHARDED but got {}", kFunction,
        ttnn_cpu::to_string(input_tensor.memory_config().memory_layout()));
    const ShardSpec& shard = *input_tensor.shard_spec();
    TT_FATAL(
        shard.shape[1] == head_dim && shard.shape[0] == shape[2],
        "{}: Shard spec shape [{}, {}] must match input tensor padded shape [{}, {}]", kFunction, shard.shape[0],
        shard.shape[1], shape[2], head_dim);
    TT_FATAL(
        shard.num_cores() == users, "{}: Input core grid num_cores {} must be equal to num users {}", kFunction,
        shard.num_cores(), users);
    const bool one_rectangle =
        shard.grid.ranges().size() == 1 && shard.grid.ranges().front().start_coord == CoreCoord(0, 0);
    TT_FATAL(
        one_rectangle || sub_core_grids,
        "{}: Subcoregrids must be provided if on_subcoregrids is true: the users' cores {} are not one rectangle at "
        "(0, 0)",
        kFunction, ttnn_cpu::to_string(shard.grid));
    const CoreCoord grid = sub_core_grids ? rectangle(kFunction, *sub_core_grids)
                                          : input_tensor.device()->compute_with_storage_grid_size();
    TT_FATAL(
        num_heads <= grid.x * grid.y, "{}: num_heads {} must be at most the {} cores of the grid", kFunction, num_heads,
        grid.x * grid.y);

    const MemoryConfig memory(
        TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1,
        ShardSpec(num_cores_to_corerangeset(num_heads, grid, true), {kMostUsers, head_dim}));
    const TensorSpec spec(
        Shape{1, 1, kMostUsers, num_heads * head_dim},
        TensorLayout(input_tensor.dtype(), PageConfig(Layout::TILE), memory));
    const std::size_t piece = std::size_t{head_dim} * element_size(input_tensor.dtype());
    const UserHeads heads{users, num_heads, shape[2], piece, num_heads * piece, 0};
    return call.returns(launch({.name = "NLPConcatHeadsDecodeDeviceOperation",
                                .attributes = JsonText().field("num_heads", num_heads).str(),
                                .inputs = {input_tensor},
                                .output_specs = {spec},
                                .outputs = {},
                                .create_program =
                                    [&](Numerics) {
                                        Program program;
                                        program.core_count = num_heads;
                                        program.kernel =
                                            [heads](std::span<const BufferRef> in, std::span<const BufferRef> out) {
                                                join(heads, kMostUsers, in[0].data, out[0].data);
                                            };
                                        return program;
                                    }})
                            .front());
}

}  // namespace ttnn::experimental

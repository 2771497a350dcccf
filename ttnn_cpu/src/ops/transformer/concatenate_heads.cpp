// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/experimental/transformer/nlp_concat_heads/nlp_concat_heads.hpp>
#include <ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp>

#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/transformer/heads.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

void check(std::string_view function, const Tensor& input, const MemoryConfig& memory) {
    check_device_tensors(function, {&input});
    const auto& shape = input.logical_shape();
    TT_FATAL(shape.rank() == 4, "{}: Input tensor must have rank 4. Shape: {}", function, ttnn_cpu::to_string(shape));
    TT_FATAL(
        input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::BFLOAT16 ||
            input.dtype() == DataType::BFLOAT8_B,
        "{}: Unsupported data format {}; it must be FLOAT32, BFLOAT16 or BFLOAT8_B", function,
        ttnn_cpu::to_string(input.dtype()));
    TT_FATAL(
        input.layout() == Layout::TILE, "{}: Input tensor layout must be TILE but got {}", function,
        ttnn_cpu::to_string(input.layout()));
    TT_FATAL(
        shape[-1] % 32 == 0,
        "{}: Head size must be a multiple of 32 but was found to be {}. Update the matmul that uses the output of this "
        "operation to include padding in the weights.",
        function, shape[-1]);
    if (!input.is_sharded()) {
        TT_FATAL(
            !memory.is_sharded(), "{}: Output memory config layout must be INTERLEAVED but got {}", function,
            ttnn_cpu::to_string(memory.memory_layout()));
        return;
    }
    const ShardSpec& shard = *input.shard_spec();
    const std::uint32_t seq = input.padded_shape()[-2];
    TT_FATAL(
        input.memory_config().memory_layout() != TensorMemoryLayout::WIDTH_SHARDED,
        "{}: Input tensor memory layout must not be WIDTH_SHARDED", function);
    TT_FATAL(
        shard.shape[1] == input.padded_shape()[-1], "{}: Input tensor shard width ({}) must equal padded width ({})",
        function, shard.shape[1], input.padded_shape()[-1]);
    TT_FATAL(
        shard.shape[0] % seq == 0, "{}: Input tensor shard height ({}) must be divisible by padded height ({})",
        function, shard.shape[0], seq);
    TT_FATAL(
        shape[1] % (shard.shape[0] / seq) == 0, "{}: {} heads must be divisible by the {} heads of a shard", function,
        shape[1], shard.shape[0] / seq);
    TT_FATAL(
        memory.memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED,
        "{}: Output memory config layout must not be HEIGHT_SHARDED", function);
}

// `rank` 4 gives [batch, 1, seq, hidden], 3 gives [batch, seq, hidden].
Tensor run(const Tensor& input, const MemoryConfig& given, std::size_t rank) {
    const auto& shape = input.logical_shape();
    MemoryConfig memory = given;
    if (memory.is_sharded()) {
        ShardSpec shard = *input.shard_spec();
        const std::uint32_t heads_a_shard = shard.shape[0] / input.padded_shape()[-2];
        shard.shape = {shard.shape[0] / heads_a_shard, shard.shape[1] * heads_a_shard};
        memory = MemoryConfig(memory.memory_layout(), memory.buffer_type(), shard);
    }
    const std::uint32_t hidden = shape[1] * shape[3];
    const Shape result = rank == 4 ? Shape{shape[0], 1, shape[2], hidden} : Shape{shape[0], shape[2], hidden};
    const TensorSpec spec(result, TensorLayout(input.dtype(), PageConfig(Layout::TILE), memory));
    const HeadColumns columns{
        .batch = shape[0],
        .seq = input.padded_shape()[-2],
        .heads = shape[1],
        .head_size = shape[3],
        .matrix = {input.dtype(), spec.physical_shape().height(), spec.physical_shape().width()}};
    return launch({.name = "NLPConcatHeadsDeviceOperation",
                   .attributes = JsonText().field("output_mem_config", memory).field("rank", rank).str(),
                   .inputs = {input},
                   .output_specs = {spec},
                   .outputs = {},
                   .create_program =
                       [&](Numerics) {
                           Program program;
                           const CoreCoord grid = input.device()->compute_with_storage_grid_size();
                           const std::size_t blocks = columns.batch * columns.seq / 32;
                           program.core_count = input.is_sharded()
                                                    ? input.shard_spec()->num_cores()
                                                    : static_cast<std::uint32_t>(std::min(grid.x * grid.y, blocks));
                           program.circular_buffer_bytes =
                               input.is_sharded() ? 0 : 2 * storage_bytes(input.dtype(), 1024) * (hidden / 32);
                           program.kernel = [columns](std::span<const BufferRef> in, std::span<const BufferRef> out) {
                               ttnn_cpu::concatenate_heads(columns, in[0].data, out[0].data);
                           };
                           return program;
                       }})
        .front();
}

}  // namespace

namespace transformer {

Tensor concatenate_heads(const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config) {
    constexpr std::string_view kFunction = "ttnn::transformer::concatenate_heads";
    ApiCall call(kFunction, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("memory_config", memory_config);
    });
    check_device_tensors(kFunction, {&input_tensor});
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    // Shards to interleaved is done in two steps, as TTNN does.
    Tensor input = input_tensor;
    if (input.is_sharded() && !memory.is_sharded()) {
        input = to_memory_config(input, MemoryConfig(TensorMemoryLayout::INTERLEAVED, memory.buffer_type()));
    }
    check(kFunction, input, memory);
    return call.returns(run(input, memory, 3));
}

}  // namespace transformer

namespace experimental {

Tensor nlp_concat_heads(const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config) {
    constexpr std::string_view kFunction = "ttnn::experimental::nlp_concat_heads";
    ApiCall call(kFunction, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("memory_config", memory_config);
    });
    check_device_tensors(kFunction, {&input_tensor});
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    check(kFunction, input_tensor, memory);
    return call.returns(run(input_tensor, memory, 4));
}

}  // namespace experimental

}  // namespace ttnn

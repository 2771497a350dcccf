// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/experimental/transformer/nlp_create_qkv_heads/nlp_create_qkv_heads.hpp>
#include <ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "core/tensor_impl.hpp"
#include "ops/transformer/heads.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

struct Split {
    std::uint32_t q_heads;
    std::uint32_t kv_heads;
    std::uint32_t head_size;
    std::uint32_t batch;
    std::uint32_t seq;
    bool transpose_key;
    std::size_t
        groups;  // of columns: Q, K and V of one key head each in a sharded input, else all of Q, then K, then V
    MemoryConfig memory;
};

void check_input(std::string_view function, const Tensor& input) {
    check_device_tensors(function, {&input});
    TT_FATAL(
        input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::BFLOAT16 ||
            input.dtype() == DataType::BFLOAT8_B,
        "{}: Unsupported data format {}; it must be FLOAT32, BFLOAT16 or BFLOAT8_B", function,
        ttnn_cpu::to_string(input.dtype()));
    TT_FATAL(
        input.layout() == Layout::TILE, "{}: Invalid layout: input tensor must use TILE_LAYOUT, but found {}.",
        function, ttnn_cpu::to_string(input.layout()));
}

TensorSpec head_spec(const Split& split, DataType dtype, std::uint32_t heads, bool transposed, const Tensor& input) {
    const Shape shape = transposed ? Shape{split.batch, heads, split.head_size, split.seq}
                                   : Shape{split.batch, heads, split.seq, split.head_size};
    MemoryConfig memory = split.memory;
    if (input.is_sharded()) {
        const ShardSpec& shard = *input.shard_spec();
        const TensorSpec plain(shape, TensorLayout(dtype, PageConfig(Layout::TILE), L1_MEMORY_CONFIG));
        const auto cores = static_cast<std::uint32_t>(shard.grid.bounding_box().size());
        memory = MemoryConfig(
            memory.memory_layout(), memory.buffer_type(),
            ShardSpec(
                shard.grid,
                {static_cast<std::uint32_t>(plain.physical_shape().height() / cores),
                 static_cast<std::uint32_t>(plain.physical_shape().width())},
                shard.orientation));
    }
    return TensorSpec(shape, TensorLayout(dtype, PageConfig(Layout::TILE), memory));
}

// Tiles pass through four at a time, those of a transposed key through two buffers more; shards are read and written
// where they are, but for a transposed key.
std::uint64_t buffers(const Tensor& input, const Split& split) {
    if (input.is_sharded()) {
        const TensorSpec key = head_spec(split, input.dtype(), split.kv_heads, split.transpose_key, input);
        return split.transpose_key ? storage_bytes(input.dtype(), key.memory_config().shard_spec()->numel()) : 0;
    }
    return (split.transpose_key ? 12 : 4) * storage_bytes(input.dtype(), 1024);
}

std::tuple<Tensor, Tensor, Tensor> run(
    std::string_view name, const Split& split, const Tensor& input, const std::optional<Tensor>& kv) {
    const auto columns = [&](const Tensor& tensor, std::uint32_t heads, std::size_t first) {
        const auto& physical = tensor.tensor_spec().physical_shape();
        return HeadColumns{
            .batch = split.batch,
            .seq = physical.height() / split.batch,
            .heads = heads,
            .head_size = split.head_size,
            .groups = split.groups,
            .first_column = first,
            .matrix = {tensor.dtype(), physical.height(), physical.width()}};
    };
    const std::size_t q_width = std::size_t{split.q_heads} * split.head_size / split.groups;
    const std::size_t kv_width = std::size_t{split.kv_heads} * split.head_size / split.groups;
    const std::size_t kv_start = kv ? 0 : q_width;
    const HeadColumns q = columns(input, split.q_heads, 0);
    const HeadColumns k = columns(kv ? *kv : input, split.kv_heads, kv_start);
    const HeadColumns v = columns(kv ? *kv : input, split.kv_heads, kv_start + kv_width);
    const DataType dtype = input.dtype();
    const auto outputs = launch(
        {.name = name,
         .attributes = JsonText()
                           .field("num_q_heads", split.q_heads)
                           .field("num_kv_heads", split.kv_heads)
                           .field("head_dim", split.head_size)
                           .field("transpose_k_heads", split.transpose_key)
                           .field("output_mem_config", split.memory)
                           .str(),
         .inputs = kv ? std::vector<Tensor>{input, *kv} : std::vector<Tensor>{input},
         .output_specs =
             {head_spec(split, dtype, split.q_heads, false, input),
              head_spec(split, dtype, split.kv_heads, split.transpose_key, input),
              head_spec(split, dtype, split.kv_heads, false, input)},
         .outputs = {},
         .create_program = [&](Numerics) {
             Program program;
             const CoreCoord grid = input.device()->compute_with_storage_grid_size();
             const std::size_t blocks = split.batch * q.seq / 32;
             program.core_count = input.is_sharded() ? input.shard_spec()->num_cores()
                                                     : static_cast<std::uint32_t>(std::min(grid.x * grid.y, blocks));
             program.circular_buffer_bytes = buffers(input, split);
             program.kernel = [q, k, v, transpose = split.transpose_key](
                                  std::span<const BufferRef> in, std::span<const BufferRef> out) {
                 const std::byte* kv_data = in.back().data;
                 split_heads(q, in[0].data, out[0].data);
                 transpose ? split_heads_transposed(k, kv_data, out[1].data) : split_heads(k, kv_data, out[1].data);
                 split_heads(v, kv_data, out[2].data);
             };
             return program;
         }});
    return {outputs[0], outputs[1], outputs[2]};
}

// The head size, checked: whole tiles and no padding.
std::uint32_t checked_head_size(std::string_view function, const Tensor& input, std::uint32_t divisor) {
    const std::uint32_t width = input.logical_shape()[-1];
    TT_FATAL(
        divisor > 0 && width % divisor == 0,
        "{}: the width {} of the input is not a multiple of the number of heads in it, {}", function, width, divisor);
    const std::uint32_t head_size = width / divisor;
    TT_FATAL(
        head_size % 32 == 0, "{}: Invalid head size: {}. The head size must be a multiple of the tile width (32).",
        function, head_size);
    return head_size;
}

void check_kv(
    std::string_view function, const Tensor& input, const Tensor& kv, std::uint32_t kv_heads, std::uint32_t head_size) {
    check_input(function, kv);
    const auto& q_shape = input.logical_shape();
    const auto& kv_shape = kv.logical_shape();
    TT_FATAL(kv.dtype() == input.dtype(), "{}: KV tensor dtype must be same as Q tensor dtype!", function);
    TT_FATAL(
        kv_shape.rank() == q_shape.rank() && kv_shape[0] == q_shape[0] && kv_shape[-2] == q_shape[-2],
        "{}: Dimension mismatch: KV tensor {} must match Q tensor {} in batch and sequence length.", function,
        ttnn_cpu::to_string(kv_shape), ttnn_cpu::to_string(q_shape));
    TT_FATAL(
        kv_shape[-1] == 2 * kv_heads * head_size,
        "{}: Dimension mismatch: KV width {} must be 2 * {} heads of the query head size {}.", function, kv_shape[-1],
        kv_heads, head_size);
}

void write_arguments(
    JsonText& json, bool kv, std::uint32_t heads, std::optional<std::uint32_t> kv_heads, bool transpose,
    const std::optional<MemoryConfig>& memory) {
    json.tensor("input_tensor", 0)
        .tensor("input_tensor_kv", kv ? std::optional<std::size_t>(1) : std::nullopt)
        .field("num_heads", heads)
        .field("num_kv_heads", kv_heads)
        .field("transpose_key", transpose)
        .field("memory_config", memory);
}

}  // namespace

namespace transformer {

std::tuple<Tensor, Tensor, Tensor> split_query_key_value_and_split_heads(
    const Tensor& input_tensor, const std::optional<Tensor>& input_tensor_kv, std::uint32_t num_heads,
    std::optional<std::uint32_t> num_kv_heads, bool transpose_key, const std::optional<MemoryConfig>& memory_config) {
    constexpr std::string_view kFunction = "ttnn::transformer::split_query_key_value_and_split_heads";
    ApiCall call(kFunction, {&input_tensor, input_tensor_kv ? &*input_tensor_kv : nullptr}, [&](JsonText& json) {
        write_arguments(json, input_tensor_kv.has_value(), num_heads, num_kv_heads, transpose_key, memory_config);
    });
    check_input(kFunction, input_tensor);
    const auto& shape = input_tensor.logical_shape();
    TT_FATAL(
        shape.rank() == 3, "{}: Invalid input tensor: expected 3 dimensions, but found {}.", kFunction, shape.rank());
    const std::uint32_t kv_heads = num_kv_heads.value_or(num_heads);
    const std::uint32_t head_size =
        checked_head_size(kFunction, input_tensor, input_tensor_kv ? num_heads : num_heads + 2 * kv_heads);
    if (input_tensor_kv) {
        check_kv(kFunction, input_tensor, *input_tensor_kv, kv_heads, head_size);
    }
    Split split{
        .q_heads = num_heads,
        .kv_heads = kv_heads,
        .head_size = head_size,
        .batch = shape[0],
        .seq = shape[1],
        .transpose_key = transpose_key,
        .groups = 1,
        .memory = memory_config.value_or(input_tensor.memory_config())};
    std::string_view name = "NlpCreateHeadsDeviceOperation";
    if (input_tensor.is_sharded()) {
        name = "CreateQKVHeadsDeviceOperation";
        TT_FATAL(!input_tensor_kv, "{}: KV tensor should not be provided when the input tensor is sharded.", kFunction);
        TT_FATAL(
            input_tensor.memory_config().memory_layout() == TensorMemoryLayout::BLOCK_SHARDED,
            "{}: Input tensor memory layout must be BLOCK_SHARDED but got {}", kFunction,
            ttnn_cpu::to_string(input_tensor.memory_config().memory_layout()));
        TT_FATAL(
            split.memory.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED,
            "{}: Output memory config layout must be HEIGHT_SHARDED but got {}", kFunction,
            ttnn_cpu::to_string(split.memory.memory_layout()));
        const ShardSpec& shard = *input_tensor.shard_spec();
        const CoreCoord grid = shard.grid.bounding_box().grid_size();
        const bool by_rows = shard.orientation == tt::tt_metal::ShardOrientation::ROW_MAJOR;
        const std::size_t down = by_rows ? grid.y : grid.x;
        const std::size_t across = by_rows ? grid.x : grid.y;
        TT_FATAL(
            shape[0] == down, "{}: Batch size {} must be equal to num cores {} along the height of the shard grid",
            kFunction, shape[0], down);
        TT_FATAL(
            shape[2] % (across * 32) == 0,
            "{}: Flattened hidden dimension {} must be a multiple of width cores {} * tile width 32 to ensure that "
            "each "
            "core gets an even amount of tiles",
            kFunction, shape[2], across);
        TT_FATAL(
            num_heads % across == 0 && kv_heads % across == 0,
            "{}: {} query heads and {} key/value heads must divide over {} cores along the width", kFunction, num_heads,
            kv_heads, across);
        split.groups = kv_heads;
    } else {
        TT_FATAL(
            !split.memory.is_sharded(), "{}: Output memory config layout must be INTERLEAVED but got {}", kFunction,
            ttnn_cpu::to_string(split.memory.memory_layout()));
    }
    auto [q, k, v] = run(name, split, input_tensor, input_tensor_kv);
    call.returns(std::vector<Tensor>{q, k, v});
    return {q, k, v};
}

}  // namespace transformer

namespace experimental {

std::tuple<Tensor, Tensor, Tensor> nlp_create_qkv_heads(
    const Tensor& input_tensor_q, const std::optional<Tensor>& input_tensor_kv, std::uint32_t num_q_heads,
    std::optional<std::uint32_t> num_kv_heads, bool transpose_k_heads,
    const std::optional<MemoryConfig>& memory_config) {
    constexpr std::string_view kFunction = "ttnn::experimental::nlp_create_qkv_heads";
    ApiCall call(kFunction, {&input_tensor_q, input_tensor_kv ? &*input_tensor_kv : nullptr}, [&](JsonText& json) {
        write_arguments(json, input_tensor_kv.has_value(), num_q_heads, num_kv_heads, transpose_k_heads, memory_config);
    });
    check_input(kFunction, input_tensor_q);
    const auto& shape = input_tensor_q.logical_shape();
    TT_FATAL(
        shape.rank() == 4 && shape[1] == 1, "{}: Unsupported input shape {}; it must be [batch, 1, seq, width]",
        kFunction, ttnn_cpu::to_string(shape));
    const MemoryConfig memory = memory_config.value_or(input_tensor_q.memory_config());
    TT_FATAL(
        !input_tensor_q.is_sharded() && !memory.is_sharded(),
        "{}: the embedded provider takes and gives interleaved tensors here, not {} and {}", kFunction,
        ttnn_cpu::to_string(input_tensor_q.memory_config().memory_layout()),
        ttnn_cpu::to_string(memory.memory_layout()));
    const std::uint32_t kv_heads = num_kv_heads.value_or(num_q_heads);
    const std::uint32_t head_size =
        checked_head_size(kFunction, input_tensor_q, input_tensor_kv ? num_q_heads : num_q_heads + 2 * kv_heads);
    if (input_tensor_kv) {
        check_kv(kFunction, input_tensor_q, *input_tensor_kv, kv_heads, head_size);
    }
    auto [q, k, v] =
        run("NlpCreateHeadsDeviceOperation",
            {.q_heads = num_q_heads,
             .kv_heads = kv_heads,
             .head_size = head_size,
             .batch = shape[0],
             .seq = shape[2],
             .transpose_key = transpose_k_heads,
             .groups = 1,
             .memory = memory},
            input_tensor_q, input_tensor_kv);
    call.returns(std::vector<Tensor>{q, k, v});
    return {q, k, v};
}

}  // namespace experimental

}  // namespace ttnn

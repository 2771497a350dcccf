// SPDX-License-Identifier: Apache-2.0
#include "ops/data_movement/common.hpp"

#include <algorithm>
#include <bit>

#include <ttnn/tensor/tensor_ops.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "kernels/formats.hpp"

namespace ttnn_cpu {

using kernels::ConvertRule;
using kernels::MatrixShape;
using kernels::StridedMove;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

constexpr std::uint64_t kMostBufferBytes = 256 * 1024;

// Shards in L1 serve as circular buffers themselves.
bool in_own_l1(const TensorSpec& spec) { return spec.memory_config().is_sharded() && spec.memory_config().is_l1(); }

// A kernel's view of one transfer, without tensors.
struct Plan {
    DataType in_dtype;
    DataType out_dtype;
    std::size_t in_elements;
    std::size_t out_elements;
    MatrixShape out_shape;
    Transfer transfer;
    bool identity;
    bool whole_groups;
};

std::byte* scratch(std::size_t slot, std::size_t bytes) {
    thread_local std::vector<std::byte> buffers[2];
    if (buffers[slot].size() < bytes) {
        buffers[slot].resize(bytes);
    }
    return buffers[slot].data();
}

StridedMove divided(StridedMove move, std::size_t divisor) {
    for (std::vector<std::size_t>* strides : {&move.in_strides, &move.out_strides}) {
        for (std::size_t i = 0; i + 1 < strides->size(); ++i) {
            (*strides)[i] /= divisor;
        }
    }
    move.sizes.back() /= divisor;
    move.in_offset /= divisor;
    move.out_offset /= divisor;
    return move;
}

// Whether block floats can be moved without taking their groups of 16 apart.
bool moves_whole_groups(const StridedMove& move) {
    const auto whole = [](std::size_t value) { return value % 16 == 0; };
    return move.in_strides.back() == 1 && move.out_strides.back() == 1 && whole(move.sizes.back()) &&
           whole(move.in_offset) && whole(move.out_offset) &&
           std::all_of(move.in_strides.begin(), move.in_strides.end() - 1, whole) &&
           std::all_of(move.out_strides.begin(), move.out_strides.end() - 1, whole);
}

void move_groups(const Plan& plan, const std::byte* in, std::byte* out) {
    const std::size_t per_byte = plan.in_dtype == DataType::BFLOAT8_B ? 1 : 2;
    kernels::strided_move(divided(plan.transfer.move, per_byte), 1, in, out);
    kernels::strided_move(
        divided(plan.transfer.move, 16), 1, in + plan.in_elements / per_byte, out + plan.out_elements / per_byte);
}

void run(const Plan& plan, const std::byte* in, std::byte* out) {
    const bool block = is_block_float(plan.in_dtype);
    if (plan.identity) {
        kernels::convert(plan.in_dtype, plan.out_dtype, plan.transfer.rule, plan.in_elements, in, out);
        return;
    }
    if (block && plan.whole_groups && plan.in_dtype == plan.out_dtype && !plan.transfer.fill) {
        move_groups(plan, in, out);
        return;
    }
    const DataType working = block ? DataType::BFLOAT16 : plan.in_dtype;
    const std::size_t bytes = element_size(working);
    if (block) {
        std::byte* decoded = scratch(0, plan.in_elements * bytes);
        kernels::convert(plan.in_dtype, working, ConvertRule::Pack, plan.in_elements, in, decoded);
        in = decoded;
    }
    std::byte* moved = plan.out_dtype == working ? out : scratch(1, plan.out_elements * bytes);
    if (plan.transfer.fill && plan.transfer.fill_all) {
        kernels::fill(plan.out_elements, bytes, *plan.transfer.fill, moved);
    } else if (plan.transfer.fill) {
        kernels::fill_padding(plan.out_shape, bytes, *plan.transfer.fill, moved);
    }
    kernels::strided_move(plan.transfer.move, bytes, in, moved);
    if (moved != out) {
        kernels::convert(working, plan.out_dtype, plan.transfer.rule, plan.out_elements, moved, out);
    }
}

Plan make_plan(const TensorSpec& in, const TensorSpec& out, const Transfer& transfer) {
    Plan plan{
        .in_dtype = in.data_type(),
        .out_dtype = out.data_type(),
        .in_elements = in.physical_shape().height() * in.physical_shape().width(),
        .out_elements = out.physical_shape().height() * out.physical_shape().width(),
        .out_shape = matrix_of(out),
        .transfer = transfer,
        .identity = false,
        .whole_groups = false};
    StridedMove& move = plan.transfer.move;
    move = kernels::simplify(move);
    plan.identity = move.sizes.size() == 1 && move.in_strides[0] == 1 && move.out_strides[0] == 1 &&
                    move.in_offset == 0 && move.out_offset == 0 && move.sizes[0] == plan.in_elements &&
                    move.sizes[0] == plan.out_elements;
    plan.whole_groups = moves_whole_groups(move);
    return plan;
}

}  // namespace

MatrixShape matrix_of(const TensorSpec& spec) {
    const Shape& padded = spec.padded_shape();
    const Shape logical = spec.logical_shape().to_rank(std::max<std::size_t>(2, padded.rank()));
    const Shape padded_2d = padded.to_rank(logical.rank());
    MatrixShape shape{
        .slices = 1,
        .height = logical[-2],
        .width = logical[-1],
        .padded_height = padded_2d[-2],
        .padded_width = padded_2d[-1]};
    for (std::size_t i = 0; i + 2 < logical.rank(); ++i) {
        shape.slices *= logical[static_cast<std::int32_t>(i)];
    }
    return shape;
}

TensorSpec spec_with_padding(
    const Shape& logical, DataType dtype, Layout layout, const MemoryConfig& memory, const Shape& padded) {
    const TensorSpec plain(logical, TensorLayout(dtype, PageConfig(layout), memory));
    if (plain.padded_shape() == padded) {
        return plain;
    }
    tt::tt_metal::Alignment alignment;
    for (const std::uint32_t dim : padded) {
        alignment.push_back(dim);
    }
    // Leading dimensions that are not padded need no alignment; equal specs then compare equal.
    while (alignment.size() > 1 && padded.rank() == logical.rank() &&
           alignment.front() == logical[static_cast<std::int32_t>(logical.rank() - alignment.size())]) {
        alignment.erase(alignment.begin());
    }
    return TensorSpec(logical, TensorLayout(dtype, PageConfig(layout), memory, alignment));
}

std::vector<std::size_t> sizes_at_rank(const Shape& shape, std::size_t rank) {
    const Shape expanded = shape.to_rank(rank);
    return {expanded.begin(), expanded.end()};
}

std::vector<std::size_t> strides_at_rank(const TensorSpec& spec, std::size_t rank) {
    const std::vector<std::size_t> sizes =
        sizes_at_rank(spec.padded_shape(), std::max(rank, spec.padded_shape().rank()));
    std::vector<std::size_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size() - 1; i-- > 0;) {
        strides[i] = strides[i + 1] * sizes[i + 1];
    }
    strides.erase(strides.begin(), strides.end() - static_cast<std::ptrdiff_t>(rank));
    return strides;
}

std::uint32_t padding_bits(DataType dtype, float value) {
    switch (dtype) {
        case DataType::FLOAT32:
            return std::bit_cast<std::uint32_t>(value);
        case DataType::BFLOAT16:
        case DataType::BFLOAT8_B:
        case DataType::BFLOAT4_B:
            return kernels::bf16_round_even(value);
        case DataType::INT32:
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
        default:
            return static_cast<std::uint32_t>(value);
    }
}

std::uint32_t padding_bits(DataType dtype, const ttnn::PadValue& value) {
    if (const auto* number = std::get_if<float>(&value)) {
        return padding_bits(dtype, *number);
    }
    const std::uint32_t bits = std::get<std::uint32_t>(value);
    // An integer for a float type is the bit pattern of a float32.
    return is_floating_point(dtype) ? padding_bits(dtype, std::bit_cast<float>(bits)) : bits;
}

std::uint32_t cores_for(const TensorSpec& spec, tt::tt_metal::distributed::MeshDevice& device) {
    if (const auto& shard = spec.memory_config().shard_spec()) {
        return shard->num_cores();
    }
    const auto grid = device.compute_with_storage_grid_size();
    const std::size_t height = spec.physical_shape().height();
    const std::size_t units =
        spec.layout() == Layout::TILE ? height * spec.physical_shape().width() / (kTileSide * kTileSide) : height;
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(units, 1, grid.x * grid.y));
}

std::uint64_t copy_buffer_bytes(const TensorSpec& input, const TensorSpec& output) {
    const auto pages = [](const TensorSpec& spec) {
        return in_own_l1(spec) ? 0 : 2 * round_up(spec.compute_page_size_bytes(), kDramAlignment);
    };
    return std::min<std::uint64_t>(pages(input) + pages(output), kMostBufferBytes);
}

Transfer whole_transfer(const TensorSpec& from, const TensorSpec& to) {
    Transfer transfer;
    if (from.physical_shape() == to.physical_shape() && from.padded_shape() == to.padded_shape()) {
        const std::size_t elements = from.physical_shape().height() * from.physical_shape().width();
        transfer.move = {.sizes = {elements}, .in_strides = {1}, .out_strides = {1}};
        return transfer;
    }
    const std::size_t rank = std::max<std::size_t>(1, from.logical_shape().rank());
    transfer.move = {
        .sizes = sizes_at_rank(from.logical_shape(), rank),
        .in_strides = strides_at_rank(from, rank),
        .out_strides = strides_at_rank(to, rank)};
    transfer.fill = 0;
    return transfer;
}

Tensor launch_movement(const MovementOp& op) {
    const TensorSpec& out = op.output ? op.output->tensor_spec() : op.output_spec;
    LaunchRequest request{.name = op.name, .attributes = op.attributes, .inputs = op.inputs};
    if (op.output) {
        request.outputs = {*op.output};
    } else {
        request.output_specs = {out};
    }
    check_device_tensors(op.name, {&op.inputs.front()});
    if (out.logical_shape().volume() == 0) {
        return op.output ? *op.output : ttnn::create_device_tensor(out, op.inputs.front().device());
    }
    request.create_program = [&](Numerics) {
        std::vector<Plan> plans;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            plans.push_back(make_plan(op.inputs[i].tensor_spec(), out, op.transfers[i]));
        }
        Program program;
        program.core_count = cores_for(out, *op.inputs.front().device());
        program.circular_buffer_bytes =
            op.circular_buffer_bytes.value_or(copy_buffer_bytes(op.inputs.front().tensor_spec(), out));
        const Plan& plan = plans.front();
        if (plans.size() == 1 && plan.identity && plan.in_dtype == plan.out_dtype && !plan.transfer.fill) {
            program.copy = Program::Copy{.bytes = out.compute_packed_buffer_size_bytes()};
        }
        program.kernel = [plans = std::move(plans)](
                             std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
            for (std::size_t i = 0; i < plans.size(); ++i) {
                run(plans[i], inputs[i].data, outputs[0].data);
            }
        };
        return program;
    };
    return launch(request).front();
}

Tensor launch_copy(
    std::string_view name, std::string attributes, const Tensor& input, const TensorSpec& spec,
    const std::optional<Tensor>& output, ConvertRule rule, std::optional<std::uint64_t> circular_buffer_bytes) {
    Transfer transfer = whole_transfer(input.tensor_spec(), output ? output->tensor_spec() : spec);
    transfer.rule = rule;
    return launch_movement(
        {.name = name,
         .attributes = std::move(attributes),
         .inputs = {input},
         .output_spec = spec,
         .output = output,
         .transfers = {std::move(transfer)},
         .circular_buffer_bytes = circular_buffer_bytes});
}

bool is_device_tensor(const Tensor& tensor) { return tensor.storage_type() == ttnn::StorageType::DEVICE; }

bool has_aligned_pages(const Tensor& tensor) {
    const std::uint32_t alignment = tensor.memory_config().is_dram() ? kDramAlignment : kL1Alignment;
    return tensor.tensor_spec().compute_page_size_bytes() % alignment == 0;
}

}  // namespace ttnn_cpu

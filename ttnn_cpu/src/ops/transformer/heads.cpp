// SPDX-License-Identifier: Apache-2.0
#include "ops/transformer/heads.hpp"

#include <algorithm>
#include <vector>

#include "core/data_type.hpp"
#include "kernels/movement_copy.hpp"
#include "kernels/movement_transpose.hpp"
#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

namespace ttnn_cpu {

namespace {

using tt::tt_metal::DataType;

// The move from columns to slices for values, or for shared exponents with unit 16.
kernels::StridedMove split_move(const HeadColumns& c, std::size_t unit) {
    const std::size_t width = c.matrix.cols / unit;
    const std::size_t head = c.head_size / unit;
    const std::size_t heads_a_group = c.heads / c.groups;
    return {
        .sizes = {c.batch, c.groups, heads_a_group, c.seq, head},
        .in_strides = {c.seq * width, width / c.groups, head, width, 1},
        .out_strides = {c.heads * c.seq * head, heads_a_group * c.seq * head, c.seq * head, head, 1},
        .in_offset = c.first_column / unit,
        .out_offset = 0};
}

void move(
    const kernels::StridedMove& split, bool back, std::size_t element_bytes, const std::byte* in, std::byte* out) {
    kernels::StridedMove result = split;
    if (back) {
        std::swap(result.in_strides, result.out_strides);
        std::swap(result.in_offset, result.out_offset);
    }
    kernels::strided_move(kernels::simplify(result), element_bytes, in, out);
}

void move_planes(const HeadColumns& c, bool back, const std::byte* in, std::byte* out) {
    const DataType dtype = c.matrix.dtype;
    move(split_move(c, 1), back, element_size(dtype), in, out);
    if (dtype == DataType::BFLOAT8_B) {
        const std::size_t columns = c.matrix.size();
        const std::size_t slices = c.batch * c.heads * c.seq * c.head_size;
        move(split_move(c, 16), back, 1, in + (back ? slices : columns), out + (back ? columns : slices));
    }
}

}  // namespace

void split_heads(const HeadColumns& columns, const std::byte* in, std::byte* out) {
    move_planes(columns, false, in, out);
}

void concatenate_heads(const HeadColumns& columns, const std::byte* in, std::byte* out) {
    move_planes(columns, true, in, out);
}

void split_heads_transposed(const HeadColumns& c, const std::byte* in, std::byte* out) {
    const std::size_t heads_a_group = c.heads / c.groups;
    const bool block = tt::tt_metal::is_block_float(c.matrix.dtype);
    const std::size_t bytes = block ? 2 : element_size(c.matrix.dtype);
    const kernels::StoredMatrix target{c.matrix.dtype, c.batch * c.heads * c.head_size, c.seq};
    kernels::parallel_for(c.batch * c.heads, [&](std::size_t slice) {
        const std::size_t head = slice % c.heads;
        const std::size_t row = slice / c.heads * c.seq;
        const std::size_t column =
            c.first_column + head / heads_a_group * (c.matrix.cols / c.groups) + head % heads_a_group * c.head_size;
        if (!block) {
            const std::size_t count = c.head_size * c.seq;
            std::byte* const turned = out + slice * count * bytes;
            kernels::transpose_block(
                {c.seq, c.head_size, c.matrix.cols, c.seq}, bytes, in + (row * c.matrix.cols + column) * bytes, turned);
            if (c.matrix.dtype == DataType::FLOAT32) {
                auto* const values = reinterpret_cast<std::uint32_t*>(turned);
                std::transform(values, values + count, values, kernels::wormhole::truncate_to_tf32);
            }
            return;
        }
        thread_local std::vector<std::uint16_t> values;
        thread_local std::vector<std::uint16_t> turned;
        values.resize(c.seq * c.head_size);
        turned.resize(c.seq * c.head_size);
        for (std::size_t i = 0; i < c.seq; ++i) {
            c.matrix.load_bf16(in, (row + i) * c.matrix.cols + column, c.head_size, values.data() + i * c.head_size);
        }
        kernels::transpose_block(
            {c.seq, c.head_size, c.head_size, c.seq}, bytes, reinterpret_cast<const std::byte*>(values.data()),
            reinterpret_cast<std::byte*>(turned.data()));
        target.store_bf16(out, slice * c.head_size * c.seq, turned.size(), turned.data());
    });
}

}  // namespace ttnn_cpu

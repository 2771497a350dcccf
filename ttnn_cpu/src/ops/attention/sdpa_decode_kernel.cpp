// SPDX-License-Identifier: Apache-2.0
#include "ops/attention/sdpa_decode_kernel.hpp"

#include <algorithm>
#include <vector>

#include "core/data_type.hpp"
#include "kernels/attention_rows.hpp"
#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_sdpa.hpp"
#include "ops/attention/sdpa_kernel.hpp"
#include "ops/fidelity_of.hpp"

namespace ttnn_cpu {

using kernels::StoredMatrix;
using tt::tt_metal::MathFidelity;

namespace {

constexpr std::size_t kTileRows = 32;

// How many positions a user looks at; 0 for one that is skipped.
std::size_t visible(const SdpaDecodeKernel& kernel, std::span<const BufferRef> in, std::size_t user) {
    const std::int64_t position =
        kernel.cur_pos.empty() ? in[3].as<const std::int32_t>()[user] : std::int64_t{kernel.cur_pos[user]};
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(position + 1, 0, static_cast<std::int64_t>(kernel.positions)));
}

void write_zeros(const StoredMatrix& out, std::byte* data, std::size_t row, std::size_t rows) {
    const std::vector<float> zeros(rows * out.cols, 0.0F);
    out.store_f32(data, row * out.cols, zeros.size(), zeros.data());
}

// One user's queries of one key head, over blocks of keys: all scores first, then their exponentials, then values.
void attend(
    const SdpaDecodeKernel& kernel, std::span<const BufferRef> in, const BufferRef& out, std::size_t user,
    std::size_t kv_head) {
    thread_local std::vector<float> queries;
    thread_local std::vector<float> block;
    thread_local std::vector<float> scores;
    thread_local std::vector<float> sums;
    const std::size_t width = kernel.q.cols;
    const std::size_t group = kernel.heads / kernel.kv_heads;
    const std::size_t first_row = user * kernel.padded_heads + kv_head * group;
    const std::size_t length = visible(kernel, in, user);
    if (length == 0) {
        write_zeros(kernel.out, out.data, first_row, group);
        return;
    }
    queries.resize(group * width);
    block.resize(kTileRows * width);
    scores.resize(group * length);
    sums.assign(group * width, 0.0F);
    kernel.q.load_f32(in[0].data, first_row * width, queries.size(), queries.data());
    const bool low = kernel.fidelity == MathFidelity::LoFi;
    if (low || kernel.fidelity == MathFidelity::HiFi2) {
        kernels::keep_fraction(queries.data(), queries.size(), 6);
    }
    const std::size_t cache_row = (user * kernel.kv_heads + kv_head) * kernel.positions;
    const auto each_block = [&](const StoredMatrix& cache, const BufferRef& data, const auto& use) {
        for (std::size_t row = 0; row < length; row += kTileRows) {
            const std::size_t count = std::min(kTileRows, length - row);
            cache.load_f32(data.data, (cache_row + row) * width, count * width, block.data());
            if (low) {
                kernels::keep_fraction(block.data(), count * width, 4);
            }
            for (std::size_t query = 0; query < group; ++query) {
                use(query, row, count);
            }
        }
    };
    each_block(kernel.k, in[1], [&](std::size_t query, std::size_t row, std::size_t count) {
        kernels::dot_rows(
            queries.data() + query * width, block.data(), count, width, scores.data() + query * length + row);
    });
    for (std::size_t query = 0; query < group; ++query) {
        float* const row = scores.data() + query * length;
        const float largest = kernels::largest_of(row, length);
        kernel.exp_approx ? kernels::exp_quick(row, length, largest, kernel.scale)
                          : kernels::exp_close(row, length, largest, kernel.scale);
    }
    each_block(kernel.v, in[2], [&](std::size_t query, std::size_t row, std::size_t count) {
        kernels::add_weighted_rows(
            scores.data() + query * length + row, block.data(), count, width, sums.data() + query * width);
    });
    for (std::size_t query = 0; query < group; ++query) {
        kernels::multiply(
            sums.data() + query * width, width, 1.0F / kernels::sum_of(scores.data() + query * length, length));
    }
    kernel.out.store_f32(out.data, first_row * width, sums.size(), sums.data());
}

// One user with the engine for whole sequences: each key head has its queries in a tile of their own.
void attend_exactly(
    const SdpaDecodeKernel& kernel, std::span<const BufferRef> in, const BufferRef& out, std::size_t user) {
    const std::size_t width = kernel.q.cols;
    const std::size_t group = kernel.heads / kernel.kv_heads;
    const std::size_t length = visible(kernel, in, user);
    if (length == 0) {
        write_zeros(kernel.out, out.data, user * kernel.padded_heads, kernel.heads);
        return;
    }
    const std::size_t rows = round_up(length, kTileRows);
    const std::size_t tile_rows = round_up(group, kTileRows);
    std::vector<std::uint16_t> queries(kernel.kv_heads * tile_rows * width, 0);
    std::vector<std::uint16_t> keys(kernel.kv_heads * rows * width);
    std::vector<std::uint16_t> values(keys.size());
    std::vector<std::uint16_t> result(queries.size());
    for (std::size_t head = 0; head < kernel.kv_heads; ++head) {
        const std::size_t q_first = (user * kernel.padded_heads + head * group) * width;
        const std::size_t k_first = (user * kernel.kv_heads + head) * kernel.positions * width;
        kernel.q.load_bf16(in[0].data, q_first, group * width, queries.data() + head * tile_rows * width);
        kernel.k.load_bf16(in[1].data, k_first, rows * width, keys.data() + head * rows * width);
        kernel.v.load_bf16(in[2].data, k_first, rows * width, values.data() + head * rows * width);
    }
    kernels::wormhole::SdpaSpec spec;
    spec.heads = kernel.kv_heads;
    spec.q_rows = tile_rows;
    spec.k_rows = rows;
    spec.k_length = length;
    spec.head_dim = width;
    spec.v_dim = width;
    spec.scale = kernel.scale;
    spec.k_chunk_tiles = kernel.k_chunk / kTileRows;
    spec.fidelity = fidelity_of(kernel.fidelity);
    spec.exp_approx = kernel.exp_approx;
    spec.math_approx = kernel.math_approx;
    kernels::wormhole::sdpa(spec, queries.data(), keys.data(), values.data(), result.data());
    for (std::size_t head = 0; head < kernel.kv_heads; ++head) {
        const std::size_t first = (user * kernel.padded_heads + head * group) * width;
        kernel.out.store_bf16(out.data, first, group * width, result.data() + head * tile_rows * width);
    }
}

}  // namespace

Kernel fast_sdpa_decode(const SdpaDecodeKernel& kernel) {
    return [kernel](std::span<const BufferRef> in, std::span<const BufferRef> out) {
        kernels::parallel_for(kernel.users * kernel.kv_heads, [&](std::size_t chunk) {
            attend(kernel, in, out[0], chunk / kernel.kv_heads, chunk % kernel.kv_heads);
        });
    };
}

Kernel wormhole_sdpa_decode(const SdpaDecodeKernel& kernel) {
    return [kernel](std::span<const BufferRef> in, std::span<const BufferRef> out) {
        for (std::size_t user = 0; user < kernel.users; ++user) {
            attend_exactly(kernel, in, out[0], user);
        }
    };
}

}  // namespace ttnn_cpu

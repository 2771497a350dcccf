// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

#include "core/device_impl.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/program_config_rules.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 20> kSubblocks = {
    {{4, 2}, {2, 4}, {8, 1}, {1, 8}, {7, 1}, {1, 7}, {3, 2}, {2, 3}, {6, 1}, {1, 6},
     {5, 1}, {1, 5}, {2, 2}, {4, 1}, {1, 4}, {3, 1}, {1, 3}, {2, 1}, {1, 2}, {1, 1}}};

std::vector<std::uint32_t> divisors(std::uint32_t value) {
    std::vector<std::uint32_t> result = {value, 1};
    for (std::uint32_t divisor = value / 2; divisor > 1; --divisor) {
        if (value % divisor == 0) {
            result.push_back(divisor);
        }
    }
    return result;
}

void check_chosen(const MatmulProgramConfig& config) {
    std::visit(
        [](const auto& chosen) {
            if constexpr (requires { chosen.out_subblock_h; }) {
                TT_FATAL(
                    chosen.per_core_M % chosen.out_subblock_h == 0, "per_core_M must be divisible by out_subblock_h!");
                TT_FATAL(
                    chosen.per_core_N % chosen.out_subblock_w == 0, "per_core_N must be divisible by out_subblock_w!");
            }
        },
        config);
}

}  // namespace

Problem::Problem(const Tensor& in0, const Tensor& in1, const Params& given, std::uint32_t bias_bytes)
    : a(in0),
      b(in1),
      params(given),
      sizes(in0, in1, given.transpose_a, given.transpose_b),
      bias_tile_bytes(bias_bytes) {
    const DeviceImpl& device = a.device()->impl();
    const auto lowest = device.memory()->allocator(BufferType::L1).lowest_allocated_address();
    l1_space = lowest.value_or(a.device()->l1_size_per_core()) - device.memory()->l1_base();
    float32_dest = params.compute_kernel_config.fp32_dest_acc_en;
    partials_tile_bytes = float32_dest ? tile_bytes(DataType::FLOAT32)
                                       : std::max(tile_bytes(DataType::BFLOAT16), tile_bytes(params.output_dtype));
}

bool Problem::fits(std::uint32_t h, std::uint32_t w, std::uint32_t k) const {
    const std::uint64_t in0_tile = tile_bytes(a.dtype());
    const std::uint64_t in0 = std::uint64_t{2} * h * k * in0_tile;
    const std::uint64_t in1 = std::uint64_t{2} * w * k * tile_bytes(b.dtype());
    const std::uint64_t shard = a.is_sharded() ? h * (a.shard_spec()->shape[1] / kTile) * in0_tile : 0;
    // The output is estimated with in0's tiles.
    const std::uint64_t out = std::uint64_t{h} * w * (in0_tile + partials_tile_bytes);
    const std::uint64_t transposed = !params.transpose_a ? 0 : a.is_sharded() ? shard : in0;
    return in0 + in1 + out + std::uint64_t{w} * bias_tile_bytes + shard + transposed < l1_space;
}

bool is_narrow(std::uint32_t height, std::uint32_t width, bool all_dram) {
    const std::uint32_t ratio = height > width ? height / width : width / height;
    return ratio > 8 || (all_dram && (height <= kTile || width <= kTile));
}

Block subblock_high(std::uint32_t h, std::uint32_t w, bool whole_h, bool whole_w, bool float32_dest) {
    for (const auto& [sub_h, sub_w] : kSubblocks) {
        if ((float32_dest && sub_h * sub_w > 4) || (whole_w && (sub_w != w || sub_h != 1)) ||
            (whole_h && (sub_h != h || sub_w != 1))) {
            continue;
        }
        if (h % sub_h == 0 && w % sub_w == 0) {
            return {sub_h, sub_w};
        }
    }
    return {1, 1};
}

Block subblock_wide(std::uint32_t h, std::uint32_t w, bool float32_dest) {
    for (const auto& [sub_w, sub_h] : kSubblocks) {
        if ((sub_h * sub_w <= 4 || !float32_dest) && h % sub_h == 0 && w % sub_w == 0) {
            return {sub_h, sub_w};
        }
    }
    return {1, 1};
}

Block largest_block(
    const Problem& problem, std::uint32_t per_core_m, std::uint32_t per_core_n, std::uint32_t k, bool shrink_k) {
    if (problem.fits(per_core_m, per_core_n, k)) {
        return {per_core_m, per_core_n, k};
    }
    std::map<std::uint32_t, Block> by_area;
    const auto ratio = [](std::uint32_t h, std::uint32_t w) {
        return static_cast<float>(std::max(h, w)) / static_cast<float>(std::min(h, w));
    };
    for (const std::uint32_t h : divisors(per_core_m)) {
        for (const std::uint32_t w : divisors(per_core_n)) {
            const auto found = by_area.find(h * w);
            if (found == by_area.end() || ratio(found->second.h, found->second.w) >= ratio(h, w)) {
                by_area[h * w] = {h, w};
            }
        }
    }
    for (const auto& [area, block] : std::ranges::reverse_view(by_area)) {
        for (std::uint32_t block_k = k; block_k >= (shrink_k ? 1 : k); --block_k) {
            if (k % block_k == 0 && problem.fits(block.h, block.w, block_k)) {
                return {block.h, block.w, block_k};
            }
        }
    }
    return {1, 1, 1};
}

void check_tile_multiples(const Sizes& sizes) {
    TT_FATAL(
        sizes.batch_a * sizes.a_padded[-2] % kTile == 0 && sizes.a_padded[-1] % kTile == 0 &&
            sizes.b_padded[-1] % kTile == 0,
        "The last two dimensions of the first tensor and the last dimension of the second tensor must be a multiple of "
        "tile "
        "size");
}

MatmulProgramConfig choose_program_config(
    const Tensor& a, const Tensor& b, const Params& params, std::uint32_t bias_tile_bytes) {
    if (params.program_config) {
        return *params.program_config;
    }
    const Problem problem(a, b, params, bias_tile_bytes);
    const MatmulProgramConfig config = a.is_sharded() ? sharded_config(problem)
                                       : params.core_grid
                                           ? grid_config(problem, params.activation)
                                           : simple_config(problem, a.device()->compute_with_storage_grid_size());
    check_chosen(config);
    return config;
}

}  // namespace ttnn_cpu::matmul_op

// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_program.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::size_t div_up(std::size_t a, std::size_t b) {
    return (a + b - 1) / b;
}

// Double buffered operands, output and partials, bias, and the resident shard of in0.
bool fits_l1(const MatmulShape& s, std::size_t m, std::size_t n, std::size_t block_w) {
    const std::size_t in0 = m * block_w * 2 * s.in0_tile_bytes;
    const std::size_t in1 = n * block_w * 2 * s.in1_tile_bytes;
    const std::size_t shard = s.a_shard ? m * s.a_shard->columns * s.in0_tile_bytes : 0;
    const std::size_t transposed = !s.transpose_a ? 0 : s.a_shard ? shard : in0;
    return in0 + in1 + m * n * (s.in0_tile_bytes + s.partials_tile_bytes) + n * s.bias_tile_bytes + shard + transposed <
           s.l1_bytes;
}

std::vector<std::size_t> divisors(std::size_t value) {
    std::vector<std::size_t> out{value, 1};
    for (std::size_t d = value / 2; d > 1; --d) {
        if (value % d == 0) {
            out.push_back(d);
        }
    }
    return out;
}

// The block width that is left once the blocks of output and K fit a core: large outputs first, then wide blocks.
std::size_t fitting_block_w(const MatmulShape& s, std::size_t per_core_m, std::size_t per_core_n, std::size_t block_w) {
    if (fits_l1(s, per_core_m, per_core_n, block_w)) {
        return block_w;
    }
    const auto ratio = [](std::size_t m, std::size_t n) {
        return static_cast<float>(std::max(m, n)) / static_cast<float>(std::min(m, n));
    };
    std::map<std::size_t, std::pair<std::size_t, std::size_t>> blocks;  // by area, the squarest
    for (const std::size_t m : divisors(per_core_m)) {
        for (const std::size_t n : divisors(per_core_n)) {
            const auto found = blocks.find(m * n);
            if (found == blocks.end() || ratio(found->second.first, found->second.second) >= ratio(m, n)) {
                blocks[m * n] = {m, n};
            }
        }
    }
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
        for (std::size_t w = block_w; w >= 1; --w) {
            if (block_w % w == 0 && fits_l1(s, block->second.first, block->second.second, w)) {
                return w;
            }
        }
    }
    return 1;
}

bool is_narrow(std::size_t height, std::size_t width, bool all_dram) {
    const std::size_t ratio = height > width ? height / width : width / height;
    return ratio > 8 || (all_dram && (height <= 1 || width <= 1));
}

std::size_t largest_divisor(std::size_t value, std::size_t at_most) {
    while (value % at_most != 0) {
        --at_most;
    }
    return at_most;
}

MatmulPlan plan_1d(const MatmulShape& s, bool mcast_in0) {
    const std::size_t cores = s.grid_x * s.grid_y;
    return {
        mcast_in0 ? MatmulProgram::Mcast1DIn0 : MatmulProgram::Mcast1DIn1,
        s.k % 2 == 0 ? std::size_t{2} : std::size_t{1}, mcast_in0 ? s.m : div_up(s.m, cores),
        mcast_in0 ? div_up(s.n, cores) : s.n};
}

// A sharded output asks for the program that writes shards of its kind. A block layout on one row (column) of cores
// counts as width (height), but for a single core.
std::optional<Shard::Layout> output_layout(const MatmulShape& s) {
    if (!s.out_shard) {
        return std::nullopt;
    }
    const bool one_core = s.out_shard->grid_x == 1 && s.out_shard->grid_y == 1;
    if (s.out_shard->layout == Shard::Layout::Block && !one_core) {
        if (s.out_shard->grid_y == 1) {
            return Shard::Layout::Width;
        }
        if (s.out_shard->grid_x == 1) {
            return Shard::Layout::Height;
        }
    }
    return s.out_shard->layout;
}

// Neither a program config nor a core grid.
MatmulPlan plan_automatic(const MatmulShape& s) {
    const bool all_dram_interleaved = s.all_dram && s.all_interleaved;
    std::size_t factor = 16;
    while (factor > 1 && !fits_l1(s, factor, factor, 2)) {
        factor /= 2;
    }
    const std::size_t blocks_y = div_up(s.m, factor);
    const std::size_t blocks_x = div_up(s.n, factor);
    const std::size_t block_w = (s.out_shard || blocks_y > 1 || blocks_x > 1) && s.k % 2 != 0 ? 1 : 2;
    if (!all_dram_interleaved && (blocks_x * blocks_y > s.grid_x * s.grid_y || s.k % block_w != 0)) {
        return {};
    }
    const bool on_grid = (blocks_x > 1 || blocks_y > 1) && blocks_y <= s.grid_y && blocks_x <= s.grid_x;
    const bool narrow = s.all_interleaved && is_narrow(s.m, s.n, s.all_dram);
    const bool one_a_many_b = s.all_interleaved && s.batch_a == 1 && s.batch_b > 1;
    const bool single_row = on_grid && blocks_y == 1 && !all_dram_interleaved;
    const bool single_column = on_grid && blocks_x == 1 && !all_dram_interleaved;
    const std::optional<Shard::Layout> wanted_by_output = on_grid ? std::nullopt : output_layout(s);
    if ((!one_a_many_b && (single_row || (narrow && s.n > s.m))) || wanted_by_output == Shard::Layout::Width) {
        return plan_1d(s, true);
    }
    if (single_column || (narrow && s.n <= s.m) || one_a_many_b || wanted_by_output == Shard::Layout::Height) {
        return plan_1d(s, false);
    }
    if (all_dram_interleaved) {
        const std::size_t per_core_m = div_up(s.m, s.grid_y);
        const std::size_t per_core_n = div_up(s.n, s.grid_x);
        const std::size_t wanted = s.k % s.grid_x == 0 ? s.k / s.grid_x : 1;
        return {MatmulProgram::Mcast2D, fitting_block_w(s, per_core_m, per_core_n, wanted), per_core_m, per_core_n};
    }
    if (on_grid || wanted_by_output == Shard::Layout::Block) {
        return {MatmulProgram::Mcast2D, block_w, factor, factor};
    }
    return {};
}

MatmulPlan plan_1d_systolic(const MatmulShape& s) {
    const std::size_t cores = s.grid_x * s.grid_y;
    const std::size_t rows = s.batch_a * s.m;
    bool tall = rows > s.n;
    if (s.a_shard) {
        tall = s.a_shard->layout == Shard::Layout::Height || (s.a_shard->layout != Shard::Layout::Width && tall);
    }
    return {
        tall ? MatmulProgram::Mcast1DIn1 : MatmulProgram::Mcast1DIn0, largest_divisor(s.k, div_up(s.k, cores)),
        tall ? div_up(rows, cores) : rows, tall ? s.n : div_up(s.n, cores)};
}

// A core grid was given.
MatmulPlan plan_on_grid(const MatmulShape& s) {
    if (s.batch_b > 1) {
        if (s.a_shard) {
            return {MatmulProgram::Reuse, s.a_shard->columns, s.a_shard->rows, s.n};
        }
        return fits_l1(s, s.m, s.n, 1) ? MatmulPlan{MatmulProgram::Reuse, 1, s.m, s.n} : plan_automatic(s);
    }
    const std::size_t rows = s.batch_a * s.m;
    const bool block_sharded = s.a_shard && s.a_shard->layout == Shard::Layout::Block;
    const bool within_a_tile = s.k <= 1 || s.m <= 1 || s.n <= 1;
    if (!block_sharded && (is_narrow(rows, s.n, false) || within_a_tile || s.a_shard)) {
        return plan_1d_systolic(s);
    }
    if (block_sharded) {
        return {
            MatmulProgram::Mcast2D, std::gcd(s.a_shard->columns, s.k), s.a_shard->rows,
            std::max<std::size_t>(s.n * s.a_shard->columns / s.k, 1)};
    }
    return {
        MatmulProgram::Mcast2D, largest_divisor(s.k, 4), div_up(rows, s.grid_y),
        std::max<std::size_t>(div_up(s.n, s.grid_x), 1)};
}

MatmulPlan plan_sharded(const MatmulShape& s) {
    const Shard& shard = *s.a_shard;
    const std::size_t rows = s.batch_a * s.m;
    if (s.batch_b > 1) {
        return {MatmulProgram::Reuse, shard.columns, shard.rows, s.n};
    }
    switch (shard.layout) {
        case Shard::Layout::Width:
            return {
                MatmulProgram::Mcast1DIn0, std::gcd(shard.columns, s.k), rows,
                div_up(s.n, shard.grid_x * shard.grid_y)};
        case Shard::Layout::Height:
            return {MatmulProgram::Mcast1DIn1, s.k, shard.rows, s.n};
        case Shard::Layout::Block:
            break;
    }
    if (shard.grid_x == 1 || shard.grid_y == 1) {
        return plan_on_grid(s);
    }
    const std::size_t along_k = shard.column_major ? shard.grid_y : shard.grid_x;
    const std::size_t along_m = shard.column_major ? shard.grid_x : shard.grid_y;
    return {
        MatmulProgram::Mcast2D, along_k == s.k / shard.columns ? std::gcd(shard.columns, s.k) : 1,
        div_up(rows, along_m), div_up(s.n, along_k)};
}

}  // namespace

void set_k_blocking(
    MatmulProgram program, std::size_t in0_block_w, bool packer_l1_acc, PartialsFormat output, MatmulSpec& spec) {
    const std::size_t k_tiles = spec.k / 32;
    spec.k_block_tiles = program == MatmulProgram::MultiCore ? k_tiles : in0_block_w;
    const std::size_t blocks = spec.k_block_tiles == 0 ? 1 : div_up(k_tiles, spec.k_block_tiles);
    bool accumulates = false;
    switch (program) {
        case MatmulProgram::MultiCore:
            break;
        case MatmulProgram::Reuse:
            accumulates = blocks > 2;
            break;
        case MatmulProgram::Mcast1DIn0:
        case MatmulProgram::DramSharded:
            accumulates = blocks > 1;
            break;
        case MatmulProgram::Mcast1DIn1:
        case MatmulProgram::Mcast2D:
            accumulates = blocks > 2 || (spec.has_bias && blocks > 1);
            break;
    }
    spec.partials = packer_l1_acc && accumulates ? Partials::PackerL1Acc : Partials::SpillReload;
    spec.partials_format = spec.fp32_dest                           ? PartialsFormat::Float32
                           : spec.partials == Partials::PackerL1Acc ? PartialsFormat::BFloat16
                                                                    : output;
    spec.reload_keeps_float32 = program != MatmulProgram::Reuse && program != MatmulProgram::DramSharded;
}

MatmulPlan choose_plan(const MatmulShape& shape) {
    if (shape.a_shard) {
        return plan_sharded(shape);
    }
    return shape.user_grid ? plan_on_grid(shape) : plan_automatic(shape);
}

}  // namespace ttnn_cpu::kernels::wormhole

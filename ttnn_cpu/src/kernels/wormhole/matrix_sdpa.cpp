// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_sdpa.hpp"

#include "kernels/eltwise.hpp"
#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_engine_isa.hpp"
#include "kernels/wormhole/matrix_sdpa_functions.hpp"
#include "kernels/wormhole/matrix_tile.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::uint16_t kMinusInfinity = 0xFF80;
constexpr std::size_t kTileSize = kTile * kTile;
constexpr std::size_t kRowTilesPerChunk = 8;  // of parallel work: enough to pay for packing K and V

using Tile = std::array<std::uint16_t, kTileSize>;
using Column = std::array<std::uint16_t, kTile>;

// K transposed and V of one head, packed: K by [k tile][d tile], V by [v tile][k tile].
struct PackedHead {
    std::vector<std::int16_t> k;
    std::vector<std::int16_t> v;
};

struct Geometry {
    std::size_t d_tiles;
    std::size_t v_tiles;
    std::size_t k_tiles;
    std::size_t k_chunks;
    std::size_t score_width;  // of a subblock of scores
    std::size_t
        split_rows;        // the first rows of a chunk, whose products with V are summed in memory subblock by subblock
    std::size_t in1_tile;  // 16-bit words of a packed tile
};

// Which subblock (height, width) of a block fills a destination of 8 tiles best.
std::pair<std::size_t, std::size_t> largest_subblock(std::size_t rows, std::size_t columns, std::size_t max_rows) {
    constexpr std::array<std::pair<std::size_t, std::size_t>, 20> kChoices{
        {{2, 4}, {4, 2}, {1, 8}, {8, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 2}, {1, 6}, {6, 1},
         {1, 5}, {5, 1}, {2, 2}, {1, 4}, {4, 1}, {1, 3}, {3, 1}, {1, 2}, {2, 1}, {1, 1}}};
    const auto* found = std::find_if(kChoices.begin(), kChoices.end(), [&](const auto& c) {
        return c.first <= max_rows && rows % c.first == 0 && columns % c.second == 0;
    });
    return *found;
}

Geometry geometry(const SdpaSpec& spec) {
    Geometry g{};
    g.d_tiles = spec.head_dim / kTile;
    g.v_tiles = spec.v_dim / kTile;
    g.k_tiles = (spec.k_length + kTile - 1) / kTile;
    g.k_chunks = (g.k_tiles + spec.k_chunk_tiles - 1) / spec.k_chunk_tiles;
    g.score_width = largest_subblock(spec.q_chunk_tiles, spec.k_chunk_tiles, 8).second;
    const auto [height, width] = largest_subblock(spec.q_chunk_tiles, g.v_tiles, 2);
    g.split_rows = height == 1 && 2 * width <= 8 && spec.q_chunk_tiles >= 2 ? 2 : height;
    g.in1_tile = kTileSize * in1_parts(static_cast<int>(spec.fidelity));
    return g;
}

PackedHead pack_head(const SdpaSpec& spec, const Geometry& g, const std::uint16_t* k, const std::uint16_t* v) {
    PackedHead packed;
    packed.k.resize(g.k_tiles * g.d_tiles * g.in1_tile);
    packed.v.resize(g.v_tiles * g.k_tiles * g.in1_tile);
    std::vector<std::uint16_t> transposed(spec.head_dim * kTile);
    for (std::size_t tile = 0; tile < g.k_tiles; ++tile) {
        for (std::size_t d = 0; d < spec.head_dim; ++d) {
            for (std::size_t j = 0; j < kTile; ++j) {
                transposed[d * kTile + j] = k[(tile * kTile + j) * spec.head_dim + d];
            }
        }
        best_engine().pack_in1(
            {transposed.data(), nullptr, kTile}, 0, spec.head_dim, spec.fidelity,
            packed.k.data() + tile * g.d_tiles * g.in1_tile);
    }
    for (std::size_t tile = 0; tile < g.v_tiles; ++tile) {
        best_engine().pack_in1(
            {v, nullptr, spec.v_dim}, tile * kTile, g.k_tiles * kTile, spec.fidelity,
            packed.v.data() + tile * g.k_tiles * g.in1_tile);
    }
    return packed;
}

// What one row of tiles carries from one chunk of K to the next.
struct Running {
    Column max;
    Tile sum;
    std::vector<Tile> out;
};

class RowTile {
public:
    RowTile(
        const SdpaSpec& spec, const Geometry& g, const PackedHead& head, const std::uint16_t* mask, std::size_t tile)
        : spec_(spec),
          g_(g),
          head_(head),
          mask_(mask),
          tile_(tile),
          q_chunk_(tile / spec.q_chunk_tiles),
          exp_(sdpa_exp_table(spec.scale)) {}

    void run(const std::uint16_t* q, std::uint16_t* out) {
        const int phases = static_cast<int>(spec_.fidelity);
        packed_q_.resize(kTile * spec_.head_dim * in0_parts(phases));
        best_engine().pack_in0(
            {q, nullptr, spec_.head_dim}, 0, kTile, spec_.head_dim, spec_.fidelity, packed_q_.data());
        const std::size_t q_end = (q_chunk_ + 1) * spec_.q_chunk_tiles;
        const std::size_t chunks =
            spec_.causal ? std::min(g_.k_chunks, (q_end + spec_.k_chunk_tiles - 1) / spec_.k_chunk_tiles) : g_.k_chunks;
        Running previous;
        Running current;
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            process(chunk, chunk == 0, chunk + 1 == chunks, previous, current);
            std::swap(previous, current);
        }
        normalize(previous, out);
    }

private:
    // Columns of tiles this chunk works on: short of the diagonal in the last causal chunk, and of the padding of K.
    std::size_t active_tiles(std::size_t chunk, bool last) const {
        const std::size_t begin = chunk * spec_.k_chunk_tiles;
        std::size_t active = spec_.k_chunk_tiles;
        if (spec_.causal && last) {
            active = std::min(active, (q_chunk_ + 1) * spec_.q_chunk_tiles - begin);
        }
        if (!spec_.causal && spec_.mask == nullptr) {
            active = std::min(active, g_.k_tiles - begin);
        }
        return active;
    }

    void process(std::size_t chunk, bool first, bool last, const Running& previous, Running& current) {
        const std::size_t begin = chunk * spec_.k_chunk_tiles;
        const std::size_t active = active_tiles(chunk, last);
        const std::size_t present = std::min(active, g_.k_tiles - begin);
        std::size_t width = g_.score_width;
        while (active % width != 0) {
            --width;
        }
        compute_scores(begin, present);
        add_mask(begin, present);
        current.max = first ? Column() : previous.max;
        if (first) {
            current.max.fill(kMaxStart);
        }
        for (std::size_t t = 0; t < present; ++t) {
            reduce_max_rows({scores_[t].data(), nullptr, kTile}, current.max.data());
        }
        exponentiate(current, present);
        multiply_v(begin, present, width, current);
        if (!first) {
            correct(previous, current);
        }
    }

    void compute_scores(std::size_t begin, std::size_t present) {
        const std::size_t in0_tile = kTileSize * in0_parts(static_cast<int>(spec_.fidelity));
        scores_.resize(present);
        for (std::size_t t = 0; t < present; ++t) {
            scores_[t].fill(0);
            for (std::size_t d = 0; d < g_.d_tiles; ++d) {
                best_engine().mvmul_tile16(
                    spec_.fidelity, packed_q_.data() + d * in0_tile,
                    head_.k.data() + ((begin + t) * g_.d_tiles + d) * g_.in1_tile, scores_[t].data(), kTile);
            }
            std::transform(scores_[t].begin(), scores_[t].end(), scores_[t].begin(), pack_bf16_from_dst16);
        }
    }

    // The packer adds mask tiles to the scores in memory, but only those that hide something.
    void add_mask(std::size_t begin, std::size_t present) {
        for (std::size_t t = 0; t < present; ++t) {
            const std::size_t column0 = (begin + t) * kTile;
            const bool last_tile = begin + t + 1 == g_.k_tiles;
            const bool partial = !spec_.causal && last_tile && spec_.k_length % kTile != 0;
            if (mask_ == nullptr && !partial && !(spec_.causal && begin + t >= tile_)) {
                continue;
            }
            for (std::size_t i = 0; i < kTileSize; ++i) {
                const std::size_t row = tile_ * kTile + i / kTile;
                const std::size_t column = column0 + i % kTile;
                const bool hidden = spec_.causal ? column > row : mask_ == nullptr && column >= spec_.k_length;
                const std::uint16_t value = mask_ != nullptr ? mask_[row * spec_.k_rows + column]
                                            : hidden         ? kMinusInfinity
                                                             : std::uint16_t{0};
                scores_[t][i] = l1_accumulate_bf16(scores_[t][i], value);
            }
        }
    }

    // exp((score - max) * scale) in place, and its sum over the tiles of a row: still 32 columns, added by the packer.
    void exponentiate(Running& current, std::size_t present) {
        for (std::size_t t = 0; t < present; ++t) {
            for (std::size_t row = 0; row < kTile; ++row) {
                std::uint16_t* values = scores_[t].data() + row * kTile;
                binary_bf16(BinaryFunction::Sub, values, current.max[row], kTile, values);
                for (std::size_t j = 0; j < kTile; ++j) {
                    values[j] = exp_[values[j]];
                }
            }
            accumulate(t > 0, scores_[t], current.sum);
        }
    }

    static void accumulate(bool add, const Tile& value, Tile& memory) {
        if (!add) {
            memory = value;
            return;
        }
        best_engine().accumulate_l1_bf16(value.data(), kTileSize, memory.data());
    }

    void multiply_v(std::size_t begin, std::size_t present, std::size_t width, Running& current) {
        const std::size_t in0_tile = kTileSize * in0_parts(static_cast<int>(spec_.fidelity));
        packed_scores_.resize(present * in0_tile);
        for (std::size_t t = 0; t < present; ++t) {
            best_engine().pack_in0(
                {scores_[t].data(), nullptr, kTile}, 0, kTile, kTile, spec_.fidelity,
                packed_scores_.data() + t * in0_tile);
        }
        const bool split = tile_ % spec_.q_chunk_tiles < g_.split_rows;
        const std::size_t step = split ? width : std::max<std::size_t>(present, 1);
        current.out.resize(g_.v_tiles);
        for (std::size_t column = 0; column < g_.v_tiles; ++column) {
            for (std::size_t t0 = 0; t0 < present; t0 += step) {
                Tile dst{};
                for (std::size_t t = t0; t < std::min(present, t0 + step); ++t) {
                    best_engine().mvmul_tile16(
                        spec_.fidelity, packed_scores_.data() + t * in0_tile,
                        head_.v.data() + (column * g_.k_tiles + begin + t) * g_.in1_tile, dst.data(), kTile);
                }
                std::transform(dst.begin(), dst.end(), dst.begin(), pack_bf16_from_dst16);
                accumulate(t0 > 0, dst, current.out[column]);
            }
        }
    }

    // Brings the results of the chunks before to the new maximum and adds them, in memory.
    void correct(const Running& previous, Running& current) {
        for (std::size_t row = 0; row < kTile; ++row) {
            const std::uint32_t difference =
                fpu_sub(widen_bf16(previous.max[row]), widen_bf16(current.max[row]), DestWidth::Bits16);
            const std::uint32_t factor = widen_bf16(
                sdpa_exp_of_difference(static_cast<std::uint16_t>(difference >> 16), spec_.scale, spec_.exp_approx));
            const auto add_scaled = [&](const Tile& from, Tile& to) {
                for (std::size_t i = row * kTile; i < (row + 1) * kTile; ++i) {
                    const auto product = static_cast<std::uint16_t>(
                        fpu_mul(widen_bf16(from[i]), factor, spec_.fidelity, DestWidth::Bits16) >> 16);
                    to[i] = l1_accumulate_bf16(to[i], pack_bf16_from_dst16(product));
                }
            };
            for (std::size_t column = 0; column < g_.v_tiles; ++column) {
                add_scaled(previous.out[column], current.out[column]);
            }
            add_scaled(previous.sum, current.sum);
        }
    }

    void normalize(const Running& running, std::uint16_t* out) {
        Column sums{};
        reduce_sum_rows(spec_.fidelity, {running.sum.data(), nullptr, kTile}, 0x3F800000U, sums.data());
        for (std::size_t row = 0; row < kTile; ++row) {
            const std::uint32_t inverse = widen_bf16(sdpa_reciprocal(sums[row], spec_.math_approx));
            for (std::size_t j = 0; j < spec_.v_dim; ++j) {
                const std::uint16_t value = running.out[j / kTile][row * kTile + j % kTile];
                const auto product = static_cast<std::uint16_t>(
                    fpu_mul(widen_bf16(value), inverse, spec_.fidelity, DestWidth::Bits16) >> 16);
                out[row * spec_.v_dim + j] = pack_bf16_from_dst16(product);
            }
        }
    }

    const SdpaSpec& spec_;
    const Geometry& g_;
    const PackedHead& head_;
    const std::uint16_t* mask_;
    std::size_t tile_;
    std::size_t q_chunk_;
    const std::uint16_t* exp_;
    std::vector<std::uint32_t> packed_q_;
    std::vector<std::uint32_t> packed_scores_;
    std::vector<Tile> scores_;
};

}  // namespace

void sdpa(
    const SdpaSpec& spec, const std::uint16_t* q, const std::uint16_t* k, const std::uint16_t* v, std::uint16_t* out) {
    const Geometry g = geometry(spec);
    const std::size_t q_tiles = spec.q_rows / kTile;
    const std::size_t chunks = (q_tiles + kRowTilesPerChunk - 1) / kRowTilesPerChunk;
    parallel_for(spec.heads * chunks, [&](std::size_t index) {
        const std::size_t head = index / chunks;
        const std::size_t kv = head / spec.heads_per_kv;
        const PackedHead packed =
            pack_head(spec, g, k + kv * spec.k_rows * spec.head_dim, v + kv * spec.k_rows * spec.v_dim);
        const std::uint16_t* mask = spec.mask == nullptr
                                        ? nullptr
                                        : spec.mask + head / spec.heads_per_batch * spec.mask_batch_stride +
                                              head % spec.heads_per_batch * spec.mask_head_stride;
        const std::size_t begin = index % chunks * kRowTilesPerChunk;
        for (std::size_t tile = begin; tile < std::min(q_tiles, begin + kRowTilesPerChunk); ++tile) {
            const std::size_t row = head * spec.q_rows + tile * kTile;
            RowTile(spec, g, packed, mask, tile).run(q + row * spec.head_dim, out + row * spec.v_dim);
        }
    });
}

}  // namespace ttnn_cpu::kernels::wormhole

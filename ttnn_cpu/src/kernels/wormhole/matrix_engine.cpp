// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_engine.hpp"

#include "kernels/eltwise.hpp"
#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_engine_isa.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

// A chunk of work: this many rows by this many columns of the output of one batch. Wide enough to pay for packing the
// operands.
constexpr std::size_t kChunkRows = 128;
constexpr std::size_t kChunkColumns = 2 * kTile;

struct Geometry {
    std::size_t k_tiles;
    std::size_t block_tiles;
    std::size_t blocks;
    std::size_t row_chunks;
    std::size_t column_chunks;
};

Geometry geometry(const MatmulSpec& spec) {
    const std::size_t k_tiles = spec.k / kTile;
    const std::size_t block_tiles = std::clamp<std::size_t>(spec.k_block_tiles, 1, std::max<std::size_t>(k_tiles, 1));
    return {
        k_tiles, block_tiles, (k_tiles + block_tiles - 1) / block_tiles, (spec.m + kChunkRows - 1) / kChunkRows,
        (spec.n + kChunkColumns - 1) / kChunkColumns};
}

// One thread's buffers, kept from chunk to chunk.
struct Scratch {
    std::vector<std::uint32_t> in0;
    std::vector<std::int16_t> in1;
    std::vector<std::uint32_t> dst;
    std::vector<std::uint32_t> memory;
};

Scratch& thread_scratch() {
    thread_local Scratch scratch;
    return scratch;
}

std::uint32_t bias_bits(const MatrixView& bias, std::size_t index) {
    return bias.bf16 != nullptr ? widen_bf16(bias.bf16[index])
                                : truncate_to_tf32(std::bit_cast<std::uint32_t>(bias.float32[index]));
}

// The 16-bit and the 32-bit destination: what one element of it is, and how it leaves for memory and for the output.
// The engine leaves neither NaN nor denormals in it, so the packer has nothing to clean before an activation.
struct Dst16 {
    using Value = std::uint16_t;
    using Out = std::uint16_t;

    static void mvmul(
        Fidelity fidelity, const std::uint32_t* in0, const std::int16_t* in1, Value* dst, std::size_t rows) {
        best_engine().mvmul_tile16(fidelity, in0, in1, dst, rows);
    }
    static void spill(const MatmulSpec& spec, const Value* dst, std::size_t count, bool add, Value* memory) {
        if (add) {
            best_engine().accumulate_l1_bf16(dst, count, memory);
        } else {
            std::copy_n(dst, count, memory);
        }
        if (spec.partials == Partials::SpillReload && spec.partials_format != PartialsFormat::BFloat16) {
            round_trip_partials(spec.partials_format, memory, count);
        }
    }
    static Value reload(const MatmulSpec&, Value memory) { return memory; }
    // A row of 32 columns; `bias` is the index of its first bias value.
    static void add_bias(const MatrixView& view, std::size_t bias, const Value* memory, Value* dst) {
        if (view.bf16 != nullptr) {
            add_bf16(memory, view.bf16 + bias, kTile, dst);
            return;
        }
        for (std::size_t j = 0; j < kTile; ++j) {
            const std::uint32_t sum = fpu_add(widen_bf16(memory[j]), bias_bits(view, bias + j), DestWidth::Bits16);
            dst[j] = static_cast<Value>(sum >> 16);
        }
    }
    static void finish(const MatmulSpec& spec, const Value* dst, Out* out) {
        for (std::size_t j = 0; j < kTile; ++j) {
            out[j] = spec.activation_table != nullptr ? pack_bf16_from_dst16(spec.activation_table[dst[j]]) : dst[j];
        }
        for (std::size_t j = 0; spec.packer_relu && j < kTile; ++j) {
            out[j] = (out[j] & 0x8000) != 0 ? Out{0} : out[j];
        }
    }
};

struct Dst32 {
    using Value = std::uint32_t;
    using Out = float;

    static void mvmul(
        Fidelity fidelity, const std::uint32_t* in0, const std::int16_t* in1, Value* dst, std::size_t rows) {
        best_engine().mvmul_tile32(fidelity, in0, in1, dst, rows);
    }
    static void spill(const MatmulSpec&, const Value* dst, std::size_t count, bool add, Value* memory) {
        for (std::size_t i = 0; i < count; ++i) {
            memory[i] = add ? l1_accumulate_fp32(memory[i], dst[i]) : dst[i];
        }
    }
    static Value reload(const MatmulSpec& spec, Value memory) {
        return spec.reload_keeps_float32 ? memory : truncate_to_tf32(memory);
    }
    static void add_bias(const MatrixView& view, std::size_t bias, const Value* memory, Value* dst) {
        for (std::size_t j = 0; j < kTile; ++j) {
            dst[j] = fpu_add(memory[j], bias_bits(view, bias + j), DestWidth::Bits32);
        }
    }
    static void finish(const MatmulSpec& spec, const Value* dst, Out* out) {
        for (std::size_t j = 0; j < kTile; ++j) {
            out[j] = std::bit_cast<float>(spec.packer_relu && (dst[j] >> 31) != 0 ? 0U : dst[j]);
        }
    }
};

// Rows of one strip of 32 columns, for all of K.
template <class Dst>
void multiply_strip(
    const MatmulSpec& spec, const Geometry& g, const Scratch& packed, std::size_t rows, typename Dst::Value* dst,
    typename Dst::Value* memory) {
    const int phases = static_cast<int>(spec.fidelity);
    const std::size_t in0_tile = rows * kTile * in0_parts(phases);
    const std::size_t in1_tile = kTile * kTile * in1_parts(phases);
    const std::size_t count = rows * kTile;
    const bool l1_acc = spec.partials == Partials::PackerL1Acc;
    for (std::size_t block = 0; block < g.blocks; ++block) {
        const bool last = block + 1 == g.blocks;
        if (block == 0 || (l1_acc && (!last || spec.has_bias))) {
            std::fill_n(dst, count, 0);
        } else {
            std::transform(
                memory, memory + count, dst, [&](typename Dst::Value value) { return Dst::reload(spec, value); });
        }
        for (std::size_t kt = block * g.block_tiles; kt < std::min(g.k_tiles, (block + 1) * g.block_tiles); ++kt) {
            Dst::mvmul(spec.fidelity, packed.in0.data() + kt * in0_tile, packed.in1.data() + kt * in1_tile, dst, rows);
        }
        if (!last || spec.has_bias) {
            Dst::spill(spec, dst, count, l1_acc && block > 0, memory);
        }
    }
}

template <class Dst>
void multiply_chunk(
    const MatmulSpec& spec, const Geometry& g, const MatmulOperands& operands, typename Dst::Out* out,
    std::size_t out_stride, std::size_t chunk) {
    using Value = typename Dst::Value;
    const std::size_t batch = chunk / (g.row_chunks * g.column_chunks);
    const std::size_t row0 = chunk / g.column_chunks % g.row_chunks * kChunkRows;
    const std::size_t column0 = chunk % g.column_chunks * kChunkColumns;
    const std::size_t rows = std::min(kChunkRows, spec.m - row0);
    const std::size_t columns = std::min(kChunkColumns, spec.n - column0);

    const EngineIsa& engine = best_engine();
    const int phases = static_cast<int>(spec.fidelity);
    Scratch& scratch = thread_scratch();
    scratch.dst.resize(kChunkRows * kTile);
    scratch.memory.resize(kChunkRows * kTile);
    auto* dst = reinterpret_cast<Value*>(scratch.dst.data());
    auto* memory = reinterpret_cast<Value*>(scratch.memory.data());
    scratch.in0.resize(rows * spec.k * in0_parts(phases));
    scratch.in1.resize(spec.k * kTile * in1_parts(phases));
    engine.pack_in0(
        operands.in0, batch * spec.in0_batch_stride + row0 * operands.in0.stride, rows, spec.k, spec.fidelity,
        scratch.in0.data());
    for (std::size_t column = column0; column < column0 + columns; column += kTile) {
        engine.pack_in1(
            operands.in1, batch * spec.in1_batch_stride + column, spec.k, spec.fidelity, scratch.in1.data());
        multiply_strip<Dst>(spec, g, scratch, rows, dst, memory);
        for (std::size_t row = 0; row < rows; ++row) {
            typename Dst::Out* to = out + batch * spec.out_batch_stride + (row0 + row) * out_stride + column;
            if (spec.has_bias) {
                const std::size_t bias = (row0 + row) * operands.bias.stride + column;
                Dst::add_bias(operands.bias, bias, memory + row * kTile, dst + row * kTile);
            }
            Dst::finish(spec, dst + row * kTile, to);
        }
    }
}

template <class Dst>
void multiply(const MatmulSpec& spec, const MatmulOperands& operands, typename Dst::Out* out, std::size_t out_stride) {
    const Geometry g = geometry(spec);
    parallel_for(spec.batch * g.row_chunks * g.column_chunks, [&](std::size_t chunk) {
        multiply_chunk<Dst>(spec, g, operands, out, out_stride, chunk);
    });
}

}  // namespace

void matmul(const MatmulSpec& spec, const MatmulOperands& operands, std::uint16_t* out, std::size_t out_stride) {
    multiply<Dst16>(spec, operands, out, out_stride);
}

void matmul(const MatmulSpec& spec, const MatmulOperands& operands, float* out, std::size_t out_stride) {
    multiply<Dst32>(spec, operands, out, out_stride);
}

}  // namespace ttnn_cpu::kernels::wormhole

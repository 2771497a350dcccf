// SPDX-License-Identifier: Apache-2.0
#include "kernels/formats.hpp"
#include "kernels/wormhole/matrix_engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::size_t kTile = 32;
constexpr std::size_t kFace = 16;

std::uint32_t element(const MatrixView& view, std::size_t offset, std::size_t row, std::size_t column) {
    const std::size_t index = offset + row * view.stride + column;
    return view.bf16 != nullptr ? widen_bf16(view.bf16[index])
                                : truncate_to_tf32(std::bit_cast<std::uint32_t>(view.float32[index]));
}

// Memory (L1) for one 32x32 tile, in float32 bits.
using Tile = std::vector<std::uint32_t>;

void pack_partials(const MatmulSpec& spec, const Tile& dst, bool add, Tile& memory) {
    for (std::size_t i = 0; i < dst.size(); ++i) {
        if (spec.fp32_dest) {
            memory[i] = add ? l1_accumulate_fp32(memory[i], dst[i]) : dst[i];
        } else {
            const std::uint16_t value = pack_bf16_from_dst16(static_cast<std::uint16_t>(dst[i] >> 16));
            memory[i] =
                widen_bf16(add ? l1_accumulate_bf16(static_cast<std::uint16_t>(memory[i] >> 16), value) : value);
        }
    }
    if (spec.fp32_dest || spec.partials == Partials::PackerL1Acc) {
        return;
    }
    for (std::size_t row = 0; row < kTile; ++row) {
        std::array<std::uint16_t, kTile> values;
        for (std::size_t j = 0; j < kTile; ++j) {
            values[j] = static_cast<std::uint16_t>(memory[row * kTile + j] >> 16);
        }
        round_trip_partials(spec.partials_format, values.data(), kTile);
        for (std::size_t j = 0; j < kTile; ++j) {
            memory[row * kTile + j] = widen_bf16(values[j]);
        }
    }
}

Tile multiply_tile(
    const MatmulSpec& spec, const MatmulOperands& operands, std::size_t batch, std::size_t row0, std::size_t column0) {
    const DestWidth width = spec.fp32_dest ? DestWidth::Bits32 : DestWidth::Bits16;
    const std::size_t k_tiles = spec.k / kTile;
    const std::size_t block = std::clamp<std::size_t>(spec.k_block_tiles, 1, k_tiles);
    const std::size_t blocks = (k_tiles + block - 1) / block;
    const std::size_t in0_offset = batch * spec.in0_batch_stride;
    const std::size_t in1_offset = batch * spec.in1_batch_stride;
    Tile dst(kTile * kTile);
    Tile memory(kTile * kTile);
    for (std::size_t b = 0; b < blocks; ++b) {
        const bool last = b + 1 == blocks;
        const bool l1_acc = spec.partials == Partials::PackerL1Acc;
        const bool reload = b > 0 && (l1_acc ? last && !spec.has_bias : true);
        for (std::size_t i = 0; i < dst.size(); ++i) {
            dst[i] = !reload ? 0 : spec.reload_keeps_float32 ? memory[i] : truncate_to_tf32(memory[i]);
        }
        for (std::size_t kt = b * block; kt < std::min(k_tiles, (b + 1) * block); ++kt) {
            for (int phase = 0; phase < static_cast<int>(spec.fidelity); ++phase) {
                for (std::size_t face = 0; face < 2; ++face) {
                    for (std::size_t i = 0; i < kTile * kTile; ++i) {
                        std::array<std::uint32_t, kFace> in0;
                        std::array<std::uint32_t, kFace> in1;
                        for (std::size_t t = 0; t < kFace; ++t) {
                            const std::size_t kk = kt * kTile + face * kFace + t;
                            in0[t] = element(operands.in0, in0_offset, row0 + i / kTile, kk);
                            in1[t] = element(operands.in1, in1_offset, kk, column0 + i % kTile);
                        }
                        dst[i] = mvmul(dst[i], in0.data(), in1.data(), phase, width);
                    }
                }
            }
        }
        if (!last || spec.has_bias) {
            pack_partials(spec, dst, l1_acc && b > 0, memory);
        }
    }
    if (spec.has_bias) {
        for (std::size_t i = 0; i < dst.size(); ++i) {
            dst[i] = fpu_add(memory[i], element(operands.bias, 0, row0 + i / kTile, column0 + i % kTile), width);
        }
    }
    return dst;
}

template <class Out>
void multiply(const MatmulSpec& spec, const MatmulOperands& operands, Out* out, std::size_t out_stride) {
    for (std::size_t batch = 0; batch < spec.batch; ++batch) {
        for (std::size_t row0 = 0; row0 < spec.m; row0 += kTile) {
            for (std::size_t column0 = 0; column0 < spec.n; column0 += kTile) {
                const Tile dst = multiply_tile(spec, operands, batch, row0, column0);
                for (std::size_t i = 0; i < dst.size(); ++i) {
                    Out& to =
                        out[batch * spec.out_batch_stride + (row0 + i / kTile) * out_stride + column0 + i % kTile];
                    if constexpr (std::is_same_v<Out, float>) {
                        to = std::bit_cast<float>(spec.packer_relu && (dst[i] >> 31) != 0 ? 0U : dst[i]);
                    } else {
                        auto value = static_cast<std::uint16_t>(dst[i] >> 16);
                        value = spec.activation_table != nullptr ? spec.activation_table[value] : value;
                        value = pack_bf16_from_dst16(value);
                        to = spec.packer_relu && (value & 0x8000) != 0 ? std::uint16_t{0} : value;
                    }
                }
            }
        }
    }
}

}  // namespace

void matmul_ref(const MatmulSpec& spec, const MatmulOperands& operands, std::uint16_t* out, std::size_t out_stride) {
    multiply(spec, operands, out, out_stride);
}

void matmul_ref(const MatmulSpec& spec, const MatmulOperands& operands, float* out, std::size_t out_stride) {
    multiply(spec, operands, out, out_stride);
}

void round_trip_partials(PartialsFormat format, std::uint16_t* values, std::size_t count) {
    constexpr std::size_t kGroup = 16;
    std::array<std::uint8_t, kGroup> magnitudes;
    std::uint8_t exponent = 0;
    for (std::size_t begin = 0; begin < count; begin += kGroup) {
        if (format == PartialsFormat::BFloat8B) {
            pack_bfp8(values + begin, kGroup, magnitudes.data(), &exponent);
            unpack_bfp8_to_bf16(magnitudes.data(), &exponent, kGroup, values + begin);
        } else if (format == PartialsFormat::BFloat4B) {
            pack_bfp4(values + begin, kGroup, magnitudes.data(), &exponent);
            unpack_bfp4_to_bf16(magnitudes.data(), &exponent, kGroup, values + begin);
        }
    }
}

}  // namespace ttnn_cpu::kernels::wormhole

// SPDX-License-Identifier: Apache-2.0
// The matrix engine on 32 columns at a time, for any instruction set `Isa` that
// offers the few 16-bit operations used here. Included once by each matrix_engine_<isa>.cpp, inside that file's target
// region and namespace, so it has no include guard and includes nothing.
//
// The arithmetic is that of mvmul() in matrix_fpu.hpp, rearranged so that 16 bits always suffice:
//  - A product of a phase has at most 12 bits (5 x 7) and eight of them at most 15, so a group's sum is a 16-bit
//    number.
//  - Operands are stored as +-((bits << 10) + 1) for in1 and +-(bits << 8) for in0. The high half of their 16x16
//    product is then 4p for a positive product p and 4p - 1 for a negative one; multiplying that by 2^(13-d) with
//    rounding ("mulhrs") is p / 2^d with halves away from zero: the extra quarter decides every tie.
//  - The exponents of the products do not depend on the phase but for a constant, so the shifts are worked out once for
//    all phases.
//  - On the destination's grid of 2^13 the alignment of a group's sum is one rounding (halves up), but for shifts of 14
//    and 15 where the card rounds twice; adding 1 and 2 before the shift gives the same result.

// Packing of operands: no intrinsics, but compiled for each instruction set so that the loops become vectors.

// The fields of a source register value, for any float32 bits.
struct Fields {
    std::int32_t sign;  // 0 or -1
    std::int32_t exponent;
    std::int32_t significand;  // 11 bits, 0 for a zero
};

inline Fields split(std::uint32_t bits) {
    const auto exponent = static_cast<std::int32_t>((bits >> 23) & 0xFF);
    return {
        static_cast<std::int32_t>(bits) >> 31, exponent == 0 ? kZeroExponent : exponent,
        exponent == 0 ? 0 : static_cast<std::int32_t>(((bits >> 13) & 0x3FF) | 0x400)};
}

inline std::int32_t with_sign(std::int32_t magnitude, std::int32_t sign) { return (magnitude ^ sign) - sign; }

inline std::uint32_t twice(std::int32_t value) { return (static_cast<std::uint32_t>(value) & 0xFFFFU) * 0x00010001U; }

inline std::uint32_t source_bits(std::uint16_t value) { return widen_bf16(value); }
inline std::uint32_t source_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// One row of 32 k.
template <class Value, std::size_t kParts>
inline void pack_row(const Value* from, std::uint32_t* to) {
    for (std::size_t k = 0; k < kTile; ++k) {
        const Fields f = split(source_bits(from[k]));
        to[k * kParts] = twice(f.exponent);
        to[k * kParts + 1] = twice(with_sign((f.significand >> 4) << 8, f.sign));
        if constexpr (kParts == 3) {
            to[k * kParts + 2] = twice(with_sign((f.significand & 15) << 11, f.sign));
        }
    }
}

// 32 columns of one k. The slices carry the extra one that decides ties, but for a zero.
template <class Value, std::size_t kParts>
inline void pack_columns(const Value* from, std::int16_t* to) {
    for (std::size_t j = 0; j < kTile; ++j) {
        const Fields f = split(source_bits(from[j]));
        const std::int32_t one = f.significand == 0 ? 0 : 1;
        to[j] = static_cast<std::int16_t>(f.exponent);
        to[kTile + j] = static_cast<std::int16_t>(with_sign(((f.significand >> 6) << 10) + one, f.sign));
        if constexpr (kParts == 3) {
            to[2 * kTile + j] = static_cast<std::int16_t>(with_sign((((f.significand >> 1) & 31) << 10) + one, f.sign));
        }
    }
}

template <class Value, std::size_t kParts>
inline void pack_rows(const Value* from, std::size_t stride, std::size_t rows, std::size_t k_tiles, std::uint32_t* to) {
    for (std::size_t kt = 0; kt < k_tiles; ++kt) {
        for (std::size_t row = 0; row < rows; ++row) {
            pack_row<Value, kParts>(from + row * stride + kt * kTile, to);
            to += kTile * kParts;
        }
    }
}

template <class Value, std::size_t kParts>
inline void pack_strip(const Value* from, std::size_t stride, std::size_t k, std::int16_t* to) {
    for (std::size_t row = 0; row < k; ++row) {
        pack_columns<Value, kParts>(from + row * stride, to);
        to += kTile * kParts;
    }
}

template <class Value>
inline void pack_in0_values(
    const Value* from, std::size_t stride, std::size_t rows, std::size_t k, int phases, std::uint32_t* to) {
    in0_parts(phases) == 2 ? pack_rows<Value, 2>(from, stride, rows, k / kTile, to)
                           : pack_rows<Value, 3>(from, stride, rows, k / kTile, to);
}

template <class Value>
inline void pack_in1_values(const Value* from, std::size_t stride, std::size_t k, int phases, std::int16_t* to) {
    in1_parts(phases) == 2 ? pack_strip<Value, 2>(from, stride, k, to) : pack_strip<Value, 3>(from, stride, k, to);
}

inline void pack_in0(
    const MatrixView& in0, std::size_t offset, std::size_t rows, std::size_t k, Fidelity fidelity, std::uint32_t* to) {
    const int phases = static_cast<int>(fidelity);
    in0.bf16 != nullptr ? pack_in0_values(in0.bf16 + offset, in0.stride, rows, k, phases, to)
                        : pack_in0_values(in0.float32 + offset, in0.stride, rows, k, phases, to);
}

inline void pack_in1(const MatrixView& in1, std::size_t offset, std::size_t k, Fidelity fidelity, std::int16_t* to) {
    const int phases = static_cast<int>(fidelity);
    in1.bf16 != nullptr ? pack_in1_values(in1.bf16 + offset, in1.stride, k, phases, to)
                        : pack_in1_values(in1.float32 + offset, in1.stride, k, phases, to);
}

// Exponents of the eight products and their sums, for up to four phases.
template <class Isa, int kPhases>
struct GroupSums {
    typename Isa::Vec exponent;
    typename Isa::Vec sum[kPhases];
};

// `in0` points at 8 consecutive k of one row, `in1` at the same 8 k of the columns.
template <class Isa, int kPhases>
inline void sum_group(const std::uint32_t* in0, const std::int16_t* in1, GroupSums<Isa, kPhases>& out) {
    using Vec = typename Isa::Vec;
    constexpr std::size_t kIn0Stride = in0_parts(kPhases);
    constexpr std::size_t kIn1Stride = in1_parts(kPhases) * kTile;
    Vec exponents[8];
    for (std::size_t k = 0; k < 8; ++k) {
        exponents[k] = Isa::add(Isa::load(in1 + k * kIn1Stride), Isa::broadcast_pair(in0 + k * kIn0Stride));
    }
    Vec largest = exponents[0];
    for (std::size_t k = 1; k < 8; ++k) {
        largest = Isa::max(largest, exponents[k]);
    }
    out.exponent = largest;
    for (std::size_t k = 0; k < 8; ++k) {
        const Vec weight = Isa::template power_of_two<13>(Isa::sub(largest, exponents[k]));
        for (int phase = 0; phase < kPhases; ++phase) {
            const Vec a = Isa::load(in1 + k * kIn1Stride + (1 + (phase & 1)) * kTile);
            const Vec b = Isa::broadcast_pair(in0 + k * kIn0Stride + 1 + (phase >> 1));
            const Vec product = Isa::mulhrs(Isa::mulhi(a, b), weight);
            out.sum[phase] = k == 0 ? product : Isa::add(out.sum[phase], product);
        }
    }
}

// A group's sum brought to the destination's grid at `exponent`; nothing if the group as a whole underflows.
template <class Isa>
inline typename Isa::Vec align_sum(typename Isa::Vec sum, typename Isa::Vec sum_exponent, typename Isa::Vec exponent) {
    using Vec = typename Isa::Vec;
    const Vec shift = Isa::sub(exponent, sum_exponent);
    const Vec weight = Isa::template power_of_two<15>(shift);  // -2^15 where the shift is 0
    const Vec shifted = Isa::mulhrs(Isa::add(sum, Isa::second_rounding(weight)), weight);
    return Isa::zero_unless_positive(sum_exponent, Isa::where_zero(shift, sum, shifted));
}

// dst (bfloat16 bits) plus the two groups of one MVMUL.
template <class Isa>
inline typename Isa::Vec accumulate(
    typename Isa::Vec dst, typename Isa::Vec exponent0, typename Isa::Vec sum0, typename Isa::Vec exponent1,
    typename Isa::Vec sum1) {
    using Vec = typename Isa::Vec;
    const Vec dst_exponent = Isa::bit_and(Isa::template shift_right<7>(dst), Isa::set1(0xFF));
    const Vec dst_sign = Isa::template shift_right_signed<15>(dst);
    const Vec exponent = Isa::max(Isa::max(exponent0, exponent1), dst_exponent);

    const Vec significand =
        Isa::bit_or(Isa::bit_and(Isa::template shift_left<4>(dst), Isa::set1(0x7F0)), Isa::set1(0x800));
    const Vec dst_weight = Isa::template power_of_two<14>(Isa::sub(exponent, dst_exponent));
    const Vec dst_magnitude = Isa::zero_unless_positive(dst_exponent, Isa::mulhrs(significand, dst_weight));
    const Vec base = Isa::sub(Isa::bit_xor(dst_magnitude, dst_sign), dst_sign);
    const Vec first = align_sum<Isa>(sum0, exponent0, exponent);
    const Vec second = align_sum<Isa>(sum1, exponent1, exponent);

    // The sum takes 17 bits: its magnitude comes from the wrapping sum, its sign from the saturating one.
    const Vec wrapped = Isa::add(Isa::add(first, second), base);
    const Vec sign = Isa::template shift_right_signed<15>(Isa::adds(Isa::adds(first, second), base));
    const Vec magnitude = Isa::sub(Isa::bit_xor(wrapped, sign), sign);

    // round_magnitude gives a bfloat16 for the integer; what is left is to move its exponent to the grid's place.
    // The bias of 2048 keeps every possible result non-negative, so that unsigned comparisons find under- and overflow.
    const Vec moved = Isa::add(
        Isa::add(Isa::round_magnitude(magnitude), Isa::template shift_left<7>(exponent)), Isa::set1(2048 - (137 << 7)));
    const Vec in_range = Isa::sub(Isa::min_unsigned(moved, Isa::set1((255 << 7) + 2048)), Isa::set1(2048));
    const Vec with_sign = Isa::bit_or(in_range, Isa::bit_and(sign, Isa::set1(-0x8000)));
    return Isa::where_zero(magnitude, Isa::set1(0), Isa::zero_below(moved, 128 + 2048, with_sign));
}

// All ones where `condition` holds: the loops that use it must be free of branches to become vectors.
inline std::int32_t mask(bool condition) { return -static_cast<std::int32_t>(condition); }

inline std::int32_t shift_half_up(std::int32_t value, std::int32_t shift) {
    const std::int32_t bounded = std::min(shift, 30);
    return (value + ((1 << bounded) >> 1)) >> bounded;
}

// The same for a 32-bit destination (float32 bits), in 32-bit arithmetic and without the coarse grid.
inline std::uint32_t accumulate_wide(
    std::uint32_t dst, std::int32_t exponent0, std::int32_t sum0, std::int32_t exponent1, std::int32_t sum1) {
    const auto dst_exponent = static_cast<std::int32_t>((dst >> 23) & 0xFF);
    const std::int32_t exponent = std::max(std::max(exponent0, exponent1), dst_exponent);
    const std::int32_t dst_magnitude = static_cast<std::int32_t>((dst & 0x7FFFFF) | 0x800000) & mask(dst_exponent > 0);
    const std::int32_t base = shift_half_up(dst_magnitude, exponent - dst_exponent);
    const std::int32_t first = shift_half_up(sum0 * 8192, exponent - exponent0) & mask(exponent0 > 0);
    const std::int32_t second = shift_half_up(sum1 * 8192, exponent - exponent1) & mask(exponent1 > 0);
    const std::int32_t dst_sign = static_cast<std::int32_t>(dst) >> 31;
    const std::int32_t sum = ((base ^ dst_sign) - dst_sign) + first + second;

    const std::int32_t sign = sum >> 31;
    const std::int32_t magnitude = (sum ^ sign) - sign;
    // The leading bit's place, from the exponent of a float conversion that cannot round up because the bit below the
    // leading one is clear.
    const std::int32_t leading =
        (std::bit_cast<std::int32_t>(static_cast<float>(magnitude & ~(magnitude >> 1))) >> 23) - 127;
    // The normaliser's slip on -1, see encode() in matrix_fpu.cpp: 4 instead of -23.
    const std::int32_t right = leading - 23 + (27 & mask(sum == -1));
    const std::int32_t down = std::max(right, 0);
    const std::int32_t up = std::max(-right, 0) & 31;
    const std::int32_t normal = ((magnitude + ((1 << down) >> 1)) >> down) << up;
    const std::int32_t final_exponent = exponent + right + ((normal >> 24) & 1);
    const std::int32_t infinite = mask(final_exponent >= 255);
    const std::int32_t finite =
        static_cast<std::int32_t>((static_cast<std::uint32_t>(final_exponent) << 23) | (normal & 0x7FFFFF));
    const std::int32_t bits =
        (0x7F800000 & infinite) | (finite & ~infinite) | (sign & static_cast<std::int32_t>(0x80000000U));
    return static_cast<std::uint32_t>(bits & mask(sum != 0) & mask(final_exponent > 0));
}

// Rows handled together, so that the long dependency chain of one row's accumulations overlaps with another's.
constexpr std::size_t kRowsTogether = 2;

template <class Isa, int kPhases>
inline void group_rows(
    const std::uint32_t* in0, const std::int16_t* in1, std::size_t rows, GroupSums<Isa, kPhases> (*sums)[4]) {
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t group = 0; group < 4; ++group) {
            sum_group<Isa, kPhases>(
                in0 + (row * kTile + group * 8) * in0_parts(kPhases), in1 + group * 8 * in1_parts(kPhases) * kTile,
                sums[row][group]);
        }
    }
}

template <class Isa, int kPhases>
void mvmul_rows16(const std::uint32_t* in0, const std::int16_t* in1, std::uint16_t* dst, std::size_t rows) {
    using Vec = typename Isa::Vec;
    for (std::size_t begin = 0; begin < rows; begin += kRowsTogether) {
        const std::size_t count = std::min(kRowsTogether, rows - begin);
        for (std::size_t column = 0; column < kTile; column += Isa::kLanes) {
            GroupSums<Isa, kPhases> sums[kRowsTogether][4];
            group_rows<Isa, kPhases>(in0 + begin * kTile * in0_parts(kPhases), in1 + column, count, sums);
            Vec values[kRowsTogether];
            for (std::size_t row = 0; row < count; ++row) {
                values[row] = Isa::load(dst + (begin + row) * kTile + column);
            }
            for (int phase = 0; phase < kPhases; ++phase) {
                const Vec bias = Isa::set1(static_cast<std::int16_t>(exponent_offset(phase)));
                for (std::size_t face = 0; face < 2; ++face) {
                    for (std::size_t row = 0; row < count; ++row) {
                        const auto& first = sums[row][2 * face];
                        const auto& second = sums[row][2 * face + 1];
                        values[row] = accumulate<Isa>(
                            values[row], Isa::add(first.exponent, bias), first.sum[phase],
                            Isa::add(second.exponent, bias), second.sum[phase]);
                    }
                }
            }
            for (std::size_t row = 0; row < count; ++row) {
                Isa::store(dst + (begin + row) * kTile + column, values[row]);
            }
        }
    }
}

template <class Isa, int kPhases>
void mvmul_rows32(const std::uint32_t* in0, const std::int16_t* in1, std::uint32_t* dst, std::size_t rows) {
    constexpr std::size_t kLanes = Isa::kLanes;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < kTile; column += kLanes) {
            GroupSums<Isa, kPhases> sums[1][4];
            group_rows<Isa, kPhases>(in0 + row * kTile * in0_parts(kPhases), in1 + column, 1, sums);
            alignas(64) std::int16_t exponents[4][kLanes];
            alignas(64) std::int16_t values[4][kPhases][kLanes];
            for (std::size_t group = 0; group < 4; ++group) {
                Isa::store(exponents[group], sums[0][group].exponent);
                for (int phase = 0; phase < kPhases; ++phase) {
                    Isa::store(values[group][phase], sums[0][group].sum[phase]);
                }
            }
            std::uint32_t* out = dst + row * kTile + column;
            for (int phase = 0; phase < kPhases; ++phase) {
                const int bias = exponent_offset(phase);
                for (std::size_t face = 0; face < 2; ++face) {
                    const std::size_t group = 2 * face;
                    for (std::size_t lane = 0; lane < kLanes; ++lane) {
                        out[lane] = accumulate_wide(
                            out[lane], exponents[group][lane] + bias, values[group][phase][lane],
                            exponents[group + 1][lane] + bias, values[group + 1][phase][lane]);
                    }
                }
            }
        }
    }
}

// l1_accumulate_bf16 on a row. Infinities and NaN are left to the plain definition, since they are rare.
inline void accumulate_l1_bf16(const std::uint16_t* value, std::size_t count, std::uint16_t* memory) {
    std::uint32_t specials = 0;
    for (std::size_t i = 0; i < count; ++i) {
        specials |= static_cast<std::uint32_t>((value[i] & 0x7F80) == 0x7F80) |
                    static_cast<std::uint32_t>((memory[i] & 0x7F80) == 0x7F80);
    }
    if (specials != 0) {
        for (std::size_t i = 0; i < count; ++i) {
            memory[i] = l1_accumulate_bf16(memory[i], value[i]);
        }
        return;
    }
    const auto widen = [](std::uint16_t bits) {
        const std::int32_t wide = static_cast<std::int32_t>(std::uint32_t{bits} << 16);
        return std::bit_cast<float>(wide & (mask((bits & 0x7F80) != 0) | static_cast<std::int32_t>(0x80000000U)));
    };
    for (std::size_t i = 0; i < count; ++i) {
        const auto sum = std::bit_cast<std::int32_t>(widen(memory[i]) + widen(value[i]));
        const std::int32_t rounded = (sum + 0x7FFF + ((sum >> 16) & 1)) >> 16;
        const std::int32_t normal = mask((sum & 0x7F800000) != 0);
        memory[i] = static_cast<std::uint16_t>((rounded & normal) | ((sum >> 16) & 0x8000));
    }
}

template <class Isa>
void mvmul_tile16(
    Fidelity fidelity, const std::uint32_t* in0, const std::int16_t* in1, std::uint16_t* dst, std::size_t rows) {
    switch (fidelity) {
        case Fidelity::LoFi:
            return mvmul_rows16<Isa, 1>(in0, in1, dst, rows);
        case Fidelity::HiFi2:
            return mvmul_rows16<Isa, 2>(in0, in1, dst, rows);
        case Fidelity::HiFi3:
            return mvmul_rows16<Isa, 3>(in0, in1, dst, rows);
        case Fidelity::HiFi4:
            return mvmul_rows16<Isa, 4>(in0, in1, dst, rows);
    }
}

template <class Isa>
void mvmul_tile32(
    Fidelity fidelity, const std::uint32_t* in0, const std::int16_t* in1, std::uint32_t* dst, std::size_t rows) {
    switch (fidelity) {
        case Fidelity::LoFi:
            return mvmul_rows32<Isa, 1>(in0, in1, dst, rows);
        case Fidelity::HiFi2:
            return mvmul_rows32<Isa, 2>(in0, in1, dst, rows);
        case Fidelity::HiFi3:
            return mvmul_rows32<Isa, 3>(in0, in1, dst, rows);
        case Fidelity::HiFi4:
            return mvmul_rows32<Isa, 4>(in0, in1, dst, rows);
    }
}

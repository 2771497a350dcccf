// SPDX-License-Identifier: Apache-2.0
// The vector code of the matrix engine against the plain definition: every bit, on ordinary and on hostile values.
#include "kernels/wormhole/matrix_engine.hpp"
#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_engine_isa.hpp"

#include "hostile_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

using namespace kernels_test;  // NOLINT

std::vector<const EngineIsa*> engines() {
    std::vector<const EngineIsa*> out;
    for (const EngineIsa* engine : {engine_plain(), engine_avx2(), engine_avx512()}) {
        if (engine != nullptr) {
            out.push_back(engine);
        }
    }
    return out;
}

class EachFidelity : public ::testing::TestWithParam<Fidelity> {};

// One tile product onto a destination that is not zero, for every pair of kinds of values, on every instruction set.
TEST_P(EachFidelity, TileProductsEqualTheDefinition) {
    const Fidelity fidelity = GetParam();
    const int phases = static_cast<int>(fidelity);
    constexpr std::size_t kRows = 5;
    std::uint32_t seed = 1;
    for (const Values kind0 : kAllValues) {
        for (const Values kind1 : kAllValues) {
            const auto in0 = make_values(kind0, kRows * kTile, ++seed);
            const auto in1 = make_values(kind1, kTile * kTile, ++seed);
            const auto start = make_values(kind0 == Values::Special ? Values::Special : kind1, kRows * kTile, ++seed);
            std::vector<float> floats0(in0.size());
            std::vector<float> floats1(in1.size());
            std::memcpy(floats0.data(), in0.data(), in0.size() * 4);
            std::memcpy(floats1.data(), in1.data(), in1.size() * 4);
            const auto half0 = upper_halves(in0);
            const auto half1 = upper_halves(in1);
            for (const bool tf32 : {false, true}) {
                std::vector<std::uint32_t> wide = start;
                std::vector<std::uint16_t> narrow = upper_halves(start);
                for (std::size_t i = 0; i < wide.size(); ++i) {
                    for (int phase = 0; phase < phases; ++phase) {
                        for (std::size_t face = 0; face < 2; ++face) {
                            std::array<std::uint32_t, 16> a;
                            std::array<std::uint32_t, 16> b;
                            for (std::size_t t = 0; t < 16; ++t) {
                                const std::uint32_t mask = tf32 ? 0xFFFFE000U : 0xFFFF0000U;
                                a[t] = in0[i / kTile * kTile + face * 16 + t] & mask;
                                b[t] = in1[(face * 16 + t) * kTile + i % kTile] & mask;
                            }
                            wide[i] = mvmul(wide[i], a.data(), b.data(), phase, DestWidth::Bits32);
                            narrow[i] = static_cast<std::uint16_t>(
                                mvmul(widen_bf16(narrow[i]), a.data(), b.data(), phase, DestWidth::Bits16) >> 16);
                        }
                    }
                }
                for (const EngineIsa* engine : engines()) {
                    std::vector<std::uint32_t> packed0(kRows * kTile * in0_parts(phases));
                    std::vector<std::int16_t> packed1(kTile * kTile * in1_parts(phases));
                    const MatrixView view0 =
                        tf32 ? MatrixView{nullptr, floats0.data(), kTile} : MatrixView{half0.data(), nullptr, kTile};
                    const MatrixView view1 =
                        tf32 ? MatrixView{nullptr, floats1.data(), kTile} : MatrixView{half1.data(), nullptr, kTile};
                    engine->pack_in0(view0, 0, kRows, kTile, fidelity, packed0.data());
                    engine->pack_in1(view1, 0, kTile, fidelity, packed1.data());
                    std::vector<std::uint16_t> out16 = upper_halves(start);
                    engine->mvmul_tile16(fidelity, packed0.data(), packed1.data(), out16.data(), kRows);
                    ASSERT_EQ(out16, narrow) << engine->name << " 16-bit, kinds " << static_cast<int>(kind0) << " "
                                             << static_cast<int>(kind1);
                    std::vector<std::uint32_t> out32 = start;
                    engine->mvmul_tile32(fidelity, packed0.data(), packed1.data(), out32.data(), kRows);
                    ASSERT_EQ(out32, wide) << engine->name << " 32-bit, kinds " << static_cast<int>(kind0) << " "
                                           << static_cast<int>(kind1);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Matrix, EachFidelity, ::testing::Values(Fidelity::LoFi, Fidelity::HiFi2, Fidelity::HiFi3, Fidelity::HiFi4),
    [](const auto& info) {
        return info.param == Fidelity::LoFi ? "LoFi" : "HiFi" + std::to_string(static_cast<int>(info.param));
    });

// The corners that random values miss: a group's sum near a rounding threshold, far below a destination that the other
// group cancels, so that the rounded sum is all that remains. Covers the double rounding of shifts 14 and 15, and the
// normaliser's slip on -1.
TEST(TileProduct, RoundsAGroupFarBelowTheDestinationAsTheDefinitionDoes) {
    constexpr std::array<int, 16> kSums{1,    2,     4,     4096,  8190,  8191,  8192,  8193,
                                        8194, 16381, 16382, 16386, 16387, 24575, 24577, 24578};
    std::mt19937 random(7);
    const auto bf16_of = [](int eighths, int exponent, bool negative) {  // significand of 8 bits
        return static_cast<std::uint16_t>((negative ? 0x8000 : 0) | ((127 + exponent) << 7) | (eighths & 0x7F));
    };
    for (int shift = 11; shift <= 17; ++shift) {
        for (int repeat = 0; repeat < 4; ++repeat) {
            std::vector<std::uint16_t> in0(kTile);
            std::vector<std::uint16_t> in1(kTile * kTile);
            std::array<int, 8> b;
            for (std::size_t k = 0; k < 8; ++k) {
                b[k] = 64 + static_cast<int>(random() % 64);
                in0[k] = bf16_of(b[k] * 2, 0, false);
            }
            in0[8] = bf16_of(128, 0, false);
            for (std::size_t column = 0; column < kTile; ++column) {
                const int target = kSums[random() % kSums.size()] * (random() % 2 != 0 ? 1 : -1);
                std::array<int, 8> a{};
                for (int tries = 0; tries < 4000; ++tries) {
                    int sum = 0;
                    for (std::size_t k = 0; k < 8; ++k) {
                        a[k] = (16 + static_cast<int>(random() % 16)) * (random() % 4 != 0 ? 1 : -1) *
                               (target < 0 ? -1 : 1);
                        sum += a[k] * b[k];
                    }
                    if (sum == target) {
                        break;
                    }
                }
                for (std::size_t k = 0; k < 8; ++k) {
                    in1[k * kTile + column] = bf16_of(std::abs(a[k]) * 8, 0, a[k] < 0);
                }
                in1[8 * kTile + column] = bf16_of(128, shift, true);
            }
            const std::vector<std::uint16_t> start(kTile, bf16_of(128, shift, false));
            const std::vector<std::uint32_t> wide_start(kTile, widen_bf16(start[0]));
            for (const EngineIsa* engine : engines()) {
                std::vector<std::uint32_t> packed0(kTile * in0_parts(1));
                std::vector<std::int16_t> packed1(kTile * kTile * in1_parts(1));
                engine->pack_in0({in0.data(), nullptr, kTile}, 0, 1, kTile, Fidelity::LoFi, packed0.data());
                engine->pack_in1({in1.data(), nullptr, kTile}, 0, kTile, Fidelity::LoFi, packed1.data());
                std::vector<std::uint16_t> out16 = start;
                std::vector<std::uint32_t> out32 = wide_start;
                engine->mvmul_tile16(Fidelity::LoFi, packed0.data(), packed1.data(), out16.data(), 1);
                engine->mvmul_tile32(Fidelity::LoFi, packed0.data(), packed1.data(), out32.data(), 1);
                for (std::size_t column = 0; column < kTile; ++column) {
                    std::array<std::uint32_t, 16> row{};
                    std::array<std::uint32_t, 16> values{};
                    for (std::size_t k = 0; k < 9; ++k) {
                        row[k] = widen_bf16(in0[k]);
                        values[k] = widen_bf16(in1[k * kTile + column]);
                    }
                    const std::array<std::uint32_t, 16> zeros{};
                    std::uint32_t narrow = mvmul(wide_start[0], row.data(), values.data(), 0, DestWidth::Bits16);
                    std::uint32_t wide = mvmul(wide_start[0], row.data(), values.data(), 0, DestWidth::Bits32);
                    narrow = mvmul(narrow, zeros.data(), zeros.data(), 0, DestWidth::Bits16);
                    wide = mvmul(wide, zeros.data(), zeros.data(), 0, DestWidth::Bits32);
                    ASSERT_EQ(out16[column], narrow >> 16) << engine->name << " shift " << shift;
                    ASSERT_EQ(out32[column], wide) << engine->name << " shift " << shift;
                }
            }
        }
    }
}

TEST(AccumulateL1, RowsEqualTheDefinition) {
    std::uint32_t seed = 40;
    for (const Values kind : kAllValues) {
        const auto memory = upper_halves(make_values(kind, 512, ++seed));
        const auto value = upper_halves(make_values(kind, 512, ++seed));
        std::vector<std::uint16_t> expected(memory.size());
        std::transform(memory.begin(), memory.end(), value.begin(), expected.begin(), l1_accumulate_bf16);
        for (const EngineIsa* engine : engines()) {
            std::vector<std::uint16_t> out = memory;
            engine->accumulate_l1_bf16(value.data(), value.size(), out.data());
            EXPECT_EQ(out, expected) << engine->name << " kind " << static_cast<int>(kind);
        }
    }
}

struct Problem {
    MatmulSpec spec;
    std::vector<std::uint16_t> in0;
    std::vector<std::uint16_t> in1;
    std::vector<std::uint16_t> bias;
    MatmulOperands operands;
};

Problem make_problem(const MatmulSpec& spec, Values kind, std::uint32_t seed) {
    Problem p{
        spec,
        upper_halves(make_values(kind, spec.batch * spec.m * spec.k, seed)),
        upper_halves(make_values(kind, spec.batch * spec.k * spec.n, seed + 1)),
        upper_halves(make_values(kind, spec.n, seed + 2)),
        {}};
    p.spec.in0_batch_stride = spec.m * spec.k;
    p.spec.in1_batch_stride = spec.k * spec.n;
    p.spec.out_batch_stride = spec.m * spec.n;
    p.operands = {{p.in0.data(), nullptr, spec.k}, {p.in1.data(), nullptr, spec.n}, {p.bias.data(), nullptr, 0}};
    return p;
}

template <class Out>
std::vector<Out> run(const Problem& p, bool reference) {
    std::vector<Out> out(p.spec.batch * p.spec.m * p.spec.n);
    reference ? matmul_ref(p.spec, p.operands, out.data(), p.spec.n) : matmul(p.spec, p.operands, out.data(), p.spec.n);
    return out;
}

// The bits, so that NaN and -0 compare as well.
std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
    std::vector<std::uint32_t> out(values.size());
    std::memcpy(out.data(), values.data(), values.size() * sizeof(float));
    return out;
}

TEST(Matmul, EqualsTheReferenceForEveryWayOfKeepingPartials) {
    std::vector<std::uint16_t> negate(65536);
    for (std::size_t i = 0; i < negate.size(); ++i) {
        negate[i] = static_cast<std::uint16_t>(i ^ 0x8000U);
    }
    std::uint32_t seed = 100;
    for (const Values kind : {Values::Normal, Values::Wide, Values::Special}) {
        for (const Partials partials : {Partials::PackerL1Acc, Partials::SpillReload}) {
            for (const PartialsFormat format :
                 {PartialsFormat::BFloat16, PartialsFormat::BFloat8B, PartialsFormat::BFloat4B}) {
                for (const bool bias : {false, true}) {
                    for (const std::size_t block : {1U, 2U, 8U}) {
                        MatmulSpec spec{
                            .m = 32,
                            .k = 128,
                            .n = 64,
                            .fidelity = Fidelity::HiFi2,
                            .partials = partials,
                            .partials_format = format};
                        spec.k_block_tiles = block;
                        spec.has_bias = bias;
                        spec.packer_relu = block == 2;
                        spec.activation_table = block == 8 ? negate.data() : nullptr;
                        const Problem p = make_problem(spec, kind, seed += 3);
                        ASSERT_EQ(run<std::uint16_t>(p, false), run<std::uint16_t>(p, true))
                            << "partials " << static_cast<int>(partials) << " format " << static_cast<int>(format)
                            << " bias " << bias << " block " << block;
                    }
                }
            }
        }
    }
}

TEST(Matmul, EqualsTheReferenceWithA32BitDestination) {
    std::uint32_t seed = 500;
    for (const Values kind : {Values::Normal, Values::Wide, Values::Special}) {
        for (const Partials partials : {Partials::PackerL1Acc, Partials::SpillReload}) {
            for (const bool bias : {false, true}) {
                MatmulSpec spec{
                    .m = 32, .k = 96, .n = 32, .fidelity = Fidelity::HiFi3, .fp32_dest = true, .partials = partials};
                spec.partials_format = PartialsFormat::Float32;
                spec.has_bias = bias;
                spec.reload_keeps_float32 = kind != Values::Wide;
                const Problem p = make_problem(spec, kind, seed += 3);
                ASSERT_EQ(bits_of(run<float>(p, false)), bits_of(run<float>(p, true)));
            }
        }
    }
}

TEST(Matmul, SameBitsForAnyNumberOfThreadsAndAnyShape) {
    std::uint32_t seed = 900;
    for (const auto& [m, k, n] : {std::array<std::size_t, 3>{32, 32, 32}, {160, 64, 96}, {288, 32, 160}}) {
        MatmulSpec spec{.m = m, .k = k, .n = n, .fidelity = Fidelity::LoFi, .partials = Partials::PackerL1Acc};
        spec.batch = 2;
        const Problem p = make_problem(spec, Values::Normal, seed += 3);
        const auto expected = run<std::uint16_t>(p, true);
        for (const std::size_t threads : {1U, 2U, 5U}) {
            set_num_threads(threads);
            ASSERT_EQ(run<std::uint16_t>(p, false), expected)
                << m << "x" << k << "x" << n << " on " << threads << " threads";
        }
        set_num_threads(0);
    }
}

// Independent of the reference: small integers, whose products and sums fit in 8 bits, so that nothing rounds.
TEST(Matmul, IsTheTrueProductWhereNothingRounds) {
    const MatmulSpec spec{.m = 32, .k = 32, .n = 32, .fidelity = Fidelity::HiFi4};
    Problem p = make_problem(spec, Values::Normal, 1);
    for (std::size_t i = 0; i < p.in0.size(); ++i) {
        p.in0[i] = bf16_round_even(static_cast<float>(i * 7 % 5) - 2.0F);
        p.in1[i] = bf16_round_even(static_cast<float>(i * 11 % 3) - 1.0F);
    }
    const auto out = run<std::uint16_t>(p, false);
    for (std::size_t i = 0; i < out.size(); ++i) {
        float sum = 0.0F;
        for (std::size_t t = 0; t < spec.k; ++t) {
            sum += bf16_to_float(p.in0[i / spec.n * spec.k + t]) * bf16_to_float(p.in1[t * spec.n + i % spec.n]);
        }
        ASSERT_EQ(bf16_to_float(out[i]), sum);
    }
}

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole

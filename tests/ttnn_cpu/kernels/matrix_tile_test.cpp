// SPDX-License-Identifier: Apache-2.0
// Reductions built from single tile steps, against results of the real TTNN: every value, every bit.
// TTNN reduces bfloat16 in a 32-bit destination at HiFi3 with a truncated bfloat16 scaler.
#include "kernels/wormhole/matrix_tile.hpp"
#include "kernels/formats.hpp"
#include "support/golden_file.hpp"
#include "support/printed_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::size_t kSide = 32;

struct Case {
    std::string golden;
    bool last;  // over the last dimension, or over the rows
    bool max;
    bool mean;
};
void PrintTo(const Case& test, std::ostream* out) { *out << test.golden; }

class Reductions : public ::testing::TestWithParam<Case> {};

TEST_P(Reductions, EveryValueIsExact) {
    const Case& c = GetParam();
    const auto golden = zoo::testing::read_golden(c.golden);
    const auto& in = golden.at("in0");
    const auto& expected = golden.at("out").values;
    const std::size_t height = in.shape[2];
    const std::size_t width = in.shape[3];
    const std::size_t padded = (height + kSide - 1) / kSide * kSide;
    const float scale = c.mean ? 1.0F / static_cast<float>(c.last ? width : height) : 1.0F;
    const std::uint32_t scaler = std::bit_cast<std::uint32_t>(scale) & 0xFFFF0000U;

    std::size_t next = 0;
    for (std::size_t slice = 0; slice < in.shape[0] * in.shape[1]; ++slice) {
        std::vector<std::uint16_t> values(padded * width, c.max ? std::uint16_t{0xFF80} : std::uint16_t{0});
        host_pack_bf16(in.values.data() + slice * height * width, height * width, values.data());
        const std::size_t lines = c.last ? height : width;
        for (std::size_t line0 = 0; line0 < lines; line0 += kSide) {
            std::array<std::uint32_t, kSide> sums{};
            std::array<std::uint16_t, kSide> maxima;
            maxima.fill(kMaxStart);
            for (std::size_t along = 0; along < (c.last ? width : padded); along += kSide) {
                const MatrixView tile{
                    values.data() + (c.last ? line0 * width + along : along * width + line0), nullptr, width};
                if (c.max) {
                    c.last ? reduce_max_rows(tile, maxima.data()) : reduce_max_columns(tile, maxima.data());
                } else {
                    c.last ? reduce_sum_rows(Fidelity::HiFi3, tile, scaler, sums.data())
                           : reduce_sum_columns(Fidelity::HiFi3, tile, scaler, sums.data());
                }
            }
            for (std::size_t i = 0; i < kSide && line0 + i < lines; ++i) {
                const std::uint16_t result = c.max ? pack_bf16_from_dst16(maxima[i]) : pack_bf16_from_dst32(sums[i]);
                ASSERT_EQ(bf16_to_float(result), expected[next++])
                    << c.golden << " slice " << slice << " line " << line0 + i;
            }
        }
    }
    EXPECT_EQ(next, expected.size());
}

INSTANTIATE_TEST_SUITE_P(
    Golden, Reductions,
    ::testing::Values(
        Case{"reduce.sum.last", true, false, false}, Case{"reduce.mean.last", true, false, true},
        Case{"reduce.max.last", true, true, false}, Case{"reduce.sum.rows", false, false, false},
        Case{"reduce.mean.rows", false, false, true}, Case{"reduce.max.rows", false, true, false}),
    zoo::test::printed_name);

// The 16-bit destination follows the same order of steps, which the goldens do not cover.
TEST(TileSteps, AgreeWithTheDefinitionInA16BitDestination) {
    std::vector<std::uint16_t> tile(kSide * kSide);
    for (std::size_t i = 0; i < tile.size(); ++i) {
        tile[i] = bf16_round_even(static_cast<float>((i * 2654435761U >> 8) % 2000) / 700.0F - 1.3F);
    }
    constexpr std::uint32_t kScaler = 0x3E4D0000U;
    std::array<std::uint16_t, kSide> rows{};
    std::array<std::uint16_t, kSide> columns{};
    reduce_sum_rows(Fidelity::HiFi4, {tile.data(), nullptr, kSide}, kScaler, rows.data());
    reduce_sum_columns(Fidelity::HiFi4, {tile.data(), nullptr, kSide}, kScaler, columns.data());
    std::array<std::uint32_t, 16> scalers;
    scalers.fill(kScaler);
    for (std::size_t i = 0; i < kSide; ++i) {
        std::uint32_t row = 0;
        std::uint32_t column = 0;
        const auto face_values = [&](std::size_t face, bool of_row) {
            std::array<std::uint32_t, 16> out;
            for (std::size_t t = 0; t < 16; ++t) {
                out[t] = widen_bf16(of_row ? tile[i * kSide + face * 16 + t] : tile[(face * 16 + t) * kSide + i]);
            }
            return out;
        };
        for (int phase = 0; phase < 4; ++phase) {
            for (std::size_t face = 0; face < 2; ++face) {
                row = mvmul(row, face_values(face, true).data(), scalers.data(), phase, DestWidth::Bits16);
            }
        }
        for (std::size_t face = 0; face < 2; ++face) {
            for (int phase = 0; phase < 4; ++phase) {
                column = mvmul(column, scalers.data(), face_values(face, false).data(), phase, DestWidth::Bits16);
            }
        }
        EXPECT_EQ(rows[i], row >> 16);
        EXPECT_EQ(columns[i], column >> 16);
    }
}

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole

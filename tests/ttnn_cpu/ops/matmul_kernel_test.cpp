// SPDX-License-Identifier: Apache-2.0
// The kernels of mode fast against plain sums in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/matmul_chunks.hpp"
#include "kernels/matmul_direct.hpp"
#include "kernels/matmul_epilogue_rows.hpp"
#include "kernels/matmul_fast.hpp"
#include "kernels/matmul_few_rows.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

using Bytes = std::vector<std::byte>;

struct Stored {
    Bytes bytes;
    std::vector<float> values;  // what the bytes mean
};

Stored random_matrix(StoredFormat format, std::size_t rows, std::size_t cols, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<float> values(rows * cols);
    for (float& value : values) {
        value = static_cast<float>(static_cast<std::int32_t>(generator())) * 0x1p-31F;
    }
    Stored stored{Bytes(rows * cols * 4), std::vector<float>(rows * cols)};
    const OperandMatrix matrix{stored.bytes.data(), format, rows, cols};
    for (std::size_t row = 0; row < rows; ++row) {
        encode_row(matrix, row, 0, cols, values.data() + row * cols);
        decode_row(matrix, row, 0, cols, 0xFFFFFFFFU, stored.values.data() + row * cols);
    }
    return stored;
}

float masked(float value, std::uint32_t mask) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & mask);
}

struct KernelCase {
    const char* name;
    std::size_t m;
    std::size_t k;
    std::size_t n;
    StoredFormat weights;
    std::uint32_t mask1;
};

void PrintTo(const KernelCase& kernel_case, std::ostream* os) { *os << kernel_case.name; }

class FastKernel : public ::testing::TestWithParam<KernelCase> {};

TEST_P(FastKernel, SumsTheMaskedOperands) {
    const KernelCase& param = GetParam();
    FastMatmulSpec spec;
    spec.one_in0 = true;
    spec.m = param.m;
    spec.m_padded = (param.m + 31) / 32 * 32;
    spec.out_m_padded = spec.m_padded;
    spec.k = param.k;
    spec.k_padded = (param.k + 31) / 32 * 32;
    spec.n = param.n;
    spec.in1_format = param.weights;
    spec.out_format = StoredFormat::Float32;
    spec.mask0 = fraction_mask(6);
    spec.mask1 = param.mask1;
    spec.epilogue.float32_destination = true;
    const Stored a = random_matrix(StoredFormat::Bfloat16, spec.m_padded, spec.k_padded, 1);
    const Stored b = random_matrix(param.weights, spec.k_padded, spec.n, 2);
    const FastMatmul matmul(spec);
    std::vector<float> out(spec.m_padded * spec.n, 1.0F);
    auto* const out_bytes = reinterpret_cast<std::byte*>(out.data());
    matmul.run(a.bytes.data(), b.bytes.data(), nullptr, out_bytes, nullptr);

    double worst = 0.0;
    for (std::size_t row = 0; row < spec.m; ++row) {
        for (std::size_t col = 0; col < spec.n; ++col) {
            double sum = 0.0;
            for (std::size_t i = 0; i < spec.k; ++i) {
                sum += static_cast<double>(masked(a.values[row * spec.k_padded + i], spec.mask0)) *
                       masked(b.values[i * spec.n + col], spec.mask1);
            }
            worst = std::max(worst, std::abs(sum - out[row * spec.n + col]));
        }
    }
    // float32 sums of up to 256 products below 1.
    EXPECT_LT(worst, 2e-5);
    for (std::size_t i = spec.m * spec.n; i < out.size(); ++i) {
        ASSERT_EQ(out[i], 0.0F) << "padding";
    }

    std::vector<float> again(out.size());
    const auto packed = matmul.pack(b.bytes.data());
    matmul.run(a.bytes.data(), b.bytes.data(), nullptr, reinterpret_cast<std::byte*>(again.data()), packed.get());
    EXPECT_EQ(again, out) << "packed weights give other bits";
}

constexpr std::uint32_t kLoFi = fraction_mask(4);
constexpr std::uint32_t kHiFi = fraction_mask(9);

INSTANTIATE_TEST_SUITE_P(
    Shapes, FastKernel,
    ::testing::Values(
        KernelCase{"OneRowBfp8", 1, 256, 288, StoredFormat::Bfloat8B, kHiFi},
        KernelCase{"OneRowBfp8LoFi", 1, 250, 32, StoredFormat::Bfloat8B, kLoFi},
        KernelCase{"OneRowBf16LoFi", 1, 70, 352, StoredFormat::Bfloat16, kLoFi},
        KernelCase{"ThreeRows", 3, 101, 64, StoredFormat::Bfloat8B, kHiFi},
        KernelCase{"EightRows", 8, 128, 96, StoredFormat::Bfloat16, kHiFi},
        KernelCase{"SevenRowsLoFi", 7, 33, 96, StoredFormat::Bfloat8B, kLoFi},
        KernelCase{"NineRows", 9, 128, 96, StoredFormat::Bfloat8B, kLoFi},
        KernelCase{"OneRowBfp4", 1, 64, 64, StoredFormat::Bfloat4B, kHiFi},
        KernelCase{"OneRowFloat32", 1, 64, 64, StoredFormat::Float32, kHiFi},
        KernelCase{"TwoBlocksOfRows", 200, 64, 544, StoredFormat::Bfloat8B, kHiFi},
        KernelCase{"RaggedK", 40, 75, 288, StoredFormat::Bfloat8B, kLoFi}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(DecodeRows, IsDecodeRowByRow) {
    constexpr std::size_t kRowsStored = 40;
    constexpr std::size_t kCols = 96;
    for (const StoredFormat format : {StoredFormat::Bfloat16, StoredFormat::Bfloat8B, StoredFormat::Float32}) {
        Stored stored = random_matrix(format, kRowsStored, kCols, 11);
        if (format == StoredFormat::Bfloat16) {
            stored.bytes[1] = stored.bytes[3] = std::byte{0};  // denormals
        }
        const OperandMatrix matrix{stored.bytes.data(), format, kRowsStored, kCols};
        for (const std::size_t n : {8, 16, 40, 64, 80, 96}) {
            for (const std::size_t extra : {0, 5, 32}) {
                for (const std::size_t step : {1, 2}) {
                    const std::size_t stride = n + extra;
                    const std::size_t count = kRowsStored / step;
                    std::vector<float> rows(count * stride, -1.0F);
                    decode_rows(matrix, 0, step, count, n, stride, fraction_mask(6), rows.data());
                    std::vector<float> expected(count * stride, 0.0F);
                    for (std::size_t row = 0; row < count; ++row) {
                        decode_row(matrix, row * step, 0, n, fraction_mask(6), expected.data() + row * stride);
                    }
                    ASSERT_EQ(rows, expected) << n << " of " << stride << ", every " << step;
                }
            }
        }
    }
}

TEST(MatmulDirect, VectorAndPortableCodeAgree) {
    if (!cpu_has_avx512()) {
        GTEST_SKIP() << "no AVX-512 here";
    }
    std::mt19937 generator(5);
    std::normal_distribution<float> normal;
    const auto random = [&](std::size_t n) {
        std::vector<float> values(n);
        std::ranges::generate(values, [&] { return normal(generator); });
        return values;
    };
    // Every number of rows that is left over, every width of the last panel.
    for (const std::size_t rows : {1, 2, 5, 6, 7, 11, 12, 13, 23, 49}) {
        for (const std::size_t n : {16, 32, 48, 64}) {
            for (const std::size_t k : {1, 16, 33, 576}) {
                const std::size_t stride = k + 3;
                const std::vector<float> in = random(rows * stride);
                const std::vector<float> panel = random(direct_panel_values(k));
                std::vector<float> all(rows * n);
                const DirectBlock take = [&](const float* block, std::size_t row, std::size_t count) {
                    for (std::size_t i = 0; i < count; ++i) {
                        std::copy_n(block + i * kDirectColumns, n, all.data() + (row + i) * n);
                    }
                };
                // Every value from the other end of its row.
                std::vector<std::uint32_t> offsets(k);
                for (std::size_t i = 0; i < k; ++i) {
                    offsets[i] = static_cast<std::uint32_t>(k - 1 - i);
                }
                direct_multiply(in.data(), stride, rows, k, panel.data(), n, take);
                const std::vector<float> dense = all;
                direct_multiply_apart(in.data(), stride, rows, offsets.data(), k, panel.data(), n, take);
                const std::vector<float> apart = all;
                direct_multiply_portable(in.data(), stride, rows, nullptr, k, panel.data(), n, take);
                ASSERT_EQ(dense, all) << rows << " rows, " << k << " deep, " << n << " columns";
                direct_multiply_portable(in.data(), stride, rows, offsets.data(), k, panel.data(), n, take);
                ASSERT_EQ(apart, all) << rows << " rows, " << k << " deep, " << n << " columns";
            }
        }
    }
}

TEST(MatmulDirect, Bfloat16OperandsGiveTheSumsOfTheirProducts) {
    if (!direct_supported(2, true)) {
        GTEST_SKIP() << "no AVX512_BF16 here";
    }
    std::mt19937 generator(6);
    std::normal_distribution<float> normal;
    const std::size_t k = 40;
    const auto random = [&](std::size_t n) {
        std::vector<std::uint16_t> values(n);
        std::ranges::generate(values, [&] { return bf16_round_even(normal(generator)); });
        return values;
    };
    for (const std::size_t rows : {1, 6, 13, 49}) {
        for (const std::size_t n : {16, 32, 48, 64}) {
            const std::size_t stride = 64;
            std::vector<std::uint16_t> in = random(rows * stride);
            in[0] = 0x0001;  // a denormal is a zero
            const std::vector<std::uint16_t> plain = random(k * n);
            std::vector<std::uint16_t> panel(direct_panel_values(k));
            direct_pack(plain.data(), k, n, panel.data());
            std::size_t seen = 0;
            direct_multiply(
                in.data(), stride, rows, k, panel.data(), n,
                [&](const float* sums, std::size_t row, std::size_t count) {
                    for (std::size_t i = 0; i < count * n; ++i, ++seen) {
                        double exact = 0.0;
                        double size = 0.0;
                        for (std::size_t j = row + i / n == 0 ? 1 : 0; j < k; ++j) {
                            const double product =
                                bf16_to_float(in[(row + i / n) * stride + j]) * bf16_to_float(plain[j * n + i % n]);
                            exact += product;
                            size += std::abs(product);
                        }
                        ASSERT_NEAR(sums[i / n * kDirectColumns + i % n], exact, 1e-5 * size);
                    }
                });
            EXPECT_EQ(seen, rows * n);
        }
    }
}

TEST(MatmulDirect, PacksColumnsAndPadsThem) {
    const std::vector<float> plain{1, 2, 3, 4, 5, 6};
    std::vector<float> panel(direct_panel_values(2), -1.0F);
    direct_pack(plain.data(), 2, 3, panel.data());
    std::vector<float> expected(direct_panel_values(2), 0.0F);
    std::copy_n(plain.begin(), 3, expected.begin());
    std::copy_n(plain.begin() + 3, 3, expected.begin() + kDirectColumns);
    EXPECT_EQ(panel, expected);
}

TEST(MatmulChunks, ShareOutEvenly) {
    EXPECT_EQ(block_rows(128), 132U) << "one block, a multiple of six";
    EXPECT_EQ(blocks(784, block_rows(784)), 6U) << "not five";
    EXPECT_EQ(panel_width(768, true), 192U);
    EXPECT_EQ(panel_width(768, false), 192U) << "packed once for any number of rows";
    EXPECT_EQ(panel_width(160, true), 80U);
    EXPECT_EQ(panel_width(160, false), 160U);
    EXPECT_EQ(panel_width(32, true), 32U);
    for (const std::size_t rows : {1, 31, 49, 128, 196, 784, 3136, 12544}) {
        for (const std::size_t panels : {1, 2, 3, 9, 15}) {
            const DirectChunk chunk = direct_chunk(rows, panels);
            EXPECT_LE(chunk.rows * (blocks(rows, chunk.rows) - 1), rows) << "no chunk is empty";
            EXPECT_GE(chunk.rows * kDirectChunks, rows);
            EXPECT_GE(chunk.panels, 1U);
            EXPECT_LE(chunk.panels, panels);
        }
    }
}

TEST(MatmulEpilogue, VectorAndPortableCodeAgree) {
    if (!cpu_has_avx512()) {
        GTEST_SKIP() << "no AVX-512 here";
    }
    std::mt19937 generator(3);
    constexpr std::size_t kCount = 4096;
    std::vector<float> sums(kCount);
    std::vector<float> bias(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        sums[i] = std::bit_cast<float>(static_cast<std::uint32_t>(generator()));  // NaN, infinities and denormals too
        bias[i] = bf16_to_float(static_cast<std::uint16_t>(generator() & 0xBFFFU));
    }
    const UnaryTable& gelu = unary_table(UnaryOp{UnaryFunction::Gelu});
    for (const float* const added : {static_cast<const float*>(nullptr), static_cast<const float*>(bias.data())}) {
        for (const std::uint16_t* const table : {static_cast<const std::uint16_t*>(nullptr), gelu.data()}) {
            for (const std::uint16_t ceiling : {std::uint16_t{0}, kReluCeiling, std::uint16_t{0x40C0}}) {
                std::vector<std::uint16_t> vector(kCount);
                std::vector<std::uint16_t> portable(kCount);
                finish_row_avx512(sums.data(), {added, table, ceiling}, kCount, vector.data());
                finish_row_portable(sums.data(), {added, table, ceiling}, kCount, portable.data());
                EXPECT_EQ(vector, portable);
            }
        }
    }
}

// Every bfloat16 that a destination can hold goes where the activation's own table sends it.
TEST(MatmulEpilogue, AClampFromZeroIsTheActivation) {
    constexpr std::size_t kCount = 65536;
    std::vector<float> sums(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        sums[i] = bf16_to_float(static_cast<std::uint16_t>(i));
    }
    std::vector<std::uint16_t> held(kCount);
    finish_row_portable(sums.data(), {}, kCount, held.data());
    for (const auto& [op, ceiling] :
         {std::pair{UnaryOp{UnaryFunction::Relu}, kReluCeiling},
          std::pair{UnaryOp{UnaryFunction::Relu6}, std::uint16_t{0x40C0}},
          std::pair{UnaryOp{UnaryFunction::ReluMax, 6.0F}, std::uint16_t{0x40C0}}}) {
        const UnaryTable& table = unary_table(op);
        EXPECT_EQ(table.ceiling(), ceiling);
        std::vector<std::uint16_t> clamped(kCount);
        finish_row_portable(sums.data(), {.ceiling = ceiling}, kCount, clamped.data());
        for (std::size_t i = 0; i < kCount; ++i) {
            ASSERT_EQ(clamped[i], table[held[i]]) << "of bits " << held[i];
        }
    }
}

}  // namespace
}  // namespace ttnn_cpu::kernels

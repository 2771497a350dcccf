// SPDX-License-Identifier: Apache-2.0
// Which unit of the card computes an op, and what goes through memory on the way: seen in the bits.
#include <ttnn/operations/eltwise/binary/binary.hpp>
#include <ttnn/operations/matmul/matmul.hpp>

#include <bit>

#include "kernels/eltwise.hpp"
#include "kernels/formats.hpp"
#include "kernels/fpu_rows.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"
#include "op_fixture.hpp"

namespace op_test {
namespace {

using namespace ttnn_cpu::kernels;  // NOLINT: the plain definitions

constexpr std::uint32_t kRows = 64;
constexpr std::uint32_t kColumns = 96;

class EngineChoice : public OpTest {
protected:
    static Tensor upload(const std::vector<float>& values, DataType dtype, std::uint32_t columns = kColumns) {
        const auto rows = static_cast<std::uint32_t>(values.size()) / columns;
        return Tensor::from_vector(values, spec_of(Shape{1, 1, rows, columns}, dtype, Layout::TILE), device_.get());
    }
    static std::vector<float> random(std::uint64_t seed) {
        return zoo::test::normal({1, 1, kRows, kColumns}, seed).data;
    }
    static std::vector<std::uint16_t> halves(const Tensor& tensor) {
        const std::vector<float> values = tensor.to_vector<float>();
        std::vector<std::uint16_t> out(values.size());
        std::transform(values.begin(), values.end(), out.begin(), bf16_truncate);
        return out;
    }
    // Through bfloat8_b as the packer makes it.
    static std::vector<float> packed(const std::vector<std::uint16_t>& values) {
        std::vector<std::uint8_t> codes(values.size());
        std::vector<std::uint8_t> exponents(values.size() / 16);
        std::vector<float> out(values.size());
        pack_bfp8(values.data(), values.size(), codes.data(), exponents.data());
        unpack_bfp8(codes.data(), exponents.data(), values.size(), out.data());
        return out;
    }
};

TEST_F(EngineChoice, BlockFloatsAreMultipliedByTheMatrixUnit) {
    const Tensor a = upload(random(1), DataType::BFLOAT8_B);
    const Tensor b = upload(random(2), DataType::BFLOAT16);
    const auto x = halves(a);
    const auto y = halves(b);
    std::vector<std::uint16_t> matrix(x.size());
    std::vector<std::uint16_t> vector(x.size());
    fpu_mul_bf16(x.data(), 1, y.data(), 1, x.size(), matrix.data());
    mul_bf16(x.data(), y.data(), x.size(), vector.data());
    ASSERT_NE(matrix, vector);
    EXPECT_EQ(ttnn::multiply(a, b).to_vector<float>(), packed(matrix));
    EXPECT_EQ(halves(ttnn::multiply(b, upload(random(3), DataType::BFLOAT16))), [&] {
        const auto z = halves(upload(random(3), DataType::BFLOAT16));
        mul_bf16(y.data(), z.data(), y.size(), vector.data());
        return vector;
    }());
    for (std::size_t i = 0; i < x.size(); ++i) {
        matrix[i] = fpu_mul_bf16(x[i], bf16_round_even(0.37F));
    }
    EXPECT_EQ(ttnn::multiply(a, 0.37F).to_vector<float>(), packed(matrix));
}

TEST_F(EngineChoice, AFloat32AndABfloat16AreAddedByTheMatrixUnit) {
    const Tensor a = upload(random(1), DataType::FLOAT32);
    const Tensor b = upload(random(2), DataType::BFLOAT16);
    const auto x = a.to_vector<float>();
    const auto y = b.to_vector<float>();
    std::vector<float> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto left = wormhole::truncate_to_tf32(std::bit_cast<std::uint32_t>(x[i]));
        expected[i] = std::bit_cast<float>(
            wormhole::fpu_add(left, std::bit_cast<std::uint32_t>(y[i]), wormhole::DestWidth::Bits32));
    }
    EXPECT_EQ(ttnn::add(a, b).to_vector<float>(), expected);
    EXPECT_NE(ttnn::add(a, a).to_vector<float>(), ttnn::add(a, b).to_vector<float>());
}

TEST_F(EngineChoice, Float32ResultsBecomeBfloat16ByNearestEven) {
    // Half a step above 1 and above the next number.
    const std::vector<float> ties{1.0F + 0x1p-8F, 1.0F + 0x3p-8F};
    std::vector<float> values(32 * 32);
    std::copy(ties.begin(), ties.end(), values.begin());
    const Tensor a = upload(values, DataType::FLOAT32, 32);
    const Tensor zero = upload(std::vector<float>(32 * 32), DataType::FLOAT32, 32);
    const auto sum = ttnn::add(a, zero, DataType::BFLOAT16).to_vector<float>();
    EXPECT_EQ(sum[0], 1.0F);
    EXPECT_EQ(sum[1], 1.0F + 0x1p-6F);
}

TEST_F(EngineChoice, ATransposedBlockFloatIsPackedAnew) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    // Rows of very different size: after the transpose they share exponents.
    std::vector<float> values = random(4);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] *= static_cast<float>(1U << (i / kColumns % 12));
    }
    const Tensor a = upload(values, DataType::BFLOAT8_B);  // [k, m]
    const auto stored = halves(a);
    std::vector<std::uint16_t> turned(stored.size());
    for (std::size_t k = 0; k < kRows; ++k) {
        for (std::size_t m = 0; m < kColumns; ++m) {
            turned[m * kRows + k] = stored[k * kColumns + m];
        }
    }
    const auto repacked = packed(turned);
    const Tensor b = upload(zoo::test::normal({1, 1, kRows, 32}, 5).data, DataType::BFLOAT16, 32);
    const auto product = [&](const Tensor& in0, bool transpose) {
        return ttnn::matmul(in0, b, transpose, false, std::nullopt, DataType::BFLOAT16).to_vector<float>();
    };
    EXPECT_EQ(product(a, true), product(upload(repacked, DataType::BFLOAT16, kRows), false));
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Fast);
}

}  // namespace
}  // namespace op_test

// SPDX-License-Identifier: Apache-2.0
// ttnn::matmul against libtorch: shapes of the zoo, data types, transposes, memory and replays.
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/matmul/matmul.hpp>

#include "op_fixture.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace op_test;
using tt::tt_metal::MathFidelity;
using zoo::test::Dims;
namespace ref = zoo::test::torch_ref;

const ttnn::DeviceComputeKernelConfig kPrecise{
    .math_fidelity = MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true, .packer_l1_acc = false};

struct MatmulCase {
    const char* name;
    Dims a;
    Dims b;
};

void PrintTo(const MatmulCase& matmul_case, std::ostream* os) { *os << matmul_case.name; }

class MatmulShapes : public OpTest, public ::testing::WithParamInterface<MatmulCase> {};

// Measured: 1.6e-3 to 1.75e-3, the rounding to bfloat16. HiFi4 keeps every bit of the operands.
constexpr Bound kRounding{.pcc = 0.99999, .relative_error = 2.0e-3};
// Measured: 4.1e-3 to 4.5e-3. HiFi2 drops the last bit of in0 towards zero; sums of 16 bits on a card add as much at K 768.
constexpr Bounds kHiFi2{{.pcc = 0.99998, .relative_error = 5.0e-3}, 8.8e-3};
// Measured: 2.5e-2 to 2.6e-2, as the golden LoFi cases are off. LoFi drops three bits of in1, too.
constexpr Bounds kLoFi{{.pcc = 0.99985, .relative_error = 2.9e-2}, 2.61e-2};

TEST_P(MatmulShapes, AgreesWithTorch) {
    const Array a = rounded(zoo::test::normal(GetParam().a, 1), DataType::BFLOAT16);
    const Array b = rounded(zoo::test::normal(GetParam().b, 2), DataType::BFLOAT16);
    const Array expected = ref::matmul(a, b);
    const Tensor ta = upload(a);
    const Tensor tb = upload(b);
    const auto with = [&](std::optional<ttnn::DeviceComputeKernelConfig> config) {
        return download(
            ttnn::matmul(ta, tb, false, false, std::nullopt, std::nullopt, std::nullopt, std::nullopt, config));
    };
    EXPECT_WITHIN(expected, with(kPrecise), kRounding);
    EXPECT_WITHIN(expected, with(std::nullopt), bound(kHiFi2));
    EXPECT_WITHIN(expected, with(ttnn::DeviceComputeKernelConfig{.math_fidelity = MathFidelity::LoFi}), bound(kLoFi));
    // The bounds can tell one fidelity from the next.
    EXPECT_FALSE(zoo::test::within(expected, with(std::nullopt), kRounding));
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, MatmulShapes,
    ::testing::Values(
        MatmulCase{"OneTile", {32, 32}, {32, 32}}, MatmulCase{"Ragged", {1, 1, 33, 70}, {1, 1, 70, 45}},
        MatmulCase{"OneRow", {1, 1, 1, 384}, {1, 1, 384, 1000}},
        MatmulCase{"MiniLm", {1, 1, 128, 384}, {1, 1, 384, 384}},
        MatmulCase{"BertBaseBatch8", {8, 1, 128, 768}, {1, 1, 768, 768}},
        MatmulCase{"RaggedBatch", {3, 1, 9, 64}, {1, 1, 64, 96}},
        MatmulCase{"BertLargeFfn", {1, 1, 384, 1024}, {1, 1, 1024, 4096}},
        MatmulCase{"Scores", {1, 12, 128, 64}, {1, 12, 64, 128}},
        MatmulCase{"ScoresLarge", {1, 16, 384, 64}, {1, 16, 64, 384}},
        MatmulCase{"Context", {2, 12, 128, 128}, {2, 12, 128, 32}},
        MatmulCase{"RaggedScores", {2, 3, 50, 32}, {2, 3, 32, 50}},
        MatmulCase{"OneAForAllB", {1, 1, 40, 64}, {1, 5, 64, 96}},
        MatmulCase{"Rank2WeightsForRank4", {2, 1, 40, 64}, {64, 96}}),
    [](const auto& each) { return std::string(each.param.name); });

class Matmul : public OpTest {};

TEST_F(Matmul, TransposesEitherOperand) {
    for (const bool batched : {false, true}) {
        const std::int64_t heads = batched ? 4 : 1;
        const Array a = rounded(zoo::test::normal({1, heads, 50, 70}, 1), DataType::BFLOAT16);
        const Array b = rounded(zoo::test::normal({1, heads, 70, 45}, 2), DataType::BFLOAT16);
        const Array at = ref::transpose(a, 2, 3);
        const Array bt = ref::transpose(b, 2, 3);
        const Array plain = download(ttnn::matmul(upload(a), upload(b)));
        EXPECT_EQ(download(ttnn::matmul(upload(at), upload(b), true, false)).data, plain.data);
        // oneDNN sums a transposed in1 in another order.
        EXPECT_WITHIN(plain, download(ttnn::matmul(upload(a), upload(bt), false, true)), kRounding);
        EXPECT_WITHIN(plain, download(ttnn::matmul(upload(at), upload(bt), true, true)), kRounding);
        EXPECT_FALSE(zoo::test::within(ref::matmul(ref::add(a, a), b), plain, bound(kHiFi2)))
            << "a wrong result must not pass";
    }
}

TEST_F(Matmul, ExplicitTransposeForAConfigThatCannot) {
    const Array a = zoo::test::normal({1, 1, 64, 96}, 1);
    const Array b = zoo::test::normal({1, 1, 64, 96}, 2);
    ttnn_cpu::start_recording(*device_);
    const Tensor out = ttnn::matmul(
        upload(a), upload(b), false, true, std::nullopt, std::nullopt,
        ttnn::operations::matmul::MatmulMultiCoreProgramConfig{});
    const auto recording = ttnn_cpu::stop_recording(*device_);
    ASSERT_EQ(recording.ops.size(), 2U);
    EXPECT_EQ(recording.ops[1].name, "MatmulDeviceOperation");
    EXPECT_WITHIN(ref::matmul(a, b, false, true), download(out), bound(kLoFi));
}

struct TypeCase {
    DataType a;
    DataType b;
    DataType out;
    Bound bound;
};

// Whatever the shape, the config and the transposes: both modes compute the same product. Measured: 4.3e-3 to 5.1e-3
// for bfloat16, which the card also accumulates in bfloat16; 3.6e-4 for float32.
TEST_F(Matmul, BothModesAgree) {
    struct Case {
        Dims a;
        Dims b;
        bool transpose_a;
        bool transpose_b;
    };
    const std::vector<Case> cases{
        {{1, 1, 33, 70}, {1, 1, 70, 45}, false, false}, {{1, 1, 70, 33}, {1, 1, 70, 45}, true, false},
        {{1, 1, 33, 70}, {1, 1, 45, 70}, false, true},  {{2, 3, 50, 40}, {2, 3, 40, 50}, false, false},
        {{2, 3, 40, 50}, {2, 3, 50, 40}, true, true},   {{3, 1, 9, 64}, {1, 1, 64, 96}, false, false},
        {{1, 1, 40, 64}, {1, 5, 64, 96}, false, false}};
    for (const Case& each : cases) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
            const Tensor a = upload(zoo::test::normal(each.a, 1), dtype);
            const Tensor b = upload(zoo::test::normal(each.b, 2), dtype);
            ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Fast);
            const Array fast = download(ttnn::matmul(a, b, each.transpose_a, each.transpose_b));
            ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
            const Array exact = download(ttnn::matmul(a, b, each.transpose_a, each.transpose_b));
            EXPECT_WITHIN(
                exact, fast,
                dtype == DataType::FLOAT32 ? Bound{.pcc = 0.999999, .relative_error = 5e-4}
                                           : Bound{.pcc = 0.99998, .relative_error = 6e-3});
        }
    }
}

TEST_F(Matmul, TakesEveryFloatingType) {
    using enum DataType;
    // Measured against torch on the rounded operands: a block float output adds 1e-2 (bfloat8_b) or, with its
    // truncation, 0.2 (bfloat4_b).
    const std::vector<TypeCase> cases{
        {BFLOAT16, BFLOAT8_B, BFLOAT16, bound(kHiFi2)},
        {BFLOAT8_B, BFLOAT8_B, BFLOAT8_B, {.pcc = 0.9995, .relative_error = 3e-2}},
        {BFLOAT16, BFLOAT4_B, BFLOAT16, bound(kHiFi2)},
        {BFLOAT16, BFLOAT16, BFLOAT4_B, {.pcc = 0.98, .relative_error = 0.23}},
        {FLOAT32, FLOAT32, FLOAT32, {.pcc = 0.999999, .relative_error = 1.5e-3}},
        {BFLOAT16, BFLOAT16, FLOAT32, bound(kHiFi2)},
        {FLOAT32, BFLOAT16, BFLOAT16, {.pcc = 0.9998, .relative_error = 1.5e-2}}};
    for (const TypeCase& types : cases) {
        const Array a = rounded(zoo::test::normal({1, 1, 64, 128}, 1), types.a);
        const Array b = rounded(zoo::test::normal({1, 1, 128, 96}, 2), types.b);
        const Tensor out = ttnn::matmul(upload(a, types.a), upload(b, types.b), false, false, std::nullopt, types.out);
        EXPECT_EQ(out.dtype(), types.out);
        EXPECT_WITHIN(ref::matmul(a, b), download(out), types.bound);
    }
}

TEST_F(Matmul, DefaultsToTheTypeOfAAndDram) {
    const Tensor a = upload(zoo::test::normal({1, 1, 32, 64}, 1), DataType::BFLOAT8_B, ttnn::L1_MEMORY_CONFIG);
    const Tensor b = upload(zoo::test::normal({1, 1, 64, 64}, 2));
    const Tensor out = ttnn::matmul(a, b);
    EXPECT_EQ(out.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(out.memory_config(), ttnn::DRAM_MEMORY_CONFIG);
    EXPECT_EQ(out.logical_shape(), (Shape{1, 1, 32, 64}));
}

TEST_F(Matmul, VectorOnTheRight) {
    const Array a = zoo::test::normal({2, 40, 64}, 1);
    const Array b = zoo::test::normal({64}, 2);
    const Tensor out = ttnn::matmul(upload(a), upload(b));
    EXPECT_EQ(out.logical_shape(), (Shape{2, 40}));
    EXPECT_WITHIN(ref::matmul(a, b).data, download(out).data, bound(kLoFi));
}

TEST_F(Matmul, PackedWeightsGiveTheSameBits) {
    const Array a = zoo::test::normal({1, 1, 200, 256}, 1);
    const Array b = zoo::test::normal({1, 1, 256, 600}, 2);
    const Tensor in = upload(a);
    const Tensor weights = upload(b, DataType::BFLOAT8_B);
    const std::vector<float> packed = ttnn::matmul(in, weights).to_vector<float>();
    // A copy by the device is not constant, so that nothing is kept of it.
    const Tensor copy = ttnn::operations::core::to_device(weights.cpu(), device_.get(), std::nullopt);
    const Tensor moved = ttnn::reallocate(copy, std::nullopt);
    EXPECT_EQ(ttnn::matmul(in, moved).to_vector<float>(), packed);
    EXPECT_EQ(ttnn::matmul(in, weights).to_vector<float>(), packed) << "the second call uses what the first one packed";
}

TEST_F(Matmul, RewrittenWeightsAreSeen) {
    const Tensor in = upload(zoo::test::normal({1, 1, 64, 64}, 1));
    Tensor weights = upload(zoo::test::normal({1, 1, 64, 64}, 2));
    const Tensor others = upload(zoo::test::normal({1, 1, 64, 64}, 3));
    const std::vector<float> first = ttnn::matmul(in, weights).to_vector<float>();
    ttnn::copy_to_device(others.cpu(), weights);
    const std::vector<float> second = ttnn::matmul(in, weights).to_vector<float>();
    EXPECT_NE(first, second);
    EXPECT_EQ(second, ttnn::matmul(in, others).to_vector<float>());
}

TEST_F(Matmul, BitsDoNotDependOnThreads) {
    const Tensor a = upload(zoo::test::normal({1, 1, 384, 512}, 1));
    const Tensor b = upload(zoo::test::normal({1, 1, 512, 1024}, 2));
    const Tensor heads = upload(zoo::test::normal({1, 12, 100, 64}, 3));
    const Tensor keys = upload(zoo::test::normal({1, 12, 64, 100}, 4));
    const std::size_t threads = ttnn_cpu::num_threads();
    ttnn_cpu::set_num_threads(1);
    const auto one = ttnn::matmul(a, b).to_vector<float>();
    const auto one_batched = ttnn::matmul(heads, keys).to_vector<float>();
    ttnn_cpu::set_num_threads(3);
    EXPECT_EQ(ttnn::matmul(a, b).to_vector<float>(), one);
    EXPECT_EQ(ttnn::matmul(heads, keys).to_vector<float>(), one_batched);
    ttnn_cpu::set_num_threads(threads);
}

TEST_F(Matmul, ReplaysFromATrace) {
    const Tensor weights = upload(zoo::test::normal({1, 1, 64, 96}, 3), DataType::BFLOAT8_B);
    const Tensor first = upload(zoo::test::normal({1, 1, 50, 64}, 1));
    const Tensor second = upload(zoo::test::normal({1, 1, 50, 64}, 2));
    expect_replays(*device_, first, second, [&](Tensor& input) { return ttnn::matmul(input, weights); });
    const Tensor keys = upload(zoo::test::normal({1, 4, 64, 50}, 3));
    const Tensor queries = upload(zoo::test::normal({1, 4, 50, 64}, 1));
    const Tensor others = upload(zoo::test::normal({1, 4, 50, 64}, 2));
    expect_replays(*device_, queries, others, [&](Tensor& input) { return ttnn::matmul(input, keys); });
}

TEST_F(Matmul, WritesIntoAGivenOutput) {
    const Array a = zoo::test::normal({1, 1, 64, 64}, 1);
    const Array b = zoo::test::normal({1, 1, 64, 64}, 2);
    const Tensor out = upload(zoo::test::normal({1, 1, 64, 64}, 3), DataType::BFLOAT8_B, ttnn::L1_MEMORY_CONFIG);
    const Tensor result = ttnn::matmul(
        upload(a), upload(b), false, false, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
        std::nullopt, std::nullopt, out);
    EXPECT_EQ(result.buffer()->address(), out.buffer()->address());
    EXPECT_EQ(download(result).data, download(out).data);
    EXPECT_WITHIN(ref::matmul(a, b), download(out), Bound{.pcc = 0.9995, .relative_error = 3e-2});
}

TEST_F(Matmul, Addmm) {
    const Array input = zoo::test::normal({64, 96}, 1);
    const Array a = zoo::test::normal({64, 128}, 2);
    const Array b = zoo::test::normal({128, 96}, 3);
    const Array expected =
        ref::add(ref::binary("multiply", input, 2.0F), ref::binary("multiply", ref::matmul(a, b), 0.5F));
    EXPECT_WITHIN(expected, download(ttnn::addmm(upload(input), upload(a), upload(b), 0.5F, 2.0F)), bound(kLoFi));
    EXPECT_THROWS_WITH((void)ttnn::addmm(upload(input), upload(a), upload(b), 0.0F), "alpha parameter cannot be 0");
}

}  // namespace

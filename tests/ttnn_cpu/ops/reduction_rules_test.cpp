// SPDX-License-Identifier: Apache-2.0
// What reductions, argmax and topk refuse, and how they run from a trace and with records.
#include <ttnn/operations/reduction/argmax/argmax.hpp>
#include <ttnn/operations/reduction/generic/generic_reductions.hpp>

#include "op_fixture.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace {

using namespace op_test;
using zoo::test::normal;

class ReductionRules : public OpTest {
protected:
    static Tensor make(
        const zoo::test::Dims& shape, std::uint64_t seed = 1, DataType dtype = DataType::BFLOAT16,
        Layout layout = Layout::TILE) {
        return upload(normal(shape, seed), dtype, {}, layout);
    }
    static Tensor numbers(DataType dtype, const Shape& shape) {
        const std::vector<std::uint32_t> values(shape.volume(), 7);
        return Tensor::from_vector(values, spec_of(shape, dtype, Layout::ROW_MAJOR), device_.get());
    }
};

TEST_F(ReductionRules, RefusesDimensionsAndTypes) {
    const Tensor input = make({1, 2, 32, 64});
    EXPECT_THROWS_WITH((void)ttnn::sum(input, 4), "Unsupported dim 4 at index 0");
    EXPECT_THROWS_WITH((void)ttnn::max(input, -5), "Unsupported dim -5 at index 0");
    EXPECT_THROWS_WITH(
        (void)ttnn::mean(numbers(DataType::UINT32, Shape{1, 1, 32, 32}), -1),
        "ttnn.mean does not support integer inputs");
    EXPECT_THROWS_WITH(
        (void)ttnn::sum(make({1, 1, 32, 64}, 1, DataType::BFLOAT4_B), -1), "are supported for generic reduction");
    EXPECT_THROWS_WITH((void)ttnn::sum(input.cpu(), -1), "Device Operations expect device tensors as inputs");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::std(make({1, 1, 32, 1}), -1), "Reduction is performed on too few elements",
        "the deviation of one value is taken");
    EXPECT_THROWS_WITH(
        (void)ttnn::sum(
            make({1, 1, 32, 64}, 1, DataType::BFLOAT8_B), -1, true, std::nullopt, std::nullopt, 1.0F, true,
            std::nullopt, std::optional<Layout>(Layout::ROW_MAJOR)),
        "output_layout=ROW_MAJOR is not supported for a BFLOAT8_B result");
}

TEST_F(ReductionRules, ArgmaxRefuses) {
    const Tensor input = make({1, 2, 32, 64});
    EXPECT_THROWS_WITH(
        (void)ttnn::argmax(input, 4), "Dimension out of range (expected to be in range of [-4, 3], but got 4)");
    EXPECT_THROWS_WITH((void)ttnn::argmax(input), "For inputs with TILE layout, dim parameter must be specified!");
    EXPECT_THROWS_WITH(
        (void)ttnn::argmax(make({1, 1, 32, 64}, 1, DataType::BFLOAT8_B), -1),
        "Only BFLOAT16, FLOAT32 are supported for inputs with TILE layout, got BFLOAT8_B");
    EXPECT_THROWS_WITH(
        (void)ttnn::argmax(numbers(DataType::UINT32, Shape{1, 1, 4, 8}), 2),
        "only argmax on the last dim is supported");
    const MemoryConfig shards = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {2, 1});
    EXPECT_THROWS_WITH(
        (void)ttnn::argmax(upload(normal({1, 1, 64, 64}, 1), DataType::BFLOAT16, shards), -1),
        "Only INTERLEAVED memory layout is supported for inputs, got HEIGHT_SHARDED");
    const Tensor output = make({1, 2, 32});
    EXPECT_THROWS_WITH(
        (void)ttnn::argmax(input, -1, false, std::nullopt, std::nullopt, output), "it must be UINT32, ROW_MAJOR");
}

TEST_F(ReductionRules, ArgmaxTakesIntegersAndAnOutput) {
    std::vector<std::uint32_t> values(4 * 8, 5);
    values[3] = 4000000001U;
    values[4] = 4000000002U;  // one more: a float32 would not tell
    const Tensor input =
        Tensor::from_vector(values, spec_of(Shape{1, 1, 4, 8}, DataType::UINT32, Layout::ROW_MAJOR), device_.get());
    const Tensor output =
        ttnn::create_device_tensor(spec_of(Shape{1, 1, 4}, DataType::UINT32, Layout::ROW_MAJOR), device_.get());
    const Tensor result = ttnn::argmax(input, -1, false, std::nullopt, std::nullopt, output);
    EXPECT_EQ(result.buffer(), output.buffer());
    EXPECT_EQ(output.to_vector<std::uint32_t>(), (std::vector<std::uint32_t>{4, 0, 0, 0}));
}

TEST_F(ReductionRules, TopkRefuses) {
    const Tensor input = make({1, 1, 32, 64});
    EXPECT_THROWS_WITH((void)ttnn::topk(input, 65, -1, true, true), "K cannot be larger than the dimension size! K=65");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::topk(input, 0, -1, true, true), "K must be non-zero", "none of the values are taken");
    EXPECT_THROWS_WITH((void)ttnn::topk(input, 1, 4, true, true), "Dimension for topk is out of range");
    EXPECT_THROWS_WITH(
        (void)ttnn::topk(make({1, 1, 32, 64}, 1, DataType::BFLOAT16, Layout::ROW_MAJOR), 1, -1, true, true),
        "The input must be in tiled format");
    EXPECT_THROWS_WITH(
        (void)ttnn::topk(make({1, 1, 32, 64}, 1, DataType::BFLOAT4_B), 1, -1, true, true),
        "Input tensor must be BFLOAT16, BFLOAT8_B, or FLOAT32, got: BFLOAT4_B");
    EXPECT_THROWS_WITH(
        (void)ttnn::topk(input, 1, -1, true, true, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 32}, {1, 1})),
        "Sharded implementation not supported yet");
}

TEST_F(ReductionRules, ReplaysFromATrace) {
    const Tensor first = make({1, 2, 64, 96}, 1);
    const Tensor second = make({1, 2, 64, 96}, 2);
    expect_replays(*device_, first, second, [](Tensor& x) { return ttnn::mean(x, -1, true); });
    expect_replays(*device_, first, second, [](Tensor& x) { return ttnn::sum(x, 1, true); });
    expect_replays(*device_, first, second, [](Tensor& x) { return ttnn::max(x, -2, true); });
    expect_replays(*device_, first, second, [](Tensor& x) { return ttnn::var(x, -1, true); });
    expect_replays(*device_, first, second, [](Tensor& x) { return ttnn::topk(x, 32, -1, true, true)[0]; });
    expect_replays<std::uint32_t>(*device_, first, second, [](Tensor& x) { return ttnn::argmax(x, -1); });
}

TEST_F(ReductionRules, ThreadsDoNotChangeBits) {
    const Tensor input = make({2, 3, 100, 200}, 3);
    const std::size_t threads = ttnn_cpu::num_threads();
    for (const int dim : {0, 2, 3}) {
        ttnn_cpu::set_num_threads(1);
        const std::vector<float> one = ttnn::sum(input, dim).to_vector<float>();
        ttnn_cpu::set_num_threads(3);
        EXPECT_EQ(ttnn::sum(input, dim).to_vector<float>(), one);
    }
    ttnn_cpu::set_num_threads(threads);
}

// Sums over dimensions before the last two add tiles; the last two take two steps, the first of them in float32.
TEST_F(ReductionRules, RecordsTheStepsOfTtnn) {
    const auto names = [&](const auto& run) {
        ttnn_cpu::start_recording(*device_);
        run();
        std::vector<std::string> result;
        for (const ttnn_cpu::OpRecord& op : ttnn_cpu::stop_recording(*device_).ops) {
            result.push_back(op.name);
            EXPECT_EQ(op.math_fidelity, "HiFi3") << op.name;
        }
        return result;
    };
    const Tensor input = make({2, 2, 64, 64});
    using Names = std::vector<std::string>;
    EXPECT_EQ(names([&] { (void)ttnn::sum(input, 0, true); }), Names{"FastReduceNCDeviceOperation"});
    EXPECT_EQ(names([&] { (void)ttnn::mean(input, -1, true); }), Names{"ReduceDeviceOperation"});
    EXPECT_EQ(
        names([&] {
            (void)ttnn::sum(input, ttsl::SmallVector<int>{2, 3}, true);
        }),
        (Names{"ReduceDeviceOperation", "ReduceDeviceOperation"}));
}

}  // namespace

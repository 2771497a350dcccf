// SPDX-License-Identifier: Apache-2.0
// Reductions, argmax and topk against libtorch.
#include <ttnn/operations/reduction/argmax/argmax.hpp>
#include <ttnn/operations/reduction/generic/generic_reductions.hpp>

#include "op_fixture.hpp"
#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace {

using namespace op_test;
using zoo::test::Dims;
using zoo::test::normal;
namespace torch_ref = zoo::test::torch_ref;

// Sums: one rounding to bfloat16; means also have a scaler of 7 fraction bits, at most 4e-3 off (2.6e-3 for 1/384).
// FLOAT32: the matrix unit cuts values and scaler to 10 fraction bits, half a step off on average (2^-11) in each
// of two steps; maxima are taken on the vector unit, which keeps all bits.
Bound bound_of(std::string_view op, DataType dtype) {
    if (dtype == DataType::FLOAT32) {
        return {.pcc = 0.999999, .relative_error = op == "max" ? 0.0 : 2e-3};
    }
    if (dtype == DataType::BFLOAT8_B) {
        return {.pcc = 0.999, .relative_error = 2e-2};
    }
    return {.pcc = 0.9999, .relative_error = op == "mean" ? 6.5e-3 : 4e-3};
}

// Positive, so that sums do not cancel, with a level that depends on every index: results that hardly vary have no PCC.
Array varied(const Dims& shape, std::uint64_t seed) {
    Array x = normal(shape, seed, 1.5F, 0.5F);
    for (std::size_t i = 0; i < x.data.size(); ++i) {
        std::int64_t rest = static_cast<std::int64_t>(i);
        for (std::size_t dim = shape.size(); dim-- > 0;) {
            x.data[i] *= 1.0F + static_cast<float>(rest % shape[dim] * 7 % 11) / 4.0F;
            rest /= shape[dim];
        }
    }
    return x;
}

Tensor reduce(std::string_view op, const Tensor& input, const Dims& dims, bool keepdim) {
    std::optional<std::variant<int, std::int64_t, ttsl::SmallVector<int>>> dim;
    if (!dims.empty()) {
        dim = ttsl::SmallVector<int>(dims.begin(), dims.end());
    }
    return op == "sum"    ? ttnn::sum(input, dim, keepdim)
           : op == "mean" ? ttnn::mean(input, dim, keepdim)
           : op == "max"  ? ttnn::max(input, dim, keepdim)
           : op == "min"  ? ttnn::min(input, dim, keepdim)
           : op == "std"  ? ttnn::std(input, dim, keepdim)
                          : ttnn::var(input, dim, keepdim);
}

struct Case {
    Dims shape;
    Dims dims;
    DataType dtype;
};
void PrintTo(const Case& test, std::ostream* out) {
    *out << zoo::to_string(test.shape) << " over " << zoo::to_string(test.dims) << " dtype "
         << zoo::test::name_of(test.dtype);
}

class Reduction : public OpTest, public ::testing::WithParamInterface<Case> {
protected:
    Array values() const { return rounded(varied(GetParam().shape, 1), GetParam().dtype); }
};

TEST_P(Reduction, SumMeanMaxMin) {
    const Array x = values();
    const Tensor input = upload(x, GetParam().dtype);
    for (const std::string_view op : {"sum", "mean", "max", "min"}) {
        for (const bool keepdim : {true, false}) {
            const Tensor result = reduce(op, input, GetParam().dims, keepdim);
            const Array expected = torch_ref::reduce(op, x, GetParam().dims, keepdim);
            EXPECT_EQ(result.layout(), Layout::TILE);
            EXPECT_EQ(result.dtype(), GetParam().dtype);
            EXPECT_WITHIN(expected, download(result), bound_of(op, GetParam().dtype)) << op << " keepdim " << keepdim;
        }
    }
}

TEST_P(Reduction, AWrongExpectationIsSeen) {
    const Array x = values();
    const Array wrong = torch_ref::binary("multiply", torch_ref::reduce("sum", x, GetParam().dims), 1.03F);
    EXPECT_OUTSIDE(
        wrong, download(reduce("sum", upload(x, GetParam().dtype), GetParam().dims, true)),
        bound_of("sum", GetParam().dtype));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Reduction,
    ::testing::Values(
        Case{{1, 384, 1024}, {-1}, DataType::BFLOAT16}, Case{{8, 128, 384}, {1}, DataType::BFLOAT16},
        Case{{2, 3, 50, 70}, {-1}, DataType::BFLOAT16}, Case{{2, 3, 50, 70}, {-2}, DataType::BFLOAT16},
        Case{{2, 3, 50, 70}, {-2, -1}, DataType::BFLOAT16}, Case{{2, 3, 50, 70}, {1}, DataType::BFLOAT16},
        Case{{4, 3, 50, 70}, {0}, DataType::BFLOAT16}, Case{{4, 3, 50, 70}, {0, 1}, DataType::BFLOAT16},
        Case{{4, 3, 50, 70}, {1, 3}, DataType::BFLOAT16}, Case{{2, 3, 50, 70}, {-1}, DataType::FLOAT32},
        Case{{2, 3, 50, 70}, {1, 2}, DataType::FLOAT32}, Case{{2, 3, 64, 96}, {-2}, DataType::BFLOAT8_B}),
    zoo::test::printed_name);

TEST_F(OpTest, ReduceOverEverything) {
    const Array x = rounded(varied({2, 3, 40, 70}, 2), DataType::BFLOAT16);
    for (const std::string_view op : {"sum", "mean", "max", "min"}) {
        const Array result = download(reduce(op, upload(x), {}, false));
        ASSERT_EQ(result.data.size(), 1U);
        EXPECT_NEAR(result.data[0] / torch_ref::reduce(op, x).data[0], 1.0, 1e-2) << op;
    }
}

// Means of the last two dimensions keep all bits of FLOAT32, unless the call wants them fast.
TEST_F(OpTest, ReduceFloat32MeansOnTheVectorUnit) {
    const Array x = varied({2, 3, 50, 70}, 12);
    const Tensor input = upload(x, DataType::FLOAT32);
    for (const Dims& dims : {Dims{-1}, Dims{-2}, Dims{-2, -1}}) {
        const Array expected = torch_ref::reduce("mean", x, dims);
        EXPECT_WITHIN(expected, download(reduce("mean", input, dims, true)), Bound{0.999999, 1e-6});
        const Array fast = download(ttnn::mean(
            input, ttsl::SmallVector<int>(dims.begin(), dims.end()), true, std::nullopt, std::nullopt, 1.0F, true,
            std::nullopt, true));
        EXPECT_WITHIN(expected, fast, bound_of("mean", DataType::FLOAT32));
        EXPECT_OUTSIDE(expected, fast, Bound{0.999999, 1e-5});
    }
}

// What a step leaves to the next: float32 for some dimensions of bfloat16, bfloat16 for all of them.
TEST_F(OpTest, ReduceKeepsSumsBetweenStepsAsTtnnDoes) {
    const auto total = [&](const Dims& shape, const Dims& dims) {
        Array x{.shape = shape, .data = std::vector<float>(zoo::element_count(shape), 0.0F)};
        x.data[0] = 256.0F;
        x.data[1] = 1.0F;
        x.data[40] = 127.0F;
        return download(reduce("sum", upload(x), dims, false)).data[0];
    };
    EXPECT_EQ(total({1, 2, 2, 64}, {1, 2, 3}), 384.0F);
    EXPECT_EQ(total({1, 1, 2, 64}, {2, 3}), 384.0F);
    Array x{.shape = {2, 2, 40}, .data = std::vector<float>(160, 0.0F)};
    x.data[0] = 256.0F;
    x.data[80] = 1.0F;  // the same place of the other slice: 257 is 258 in bfloat16
    x.data[1] = 127.0F;
    EXPECT_EQ(download(reduce("sum", upload(x), {}, false)).data[0], 386.0F);
    x.shape = {1, 2, 2, 40};
    EXPECT_EQ(download(reduce("sum", upload(x), {1, 2, 3}, false)).data[0], 384.0F);
}

// One tile is one step: sums of columns are cut to bfloat16, not rounded, on their way.
TEST_F(OpTest, ReduceOfOneTile) {
    Array x{.shape = {20, 30}, .data = std::vector<float>(600, 0.0F)};
    x.data[0] = 256.0F;
    x.data[16] = 1.0F;
    x.data[1] = 2.0F;
    EXPECT_EQ(download(reduce("sum", upload(x), {}, false)).data[0], 258.0F);
    x.shape = {1, 1, 20, 30};
    EXPECT_EQ(download(reduce("sum", upload(x), {2, 3}, false)).data[0], 258.0F);
    EXPECT_NEAR(download(reduce("mean", upload(x), {2, 3}, false)).data[0], 259.0F / 600.0F, 4e-3);
    EXPECT_EQ(
        download(ttnn::sum(upload(x), ttsl::SmallVector<int>{2, 3}, false, std::nullopt, std::nullopt, -1.0F)).data[0],
        -260.0F)
        << "a negative scalar takes two steps, and has no root";
}

TEST_F(OpTest, ReduceSpread) {
    const Array x = rounded(varied({2, 3, 50, 70}, 3), DataType::BFLOAT16);
    for (const std::string_view op : {"std", "var"}) {
        for (const Dims& dims : {Dims{-1}, Dims{-2}, Dims{-2, -1}, Dims{1}}) {
            EXPECT_WITHIN(
                torch_ref::reduce(op, x, dims), download(reduce(op, upload(x), dims, true)), Bound{0.9999, 4e-3})
                << op << " " << zoo::to_string(dims);
        }
    }
    EXPECT_WITHIN(
        torch_ref::reduce("var", x, {-1}, true, false),
        download(ttnn::var(upload(x), -1, true, std::nullopt, std::nullopt, 1.0F, false)), Bound{0.9999, 4e-3});
}

TEST_F(OpTest, ReduceScalarAndLayout) {
    const Array x = rounded(varied({1, 2, 40, 70}, 4), DataType::BFLOAT16);
    const Array smallest = torch_ref::reduce("min", x, {-1});
    EXPECT_WITHIN(
        torch_ref::binary("multiply", smallest, -2.0F),
        download(ttnn::max(upload(x), -1, true, std::nullopt, std::nullopt, -2.0F)), Bound{0.9999, 4e-3});
    // Rank 4, one of the last two dimensions: stays ROW_MAJOR; anything else is tiled.
    const Tensor rows = upload(x, DataType::BFLOAT16, {}, Layout::ROW_MAJOR);
    for (const int dim : {-1, -2}) {
        const Tensor result = ttnn::sum(rows, dim, true);
        EXPECT_EQ(result.layout(), Layout::ROW_MAJOR);
        EXPECT_WITHIN(torch_ref::reduce("sum", x, {dim}), download(result), Bound{0.9999, 4e-3});
        EXPECT_EQ(ttnn::max(rows, dim, true).layout(), Layout::TILE);
    }
    const Tensor tiled = ttnn::sum(
        rows, -1, true, std::nullopt, std::nullopt, 1.0F, true, std::nullopt, std::optional<Layout>(Layout::TILE));
    EXPECT_EQ(tiled.layout(), Layout::TILE);
}

TEST_F(OpTest, ReduceSharded) {
    const Array x = rounded(varied({1, 1, 128, 64}, 5), DataType::BFLOAT16);
    const Tensor input = upload(x, DataType::BFLOAT16, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {4, 1}));
    const Tensor kept = ttnn::sum(input, -1, true);
    EXPECT_EQ(kept.memory_config().memory_layout(), TensorMemoryLayout::HEIGHT_SHARDED);
    EXPECT_EQ(kept.shard_spec()->shape, (std::array<std::uint32_t, 2>{32, 32}));
    EXPECT_WITHIN(torch_ref::reduce("sum", x, {-1}), download(kept), Bound{0.9999, 4e-3});
    EXPECT_WITHIN(
        torch_ref::reduce("mean", x, {-2}), download(ttnn::mean(input, -2, true, ttnn::DRAM_MEMORY_CONFIG)),
        Bound{0.9999, 6.5e-3});
}

TEST_F(OpTest, ArgmaxOverEveryDimension) {
    const Array x = rounded(normal({2, 3, 40, 70}, 6), DataType::BFLOAT16);
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
            const Tensor input = upload(x, dtype, {}, layout);
            for (int dim = 0; dim < 4; ++dim) {
                const Tensor result = ttnn::argmax(input, dim, true);
                const Array expected = torch_ref::argmax(x, dim, true);
                EXPECT_EQ(result.logical_shape(), shape_of(expected.shape));
                EXPECT_EQ(
                    result.to_vector<std::uint32_t>(),
                    std::vector<std::uint32_t>(expected.data.begin(), expected.data.end()))
                    << "dimension " << dim;
            }
        }
    }
    const Tensor all = ttnn::argmax(upload(x, DataType::BFLOAT16, {}, Layout::ROW_MAJOR));
    EXPECT_EQ(all.to_vector<std::uint32_t>().at(0), static_cast<std::uint32_t>(torch_ref::argmax(x).data[0]));
}

TEST_F(OpTest, TopkOverTheLastDimensionAndAnother) {
    // Values that differ, so that places are unique.
    Array x{.shape = {1, 1, 40, 100}, .data = std::vector<float>(4000)};
    for (std::size_t i = 0; i < x.data.size(); ++i) {
        x.data[i] = static_cast<float>((i * 37 + i / 100 * 11) % 100) - 50.0F;
    }
    for (const bool largest : {true, false}) {
        for (const int dim : {-1, 2}) {
            const std::uint32_t k = dim == 2 ? 3 : 40;
            const auto results = ttnn::topk(upload(x), k, static_cast<std::int8_t>(dim), largest, true);
            const auto [values, indices] = torch_ref::topk(x, k, dim, largest, true);
            EXPECT_EQ(results[0].logical_shape(), shape_of(values.shape));
            EXPECT_EQ(results[0].to_vector<float>(), values.data);
            EXPECT_EQ(results[1].dtype(), DataType::UINT16);
            const std::vector<std::uint16_t> places = results[1].to_vector<std::uint16_t>();
            if (dim == -1) {
                EXPECT_EQ(places, std::vector<std::uint16_t>(indices.data.begin(), indices.data.end()));
            }
        }
    }
    EXPECT_EQ(ttnn::topk(upload(x, DataType::FLOAT32), 5, -1, true, true)[1].dtype(), DataType::UINT32);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// ttnn::embedding: bit-exact against the real TTNN and libtorch; rules and traces.
#include <ttnn/operations/embedding/embedding.hpp>

#include "op_fixture.hpp"
#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace op_test;
using ttnn::prim::EmbeddingsType;
using zoo::test::ids;
using zoo::test::normal;
namespace torch_ref = zoo::test::torch_ref;

class Embedding : public OpTest {
protected:
    static Tensor upload_ids(const std::vector<std::uint32_t>& values, const zoo::test::Dims& shape) {
        return Tensor::from_vector(
            values, spec_of(shape_of(shape), DataType::UINT32, Layout::ROW_MAJOR), device_.get());
    }
    static Tensor upload_weight(const Array& weight, Layout layout = Layout::ROW_MAJOR) {
        return upload(weight, DataType::BFLOAT16, {}, layout);
    }
};

TEST_F(Embedding, GoldenIsExact) {
    const GoldenFile golden = zoo::testing::read_golden("embedding.tile");
    const GoldenTensor& in = golden.at("in0");
    const std::vector<std::uint32_t> values(in.values.begin(), in.values.end());
    const Tensor result = ttnn::embedding(
        upload_ids(values, {static_cast<std::int64_t>(in.shape[0]), static_cast<std::int64_t>(in.shape[1])}),
        upload(golden.at("in1"), Layout::ROW_MAJOR), std::nullopt, Layout::TILE);
    EXPECT_EQ(result.layout(), Layout::TILE);
    EXPECT_EQ(result.logical_shape(), shape_of(golden.at("out").shape));
    EXPECT_EQ(result.to_vector<float>(), golden.at("out").values);
}

struct Case {
    std::int64_t batch;
    std::int64_t seq;
    std::int64_t hidden;
};
void PrintTo(const Case& test, std::ostream* out) { *out << test.batch << "x" << test.seq << "x" << test.hidden; }

class EmbeddingShapes : public Embedding, public ::testing::WithParamInterface<Case> {};

TEST_P(EmbeddingShapes, EveryLayout) {
    const auto [batch, seq, hidden] = GetParam();
    const Array weight = rounded(normal({100, hidden}, 1), DataType::BFLOAT16);
    const auto values = ids(static_cast<std::size_t>(batch * seq), 2, 100);
    const Array expected = torch_ref::embedding(values, {batch, seq}, weight);
    const Tensor indices = upload_ids(values, {batch, seq});
    for (const Layout stored : {Layout::ROW_MAJOR, Layout::TILE}) {
        for (const Layout wanted : {Layout::ROW_MAJOR, Layout::TILE}) {
            const Tensor result = ttnn::embedding(indices, upload_weight(weight, stored), std::nullopt, wanted);
            EXPECT_EQ(result.layout(), wanted);
            EXPECT_EQ(download(result).shape, expected.shape);
            EXPECT_EQ(download(result).data, expected.data);
        }
    }
    // Without a layout the result has the weight's.
    EXPECT_EQ(ttnn::embedding(indices, upload_weight(weight)).layout(), Layout::ROW_MAJOR);
    const Tensor small = ttnn::embedding(
        indices, upload_weight(weight), std::nullopt, Layout::TILE, EmbeddingsType::GENERIC, DataType::BFLOAT8_B);
    EXPECT_EQ(small.dtype(), DataType::BFLOAT8_B);
    EXPECT_WITHIN(expected, download(small), Bound{.pcc = 0.9999, .relative_error = 1e-2});
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, EmbeddingShapes, ::testing::Values(Case{1, 384, 1024}, Case{8, 128, 384}, Case{2, 40, 96}, Case{3, 7, 32}),
    zoo::test::printed_name);

TEST_F(Embedding, RanksAndFloatIds) {
    const Array weight = rounded(normal({50, 64}, 1), DataType::BFLOAT16);
    const auto values = ids(32, 3, 50);
    const Array expected = torch_ref::embedding(values, {32}, weight);
    EXPECT_EQ(download(ttnn::embedding(upload_ids(values, {32}), upload_weight(weight))).data, expected.data);
    EXPECT_EQ(ttnn::embedding(upload_ids(values, {32}), upload_weight(weight)).logical_shape(), (Shape{32, 64}));
    EXPECT_EQ(
        ttnn::embedding(upload_ids(values, {2, 1, 1, 16}), upload_weight(weight)).logical_shape(), (Shape{2, 16, 64}));
    const Array floats{.shape = {1, 32}, .data = std::vector<float>(values.begin(), values.end())};
    EXPECT_EQ(
        download(ttnn::embedding(upload(floats, DataType::BFLOAT16, {}, Layout::ROW_MAJOR), upload_weight(weight)))
            .data,
        expected.data);
}

// The card keeps the row of the pad token at hand to read it once, and changes nothing in it.
TEST_F(Embedding, PadTokenHasTheRowOfTheTable) {
    const Array weight = rounded(normal({10, 32}, 1, 5.0F), DataType::BFLOAT16);
    const Tensor indices = upload_ids({3, 7, 3, 1}, {1, 4});
    EXPECT_EQ(
        download(ttnn::embedding(indices, upload_weight(weight), 3)).data,
        torch_ref::embedding({3, 7, 3, 1}, {1, 4}, weight).data);
}

TEST_F(Embedding, Refusals) {
    const Tensor weight = upload_weight(normal({10, 32}, 1));
    const Tensor indices = upload_ids({1, 2, 3, 4}, {1, 4});
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::embedding(upload_ids({1, 2, 3, 4}, {1, 2, 2}), weight), "it must be [seq], [batch, seq]",
        "it leaves out the dimensions between the first and the last");
    EXPECT_THROWS_WITH(
        (void)ttnn::embedding(indices, upload(normal({10, 32}, 1), DataType::FLOAT32, {}, Layout::ROW_MAJOR)),
        "Weights tensor must have BFLOAT16 dtype, not FLOAT32");
    EXPECT_THROWS_WITH(
        (void)ttnn::embedding(upload(normal({1, 4}, 1), DataType::FLOAT32, {}, Layout::ROW_MAJOR), weight),
        "Input must be UINT32 or BFLOAT16, not FLOAT32");
    EXPECT_THROWS_WITH(
        (void)ttnn::embedding(indices, weight, std::nullopt, std::nullopt, EmbeddingsType::PADDED),
        "Pad token must be specified");
    EXPECT_THROWS_WITH(
        (void)ttnn::embedding(indices, weight, std::nullopt, std::nullopt, EmbeddingsType::BINARY),
        "must have 2 embeddings");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::embedding(
            indices, weight, std::nullopt, Layout::ROW_MAJOR, EmbeddingsType::GENERIC, DataType::BFLOAT8_B),
        "Can only typecast output embeddings when producing TILE_LAYOUT output", "it ignores the data type");
    EXPECT_THROWS_WITH(
        (void)ttnn::embedding(indices, weight.cpu()), "Device Operations expect device tensors as inputs");
}

TEST_F(Embedding, ReplaysFromATrace) {
    const Tensor weight = upload_weight(normal({100, 64}, 1));
    expect_replays(
        *device_, upload_ids(ids(64, 1, 100), {2, 32}), upload_ids(ids(64, 2, 100), {2, 32}),
        [&](Tensor& indices) { return ttnn::embedding(indices, weight, std::nullopt, Layout::TILE); });
}

TEST_F(Embedding, AWrongExpectationIsSeen) {
    const Array weight = rounded(normal({100, 64}, 1), DataType::BFLOAT16);
    const auto values = ids(32, 3, 99);
    auto shifted = values;
    shifted[5] += 1;
    EXPECT_NE(
        download(ttnn::embedding(upload_ids(values, {1, 32}), upload_weight(weight))).data,
        torch_ref::embedding(shifted, {1, 32}, weight).data);
}

}  // namespace

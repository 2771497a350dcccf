// SPDX-License-Identifier: Apache-2.0
// Splitting into heads and joining them: bit-exact against the real TTNN and libtorch; rules and traces.
#include <ttnn/operations/experimental/transformer/nlp_concat_heads/nlp_concat_heads.hpp>
#include <ttnn/operations/experimental/transformer/nlp_create_qkv_heads/nlp_create_qkv_heads.hpp>
#include <ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp>
#include <ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp>

#include "op_fixture.hpp"
#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace op_test;
using ttnn::experimental::nlp_concat_heads;
using ttnn::experimental::nlp_create_qkv_heads;
using ttnn::transformer::concatenate_heads;
using ttnn::transformer::split_query_key_value_and_split_heads;
using zoo::test::normal;
namespace torch_ref = zoo::test::torch_ref;

class Heads : public OpTest {
protected:
    // Heads [first, first + count) of columns: [batch, seq, width] to [batch, count, seq, size].
    static Array heads_of(
        const Array& x, std::int64_t first, std::int64_t count, std::int64_t size, bool transposed = false) {
        const Array columns =
            torch_ref::slice(x, {0, 0, first * size}, {x.shape[0], x.shape[1], (first + count) * size});
        return torch_ref::permute(
            torch_ref::reshape(columns, {x.shape[0], x.shape[1], count, size}),
            transposed ? zoo::test::Dims{0, 2, 3, 1} : zoo::test::Dims{0, 2, 1, 3});
    }
};

TEST_F(Heads, GoldenSplitIsExact) {
    const GoldenFile golden = zoo::testing::read_golden("transformer.split_qkv");
    const auto [q, k, v] = split_query_key_value_and_split_heads(
        upload(golden.at("in0")), std::nullopt, golden.args.at("num_heads"), std::nullopt, true, std::nullopt);
    std::vector<float> all = q.to_vector<float>();
    for (const Tensor& part : {k, v}) {
        const std::vector<float> values = part.to_vector<float>();
        all.insert(all.end(), values.begin(), values.end());
    }
    EXPECT_EQ(all, golden.at("out").values);
}

TEST_F(Heads, GoldenConcatenateIsExact) {
    const GoldenFile golden = zoo::testing::read_golden("transformer.concatenate_heads");
    const Tensor result = concatenate_heads(upload(golden.at("in0")));
    EXPECT_EQ(result.logical_shape(), shape_of(golden.at("out").shape));
    EXPECT_EQ(result.to_vector<float>(), golden.at("out").values);
}

struct Case {
    std::int64_t batch;
    std::int64_t seq;
    std::int64_t heads;
    std::int64_t size;
    DataType dtype;
};
void PrintTo(const Case& test, std::ostream* out) {
    *out << test.batch << "x" << test.seq << ", " << test.heads << " heads of " << test.size << ", dtype "
         << zoo::test::name_of(test.dtype);
}

class HeadShapes : public Heads, public ::testing::WithParamInterface<Case> {};

TEST_P(HeadShapes, SplitAndConcatenate) {
    const auto [batch, seq, heads, size, dtype] = GetParam();
    const Array x = rounded(normal({batch, seq, 3 * heads * size}, 1), dtype);
    const auto count = static_cast<std::uint32_t>(heads);
    for (const bool transpose : {true, false}) {
        const auto [q, k, v] = split_query_key_value_and_split_heads(
            upload(x, dtype), std::nullopt, count, std::nullopt, transpose, std::nullopt);
        EXPECT_EQ(download(q).data, heads_of(x, 0, heads, size).data);
        EXPECT_EQ(download(v).data, heads_of(x, 2 * heads, heads, size).data);
        EXPECT_EQ(k.logical_shape(), shape_of(heads_of(x, heads, heads, size, transpose).shape));
        Array keys = heads_of(x, heads, heads, size, transpose);
        if (transpose && dtype == DataType::FLOAT32) {
            // The matrix unit, which turns the tiles, reads TF32.
            for (float& value : keys.data) {
                value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFE000U);
            }
        }
        if (transpose && dtype == DataType::BFLOAT8_B) {
            // A transposed block float packs other values together, so it rounds anew.
            EXPECT_WITHIN(keys, download(k), Bound{.pcc = 0.9998, .relative_error = 1.5e-2});
        } else {
            EXPECT_EQ(download(k).data, keys.data);
        }
        const Array joined = download(concatenate_heads(q));
        EXPECT_EQ(joined.data, torch_ref::slice(x, {0, 0, 0}, {batch, seq, heads * size}).data);
        EXPECT_EQ(joined.shape, (zoo::test::Dims{batch, seq, heads * size}));
        EXPECT_EQ(download(nlp_concat_heads(q)).data, joined.data);
        EXPECT_EQ(nlp_concat_heads(q).logical_shape().rank(), 4U);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, HeadShapes,
    ::testing::Values(
        Case{1, 384, 16, 64, DataType::BFLOAT16}, Case{8, 128, 12, 32, DataType::BFLOAT8_B},
        Case{2, 40, 3, 32, DataType::BFLOAT16}, Case{2, 64, 4, 64, DataType::FLOAT32}),
    zoo::test::printed_name);

TEST_F(Heads, SeparateAndFewerKeyHeads) {
    const Array q = rounded(normal({2, 64, 256}, 1), DataType::BFLOAT16);
    const Array kv = rounded(normal({2, 64, 128}, 2), DataType::BFLOAT16);
    const auto [query, key, value] =
        split_query_key_value_and_split_heads(upload(q), upload(kv), 4, 1, false, std::nullopt);
    EXPECT_EQ(download(query).data, heads_of(q, 0, 4, 64).data);
    EXPECT_EQ(download(key).data, heads_of(kv, 0, 1, 64).data);
    EXPECT_EQ(download(value).data, heads_of(kv, 1, 1, 64).data);

    const Array four{.shape = {2, 1, 64, 256}, .data = q.data};
    const auto [q4, k4, v4] = nlp_create_qkv_heads(upload(four), std::nullopt, 4, 2, false, std::nullopt);
    EXPECT_EQ(download(q4).data, heads_of(q, 0, 4, 32).data);
    EXPECT_EQ(download(k4).data, heads_of(q, 4, 2, 32).data);
    EXPECT_EQ(download(v4).data, heads_of(q, 6, 2, 32).data);
}

// Sharded, a core has whole heads: the columns of each hold its own q, k and v.
TEST_F(Heads, ShardedSplitAndConcatenate) {
    const Array x = rounded(normal({2, 64, 2 * 3 * 64}, 3), DataType::BFLOAT16);
    const MemoryConfig in = sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 192}, {2, 2});
    const MemoryConfig out = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 64}, {2, 2});
    const auto [q, k, v] = split_query_key_value_and_split_heads(
        upload(x, DataType::BFLOAT16, in), std::nullopt, 2, std::nullopt, true, out);
    EXPECT_EQ(q.memory_config().memory_layout(), TensorMemoryLayout::HEIGHT_SHARDED);
    for (std::int64_t head = 0; head < 2; ++head) {
        const Array expected = heads_of(x, 3 * head, 1, 64);
        const Array found = torch_ref::slice(download(q), {0, head, 0, 0}, {2, head + 1, 64, 64});
        EXPECT_EQ(found.data, expected.data) << "head " << head;
    }
    const Tensor joined = concatenate_heads(q, ttnn::L1_MEMORY_CONFIG);
    EXPECT_FALSE(joined.is_sharded());
    EXPECT_EQ(joined.logical_shape(), (Shape{2, 64, 128}));
}

TEST_F(Heads, Refusals) {
    const auto split = [](const Tensor& x, std::uint32_t heads) {
        return split_query_key_value_and_split_heads(x, std::nullopt, heads, std::nullopt, true, std::nullopt);
    };
    EXPECT_THROWS_WITH((void)split(upload(normal({1, 1, 32, 192}, 1)), 2), "expected 3 dimensions, but found 4");
    EXPECT_THROWS_WITH((void)split(upload(normal({1, 32, 192}, 1)), 5), "is not a multiple of the number of heads");
    EXPECT_THROWS_WITH((void)split(upload(normal({1, 32, 96}, 1)), 2), "Invalid head size: 16");
    EXPECT_THROWS_WITH(
        (void)split(upload(normal({1, 32, 192}, 1), DataType::BFLOAT16, {}, Layout::ROW_MAJOR), 2),
        "input tensor must use TILE_LAYOUT");
    EXPECT_THROWS_WITH(
        (void)split(upload(normal({1, 32, 192}, 1), DataType::BFLOAT4_B), 2), "Unsupported data format BFLOAT4_B");
    EXPECT_THROWS_WITH(
        (void)split_query_key_value_and_split_heads(
            upload(normal({1, 32, 64}, 1)), upload(normal({1, 64, 64}, 1)), 2, 1, true, std::nullopt),
        "Dimension mismatch");
    EXPECT_THROWS_WITH((void)concatenate_heads(upload(normal({2, 32, 64}, 1))), "Input tensor must have rank 4");
    EXPECT_THROWS_WITH(
        (void)concatenate_heads(upload(normal({1, 2, 32, 40}, 1))), "Head size must be a multiple of 32");
    EXPECT_THROWS_WITH(
        (void)concatenate_heads(
            upload(normal({1, 2, 32, 64}, 1)), sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {2, 1})),
        "Output memory config layout must be INTERLEAVED");
}

TEST_F(Heads, ReplaysFromATrace) {
    const Tensor first = upload(normal({2, 64, 192}, 1));
    const Tensor second = upload(normal({2, 64, 192}, 2));
    for (const std::size_t part : {0U, 1U, 2U}) {
        expect_replays(*device_, first, second, [part](Tensor& x) {
            const auto [q, k, v] =
                split_query_key_value_and_split_heads(x, std::nullopt, 2, std::nullopt, true, std::nullopt);
            return part == 0 ? q : part == 1 ? k : v;
        });
    }
    expect_replays(*device_, upload(normal({2, 2, 64, 32}, 1)), upload(normal({2, 2, 64, 32}, 2)), [](Tensor& x) {
        return concatenate_heads(x);
    });
}

}  // namespace

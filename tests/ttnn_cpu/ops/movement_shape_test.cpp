// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/data_movement/squeeze/squeeze.hpp>
#include <ttnn/operations/data_movement/unsqueeze/unsqueeze.hpp>
#include <ttnn/operations/data_movement/view/view.hpp>

#include "support/printed_name.hpp"
#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;

struct ReshapeCase {
    Shape from;
    Shape to;
    bool view_in_tiles;
};
void PrintTo(const ReshapeCase& test, std::ostream* out) { *out << test.from << " to " << test.to; }

class Reshape : public Movement, public testing::WithParamInterface<ReshapeCase> {};

TEST_P(Reshape, KeepsTheOrderOfElements) {
    const auto& [from, to, view_in_tiles] = GetParam();
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
            const Tensor input = make(from, dtype, layout);
            const Tensor output = ttnn::reshape(input, to);
            const bool view = layout == Layout::TILE ? view_in_tiles : from[-1] == to[-1];
            EXPECT_EQ(output.buffer()->address() == input.buffer()->address(), view);
            EXPECT_EQ(output.logical_shape(), to);
            EXPECT_EQ(output.to_vector<float>(), numbers(from).data);
        }
    }
}

TEST_P(Reshape, KeepsBlockFloats) {
    const auto& [from, to, view_in_tiles] = GetParam();
    const std::vector<float> values = small_numbers(from.volume());
    const Tensor output = ttnn::reshape(make(values, from, DataType::BFLOAT8_B, Layout::TILE), to);
    EXPECT_EQ(output.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(output.to_vector<float>(), values);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Reshape,
    testing::Values(
        ReshapeCase{Shape{1, 4, 64, 96}, Shape{1, 1, 256, 96}, true},
        ReshapeCase{Shape{8, 128, 768}, Shape{8, 128, 12, 64}, false},
        ReshapeCase{Shape{1, 100, 12, 64}, Shape{1, 100, 768}, false},
        ReshapeCase{Shape{2, 3, 5, 7}, Shape{6, 5, 7}, true}, ReshapeCase{Shape{2, 3, 5, 7}, Shape{30, 7}, false},
        ReshapeCase{Shape{2, 3, 5, 7}, Shape{2, 7, 3, 5}, false},
        ReshapeCase{Shape{1, 1, 1, 384}, Shape{1, 384, 1, 1}, false}, ReshapeCase{Shape{210}, Shape{2, 105}, false},
        ReshapeCase{Shape{2, 105}, Shape{210}, false}),
    zoo::test::printed_name);

using ReshapeRules = Movement;

TEST_F(ReshapeRules, InfersOneDimension) {
    const Tensor input = make(Shape{2, 6, 32}, DataType::BFLOAT16, Layout::ROW_MAJOR);
    const std::vector<std::int32_t> shape{4, -1, 32};
    EXPECT_EQ(ttnn::reshape(input, shape).logical_shape(), (Shape{4, 3, 32}));
    EXPECT_THROWS_WITH(
        (void)ttnn::reshape(input, std::vector<std::int32_t>{-1, -1}), "more than 1 elements that is set to -1");
    EXPECT_THROWS_WITH((void)ttnn::reshape(input, std::vector<std::int32_t>{-1, 5}), "Invalid arguments to reshape");
    EXPECT_THROWS_WITH(
        (void)ttnn::reshape(input, std::vector<std::int32_t>{4, 5}), "384 elements do not go into shape (4,5)");
    EXPECT_THROWS_WITH((void)ttnn::reshape(input, Shape{5, 5}), "two shapes with different volumes");
}

// tt-metal's own config has the shards in a second form beside this one.
void expect_shards(const Tensor& tensor, const MemoryConfig& memory) {
    EXPECT_EQ(tensor.memory_config().memory_layout(), memory.memory_layout());
    EXPECT_EQ(tensor.memory_config().buffer_type(), memory.buffer_type());
    EXPECT_EQ(tensor.memory_config().shard_spec(), memory.shard_spec());
}

TEST_F(ReshapeRules, ReshapesShards) {
    const Shape from{1, 1, 128, 64};
    const MemoryConfig rows = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}, {3, 0});
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        const Tensor output = ttnn::reshape(make(from, DataType::BFLOAT16, layout, rows), Shape{1, 1, 256, 32});
        expect_shards(output, sharded(TensorMemoryLayout::HEIGHT_SHARDED, {64, 32}, {3, 0}));
        EXPECT_EQ(output.to_vector<float>(), numbers(from).data);
    }
    const Tensor blocks =
        make(from, DataType::BFLOAT16, Layout::TILE, sharded(TensorMemoryLayout::BLOCK_SHARDED, {64, 32}, {1, 1}));
    const Tensor output = ttnn::reshape(blocks, Shape{1, 2, 32, 128});
    expect_shards(output, sharded(TensorMemoryLayout::BLOCK_SHARDED, {32, 64}, {1, 1}));
    EXPECT_EQ(output.to_vector<float>(), numbers(from).data);
}

TEST_F(ReshapeRules, AViewSharesMemoryOrIsRefused) {
    const Tensor input = make(Shape{2, 64, 32}, DataType::BFLOAT16, Layout::TILE);
    const Tensor view = ttnn::view(input, Shape{128, 32});
    EXPECT_EQ(view.buffer()->address(), input.buffer()->address());
    EXPECT_THROWS_WITH((void)ttnn::view(input, Shape{64, 64}), "attempting to change last dimension from 32 to 64");
    EXPECT_THROWS_WITH(
        (void)ttnn::view(input, Shape{8, 16, 32}), "Invalid second last dims for TILED reshape, from 64 to 16");
    EXPECT_THROWS_WITH((void)ttnn::view(input, Shape{8, 32}), "logical volumes are changing from 4096 to 256");
    EXPECT_THROWS_WITH((void)ttnn::view(input.cpu(), Shape{128, 32}), "View requires the tensor be stored on device");
}

TEST_F(ReshapeRules, SqueezesAndUnsqueezes) {
    const Tensor input = make(Shape{1, 3, 1, 33}, DataType::BFLOAT16, Layout::TILE);
    EXPECT_EQ(ttnn::squeeze(input).logical_shape(), (Shape{3, 33}));
    EXPECT_EQ(ttnn::squeeze(input).to_vector<float>(), numbers(Shape{3, 33}).data);
    EXPECT_EQ(ttnn::squeeze(input, 0).logical_shape(), (Shape{3, 1, 33}));
    EXPECT_EQ(ttnn::squeeze(input, -2).logical_shape(), (Shape{1, 3, 33}));
    EXPECT_EQ(ttnn::squeeze(input, 1).logical_shape(), (Shape{1, 3, 1, 33}));
    EXPECT_EQ(ttnn::squeeze(input, ttsl::SmallVector<int>{0, 2}).logical_shape(), (Shape{3, 33}));
    EXPECT_EQ(ttnn::unsqueeze(input, -1).logical_shape(), (Shape{1, 3, 1, 33, 1}));
    EXPECT_EQ(ttnn::unsqueeze(input, 1).logical_shape(), (Shape{1, 1, 3, 1, 33}));
    EXPECT_EQ(ttnn::unsqueeze(input, -1).to_vector<float>(), numbers(Shape{3, 33}).data);
    EXPECT_THROWS_WITH((void)ttnn::squeeze(input, 4), "expected to be in range of [-4,3], but got 4");
    EXPECT_THROWS_WITH((void)ttnn::squeeze(input, ttsl::SmallVector<int>{0, 0}), "dim 0 appears multiple times");
    EXPECT_THROWS_WITH((void)ttnn::unsqueeze(input, 5), "expected to be in range of [-5,4], but got 5");
}

TEST_F(ReshapeRules, ReplaysInATrace) {
    expect_same_in_trace(Shape{1, 100, 768}, DataType::BFLOAT16, Layout::TILE, [](const Tensor& input) {
        return ttnn::reshape(input, Shape{1, 100, 12, 64});
    });
}

}  // namespace

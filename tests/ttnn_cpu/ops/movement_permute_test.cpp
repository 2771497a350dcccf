// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/permute/permute.hpp>
#include <ttnn/operations/data_movement/transpose/transpose.hpp>

#include "ttnn_cpu/ops/movement_fixture.hpp"

namespace {

using namespace movement_test;

Shape permuted(const Shape& shape, const ttsl::SmallVector<std::int64_t>& dims) {
    Shape::Container sizes;
    for (const std::int64_t dim : dims) {
        sizes.push_back(shape[static_cast<int>(dim)]);
    }
    return Shape(sizes);
}

std::vector<float> expected_permute(
    const std::vector<float>& values, const Shape& shape, const ttsl::SmallVector<std::int64_t>& dims) {
    return rearranged(values, shape, permuted(shape, dims), [&](const std::vector<std::size_t>& index) {
        std::vector<std::size_t> from(index.size());
        for (std::size_t i = 0; i < index.size(); ++i) {
            from[static_cast<std::size_t>(dims[i])] = index[i];
        }
        return from;
    });
}

struct PermuteCase {
    Shape shape;
    ttsl::SmallVector<std::int64_t> dims;
};

class Permute : public Movement, public testing::WithParamInterface<PermuteCase> {};

TEST_P(Permute, MovesEveryElement) {
    const auto& [shape, dims] = GetParam();
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32}) {
            const Tensor input = make(shape, dtype, layout);
            const Tensor output = ttnn::permute(input, dims);
            EXPECT_EQ(output.logical_shape(), permuted(shape, dims));
            EXPECT_EQ(output.layout(), layout);
            EXPECT_EQ(output.to_vector<float>(), expected_permute(numbers(shape.volume()), shape, dims));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes,
    Permute,
    testing::Values(
        PermuteCase{Shape{1, 128, 12, 64}, {0, 2, 1, 3}},
        PermuteCase{Shape{2, 16, 100, 64}, {0, 2, 1, 3}},
        PermuteCase{Shape{1, 12, 100, 64}, {0, 1, 3, 2}},
        PermuteCase{Shape{2, 3, 40, 70}, {0, 2, 3, 1}},
        PermuteCase{Shape{2, 3, 40, 70}, {0, 3, 1, 2}},
        PermuteCase{Shape{2, 3, 5, 7}, {3, 2, 1, 0}},
        PermuteCase{Shape{2, 3, 5, 7}, {1, 0, 2, 3}},
        PermuteCase{Shape{2, 3, 5, 7}, {0, 3, 2, 1}},
        PermuteCase{Shape{2, 3, 5, 7}, {2, 1, 0, 3}},
        PermuteCase{Shape{33, 65}, {1, 0}},
        PermuteCase{Shape{4, 33, 65}, {1, 2, 0}},
        PermuteCase{Shape{2, 2, 3, 40, 5}, {0, 2, 4, 1, 3}},
        PermuteCase{Shape{1, 1, 4, 5}, {1, 0, 2, 3}}));

}  // namespace

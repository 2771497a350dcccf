// SPDX-License-Identifier: Apache-2.0
#include "zoo/host_tensor.hpp"

#include <numeric>

#include "scratch.hpp"

namespace zoo {
namespace {

using testing::expect_error;

HostTensor counted(Shape shape) {
    HostTensor tensor = zeros(std::move(shape));
    std::iota(tensor.data.begin(), tensor.data.end(), 0.0F);
    return tensor;
}

TEST(HostTensor, CountsElements) {
    EXPECT_EQ(element_count(Shape{}), 1U);
    EXPECT_EQ(element_count(Shape{2, 3, 4}), 24U);
    EXPECT_EQ(element_count(Shape{INT64_MAX, INT64_MAX, 0}), 0U);
    expect_error([] { (void)element_count(Shape{2, -1}); }, {"[element_count]", "[2, -1]", "negative"});
    expect_error([] { (void)element_count(Shape{1LL << 32, 1LL << 31}); }, {"[4294967296, 2147483648]", "2^63"});
}

TEST(HostTensor, PrintsShapes) {
    EXPECT_EQ(to_string(Shape{}), "[]");
    EXPECT_EQ(to_string(Shape{2, 3}), "[2, 3]");
}

TEST(HostTensor, Transposes) {
    const HostTensor small = transpose(counted({2, 3}));
    EXPECT_EQ(small.shape, (Shape{3, 2}));
    EXPECT_EQ(small.data, (std::vector<float>{0, 3, 1, 4, 2, 5}));
    // Larger than a block, and ragged on both sides.
    const HostTensor original = counted({70, 45});
    const HostTensor turned = transpose(original);
    for (std::size_t row = 0; row < 70; ++row) {
        for (std::size_t column = 0; column < 45; ++column) {
            ASSERT_EQ(turned.data[column * 70 + row], original.data[row * 45 + column]);
        }
    }
    EXPECT_EQ(transpose(HostTensor{{0, 4}, {}}).shape, (Shape{4, 0}));
    expect_error([] { (void)transpose(counted({2, 2, 2})); }, {"[transpose]", "[2, 2, 2]", "3 dimensions"});
}

TEST(HostTensor, Concatenates) {
    const std::vector<HostTensor> parts{counted({2, 2}), counted({2, 1})};
    const HostTensor wide = concat(parts, -1);
    EXPECT_EQ(wide.shape, (Shape{2, 3}));
    EXPECT_EQ(wide.data, (std::vector<float>{0, 1, 0, 2, 3, 1}));
    const std::vector<HostTensor> rows{counted({1, 2}), counted({2, 2})};
    EXPECT_EQ(concat(rows, 0).shape, (Shape{3, 2}));
    EXPECT_EQ(concat(rows, 0).data, (std::vector<float>{0, 1, 0, 1, 2, 3}));
    expect_error([&] { (void)concat(parts, 0); }, {"[concat]", "[2, 2] and [2, 1]", "dim 0"});
    expect_error([&] { (void)concat(parts, 2); }, {"[concat]", "dim 2", "[2, 2]"});
    expect_error([&] { (void)concat({}, 0); }, {"[concat]", "no tensors"});
    expect_error([&] { (void)concat(std::vector{counted({2}), counted({2, 2})}, 0); }, {"[2] and [2, 2]"});
}

TEST(HostTensor, Reshapes) {
    EXPECT_EQ(reshape(counted({2, 6}), {3, -1}).shape, (Shape{3, 4}));
    EXPECT_EQ(reshape(counted({2, 6}), {12}).data, counted({12}).data);
    expect_error([] { (void)reshape(counted({2, 6}), {5, -1}); }, {"[reshape]", "[2, 6] has 12", "[5, 2]"});
    expect_error([] { (void)reshape(counted({2, 6}), {7}); }, {"[reshape]", "[7]"});
    expect_error([] { (void)reshape(counted({2, 6}), {-1, -1}); }, {"negative"});
}

TEST(HostTensor, EmptySlicesConcatenate) {
    const std::vector<HostTensor> parts{HostTensor{{0, 2}, {}}, HostTensor{{0, 3}, {}}};
    EXPECT_EQ(concat(parts, 1).shape, (Shape{0, 5}));
}

}  // namespace
}  // namespace zoo

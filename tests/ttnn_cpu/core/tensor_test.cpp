// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/tensor/tensor_ops.hpp>
#include <ttnn/types.hpp>

#include <numeric>

#include "support/throws.hpp"

namespace {

using namespace ttnn;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

TensorSpec spec_of(Shape shape, DataType dtype, Layout layout, MemoryConfig memory = {}) {
    return TensorSpec(std::move(shape), TensorLayout(dtype, PageConfig(layout), memory));
}

std::vector<float> counting(std::size_t n) {
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

TEST(Tensor, RoundTripsThroughTheDeviceUnpadded) {
    auto device = open_mesh_device(0);
    const auto values = counting(2 * 3 * 5 * 7);
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const DataType dtype : {DataType::FLOAT32, DataType::BFLOAT16}) {
            const Tensor tensor = Tensor::from_vector(values, spec_of(Shape{2, 3, 5, 7}, dtype, layout), device.get());
            EXPECT_EQ(tensor.to_vector<float>(), values);
        }
    }
}

TEST(Tensor, TilesPadTheLastTwoDimensions) {
    const auto spec = spec_of(Shape{2, 3, 5, 7}, DataType::BFLOAT16, Layout::TILE);
    EXPECT_EQ(spec.padded_shape(), (Shape{2, 3, 32, 32}));
    EXPECT_EQ(spec.physical_shape(), (tt::tt_metal::Shape2D{192, 32}));
    EXPECT_EQ(spec.compute_page_size_bytes(), 2048u);
    EXPECT_EQ(spec.compute_packed_buffer_size_bytes(), 6u * 2048);
    EXPECT_EQ(spec_of(Shape{32, 64}, DataType::BFLOAT8_B, Layout::TILE).compute_packed_buffer_size_bytes(), 2u * 1088);
    EXPECT_EQ(spec_of(Shape{32, 64}, DataType::BFLOAT4_B, Layout::TILE).compute_packed_buffer_size_bytes(), 2u * 576);
}

TEST(Tensor, BlockFloatsRoundTripWhatTheyCanHold) {
    auto device = open_mesh_device(0);
    std::vector<float> values(33 * 40);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(static_cast<int>(i % 15) - 7) / 4;
    }
    for (const DataType dtype : {DataType::BFLOAT8_B}) {
        const Tensor tensor = Tensor::from_vector(values, spec_of(Shape{33, 40}, dtype, Layout::TILE), device.get());
        EXPECT_EQ(tensor.to_vector<float>(), values);
    }
    const std::vector<float> fourths(32 * 32, -1.5f);
    EXPECT_EQ(
        Tensor::from_vector(fourths, spec_of(Shape{32, 32}, DataType::BFLOAT4_B, Layout::TILE)).to_vector<float>(),
        fourths);
}

TEST(Tensor, IntegersNeedTheirOwnType) {
    const std::vector<std::uint32_t> ids{5, 6, 7};
    const auto spec = spec_of(Shape{1, 3}, DataType::UINT32, Layout::ROW_MAJOR);
    const Tensor tensor = Tensor::from_vector(ids, spec);
    EXPECT_EQ(tensor.to_vector<std::uint32_t>(), ids);
    EXPECT_THROWS_WITH(
        (void)tensor.to_vector<float>(), "elements of type float do not go with a tensor of data type UINT32");
    const std::vector<float> floats(3);
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)Tensor::from_vector(floats, spec), "data type UINT32", "it converts the values of a vector");
}

TEST(Tensor, RefusesAWrongElementCount) {
    EXPECT_THROWS_WITH(
        (void)Tensor::from_vector(counting(5), spec_of(Shape{2, 3}, DataType::FLOAT32, Layout::ROW_MAJOR)),
        "buffer of 5 elements must match the volume 6 of logical shape [2, 3]");
}

TEST(Tensor, RefusesRowMajorBlockFloats) {
    EXPECT_THROWS_WITH(
        spec_of(Shape{32, 32}, DataType::BFLOAT8_B, Layout::ROW_MAJOR),
        "Only TILE layout is supported for BFLOAT8_B dtype!");
}

TEST(Tensor, ChangesLayoutOnTheHostWithoutPadding) {
    const auto values = counting(2 * 64 * 32);
    const Tensor rows = Tensor::from_vector(values, spec_of(Shape{2, 64, 32}, DataType::FLOAT32, Layout::ROW_MAJOR));
    const Tensor tiles = rows.to_layout(Layout::TILE);
    EXPECT_EQ(tiles.layout(), Layout::TILE);
    EXPECT_EQ(tiles.to_vector<float>(), values);
    const Tensor odd = Tensor::from_vector(counting(33), spec_of(Shape{1, 33}, DataType::FLOAT32, Layout::ROW_MAJOR));
    EXPECT_THROWS_WITH((void)odd.to_layout(Layout::TILE), "changed physical shape from 1x33 to 32x64");
    // Padding that is there stays; the op leaves it out.
    const Tensor padded = Tensor::from_vector(counting(33), spec_of(Shape{1, 33}, DataType::FLOAT32, Layout::TILE));
    EXPECT_EQ(padded.to_layout(Layout::ROW_MAJOR).padded_shape(), (Shape{32, 64}));
    EXPECT_EQ(padded.to_layout(Layout::ROW_MAJOR).to_vector<float>(), counting(33));
    EXPECT_EQ(ttnn::to_layout(padded, Layout::ROW_MAJOR).padded_shape(), (Shape{1, 33}));
    EXPECT_EQ(ttnn::to_layout(odd, Layout::TILE).to_vector<float>(), counting(33));
}

TEST(Tensor, CopiesShareStorageUntilForced) {
    auto device = open_mesh_device(0);
    Tensor tensor =
        Tensor::from_vector(counting(32), spec_of(Shape{1, 32}, DataType::BFLOAT16, Layout::TILE), device.get());
    Tensor copy = tensor;
    tensor.deallocate();
    EXPECT_TRUE(copy.is_allocated());
    ttnn::deallocate(tensor);
    EXPECT_FALSE(copy.is_allocated());
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)copy.cpu(), "not allocated", "it asks for the device of freed memory, and the process ends");
}

TEST(Tensor, ViewsKeepTheMemory) {
    auto device = open_mesh_device(0);
    const auto values = counting(4 * 32 * 64);
    const Tensor tensor =
        Tensor::from_vector(values, spec_of(Shape{1, 4, 32, 64}, DataType::BFLOAT16, Layout::TILE), device.get());
    const Tensor view = tensor.reshape(Shape{1, 1, 128, 64});
    EXPECT_EQ(view.buffer()->address(), tensor.buffer()->address());
    EXPECT_EQ(view.to_vector<float>(), tensor.to_vector<float>());
    EXPECT_THROWS_WITH((void)tensor.reshape(Shape{1, 1, 64, 128}), "use ttnn::reshape");
    EXPECT_THROWS_WITH((void)tensor.reshape(Shape{1, 1, 64, 64}), "has 4096 elements");
}

struct BadShards {
    const char* name;
    TensorMemoryLayout layout;
    std::array<std::uint32_t, 2> shard;
    CoreRange grid;
    const char* message;
};

class ShardRules : public testing::TestWithParam<BadShards> {};

TEST_P(ShardRules, Refuse) {
    const BadShards& bad = GetParam();
    EXPECT_THROWS_WITH(
        spec_of(
            Shape{1, 1, 128, 256}, DataType::BFLOAT16, Layout::TILE,
            MemoryConfig(bad.layout, BufferType::L1, ShardSpec(CoreRangeSet(bad.grid), bad.shard))),
        bad.message);
}

INSTANTIATE_TEST_SUITE_P(
    Spec, ShardRules,
    testing::Values(
        BadShards{
            "NotTiles", TensorMemoryLayout::HEIGHT_SHARDED, {40, 256}, {{0, 0}, {3, 0}}, "must be tile (32, 32) sized"},
        BadShards{
            "Width",
            TensorMemoryLayout::HEIGHT_SHARDED,
            {32, 128},
            {{0, 0}, {3, 0}},
            "Shard width 128 must match physical width 256"},
        BadShards{
            "TooFewCores",
            TensorMemoryLayout::HEIGHT_SHARDED,
            {32, 256},
            {{0, 0}, {2, 0}},
            "along height 4 must not exceed number of cores 3"},
        BadShards{
            "Height",
            TensorMemoryLayout::WIDTH_SHARDED,
            {64, 32},
            {{0, 0}, {7, 0}},
            "Shard height 64 must match physical height 128"},
        BadShards{
            "Across",
            TensorMemoryLayout::WIDTH_SHARDED,
            {128, 32},
            {{0, 0}, {6, 0}},
            "along width 8 must not exceed number of cores 7"},
        BadShards{
            "BlockRows",
            TensorMemoryLayout::BLOCK_SHARDED,
            {32, 64},
            {{0, 0}, {3, 2}},
            "along height 4 must not exceed number of rows 3"},
        BadShards{
            "BlockColumns",
            TensorMemoryLayout::BLOCK_SHARDED,
            {32, 64},
            {{0, 0}, {2, 3}},
            "along width 4 must not exceed number of columns 3"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Tensor, CopyToDeviceChecksBothSides) {
    auto device = open_mesh_device(0);
    const auto spec = spec_of(Shape{32, 32}, DataType::BFLOAT16, Layout::TILE);
    Tensor on_device = create_device_tensor(spec, device.get());
    const Tensor host = Tensor::from_vector(counting(1024), spec);
    copy_to_device(host, on_device);
    EXPECT_EQ(on_device.to_vector<float>(), host.to_vector<float>());
    const Tensor other = Tensor::from_vector(counting(1024), spec_of(Shape{32, 32}, DataType::FLOAT32, Layout::TILE));
    EXPECT_THROWS_WITH(copy_to_device(other, on_device), "different dtype FLOAT32 than the device tensor BFLOAT16");
    const Tensor shorter = Tensor::from_vector(counting(32), spec_of(Shape{1, 32}, DataType::BFLOAT16, Layout::TILE));
    EXPECT_THROWS_WITH(copy_to_device(shorter, on_device), "different shape [1, 32] than the device tensor [32, 32]");
}

}  // namespace

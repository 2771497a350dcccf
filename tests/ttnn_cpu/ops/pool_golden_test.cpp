// SPDX-License-Identifier: Apache-2.0
// Pools and upsampling against results of the real TTNN.
#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn/operations/pool/generic/generic_pools.hpp>
#include <ttnn/operations/pool/upsample/upsample.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <zoo/metrics.hpp>

#include "support/golden_file.hpp"

namespace {

using namespace ttnn;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using zoo::testing::GoldenFile;
using zoo::testing::GoldenTensor;

Tensor rows(const std::vector<float>& values, const Shape& shape, MeshDevice& device) {
    const TensorSpec spec(shape, TensorLayout(DataType::BFLOAT16, PageConfig(Layout::ROW_MAJOR), MemoryConfig()));
    return Tensor::from_vector(values, spec, &device);
}

// [1, 1, H*W, C] of an image [1, C, H, W].
Tensor pixels(const GoldenTensor& image, MeshDevice& device) {
    const std::size_t channels = image.shape[1];
    const std::size_t count = image.shape[2] * image.shape[3];
    std::vector<float> values(image.values.size());
    for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t p = 0; p < count; ++p) {
            values[p * channels + c] = image.values[c * count + p];
        }
    }
    return rows(values, Shape{1, 1, static_cast<uint32_t>(count), static_cast<uint32_t>(channels)}, device);
}

class PoolGolden : public ::testing::TestWithParam<ttnn_cpu::Numerics> {
protected:
    void SetUp() override { ttnn_cpu::set_numerics(*device_, GetParam()); }

    std::shared_ptr<MeshDevice> device_ = open_mesh_device(0, 32768);
};

void expect_exact(const GoldenFile& golden, const std::vector<float>& actual) {
    const zoo::UlpHistogram found = zoo::ulp_histogram(golden.at("out").values, actual);
    EXPECT_EQ(found.exact, found.count) << zoo::describe(found);
}

TEST_P(PoolGolden, MaxPoolIsExact) {
    const GoldenFile golden = zoo::testing::read_golden("pool.max_3x3s2");
    const Tensor input = pixels(golden.at("in0"), *device_);
    const auto result = max_pool2d(input, 1, 16, 16, 64, {3, 3}, {2, 2}, std::array<uint32_t, 2>{1, 1}, {1, 1});
    ASSERT_EQ(result.size(), 1U);
    expect_exact(golden, result[0].to_vector<float>());
}

TEST_P(PoolGolden, UpsampleIsExact) {
    const GoldenFile golden = zoo::testing::read_golden("pool.upsample2x_nearest");
    const Tensor result = upsample(rows(golden.at("in0").values, Shape{1, 8, 8, 64}, *device_), 2);
    EXPECT_EQ(result.logical_shape(), (Shape{1, 16, 16, 64}));
    expect_exact(golden, result.to_vector<float>());
}

// The bar is 1 ULP; the reduction gives the card's own bits.
TEST_P(PoolGolden, GlobalAverageIsWithinOneStep) {
    const GoldenFile golden = zoo::testing::read_golden("pool.avg_8x8");
    const Tensor result =
        avg_pool2d(pixels(golden.at("in0"), *device_), 1, 8, 8, 64, {8, 8}, {1, 1}, std::array<uint32_t, 2>{0, 0});
    EXPECT_EQ(result.logical_shape(), (Shape{1, 1, 1, 64}));
    const std::vector<float> actual = result.to_vector<float>();
    const zoo::UlpHistogram found = zoo::ulp_histogram(golden.at("out").values, actual);
    EXPECT_EQ(found.within_1, found.count) << zoo::describe(found);
    EXPECT_GE(zoo::compare(golden.at("out").values, actual).pcc, 0.9999);
    std::cout << zoo::describe(found) << "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Modes, PoolGolden, ::testing::Values(ttnn_cpu::Numerics::Fast, ttnn_cpu::Numerics::Wormhole),
    [](const auto& mode) { return mode.param == ttnn_cpu::Numerics::Fast ? "Fast" : "Wormhole"; });

}  // namespace

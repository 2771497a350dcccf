// SPDX-License-Identifier: Apache-2.0
#include "zoo/pixels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <ttnn/device.hpp>
#include <ttnn/operations/eltwise/unary/unary.hpp>

#include "support/throws.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/image_runner.hpp"

namespace zoo {
namespace {

using ::testing::ElementsAre;

HostTensor counted(Shape shape) {
    HostTensor tensor = zeros(std::move(shape));
    std::iota(tensor.data.begin(), tensor.data.end(), 0.0F);
    return tensor;
}

TEST(Pixels, RowsOfChannels) {
    // Two images of two channels and 1x2 pixels.
    const HostTensor pixels = to_pixels(counted({2, 2, 1, 2}));
    EXPECT_EQ(pixels.shape, (Shape{1, 1, 4, 2}));
    EXPECT_THAT(pixels.data, ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
    EXPECT_EQ(from_pixels(pixels, 2, {2, 1, 2}).data, counted({2, 2, 1, 2}).data);
}

TEST(Pixels, ZerosBehindTheChannels) {
    const HostTensor pixels = to_pixels(counted({1, 2, 1, 2}), 4);
    EXPECT_EQ(pixels.shape, (Shape{1, 1, 2, 4}));
    EXPECT_THAT(pixels.data, ElementsAre(0, 2, 0, 0, 1, 3, 0, 0));
    EXPECT_EQ(from_pixels(pixels, 1, {2, 1, 2}).data, counted({1, 2, 1, 2}).data);
}

TEST(Pixels, OtherShapesAreRefused) {
    EXPECT_THROWS_WITH((void)to_pixels(zeros({3, 4})), "images are [3, 4]");
    EXPECT_THROWS_WITH((void)from_pixels(zeros({1, 1, 4, 2}), 1, {2, 1, 2}), "pixels are [1, 1, 4, 2]; [1, 1, 2, 2]");
    EXPECT_THROWS_WITH(validate_images("net", zeros({0, 3, 2, 2}), {3, 2, 2}), "[net] images are [0, 3, 2, 2]");
    EXPECT_THROWS_WITH(validate_images("net", zeros({1, 1, 2, 2}), {3, 2, 2}), "must be [batch, 3, 2, 2]");
    EXPECT_NO_THROW(validate_images("net", zeros({1, 3, 2, 2}), {3, 2, 2}));
}

TEST(Pixels, RandomImagesLookNormalised) {
    const HostTensor images = random_images(2, {3, 16, 24}, 1);
    EXPECT_EQ(images.shape, (Shape{2, 3, 16, 24}));
    double square = 0;
    for (const float value : images.data) {
        square += static_cast<double>(value) * value;
    }
    const double deviation = std::sqrt(square / static_cast<double>(images.size()));
    EXPECT_GT(deviation, 0.5);
    EXPECT_LT(deviation, 2.0);
    EXPECT_EQ(images.data, random_images(2, {3, 16, 24}, 1).data);
    EXPECT_NE(images.data, random_images(2, {3, 16, 24}, 2).data);
}

TEST(Pixels, ToTheDeviceAndBack) {
    const auto device = ttnn::open_mesh_device(0);
    const HostTensor images = counted({2, 3, 2, 4});
    EXPECT_EQ(to_host(to_feature_map(images, *device)).data, images.data);
    const FeatureMap map = images_map(preprocess_images(images, 8, device.get()), {3, 2, 4});
    EXPECT_EQ(map.batch, 2U);
    EXPECT_EQ(map.channels, 8U);
    EXPECT_EQ(map.tensor.tensor_spec(), images_spec(2, {3, 2, 4}, 8));
}

TEST(ImageRunner, CropsABatchThatIsNotFull) {
    const auto device = ttnn::open_mesh_device(0);
    const ImageSize size{3, 1, 1};
    ImageRunner runner(*device, {.where = "net", .size = size, .batch = 2}, [](const FeatureMap& images) {
        return ttnn::relu(images.tensor);
    });
    EXPECT_THAT(runner.run(counted({1, 3, 1, 1})).data, ElementsAre(0, 1, 2));
    EXPECT_EQ(runner.run(counted({2, 3, 1, 1})).shape, (Shape{2, 3}));
    EXPECT_THROWS_WITH((void)runner.run(counted({3, 3, 1, 1})), "[net] there are 3 images; this runner takes up to 2");
}

}  // namespace
}  // namespace zoo

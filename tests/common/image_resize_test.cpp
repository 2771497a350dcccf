// SPDX-License-Identifier: Apache-2.0
#include "zoo/image/resize.hpp"

#include "image_fixture.hpp"
#include "scratch.hpp"
#include "zoo/image/tensor.hpp"

namespace zoo {
namespace {

using testing::difference;
using testing::expect_error;
using testing::expected_image;
using testing::picture;

Image scene() { return read_image(picture("scene.png")); }

// As Image.transpose(ROTATE_90) turns it: to the left.
Image upright_scene() {
    const Image image = scene();
    Image turned = filled_image(image.height, image.width, 0, 0, 0);
    for (std::int64_t y = 0; y < turned.height; ++y) {
        for (std::int64_t x = 0; x < turned.width; ++x) {
            std::copy_n(image.at(image.width - 1 - y, x), 3, turned.at(x, y));
        }
    }
    return turned;
}

TEST(Resize, EqualsPillowByteByByte) {
    for (const auto& [width, height] :
         {std::pair{97, 61}, std::pair{32, 20}, std::pair{97, 20}, std::pair{32, 61}, std::pair{150, 90},
          std::pair{13, 77}, std::pair{1, 1}, std::pair{1, 61}}) {
        const std::string name = "resize/" + std::to_string(width) + "x" + std::to_string(height);
        EXPECT_EQ(difference(expected_image(name), resize(scene(), width, height)).most, 0) << name;
    }
}

TEST(ResizeAndCrop, EqualsTorchvisionByteByByte) {
    for (const auto& [shorter, crop] : {std::pair{32, 28}, std::pair{61, 61}, std::pair{80, 33}}) {
        const std::string sizes = std::to_string(shorter) + "/" + std::to_string(crop);
        EXPECT_EQ(difference(expected_image("crop/" + sizes), resize_and_crop(scene(), shorter, crop)).most, 0)
            << sizes;
        EXPECT_EQ(
            difference(expected_image("crop_upright/" + sizes), resize_and_crop(upright_scene(), shorter, crop)).most,
            0)
            << sizes;
    }
}

TEST(ResizeAndCrop, TheSizeOfNetworks) {
    const Image whole = resize_and_crop(scene(), 256, 224);
    Image few = filled_image(14, 14, 0, 0, 0);
    for (std::int64_t y = 0; y < 14; ++y) {
        for (std::int64_t x = 0; x < 14; ++x) {
            std::copy_n(whole.at(16 * x, 16 * y), 3, few.at(x, y));
        }
    }
    EXPECT_EQ(difference(expected_image("crop_few/256/224"), few).most, 0);
}

TEST(ResizeAndCrop, IsTheMiddleOfResize) {
    const Image whole = resize(scene(), 127, 80);
    const Image crop = resize_and_crop(scene(), 80, 33);
    for (std::int64_t y = 0; y < 33; ++y) {
        EXPECT_TRUE(std::equal(crop.at(0, y), crop.at(0, y) + 99, whole.at(47, 24 + y))) << "row " << y;
    }
}

TEST(ResizeAndCrop, PicturesOfAnyShape) {
    // The whole of the first would be 1,706,666 by 256 pixels.
    for (const auto& [width, height] : {std::pair{20'000, 3}, std::pair{3, 20'000}, std::pair{1, 1}}) {
        const Image crop = resize_and_crop(filled_image(width, height, 10, 200, 30), 256, 224);
        EXPECT_EQ(difference(filled_image(224, 224, 10, 200, 30), crop).most, 0) << width;
    }
}

TEST(Letterbox, EqualsPillowByteByByte) {
    for (const auto& [width, height] : {std::pair{64, 64}, std::pair{40, 64}, std::pair{64, 30}}) {
        const std::string name = "letterbox/" + std::to_string(width) + "x" + std::to_string(height);
        EXPECT_EQ(difference(expected_image(name), letterbox(scene(), width, height).image).most, 0) << name;
    }
}

TEST(Letterbox, SaysWhereThePictureIs) {
    const Letterbox box = letterbox(filled_image(200, 100, 1, 2, 3), 416, 416, 7);
    EXPECT_EQ(box.left, 0);
    EXPECT_EQ(box.top, 104);
    EXPECT_EQ(box.width, 416);
    EXPECT_EQ(box.height, 208);
    EXPECT_EQ(box.image.at(0, 103)[0], 7);
    EXPECT_EQ(box.image.at(0, 104)[0], 1);
    const Letterbox line = letterbox(filled_image(20'000, 1, 1, 2, 3), 416, 416);
    EXPECT_EQ(line.height, 1);
}

TEST(Resize, RefusesWhatCannotBe) {
    expect_error([] { (void)resize(scene(), 0, 5); }, {"[resize]", "0 by 5"});
    expect_error([] { (void)resize(scene(), 5, 70'000); }, {"[resize]", "5 by 70000"});
    expect_error([] { (void)resize_and_crop(scene(), 100, 101); }, {"[resize_and_crop]", "101", "100"});
    expect_error([] { (void)letterbox(scene(), -1, 5); }, {"[letterbox]", "-1 by 5"});
}

TEST(ToTensor, ChannelsFirstAndNormalised) {
    Image image = filled_image(2, 1, 255, 0, 51);
    image.at(1, 0)[0] = 0;
    const HostTensor plain = to_tensor(std::vector{image, image});
    EXPECT_EQ(plain.shape, (Shape{2, 3, 1, 2}));
    EXPECT_EQ(plain.data, (std::vector{1.0F, 0.0F, 0.0F, 0.0F, 0.2F, 0.2F, 1.0F, 0.0F, 0.0F, 0.0F, 0.2F, 0.2F}));
    const HostTensor normal = to_tensor(std::vector{image}, kImageNet);
    EXPECT_FLOAT_EQ(normal.data[0], (1.0F - 0.485F) / 0.229F);
    EXPECT_FLOAT_EQ(normal.data[2], -0.456F / 0.224F);
    EXPECT_FLOAT_EQ(normal.data[4], (0.2F - 0.406F) / 0.225F);
}

TEST(ToTensor, RefusesMixedSizes) {
    expect_error([] { (void)to_tensor({}); }, {"[to_tensor]", "no image"});
    expect_error(
        [] {
            (void)to_tensor(std::vector{filled_image(2, 1, 0, 0, 0), filled_image(1, 2, 0, 0, 0)});
        },
        {"2 by 1", "1 by 2"});
}

}  // namespace
}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
// torchvision's weights on photos whose classes are known, from the picture's file to its name.
#include <gtest/gtest.h>

#include <ttnn/device.hpp>

#include "models/mobilenetv2/runner.hpp"
#include "models/mobilenetv2/torch_mobilenetv2.hpp"
#include "support/real_weights.hpp"
#include "zoo/class_names.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"
#include "zoo/top_k.hpp"

namespace zoo::mobilenetv2 {
namespace {

struct Photo {
    const char* package;
    const char* file;
    std::int64_t index;
    const char* name;
    double probability;  // by PyTorch in float32, with Pillow's decoders and bilinear resize
    double tolerance;    // decoders of JPEG differ by a step or two, which the network sees
};

void PrintTo(const Photo& photo, std::ostream* out) { *out << photo.file; }

class MobileNetV2Photos : public ::testing::TestWithParam<Photo> {};

TEST_P(MobileNetV2Photos, AreNamedRight) {
    ZOO_REQUIRE_WEIGHTS(checkpoint, "mobilenetv2");
    ZOO_REQUIRE_WEIGHTS(photos, GetParam().package);
    const Config config = preset("mobilenetv2");
    const Weights weights = load(*open_checkpoint(*checkpoint), config);
    const Image picture = resize_and_crop(read_image(*photos / GetParam().file), 256, config.image_size);
    const HostTensor images = to_tensor({&picture, 1}, {config.image_mean, config.image_std});

    const Candidate expected = softmax_top_k(golden::mobilenetv2(config, weights, images).data, 1).front();
    EXPECT_EQ(expected.index, GetParam().index);
    EXPECT_EQ(imagenet_class_names()[static_cast<std::size_t>(expected.index)], GetParam().name);
    EXPECT_NEAR(expected.probability, GetParam().probability, GetParam().tolerance);

    const auto device = ttnn::open_mesh_device(0, kL1SmallBytes);
    // Measured: up to 0.03 in bfloat16, 0.084 (the eagle) with bfloat8_b weights.
    for (const auto& [plan, tolerance] : {std::pair{Plan::Functional, 0.04}, std::pair{Plan::Optimized, 0.1}}) {
        Runner runner(*device, config, weights, {.plan = plan});
        const Candidate found = softmax_top_k(runner.run(images).data, 1).front();
        EXPECT_EQ(found.index, expected.index) << to_string(plan);
        EXPECT_NEAR(found.probability, expected.probability, tolerance) << to_string(plan);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Photos, MobileNetV2Photos,
    ::testing::Values(
        Photo{"photos-coco", "cats.png", 281, "tabby", 0.722, 0.001},
        Photo{"photos-skimage", "chelsea.png", 285, "Egyptian cat", 0.717, 0.001},
        Photo{"photos-skimage", "coffee.png", 967, "espresso", 0.992, 0.001},
        Photo{"photos-darknet", "dog.jpg", 249, "malamute", 0.760, 0.01},
        Photo{"photos-darknet", "eagle.jpg", 22, "bald eagle", 0.729, 0.01}),
    [](const auto& row) { return std::filesystem::path(row.param.file).stem().string(); });

}  // namespace
}  // namespace zoo::mobilenetv2

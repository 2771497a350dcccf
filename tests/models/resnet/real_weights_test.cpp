// SPDX-License-Identifier: Apache-2.0
// Trained weights on real pictures: ResNet-50 on photos, the project's own ResNet-18 on CIFAR-10.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ttnn/device.hpp>

#include "models/resnet/runner.hpp"
#include "support/real_weights.hpp"
#include "zoo/image/image.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"
#include "zoo/top_k.hpp"

namespace zoo::resnet {
namespace {

struct Photo {
    const char* package;
    const char* file;
    std::int64_t index;
    double probability;  // by an independent forward pass in NumPy
};

constexpr std::array kPhotos{
    Photo{"photos-coco", "cats.png", 281, 0.720},        // tabby
    Photo{"photos-skimage", "chelsea.png", 285, 0.784},  // Egyptian cat
    Photo{"photos-skimage", "coffee.png", 967, 0.993},   // espresso
    Photo{"photos-darknet", "dog.jpg", 249, 0.809},      // malamute
    Photo{"photos-darknet", "eagle.jpg", 22, 0.869},     // bald eagle
    Photo{"yolov4-tiny", "bus.jpg", 654, 0.722},         // minibus
};

TEST(ResnetRealWeights, Resnet50KnowsThePhotos) {
    ZOO_REQUIRE_WEIGHTS(directory, "resnet50");
    const Config config = preset("resnet50-v1");
    const Weights weights = load(*open_checkpoint(*directory), config);
    const auto device = ttnn::open_mesh_device(0, kL1SmallSize);
    Runner functional(*device, config, weights, {.plan = Plan::Functional});
    Runner optimized(*device, config, weights, {.plan = Plan::Optimized});
    int seen = 0;
    for (const Photo& photo : kPhotos) {
        const auto photos = fetched_weights(photo.package);
        if (!photos) {
            continue;
        }
        SCOPED_TRACE(photo.file);
        const Image image = resize_and_crop(read_image(*photos / photo.file), 256, 224);
        const HostTensor pixels = to_tensor(std::span(&image, 1), {config.image_mean, config.image_std});
        const Candidate plain = softmax_top_k(functional.run(pixels).data, 1).front();
        EXPECT_EQ(plain.index, photo.index);
        // bfloat16 moves a probability by some thousandths.
        EXPECT_NEAR(plain.probability, photo.probability, 0.03);
        const Candidate tuned = softmax_top_k(optimized.run(pixels).data, 1).front();
        EXPECT_EQ(tuned.index, photo.index);
        EXPECT_NEAR(tuned.probability, photo.probability, 0.15);
        ++seen;
    }
    if (seen == 0) {
        GTEST_SKIP() << "no photos; scripts/fetch_weights photos-coco photos-darknet photos-skimage gets them";
    }
}

// Measured over all 10,000 test pictures: see models/resnet/README.md.
TEST(ResnetRealWeights, Resnet18KnowsCifar10) {
    ZOO_REQUIRE_WEIGHTS(directory, "cifar10");
    constexpr std::int64_t kPictures = 256;
    constexpr std::int64_t kBatch = 16;
    const Config config = preset("resnet18-cifar");
    const Weights weights = load(*open_checkpoint(ZOO_TEST_DATA_DIR "/resnet18-cifar.safetensors"), config);
    const Image sheet = read_image(*directory / "test_batch.png");
    std::ifstream file(*directory / "test_labels.json");
    const auto labels = nlohmann::json::parse(file).get<std::vector<std::int64_t>>();
    const auto device = ttnn::open_mesh_device(0, kL1SmallSize);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        Runner runner(*device, config, weights, {.batch = kBatch, .plan = plan});
        std::int64_t right = 0;
        for (std::int64_t first = 0; first < kPictures; first += kBatch) {
            std::vector<Image> images;
            for (std::int64_t i = first; i < first + kBatch; ++i) {
                const std::uint8_t* row = sheet.at(0, i);
                images.push_back({.width = 32, .height = 32, .pixels = {row, row + 32 * 32 * 3}});
            }
            const HostTensor logits = runner.run(to_tensor(images, {config.image_mean, config.image_std}));
            for (std::int64_t i = 0; i < kBatch; ++i) {
                const auto best =
                    softmax_top_k(std::span(logits.data).subspan(static_cast<std::size_t>(i * 10), 10), 1);
                right += best.front().index == labels[static_cast<std::size_t>(first + i)] ? 1 : 0;
            }
        }
        RecordProperty(std::string(to_string(plan)) + "_right", std::to_string(right));
        EXPECT_GE(right, 205) << to_string(plan);
    }
}

}  // namespace
}  // namespace zoo::resnet

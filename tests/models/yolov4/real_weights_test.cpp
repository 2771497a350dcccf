// SPDX-License-Identifier: Apache-2.0
// yolov4-tiny with its COCO weights finds in photos what Darknet finds there: golden, functional and optimized.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <ttnn/device.hpp>

#include "models/yolov4/runner.hpp"
#include "models/yolov4/torch_yolov4.hpp"
#include "support/real_weights.hpp"
#include "zoo/class_names.hpp"
#include "zoo/image/image.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"

namespace zoo::yolov4 {
namespace {

// As an independent float32 implementation scores them: plain resize, scores from 0.25, overlaps up to 0.45.
struct Known {
    const char* package;
    const char* photo;
    std::vector<std::pair<const char*, float>> objects;
};

const std::vector<Known>& known() {
    static const std::vector<Known> kKnown{
        {"photos-darknet", "dog.jpg", {{"dog", 0.867F}, {"truck", 0.816F}, {"bicycle", 0.605F}}},
        {"photos-darknet", "person.jpg", {{"person", 0.995F}, {"dog", 0.970F}, {"horse", 0.831F}}},
        {"yolov4-tiny", "bus.jpg", {{"person", 0.990F}, {"person", 0.899F}, {"person", 0.889F}, {"bus", 0.743F}}}};
    return kKnown;
}

class Yolov4RealWeights : public ::testing::Test {
protected:
    // `close` is how far a score may be from the known one.
    static void expect_objects(
        const Config& config, const std::function<Predictions(const HostTensor&)>& network, float close) {
        for (const Known& photo : known()) {
            const auto directory = fetched_weights(photo.package);
            if (!directory) {
                continue;
            }
            const Image image = resize(read_image(*directory / photo.photo), config.width, config.height);
            std::vector<Detection> found = detections(network(to_tensor(std::span(&image, 1))));
            for (const auto& [name, score] : photo.objects) {
                const auto same = std::ranges::find_if(found, [&, name = name](const Detection& detection) {
                    return coco_class_names()[static_cast<std::size_t>(detection.class_id)] == name;
                });
                ASSERT_NE(same, found.end()) << photo.photo << ": no " << name;
                EXPECT_NEAR(same->score, score, close) << photo.photo << ": " << name;
                found.erase(same);
            }
            // The truck beside the dog is also taken for a car, with less certainty.
            for (const Detection& more : found) {
                EXPECT_LT(more.score, 0.4F)
                    << photo.photo << ": a " << coco_class_names()[static_cast<std::size_t>(more.class_id)];
            }
        }
    }
};

TEST_F(Yolov4RealWeights, FindsWhatIsInThePhotos) {
    ZOO_REQUIRE_WEIGHTS(tiny, "yolov4-tiny");
    const Config config = from_cfg(*tiny / "yolov4-tiny.cfg");
    EXPECT_EQ(config, preset("yolov4-tiny"));
    const Weights weights = load(*tiny / "yolov4-tiny.weights", config);
    expect_objects(
        config, [&](const HostTensor& picture) { return golden::yolov4(config, weights, picture); }, 0.01F);
    const auto device = ttnn::open_mesh_device(0, 32 << 10, 16 << 20, 2);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        SCOPED_TRACE(to_string(plan));
        Runner runner(*device, config, weights, {.mode = Mode::TracedTwoQueues, .plan = plan});
        expect_objects(
            config, [&](const HostTensor& picture) { return runner.run(picture); },
            plan == Plan::Functional ? 0.02F : 0.07F);
    }
}

TEST_F(Yolov4RealWeights, BoxesLieAroundTheObjects) {
    ZOO_REQUIRE_WEIGHTS(tiny, "yolov4-tiny");
    ZOO_REQUIRE_WEIGHTS(photos, "photos-darknet");
    const Config config = preset("yolov4-tiny");
    const Weights weights = load(*tiny / "yolov4-tiny.weights", config);
    const Image image = resize(read_image(*photos / "dog.jpg"), config.width, config.height);
    const HostTensor picture = to_tensor(std::span(&image, 1));
    const std::vector<Detection> expected = detections(golden::yolov4(config, weights, picture));
    const auto device = ttnn::open_mesh_device(0, 32 << 10);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const std::vector<Detection> found =
            detections(Runner(*device, config, weights, {.mode = Mode::Plain, .plan = plan}).run(picture));
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(found[i].class_id, expected[i].class_id);
            EXPECT_GT(intersection_over_union(found[i].box, expected[i].box), plan == Plan::Functional ? 0.95F : 0.88F)
                << to_string(plan);
        }
    }
}

}  // namespace
}  // namespace zoo::yolov4

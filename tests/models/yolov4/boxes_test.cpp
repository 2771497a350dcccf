// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "models/yolov4/head_layout.hpp"
#include "support/throws.hpp"

namespace zoo::yolov4 {
namespace {

TEST(Yolov4Boxes, IntersectionOverUnion) {
    const Box unit{0, 0, 1, 1};
    EXPECT_FLOAT_EQ(intersection_over_union(unit, unit), 1.0F);
    EXPECT_FLOAT_EQ(intersection_over_union(unit, {0, 0, 0.5F, 1}), 0.5F);
    EXPECT_NEAR(intersection_over_union({0, 0, 0.6F, 1}, {0.4F, 0, 1, 1}), 0.2F, 1e-6F);
    EXPECT_EQ(intersection_over_union({0, 0, 0.4F, 1}, {0.4F, 0, 1, 1}), 0.0F);
    EXPECT_EQ(intersection_over_union({0.5F, 0.5F, 0.5F, 0.5F}, {0.5F, 0.5F, 0.5F, 0.5F}), 0.0F);
}

// Boxes of width and height 0.2 around (x, 0.5), with scores of two classes: {x, score, score}.
Predictions row_of(const std::vector<std::array<float, 3>>& rows) {
    const auto count = static_cast<std::int64_t>(rows.size());
    Predictions predictions{{{count, 4}, {}}, {{count, 2}, {}}};
    for (const auto& [x, first, second] : rows) {
        for (const float value : {x, 0.5F, 0.2F, 0.2F}) {
            predictions.boxes.data.push_back(value);
        }
        predictions.scores.data.push_back(first);
        predictions.scores.data.push_back(second);
    }
    return predictions;
}

TEST(Yolov4Boxes, TheBetterOfTwoThatOverlapStays) {
    const auto found = detections(row_of({{0.50F, 0.6F, 0}, {0.52F, 0.9F, 0}, {0.80F, 0.5F, 0}, {0.30F, 0.2F, 0}}));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_FLOAT_EQ(found[0].score, 0.9F);
    EXPECT_FLOAT_EQ(found[0].box.x_min, 0.42F);
    EXPECT_FLOAT_EQ(found[0].box.y_max, 0.6F);
    EXPECT_FLOAT_EQ(found[1].score, 0.5F);
}

TEST(Yolov4Boxes, ClassesDoNotSuppressEachOther) {
    const auto found = detections(row_of({{0.5F, 0.6F, 0.7F}, {0.5F, 0.5F, 0}}));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].class_id, 1);
    EXPECT_EQ(found[1].class_id, 0);
    EXPECT_FLOAT_EQ(found[1].score, 0.6F);
}

TEST(Yolov4Boxes, LimitsDecide) {
    const Predictions two = row_of({{0.50F, 0.6F, 0}, {0.55F, 0.5F, 0}});  // they share 0.6
    EXPECT_EQ(detections(two).size(), 1U);
    EXPECT_EQ(detections(two, {.score = 0.25F, .iou = 0.7F}).size(), 2U);
    EXPECT_EQ(detections(two, {.score = 0.55F, .iou = 0.7F}).size(), 1U);
    EXPECT_EQ(detections(two, {.score = 0.61F, .iou = 0.7F}).size(), 0U);
    EXPECT_THROWS_WITH((void)detections(two, {.score = 1.5F, .iou = 0.5F}), "score limit is 1.5");
    EXPECT_THROWS_WITH((void)detections(two, {.score = 0.5F, .iou = -0.1F}), "iou limit is -0.1");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROWS_WITH((void)detections(two, {.score = nan, .iou = 0.5F}), "score limit is nan");
    EXPECT_THROWS_WITH((void)detections({two.scores, two.scores}), "they must be [boxes, 4]");
}

TEST(Yolov4Boxes, AreCutAtTheEdgesAndNeverInfinite) {
    Predictions edge = row_of({{0.05F, 0.9F, 0}, {0.98F, 0.8F, 0}, {0.5F, 0.7F, 0}});
    edge.boxes.data[10] = std::numeric_limits<float>::infinity();
    const auto found = detections(edge);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].box.x_min, 0.0F);
    EXPECT_EQ(found[1].box.x_max, 1.0F);
}

TEST(Yolov4HeadLayout, SpreadsAndGathers) {
    const HeadLayout layout(80);
    EXPECT_EQ(layout.block(), 96);
    EXPECT_EQ(layout.columns(), 352);
    EXPECT_EQ(HeadLayout(31).block(), 32);
    EXPECT_EQ(HeadLayout(32).block(), 64);
    HostTensor channels{{255, 1, 1, 1}, {}};
    for (int i = 1; i <= 255; ++i) {
        channels.data.push_back(static_cast<float>(i));
    }
    HostTensor columns = layout.spread(channels);
    EXPECT_EQ(columns.shape, (Shape{352, 1, 1, 1}));
    EXPECT_EQ(columns.data[0], 1.0F);         // x of the first anchor
    EXPECT_EQ(columns.data[3], 87.0F);        // y of the second
    EXPECT_EQ(columns.data[32 + 4], 173.0F);  // width of the third
    EXPECT_EQ(columns.data[64 + 96], 90.0F);  // objectness of the second
    EXPECT_EQ(columns.data[64 + 1], 6.0F);    // first class of the first
    EXPECT_EQ(columns.data[6], 0.0F);
    columns.shape = {1, 1, 1, 352};
    EXPECT_EQ(layout.gather(columns).data, channels.data);
}

}  // namespace
}  // namespace zoo::yolov4

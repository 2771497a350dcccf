// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/yolov4/config.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::yolov4 {

// What a network says of one picture. Boxes are in the order of the scales, of their anchors, then row by row; lengths are parts of the
// picture's width and height.
struct Predictions {
    HostTensor boxes;   // [boxes, 4]: centre x, centre y, width, height
    HostTensor scores;  // [boxes, num_classes]: objectness times the class's probability
};

// Corners, as parts of the picture's width and height.
struct Box {
    float x_min = 0.0F;
    float y_min = 0.0F;
    float x_max = 0.0F;
    float y_max = 0.0F;

    bool operator==(const Box&) const = default;
};

struct Detection {
    Box box;
    std::int64_t class_id = 0;
    float score = 0.0F;
};

struct DetectionLimits {
    float score = 0.25F;  // at least
    float iou = 0.45F;    // of two boxes of a class that overlap more, the better one stays
};

// The area that two boxes share, as a part of the area that they cover together; 0 for boxes without an area.
[[nodiscard]] float intersection_over_union(const Box& a, const Box& b);

// Non-maximum suppression, class by class: the best first. Boxes are cut at the edges of the picture. Error for limits outside of [0, 1]
// and for predictions of another shape.
[[nodiscard]] std::vector<Detection> detections(const Predictions& predictions, const DetectionLimits& limits = {});

}  // namespace zoo::yolov4

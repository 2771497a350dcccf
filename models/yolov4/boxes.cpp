// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/boxes.hpp"

#include <algorithm>
#include <cmath>

#include "zoo/error.hpp"

namespace zoo::yolov4 {
namespace {

constexpr const char* kWhere = "yolov4::detections";

Box corners(const float* box) {
    const auto edge = [](float value) { return std::clamp(value, 0.0F, 1.0F); };
    const float half_width = 0.5F * box[2];
    const float half_height = 0.5F * box[3];
    return {
        edge(box[0] - half_width), edge(box[1] - half_height), edge(box[0] + half_width), edge(box[1] + half_height)};
}

float area(const Box& box) { return std::max(0.0F, box.x_max - box.x_min) * std::max(0.0F, box.y_max - box.y_min); }

void require_part(const char* name, float value) {
    if (!(value >= 0.0F && value <= 1.0F)) {
        fail(kWhere, "the ", name, " limit is ", value, "; it must be between 0 and 1");
    }
}

bool is_finite(const float* box) {
    return std::all_of(box, box + 4, [](float value) { return std::isfinite(value); });
}

}  // namespace

float intersection_over_union(const Box& a, const Box& b) {
    const Box shared{
        std::max(a.x_min, b.x_min), std::max(a.y_min, b.y_min), std::min(a.x_max, b.x_max), std::min(a.y_max, b.y_max)};
    const float both = area(shared);
    const float together = area(a) + area(b) - both;
    return together > 0.0F ? both / together : 0.0F;
}

std::vector<Detection> detections(const Predictions& predictions, const DetectionLimits& limits) {
    require_part("score", limits.score);
    require_part("iou", limits.iou);
    const auto& [boxes, scores] = predictions;
    if (boxes.shape.size() != 2 || boxes.shape[1] != 4 || scores.shape.size() != 2 ||
        scores.shape[0] != boxes.shape[0]) {
        fail(
            kWhere, "boxes are ", zoo::to_string(boxes.shape), " and scores ", zoo::to_string(scores.shape),
            "; they must be [boxes, 4] and [boxes, classes]");
    }
    const std::int64_t classes = scores.shape[1];
    std::vector<std::vector<Detection>> candidates(static_cast<std::size_t>(classes));
    for (std::int64_t i = 0; i < boxes.shape[0]; ++i) {
        const float* const box = boxes.data.data() + 4 * i;
        const float* const row = scores.data.data() + classes * i;
        for (std::int64_t id = 0; id < classes; ++id) {
            if (row[id] >= limits.score && is_finite(box)) {
                candidates[static_cast<std::size_t>(id)].push_back({corners(box), id, row[id]});
            }
        }
    }
    const auto better = [](const Detection& a, const Detection& b) { return a.score > b.score; };
    std::vector<Detection> found;
    for (std::vector<Detection>& of_class : candidates) {
        std::ranges::stable_sort(of_class, better);
        std::vector<Detection> kept;
        for (const Detection& candidate : of_class) {
            const bool covered = std::ranges::any_of(kept, [&](const Detection& other) {
                return intersection_over_union(candidate.box, other.box) > limits.iou;
            });
            if (!covered) {
                kept.push_back(candidate);
            }
        }
        found.insert(found.end(), kept.begin(), kept.end());
    }
    std::ranges::stable_sort(found, better);
    return found;
}

}  // namespace zoo::yolov4

// SPDX-License-Identifier: Apache-2.0
#include "vision/boxes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace zoo::apps {

std::string class_name(const VisionModel& model, std::int64_t class_id) {
    const auto& names = model.class_names();
    return class_id >= 0 && class_id < static_cast<std::int64_t>(names.size())
               ? names[static_cast<std::size_t>(class_id)]
               : fmt::format("#{}", class_id);
}

Rectangle pixels_of(const Detection& detection, const Image& image) {
    const auto at = [](float part, std::int64_t length) {
        return std::clamp<std::int64_t>(std::lround(part * static_cast<float>(length)), 0, length);
    };
    return {
        at(detection.x_min, image.width), at(detection.y_min, image.height), at(detection.x_max, image.width),
        at(detection.y_max, image.height)};
}

Image with_boxes(const VisionModel& model, const Image& image, const std::vector<Detection>& detections) {
    Image result = image;
    std::vector<Detection> order = detections;
    std::ranges::stable_sort(order, {}, &Detection::score);
    for (const Detection& detection : order) {
        draw_labelled_box(
            result, pixels_of(detection, image),
            fmt::format("{} {:.0f} %", class_name(model, detection.class_id), 100 * detection.score),
            class_color(detection.class_id));
    }
    return result;
}

float overlap(const Detection& a, const Detection& b) {
    const auto area = [](const Detection& box) { return (box.x_max - box.x_min) * (box.y_max - box.y_min); };
    const float width = std::min(a.x_max, b.x_max) - std::max(a.x_min, b.x_min);
    const float height = std::min(a.y_max, b.y_max) - std::max(a.y_min, b.y_min);
    if (width <= 0 || height <= 0) {
        return 0;
    }
    return width * height / (area(a) + area(b) - width * height);
}

const Detection* same_object(const std::vector<Detection>& among, const Detection& wanted) {
    const Detection* best = nullptr;
    float most = 0.5F;
    for (const Detection& candidate : among) {
        const float shared = overlap(candidate, wanted);
        if (candidate.class_id == wanted.class_id && shared >= most) {
            best = &candidate;
            most = shared;
        }
    }
    return best;
}

}  // namespace zoo::apps

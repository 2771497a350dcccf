// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects that a detector found, drawn and compared.
#include <string>
#include <vector>

#include "vision/vision_model.hpp"
#include "zoo/image/draw.hpp"

namespace zoo::apps {

// The class's name, or "#7" where there is none.
[[nodiscard]] std::string class_name(const VisionModel& model, std::int64_t class_id);

[[nodiscard]] Rectangle pixels_of(const Detection& detection, const Image& image);
// A copy of the picture, the least likely object drawn first.
[[nodiscard]] Image with_boxes(const VisionModel& model, const Image& image, const std::vector<Detection>& detections);

// The area that two boxes share, as a part of what they cover together.
[[nodiscard]] float overlap(const Detection& a, const Detection& b);
// Of the same class and at least half of the area in common: the one that overlaps most, or null.
[[nodiscard]] const Detection* same_object(const std::vector<Detection>& among, const Detection& wanted);

}  // namespace zoo::apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Networks that need no weights: their outputs follow from the mean colour of a picture.
#include "vision/vision_model.hpp"

namespace zoo::testing {

// Three classes, of which the strongest colour decides; "functional" adds a small error, "optimized" a larger one.
[[nodiscard]] apps::VisionSpec<apps::Classifier> fake_classifier();
// As fake_classifier, with a preset "dark" that has random weights and a preset "broken" whose weights cannot be read.
[[nodiscard]] apps::VisionSpec<apps::Classifier> fake_classifier_with_troubles();
// Finds one object in the left half of each picture that is not black.
[[nodiscard]] apps::VisionSpec<apps::Detector> fake_detector();

}  // namespace zoo::testing

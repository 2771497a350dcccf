// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace zoo {

// In the order of the outputs of networks that were trained on them.
[[nodiscard]] const std::vector<std::string>& imagenet_class_names();  // 1000: tench, goldfish, great white shark, ...
[[nodiscard]] const std::vector<std::string>& coco_class_names();      // 80: person, bicycle, car, ...
[[nodiscard]] const std::vector<std::string>& cifar10_class_names();   // 10: airplane, automobile, bird, ...
[[nodiscard]] const std::vector<std::string>& digit_class_names();     // 10: 0, 1, ...

}  // namespace zoo

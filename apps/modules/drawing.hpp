// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "modules/boxes.hpp"

namespace zoo::apps::modules {

// An SVG picture of the boxes, from the top down. `title` stands above it.
[[nodiscard]] std::string draw(const Box& root, const std::string& title);

}  // namespace zoo::apps::modules

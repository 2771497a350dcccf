// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "device_flags.hpp"
#include "registry.hpp"
#include "vision/demo_page.hpp"
#include "vision/pictures.hpp"

namespace zoo::apps {

struct DemoVisionOptions {
    DeviceFlags device;
    std::string out = "vision.html";
    std::vector<std::string> images;  // of one's own, instead of the fetched photos
    int repeats = 3;                  // the quickest run counts
};

// Runs every network for pictures whose trained weights are here. One that fails is left out and said so.
[[nodiscard]] Page collect_page(std::span<const ModelEntry> models, const DemoVisionOptions& options);

// collect_page, the page into options.out, and what it shows as a table on `log`.
void demo_vision(std::span<const ModelEntry> models, const DemoVisionOptions& options, std::ostream& log);

}  // namespace zoo::apps

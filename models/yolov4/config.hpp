// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace zoo {
class DarknetCfg;
}

namespace zoo::yolov4 {

enum class Architecture {
    Full,  // CSPDarknet53 with Mish, SPP, a path aggregation neck, three heads
    Tiny,  // three grouped blocks, two heads
};

[[nodiscard]] std::string_view to_string(Architecture architecture);

// What one head predicts at each of its cells: a box for each of three anchors.
struct Scale {
    std::int64_t stride = 8;  // pixels a cell
    std::array<std::int64_t, 3> mask{0, 1, 2};
    double scale_x_y = 1.0;  // how far a centre may leave its cell

    bool operator==(const Scale&) const = default;
};

struct Config {
    Architecture architecture = Architecture::Full;
    std::int64_t height = 320;
    std::int64_t width = 320;
    std::int64_t num_classes = 80;
    std::int64_t base_channels = 32;                  // filters of the first convolution; all others are multiples
    std::vector<std::int64_t> resblocks{2, 8, 8, 4};  // of ds2 to ds5; Tiny has none
    std::vector<std::array<double, 2>> anchors;       // width and height in pixels
    std::vector<Scale> scales;                        // in the order of the heads

    // Of a head's map: for each anchor x, y, width, height, objectness and the classes.
    [[nodiscard]] std::int64_t head_channels() const { return 3 * (5 + num_classes); }
    // Boxes of a picture, over all scales.
    [[nodiscard]] std::int64_t boxes() const;

    bool operator==(const Config&) const = default;
};

// "yolov4-320", "yolov4-640", "yolov4-tiny" (416x416), "yolov4-nano" (full, narrow and shallow, 64x64: for tests). Error for any other
// name, listing these.
[[nodiscard]] Config preset(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& preset_names();

// The same network for other pictures. Error for sizes that are no multiples of 32.
[[nodiscard]] Config with_size(Config config, std::int64_t height, std::int64_t width);

// Reads a Darknet cfg: which of the two architectures it is, the size, classes, anchors and masks. Error naming the line and section
// that differ from the architecture.
[[nodiscard]] Config from_cfg(const std::filesystem::path& file);
[[nodiscard]] Config from_cfg(const DarknetCfg& cfg);

// Error naming the first field that no code here can run, its value and the rule.
void validate(const Config& config);

}  // namespace zoo::yolov4

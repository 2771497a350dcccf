// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page of `tt-zoo demo vision`: what golden, functional and optimized see in the same pictures.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/image/draw.hpp"
#include "zoo/image/image.hpp"
#include "zoo/metrics.hpp"

namespace zoo::apps {

struct PageClass {
    std::string name;
    double probability = 0;
};

struct PageBox {
    std::string name;
    Color color;
    double score = 0;
    // Corners as parts of the picture.
    float x_min = 0;
    float y_min = 0;
    float x_max = 0;
    float y_max = 0;
};

// What one version says of one picture.
struct PageAnswer {
    std::vector<PageClass> classes;  // of a classifier, likeliest first
    std::vector<PageBox> boxes;      // of a detector
    std::optional<double> pcc;       // against the golden; none for itself
};

struct PagePicture {
    std::string title;
    Image image;
    std::string truth;                // the right answer where it is known
    std::vector<PageAnswer> answers;  // in the order of PageModel::versions
};

struct PageVersion {
    std::string name;                      // golden, functional, optimized
    std::optional<Comparison> comparison;  // against the golden; none for itself
    double milliseconds = 0;               // a picture
};

struct PageModel {
    enum class Layout { Photos, Thumbnails, Boxes };

    std::string title;  // resnet50
    std::string summary;
    std::string weights;
    Layout layout = Layout::Photos;
    std::vector<PageVersion> versions;
    std::vector<PagePicture> pictures;
};

struct Page {
    std::string device;  // "n150, numerics fast, 8 threads"
    std::vector<PageModel> models;
    std::vector<std::string> missing;  // what could not be shown, and why
};

// One file of HTML with everything in it: no scripts, nothing to load.
[[nodiscard]] std::string render(const Page& page);

// For HTML text and attributes.
[[nodiscard]] std::string escaped(std::string_view text);
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace zoo::apps

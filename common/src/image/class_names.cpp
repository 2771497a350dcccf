// SPDX-License-Identifier: Apache-2.0
#include "zoo/class_names.hpp"

#include <string_view>

namespace zoo {

namespace {

#include "image/class_names.inc"

constexpr std::string_view kCifar10Names = "airplane|automobile|bird|cat|deer|dog|frog|horse|ship|truck";
constexpr std::string_view kDigitNames = "0|1|2|3|4|5|6|7|8|9";

std::vector<std::string> split(std::string_view names) {
    std::vector<std::string> result;
    while (true) {
        const std::size_t end = names.find('|');
        result.emplace_back(names.substr(0, end));
        if (end == std::string_view::npos) {
            return result;
        }
        names.remove_prefix(end + 1);
    }
}

}  // namespace

const std::vector<std::string>& imagenet_class_names() {
    static const std::vector<std::string> names = split(kImageNetNames);
    return names;
}

const std::vector<std::string>& coco_class_names() {
    static const std::vector<std::string> names = split(kCocoNames);
    return names;
}

const std::vector<std::string>& cifar10_class_names() {
    static const std::vector<std::string> names = split(kCifar10Names);
    return names;
}

const std::vector<std::string>& digit_class_names() {
    static const std::vector<std::string> names = split(kDigitNames);
    return names;
}

}  // namespace zoo

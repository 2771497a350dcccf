// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/head_layout.hpp"

#include <algorithm>

namespace zoo::yolov4 {

HostTensor HeadLayout::spread(const HostTensor& channels) const {
    Shape shape = channels.shape;
    const std::int64_t width = static_cast<std::int64_t>(channels.size()) / shape[0];
    shape[0] = columns();
    HostTensor rows = zeros(std::move(shape));
    for (std::int64_t anchor = 0; anchor < 3; ++anchor) {
        for (std::int64_t channel = 0; channel < 5 + classes_; ++channel) {
            const auto from = channels.data.begin() + (anchor * (5 + classes_) + channel) * width;
            std::copy(from, from + width, rows.data.begin() + column(anchor, channel) * width);
        }
    }
    return rows;
}

HostTensor HeadLayout::gather(const HostTensor& map) const {
    Shape shape = map.shape;
    shape.back() = 3 * (5 + classes_);
    HostTensor channels = zeros(std::move(shape));
    auto to = channels.data.begin();
    for (auto from = map.data.begin(); from != map.data.end(); from += columns()) {
        for (std::int64_t anchor = 0; anchor < 3; ++anchor) {
            for (std::int64_t channel = 0; channel < 5 + classes_; ++channel) {
                *to++ = from[column(anchor, channel)];
            }
        }
    }
    return channels;
}

}  // namespace zoo::yolov4

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/yolov4/config.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::yolov4 {

// How a head's map lies on the device. Darknet's channels are, anchor by anchor: x, y, width, height, objectness, classes. On the device
// what is decoded alike lies together and starts at a tile, so that it is taken out without moving a value within its tile:
//
//     [0, 32)    x and y of the three anchors
//     [32, 64)   width and height of the three anchors
//     [64, ...)  for each anchor a block of whole tiles: objectness, then the classes
//
// The last convolution of a head is laid out like this when its weights go to the device; columns in between are zero.
class HeadLayout {
public:
    static constexpr std::int64_t kTile = 32;
    static constexpr std::int64_t kCentres = 0;
    static constexpr std::int64_t kSizes = kTile;
    static constexpr std::int64_t kBlocks = 2 * kTile;

    explicit HeadLayout(std::int64_t num_classes)
        : classes_(num_classes), block_((1 + num_classes + kTile - 1) / kTile * kTile) {}

    // Columns of one anchor's objectness and classes.
    [[nodiscard]] std::int64_t block() const { return block_; }
    [[nodiscard]] std::int64_t columns() const { return kBlocks + 3 * block_; }
    // Where Darknet's channel `channel` of `anchor` is: 0 to 4 are x, y, width, height and objectness.
    [[nodiscard]] std::int64_t column(std::int64_t anchor, std::int64_t channel) const {
        if (channel < 2) {
            return kCentres + 2 * anchor + channel;
        }
        return channel < 4 ? kSizes + 2 * anchor + channel - 2 : kBlocks + anchor * block_ + channel - 4;
    }

    // [3 * (5 + classes), ...] to [columns, ...]: the rows of a kernel or of a bias.
    [[nodiscard]] HostTensor spread(const HostTensor& channels) const;
    // [..., columns] of a map to [..., 3 * (5 + classes)].
    [[nodiscard]] HostTensor gather(const HostTensor& map) const;

private:
    std::int64_t classes_;
    std::int64_t block_;
};

}  // namespace zoo::yolov4

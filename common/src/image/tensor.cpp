// SPDX-License-Identifier: Apache-2.0
#include "zoo/image/tensor.hpp"

#include "zoo/error.hpp"

namespace zoo {

HostTensor to_tensor(std::span<const Image> images, const Normalization& normalization) {
    if (images.empty()) {
        fail("to_tensor", "there is no image");
    }
    const std::int64_t width = images[0].width;
    const std::int64_t height = images[0].height;
    HostTensor result{{static_cast<std::int64_t>(images.size()), 3, height, width}, {}};
    result.data.reserve(element_count(result.shape));
    for (const Image& image : images) {
        if (image.width != width || image.height != height) {
            fail(
                "to_tensor", "images are ", width, " by ", height, " and ", image.width, " by ", image.height,
                "; all of a batch must be of one size");
        }
        for (std::size_t c = 0; c < 3; ++c) {
            for (std::size_t i = c; i < image.pixels.size(); i += 3) {
                const float value = static_cast<float>(image.pixels[i]) / 255.0F;
                result.data.push_back((value - normalization.mean[c]) / normalization.stddev[c]);
            }
        }
    }
    return result;
}

}  // namespace zoo

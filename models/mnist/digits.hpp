// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/mnist/config.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::mnist {

// Digits in gray, light on dark as MNIST has them: [count, height, width], values from 0 to 255.
struct Digits {
    std::int64_t count = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> pixels;
    std::vector<std::uint8_t> labels;  // empty, or one for each digit
};

// MNIST's own files: PART-images-idx3-ubyte and PART-labels-idx1-ubyte, PART being "train" or "t10k". Error, naming the file,
// for anything that is not such a file, or when the two do not fit.
[[nodiscard]] Digits read_digits(const std::filesystem::path& directory, std::string_view part);

// Ten digits drawn with a pen of about MNIST's width, 0 to 9 in turn, `count` of them; slanted and moved a little by seed. No
// file is needed for these.
[[nodiscard]] Digits drawn_digits(std::int64_t count, std::uint64_t seed);

// Digits [first, first + count) as the network takes them: in the middle of image_size x image_size, in three equal channels,
// normalised. Error for a range that is not there, or digits that are too large.
[[nodiscard]] HostTensor digit_images(
    const Config& config, const Digits& digits, std::int64_t first, std::int64_t count);

}  // namespace zoo::mnist

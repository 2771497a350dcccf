// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zoo {

// A picture in 8-bit sRGB: rows from the top, three bytes a pixel.
struct Image {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::vector<std::uint8_t> pixels;  // height * width * 3

    [[nodiscard]] std::uint8_t* at(std::int64_t x, std::int64_t y) {
        return &pixels[static_cast<std::size_t>((y * width + x) * 3)];
    }
    [[nodiscard]] const std::uint8_t* at(std::int64_t x, std::int64_t y) const {
        return &pixels[static_cast<std::size_t>((y * width + x) * 3)];
    }
};

// Of one colour. Error for a side that is not positive.
[[nodiscard]] Image filled_image(
    std::int64_t width, std::int64_t height, std::uint8_t r, std::uint8_t g, std::uint8_t b);

// What is refused before any memory is taken for pixels.
struct ImageLimits {
    std::int64_t side = 65'535;
    std::int64_t pixels = 100'000'000;
    std::uintmax_t bytes = 256U << 20;  // of the file
};

// Decodes JPEG, PNG and BMP. What is in the file comes out as a viewer on a white page shows it:
//   - gray becomes equal red, green and blue; 16 bits a channel keep their upper 8;
//   - alpha, a palette's too, is composited on white;
//   - CMYK JPEGs are converted without a profile when they carry Adobe's marker, as all known writers put it; Error otherwise;
//   - the EXIF orientation of a JPEG is applied, so photos of phones are upright; other metadata and ICC profiles are ignored.
// Error, naming the file and what is wrong, for anything else: an empty or truncated file, a wrong checksum in a PNG, arithmetic or
// 12-bit JPEG, RLE BMP, another format, sizes above the limits.
[[nodiscard]] Image read_image(const std::filesystem::path& path, const ImageLimits& limits = {});
// `name` stands for the file in messages.
[[nodiscard]] Image decode_image(std::string_view bytes, const std::string& name, const ImageLimits& limits = {});

[[nodiscard]] std::string encode_png(const Image& image);
[[nodiscard]] std::string encode_jpeg(const Image& image, int quality = 90);
// The file appears under its name only once it is complete.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "zoo/image/image.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

#include "image/container.hpp"
#include "zoo/error.hpp"
#include "zoo/write_file.hpp"

namespace zoo {

namespace {

constexpr std::string_view kWhere = "read_image";

void require_within(const ImageHeader& found, const std::string& name, const ImageLimits& limits) {
    if (found.width <= 0 || found.height <= 0) {
        fail(kWhere, name, " is ", found.width, " by ", found.height, " pixels; both must be positive");
    }
    if (found.width > limits.side || found.height > limits.side || found.width * found.height > limits.pixels) {
        fail(
            kWhere, name, " is ", found.width, " by ", found.height, " pixels; at most ", limits.side, " a side and ",
            limits.pixels, " in all are read");
    }
}

// Alpha on white. Opaque pixels stay as they are.
Image without_alpha(const stbi_uc* rgba, int width, int height) {
    Image image{width, height, {}};
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    image.pixels.resize(count * 3);
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned alpha = rgba[4 * i + 3];
        for (std::size_t c = 0; c < 3; ++c) {
            image.pixels[3 * i + c] =
                static_cast<std::uint8_t>((rgba[4 * i + c] * alpha + 255 * (255 - alpha) + 127) / 255);
        }
    }
    return image;
}

// As the EXIF orientation says: where the first row and the first column of the file belong.
Image upright(Image image, int orientation) {
    if (orientation == 1) {
        return image;
    }
    const bool swapped = orientation >= 5;
    const bool flip_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool flip_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Image turned{swapped ? image.height : image.width, swapped ? image.width : image.height, {}};
    turned.pixels.resize(image.pixels.size());
    for (std::int64_t y = 0; y < turned.height; ++y) {
        for (std::int64_t x = 0; x < turned.width; ++x) {
            const std::int64_t from_x = swapped ? y : x;
            const std::int64_t from_y = swapped ? x : y;
            std::copy_n(
                image.at(flip_x ? image.width - 1 - from_x : from_x, flip_y ? image.height - 1 - from_y : from_y), 3,
                turned.at(x, y));
        }
    }
    return turned;
}

void append(void* text, void* data, int size) {
    static_cast<std::string*>(text)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

void require_pixels(std::string_view where, const Image& image) {
    if (image.width <= 0 || image.height <= 0 ||
        image.pixels.size() != static_cast<std::size_t>(image.width * image.height * 3)) {
        fail(
            where, "an image of ", image.width, " by ", image.height, " pixels has ", image.pixels.size(),
            " bytes; it must have 3 a pixel");
    }
}

}  // namespace

Image filled_image(std::int64_t width, std::int64_t height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    if (width <= 0 || height <= 0) {
        fail("filled_image", "size is ", width, " by ", height, "; both must be positive");
    }
    Image image{width, height, {}};
    image.pixels.resize(static_cast<std::size_t>(width * height * 3));
    for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
        image.pixels[i] = r;
        image.pixels[i + 1] = g;
        image.pixels[i + 2] = b;
    }
    return image;
}

Image decode_image(std::string_view bytes, const std::string& name, const ImageLimits& limits) {
    if (bytes.size() > std::min<std::uintmax_t>(limits.bytes, INT_MAX)) {
        fail(kWhere, name, " has ", bytes.size(), " bytes; at most ", limits.bytes, " are read");
    }
    const ImageHeader header = check_container(bytes, name);
    require_within(header, name, limits);
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(
            reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()), &width, &height, &channels,
            STBI_rgb_alpha),
        &stbi_image_free);
    if (pixels == nullptr) {
        fail(kWhere, name, " cannot be read as a picture: ", stbi_failure_reason());
    }
    return upright(without_alpha(pixels.get(), width, height), header.orientation);
}

Image read_image(const std::filesystem::path& path, const ImageLimits& limits) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        fail(kWhere, path.string(), " is a directory; it must be a JPEG, PNG or BMP picture");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        fail(kWhere, path.string(), " cannot be opened: ", std::strerror(errno));
    }
    // One byte more than is allowed, so that decode_image can tell; a device or a pipe has no size to ask for.
    std::string bytes;
    std::vector<char> chunk(1 << 16);
    while (bytes.size() <= limits.bytes &&
           (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), file.gcount() > 0)) {
        bytes.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    }
    return decode_image(bytes, path.string(), limits);
}

std::string encode_png(const Image& image) {
    require_pixels("encode_png", image);
    std::string bytes;
    const int width = static_cast<int>(image.width);
    if (stbi_write_png_to_func(
            append, &bytes, width, static_cast<int>(image.height), 3, image.pixels.data(), width * 3) == 0) {
        fail("encode_png", "no memory for ", image.width, " by ", image.height, " pixels");
    }
    return bytes;
}

std::string encode_jpeg(const Image& image, int quality) {
    require_pixels("encode_jpeg", image);
    std::string bytes;
    if (stbi_write_jpg_to_func(
            append, &bytes, static_cast<int>(image.width), static_cast<int>(image.height), 3, image.pixels.data(),
            quality) == 0) {
        fail("encode_jpeg", "no memory for ", image.width, " by ", image.height, " pixels");
    }
    return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) { write_file(path, encode_png(image)); }

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The outside of picture files, which stb_image reads without looking: it makes black or gray of what a truncated file lacks.
#include <cstdint>
#include <string>
#include <string_view>

namespace zoo {

struct ImageHeader {
    std::int64_t width = 0;
    std::int64_t height = 0;
    int orientation = 1;  // EXIF's, 1 to 8
};

// Reads the header of a JPEG, PNG or BMP file, known by its first bytes. Error for
//   - another format, named where it is a known one;
//   - a JPEG that ends before its end marker, or of 4 channels whose meaning is open;
//   - a PNG with a chunk that is cut or has a wrong checksum, or without its last one;
//   - a BMP that is compressed, or shorter than its rows.
[[nodiscard]] ImageHeader check_container(std::string_view bytes, const std::string& name);

}  // namespace zoo

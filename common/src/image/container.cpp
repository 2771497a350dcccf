// SPDX-License-Identifier: Apache-2.0
#include "image/container.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>

#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {

namespace {

constexpr std::string_view kWhere = "read_image";

[[noreturn]] void truncated(const std::string& name, std::string_view format) {
    fail(kWhere, name, " is a ", format, " that ends too early; the file is truncated");
}

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size, bool little) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto byte = static_cast<std::uint8_t>(bytes[at + (little ? size - 1 - i : i)]);
        value = value << 8 | byte;
    }
    return value;
}

std::uint32_t crc32(std::string_view bytes) {
    static const std::array<std::uint32_t, 256> kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < table.size(); ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit) {
                value = (value & 1U) != 0 ? 0xEDB88320U ^ value >> 1 : value >> 1;
            }
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) {
        crc = kTable[(crc ^ static_cast<std::uint8_t>(c)) & 0xFFU] ^ crc >> 8;
    }
    return ~crc;
}

// The orientation in the payload of an APP1 segment; 1 where it says nothing that can be understood.
int exif_orientation(std::string_view segment) {
    constexpr std::string_view kExif{"Exif\0\0", 6};
    if (!segment.starts_with(kExif)) {
        return 1;
    }
    const std::string_view tiff = segment.substr(kExif.size());
    if (tiff.size() < 8 || (!tiff.starts_with("II") && !tiff.starts_with("MM"))) {
        return 1;
    }
    const bool little = tiff[0] == 'I';
    const std::uint64_t directory = number(tiff, 4, 4, little);
    if (directory + 2 > tiff.size()) {
        return 1;
    }
    const std::uint64_t entries = number(tiff, directory, 2, little);
    for (std::uint64_t i = 0; i < entries; ++i) {
        const std::uint64_t entry = directory + 2 + 12 * i;
        if (entry + 12 > tiff.size()) {
            return 1;
        }
        constexpr std::uint64_t kOrientation = 0x0112;
        if (number(tiff, entry, 2, little) == kOrientation) {
            const std::uint64_t value = number(tiff, entry + 8, 2, little);
            return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
        }
    }
    return 1;
}

struct KnownFormat {
    std::string_view name;
    std::size_t offset;
    std::string_view magic;
};

constexpr std::array<KnownFormat, 8> kOtherFormats{{
    {"GIF", 0, "GIF8"},
    {"WebP", 8, "WEBP"},
    {"TIFF", 0, {"II*\0", 4}},
    {"TIFF", 0, {"MM\0*", 4}},
    {"AVIF", 4, "ftypavif"},
    {"HEIC", 4, "ftyphei"},
    {"HEIC", 4, "ftypmif1"},
    {"PDF", 0, "%PDF"},
}};

ImageHeader check_jpeg(std::string_view bytes, const std::string& name) {
    ImageHeader header;
    std::optional<int> adobe_transform;
    std::size_t at = 2;
    // Segments up to the first scan. Thumbnails within APP segments have markers of their own, so those are passed over whole.
    while (true) {
        if (at + 4 > bytes.size()) {
            truncated(name, "JPEG");
        }
        if (static_cast<std::uint8_t>(bytes[at]) != 0xFF) {
            fail(kWhere, name, " is a JPEG with a broken segment at byte ", at);
        }
        const auto marker = static_cast<std::uint8_t>(bytes[at + 1]);
        if (marker == 0xFF) {  // a fill byte
            ++at;
            continue;
        }
        const std::uint64_t length = number(bytes, at + 2, 2, false);
        if (length < 2) {
            fail(kWhere, name, " is a JPEG with a broken segment at byte ", at);
        }
        if (at + 2 + length > bytes.size()) {
            truncated(name, "JPEG");
        }
        const std::string_view payload = bytes.substr(at + 4, length - 2);
        const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (marker == 0xE1 && header.orientation == 1) {
            header.orientation = exif_orientation(payload);
        } else if (marker == 0xEE && payload.starts_with("Adobe") && payload.size() >= 12) {
            adobe_transform = static_cast<std::uint8_t>(payload[11]);
        } else if (frame && payload.size() >= 6) {
            header.height = static_cast<std::int64_t>(number(payload, 1, 2, false));
            header.width = static_cast<std::int64_t>(number(payload, 3, 2, false));
            if (payload[5] == 4 && adobe_transform != 0 && adobe_transform != 2) {
                fail(
                    kWhere, name,
                    " is a JPEG of 4 channels without Adobe's marker; whether they are CMYK or inverted is open, so "
                    "convert it to RGB");
            }
        }
        at += 2 + length;
        if (marker == 0xDA) {
            break;
        }
    }
    if (bytes.find("\xFF\xD9", at) == std::string_view::npos) {
        truncated(name, "JPEG");
    }
    return header;
}

ImageHeader check_png(std::string_view bytes, const std::string& name) {
    std::size_t at = 8;
    while (true) {
        if (at + 12 > bytes.size()) {
            truncated(name, "PNG");
        }
        const std::uint64_t length = number(bytes, at, 4, false);
        if (at + 12 + length > bytes.size()) {
            truncated(name, "PNG");
        }
        const std::string_view type = bytes.substr(at + 4, 4);
        const std::uint64_t stored = number(bytes, at + 8 + length, 4, false);
        if (crc32(bytes.substr(at + 4, 4 + length)) != stored) {
            fail(kWhere, name, " is a PNG whose chunk ", in_quotes(type), " at byte ", at, " has a wrong checksum");
        }
        if (at == 8 && (type != "IHDR" || length < 8)) {
            fail(kWhere, name, " is a PNG that starts with ", in_quotes(type), "; it must start with IHDR");
        }
        if (type == "IEND") {
            return {
                .width = static_cast<std::int64_t>(number(bytes, 16, 4, false)),
                .height = static_cast<std::int64_t>(number(bytes, 20, 4, false))};
        }
        at += 12 + length;
    }
}

ImageHeader check_bmp(std::string_view bytes, const std::string& name) {
    constexpr std::size_t kSmallestHeader = 26;
    if (bytes.size() < kSmallestHeader) {
        truncated(name, "BMP");
    }
    const std::uint64_t pixels_at = number(bytes, 10, 4, true);
    const bool old = number(bytes, 14, 4, true) == 12;
    if (!old && bytes.size() < 34) {
        truncated(name, "BMP");
    }
    const auto width = static_cast<std::int64_t>(old ? number(bytes, 18, 2, true) : number(bytes, 18, 4, true));
    const std::int64_t height =
        old ? static_cast<std::int64_t>(number(bytes, 20, 2, true))
            : std::abs(static_cast<std::int64_t>(static_cast<std::int32_t>(number(bytes, 22, 4, true))));
    const auto bits = static_cast<std::int64_t>(number(bytes, old ? 24 : 28, 2, true));
    const std::uint64_t compression = old ? 0 : number(bytes, 30, 4, true);
    constexpr std::uint64_t kBitFields = 3;
    if (compression != 0 && compression != kBitFields) {
        fail(kWhere, name, " is a compressed BMP (compression ", compression, "); only uncompressed ones are read");
    }
    constexpr std::int64_t kMostWidth = 1 << 26;  // so that the sizes below fit
    if (width > kMostWidth || bits > 32) {
        fail(kWhere, name, " is a BMP with a broken header: ", width, " pixels a row of ", bits, " bits each");
    }
    const std::int64_t row = (width * bits + 31) / 32 * 4;
    // The last row may lack its padding.
    const std::int64_t needed = row * (height - 1) + (width * bits + 7) / 8;
    if (pixels_at > bytes.size() || needed > static_cast<std::int64_t>(bytes.size() - pixels_at)) {
        truncated(name, "BMP");
    }
    return {.width = width, .height = height};
}

}  // namespace

ImageHeader check_container(std::string_view bytes, const std::string& name) {
    if (bytes.empty()) {
        fail(kWhere, name, " is empty; it must be a JPEG, PNG or BMP picture");
    }
    if (bytes.starts_with("\xFF\xD8\xFF")) {
        return check_jpeg(bytes, name);
    }
    if (bytes.starts_with("\x89PNG\r\n\x1A\n")) {
        return check_png(bytes, name);
    }
    if (bytes.starts_with("BM")) {
        return check_bmp(bytes, name);
    }
    for (const KnownFormat& format : kOtherFormats) {
        if (bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.magic)) {
            fail(kWhere, name, " is a ", format.name, " file; it must be a JPEG, PNG or BMP picture");
        }
    }
    fail(
        kWhere, name, " is not a picture that can be read; it must be JPEG, PNG or BMP, and starts with ",
        in_quotes(bytes.substr(0, 8)));
}

}  // namespace zoo

// SPDX-License-Identifier: Apache-2.0
#include "zoo/image/image.hpp"

#include "image_fixture.hpp"
#include "scratch.hpp"

namespace zoo {
namespace {

using testing::difference;
using testing::expect_error;
using testing::expected_image;
using testing::picture;

std::string bytes_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string big_endian(std::uint32_t value) {
    return {
        static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
        static_cast<char>(value)};
}

// The files whose pixels are stored as they are.
class DecodeExact : public ::testing::TestWithParam<const char*> {};

TEST_P(DecodeExact, ReadsWhatPillowReads) {
    const std::string name = GetParam();
    // Alpha: the last bit of compositing differs between readers.
    const int bound = name.find("alpha") != std::string::npos || name == "rgba.png" ? 1 : 0;
    EXPECT_LE(difference(expected_image("decode/" + name), read_image(picture(name))).most, bound);
}

INSTANTIATE_TEST_SUITE_P(
    Files, DecodeExact,
    ::testing::Values(
        "rgb.png", "gray.png", "rgba.png", "gray_alpha.png", "palette.png", "palette_alpha.png", "bits.png",
        "rgb16.png", "gray16.png", "rgb.bmp", "gray.bmp", "palette.bmp", "one_pixel.png"),
    [](const auto& row) {
        std::string name = row.param;
        std::ranges::replace(name, '.', '_');
        return name;
    });

// JPEG decoders differ by a step or two in each value, and in how they widen halved colour.
class DecodeJpeg : public ::testing::TestWithParam<const char*> {};

TEST_P(DecodeJpeg, ReadsNearlyWhatPillowReads) {
    const auto found = difference(expected_image("decode/" + std::string(GetParam())), read_image(picture(GetParam())));
    EXPECT_LE(found.most, 6);
    EXPECT_LE(found.mean, 0.6);
}

INSTANTIATE_TEST_SUITE_P(
    Files, DecodeJpeg,
    ::testing::Values(
        "full.jpg", "half.jpg", "progressive.jpg", "gray.jpg", "cmyk.jpg", "exif1.jpg", "exif2.jpg", "exif3.jpg",
        "exif4.jpg", "exif5.jpg", "exif6.jpg", "exif7.jpg", "exif8.jpg"),
    [](const auto& row) {
        std::string name = row.param;
        return name.substr(0, name.find('.'));
    });

TEST(Decode, BoundCanSeeAnotherPicture) {
    // Upside down, and one orientation for another: far beyond the bounds above.
    EXPECT_GT(difference(expected_image("decode/exif2.jpg"), read_image(picture("exif1.jpg"))).mean, 5.0);
    EXPECT_GT(difference(expected_image("decode/exif3.jpg"), read_image(picture("exif1.jpg"))).mean, 5.0);
}

using Refusal = testing::Scratch;

TEST_F(Refusal, NamesTheFileThatIsNoPicture) {
    expect_error([&] { (void)read_image(path("absent.png")); }, {"[read_image]", "absent.png", "cannot be opened"});
    expect_error([&] { (void)read_image(directory_); }, {"is a directory"});
    expect_error([&] { (void)read_image(write("empty.png", "")); }, {"empty.png", "is empty"});
    expect_error([&] { (void)read_image(write("a.jpg", "hello world")); }, {"a.jpg", "not a picture", "'hello wo'"});
    expect_error(
        [&] { (void)read_image(write("b.jpg", "GIF89a......")); }, {"b.jpg", "is a GIF file", "JPEG, PNG or BMP"});
    expect_error([&] { (void)read_image(write("c.jpg", "RIFF1234WEBPVP8 ")); }, {"is a WebP file"});
}

TEST_F(Refusal, EveryTruncationIsAnErrorAndNeverAPicture) {
    for (const char* name : {"rgb.png", "palette.png", "full.jpg", "progressive.jpg", "exif6.jpg", "rgb.bmp"}) {
        const std::string whole = bytes_of_file(picture(name));
        // Behind the last row a BMP may lack padding, and behind the end marker nothing counts.
        for (std::size_t length = 0; length + 4 < whole.size(); ++length) {
            EXPECT_THROW((void)decode_image(std::string_view(whole).substr(0, length), name), Error)
                << name << " cut to " << length << " of " << whole.size();
        }
    }
}

TEST_F(Refusal, ChangedBytesGiveAPictureOrAnError) {
    for (const char* name : {"rgb.png", "palette_alpha.png", "half.jpg", "cmyk.jpg", "exif8.jpg", "palette.bmp"}) {
        const std::string whole = bytes_of_file(picture(name));
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (const int change : {0x01, 0x80, 0xFF}) {
                std::string changed = whole;
                changed[at] = static_cast<char>(changed[at] ^ change);
                try {
                    const Image image = decode_image(changed, name);
                    EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(image.width * image.height * 3));
                } catch (const Error&) {
                }
            }
        }
    }
}

TEST_F(Refusal, WrongChecksumOfAPng) {
    std::string bytes = bytes_of_file(picture("rgb.png"));
    bytes[bytes.find("IDAT") + 20] ^= 1;
    expect_error([&] { (void)decode_image(bytes, "x.png"); }, {"x.png", "'IDAT'", "wrong checksum"});
}

TEST_F(Refusal, HugeSizesBeforeMemoryIsTaken) {
    const std::string png = bytes_of_file(picture("rgb.png"));
    const ImageLimits limits{.side = 20, .pixels = 100'000'000};
    expect_error([&] { (void)decode_image(png, "x.png", limits); }, {"24 by 16", "at most 20 a side"});
    expect_error([&] { (void)decode_image(png, "x.png", {.pixels = 383}); }, {"24 by 16", "383 in all"});
    EXPECT_EQ(decode_image(png, "x.png", {.pixels = 384}).width, 24);
    expect_error([&] { (void)decode_image(png, "x.png", {.bytes = 100}); }, {"998 bytes", "at most 100"});
    expect_error([&] { (void)read_image(picture("rgb.png"), {.bytes = 100}); }, {"rgb.png", "at most 100"});

    // A JPEG whose frame says 65,500 by 65,500.
    std::string jpeg = bytes_of_file(picture("full.jpg"));
    const std::size_t frame = jpeg.find("\xFF\xC0");
    jpeg.replace(frame + 5, 4, std::string("\xFF\xDC\xFF\xDC", 4));
    expect_error([&] { (void)decode_image(jpeg, "x.jpg"); }, {"x.jpg", "65500 by 65500"});
}

TEST_F(Refusal, PngHeaderBeyondTheLimits) {
    // A million by a million pixels. Only with the right checksum is the size looked at.
    std::string png = bytes_of_file(picture("rgb.png"));
    png.replace(16, 8, big_endian(1'000'000) + big_endian(1'000'000));
    expect_error([&] { (void)decode_image(png, "x.png"); }, {"'IHDR'", "wrong checksum"});
    png.replace(29, 4, big_endian(0xD30FAF2A));
    expect_error([&] { (void)decode_image(png, "x.png"); }, {"1000000 by 1000000", "at most 65535 a side"});
}

TEST_F(Refusal, CmykWithoutAdobesMarker) {
    expect_error(
        [&] { (void)read_image(picture("cmyk_unmarked.jpg")); },
        {"cmyk_unmarked.jpg", "4 channels", "convert it to RGB"});
}

TEST_F(Refusal, BmpThatIsCompressedOrBroken) {
    std::string bytes = bytes_of_file(picture("palette.bmp"));
    bytes[30] = 1;
    expect_error([&] { (void)decode_image(bytes, "x.bmp"); }, {"compressed BMP", "compression 1"});
    bytes[30] = 0;
    bytes.replace(18, 4, "\xFF\xFF\xFF\x7F");
    expect_error([&] { (void)decode_image(bytes, "x.bmp"); }, {"broken header", "2147483647 pixels"});
    bytes.replace(18, 4, std::string("\x01\0\0\x01", 4));
    expect_error([&] { (void)decode_image(bytes, "x.bmp"); }, {"x.bmp", "truncated"});
}

using Encode = testing::Scratch;

TEST_F(Encode, PngComesBackAsItWas) {
    const Image image = read_image(picture("scene.png"));
    write_png(path("out.png"), image);
    EXPECT_EQ(read_image(path("out.png")).pixels, image.pixels);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_), {}), 1) << "a temporary file is left";
}

TEST_F(Encode, JpegComesBackNearly) {
    const Image image = read_image(picture("scene.png"));
    EXPECT_LE(difference(image, decode_image(encode_jpeg(image, 95), "x.jpg")).mean, 4.0);
}

TEST_F(Encode, WritesNothingWhereItCannot) {
    const Image image = filled_image(4, 3, 1, 2, 3);
    expect_error(
        [&] { write_png(path("no/such/place.png"), image); }, {"place.png", "cannot be written: No such file"});
    Image broken = image;
    broken.pixels.pop_back();
    expect_error([&] { write_png(path("out.png"), broken); }, {"[encode_png]", "4 by 3", "35 bytes"});
    EXPECT_FALSE(std::filesystem::exists(path("out.png")));
    expect_error([] { (void)filled_image(0, 3, 1, 2, 3); }, {"[filled_image]", "0 by 3"});
}

TEST_F(Encode, VeryWideAndVerySmallPicturesAreRead) {
    for (const auto& [width, height] : {std::pair{20'000, 3}, std::pair{1, 1}, std::pair{3, 20'000}}) {
        const Image image = decode_image(encode_png(filled_image(width, height, 9, 8, 7)), "x.png");
        EXPECT_EQ(image.width, width);
        EXPECT_EQ(image.height, height);
        EXPECT_EQ(image.pixels.back(), 7);
    }
}

}  // namespace
}  // namespace zoo

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/image/: small pictures of our own in many forms, and what Pillow makes of them.

    pip install pillow==11.3.0
    python3 scripts/make_image_fixtures.py

expected.safetensors holds bytes, [height, width, 3]: "decode/FILE" is the picture as Pillow reads it, "resize/...", "crop/..." and
"letterbox/..." are made of scene.png. The preprocessing is that of torchvision: Resize(n, bilinear, antialias) and CenterCrop(m).
"""
import io
import json
import math
import random
import struct
import zlib
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "image"
WHITE = (255, 255, 255)


def scene(width, height):
    """A sky, a hill, a sun and some noise: smooth parts, edges and fine detail."""
    noise = random.Random(7)
    image = Image.new("RGB", (width, height))
    for y in range(height):
        for x in range(width):
            sky = (90 + 120 * y // height, 140 + 80 * y // height, 230 - 40 * x // width)
            hill = y > height * (0.65 + 0.15 * math.sin(6.0 * x / width))
            red, green, blue = (60, 130 - 50 * x // width, 40) if hill else sky
            wobble = noise.randrange(-12, 13)
            image.putpixel((x, y), (red + wobble, green + wobble, blue + wobble))
    draw = ImageDraw.Draw(image)
    draw.ellipse((width * 0.62, height * 0.1, width * 0.82, height * 0.45), fill=(255, 220, 40))
    draw.line((0, height, width, 0), fill=(200, 20, 30), width=1)
    return image


def png_chunk(kind, payload):
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))


def png16(image, color):
    """16 bits a channel, which Pillow does not write: the low byte differs from the high one."""
    width, height = image.size
    channels = 1 if color == 0 else 3
    data = image.convert("L" if channels == 1 else "RGB").tobytes()
    rows = b"".join(b"\0" + b"".join(bytes((value, 255 - value)) for value in data[y * width * channels:(y + 1) * width * channels])
                    for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 16, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")


def saved(image, form, **options):
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def without_segment(jpeg, marker):
    at = 2
    while jpeg[at + 1] != 0xDA:
        length = struct.unpack(">H", jpeg[at + 2:at + 4])[0]
        if jpeg[at + 1] == marker:
            return jpeg[:at] + jpeg[at + 2 + length:]
        at += 2 + length
    raise ValueError(f"no segment {marker:#x}")


def with_alpha(image, mode):
    alpha = Image.linear_gradient("L").resize(image.size)
    result = image.convert("RGBA" if mode == "RGBA" else "LA")
    result.putalpha(alpha)
    return result


def on_white(image):
    ground = Image.new("RGBA", image.size, (*WHITE, 255))
    return Image.alpha_composite(ground, image.convert("RGBA")).convert("RGB")


def decoded_files():
    """File name to bytes, and to the picture that a reader must see."""
    image = scene(24, 16)
    palette = image.quantize(16)
    see_through = palette.copy()
    see_through.info["transparency"] = bytes([0, 128] + [255] * 14)
    gray = image.convert("L")
    cmyk = saved(image.convert("CMYK"), "JPEG", quality=95, subsampling=0)
    files = {
        "rgb.png": (saved(image, "PNG"), image),
        "gray.png": (saved(gray, "PNG"), gray),
        "rgba.png": (saved(with_alpha(image, "RGBA"), "PNG"), on_white(with_alpha(image, "RGBA"))),
        "gray_alpha.png": (saved(with_alpha(image, "LA"), "PNG"), on_white(with_alpha(image, "LA"))),
        "palette.png": (saved(palette, "PNG"), palette.convert("RGB")),
        "palette_alpha.png": (saved(palette, "PNG", transparency=see_through.info["transparency"]), None),
        "bits.png": (saved(gray.convert("1"), "PNG"), gray.convert("1").convert("RGB")),
        "rgb16.png": (png16(image, 2), image),
        "gray16.png": (png16(image, 0), gray),
        "rgb.bmp": (saved(image, "BMP"), image),
        "gray.bmp": (saved(gray, "BMP"), gray),
        "palette.bmp": (saved(palette, "BMP"), palette.convert("RGB")),
        "one_pixel.png": (saved(image.crop((3, 3, 4, 4)), "PNG"), image.crop((3, 3, 4, 4))),
        "full.jpg": (saved(image, "JPEG", quality=95, subsampling=0), None),
        "half.jpg": (saved(image, "JPEG", quality=90, subsampling=2), None),
        "progressive.jpg": (saved(image, "JPEG", quality=95, subsampling=0, progressive=True), None),
        "gray.jpg": (saved(gray, "JPEG", quality=95), None),
        "cmyk.jpg": (cmyk, None),
        "cmyk_unmarked.jpg": (without_segment(cmyk, 0xEE), None),
    }
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        files[f"exif{orientation}.jpg"] = (saved(image, "JPEG", quality=95, subsampling=0, exif=exif), None)
    for name, (data, seen) in list(files.items()):
        if seen is None:
            seen = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
            seen = on_white(seen) if "transparency" in seen.info else seen.convert("RGB")
            files[name] = (data, seen)
    del files["cmyk_unmarked.jpg"]
    return files, {"cmyk_unmarked.jpg": without_segment(cmyk, 0xEE)}


def crop(image, shorter, size):
    width, height = image.size
    if width <= height:
        image = image.resize((shorter, int(shorter * height / width)), Image.BILINEAR)
    else:
        image = image.resize((int(shorter * width / height), shorter), Image.BILINEAR)
    left, top = round((image.width - size) / 2.0), round((image.height - size) / 2.0)
    return image.crop((left, top, left + size, top + size))


def letterbox(image, width, height):
    if width / image.width < height / image.height:
        size = (width, image.height * width // image.width)
    else:
        size = (image.width * height // image.height, height)
    result = Image.new("RGB", (width, height), (128, 128, 128))
    result.paste(image.resize(size, Image.BILINEAR), ((width - size[0]) // 2, (height - size[1]) // 2))
    return result


def save_tensors(path, tensors):
    header, data = {}, b""
    for name, image in tensors.items():
        pixels = image.convert("RGB").tobytes()
        header[name] = {"dtype": "U8", "shape": [image.height, image.width, 3], "data_offsets": [len(data), len(data) + len(pixels)]}
        data += pixels
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    DATA.mkdir(parents=True, exist_ok=True)
    files, refused = decoded_files()
    expected = {}
    for name, (data, seen) in files.items():
        (DATA / name).write_bytes(data)
        expected[f"decode/{name}"] = seen.convert("RGB")
    for name, data in refused.items():
        (DATA / name).write_bytes(data)
    image = scene(97, 61)
    image.save(DATA / "scene.png")
    for width, height in ((97, 61), (32, 20), (97, 20), (32, 61), (150, 90), (13, 77), (1, 1), (1, 61)):
        expected[f"resize/{width}x{height}"] = image.resize((width, height), Image.BILINEAR)
    upright = image.transpose(Image.ROTATE_90)
    for shorter, size in ((32, 28), (61, 61), (80, 33)):
        expected[f"crop/{shorter}/{size}"] = crop(image, shorter, size)
        expected[f"crop_upright/{shorter}/{size}"] = crop(upright, shorter, size)
    # Every 16th pixel of the size that networks take; all of them would be 150 KB.
    whole = crop(image, 256, 224)
    few = Image.new("RGB", (14, 14))
    for y in range(14):
        for x in range(14):
            few.putpixel((x, y), whole.getpixel((16 * x, 16 * y)))
    expected["crop_few/256/224"] = few
    for width, height in ((64, 64), (40, 64), (64, 30)):
        expected[f"letterbox/{width}x{height}"] = letterbox(image, width, height)
    save_tensors(DATA / "expected.safetensors", expected)


if __name__ == "__main__":
    main()

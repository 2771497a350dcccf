#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes common/src/image/class_names.inc: the names of ImageNet's 1000 classes and of COCO's 80, in the order of the networks' outputs.

    pip download --no-deps torchvision==0.20.1      # ImageNet: models/_meta.py, BSD-3-Clause
    apt-get download darknet                        # COCO: data/coco.names, MIT
    python3 scripts/make_class_names.py torchvision-0.20.1-*.whl darknet_*.deb
"""
import argparse
import ast
import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "common" / "src" / "image" / "class_names.inc"
WIDTH = 130


def imagenet(wheel):
    with zipfile.ZipFile(wheel) as bundle:
        tree = ast.parse(bundle.read("torchvision/models/_meta.py"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "_IMAGENET_CATEGORIES":
            return ast.literal_eval(node.value)
    raise SystemExit("torchvision/models/_meta.py has no _IMAGENET_CATEGORIES")


def coco(package):
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as bundle:
        return bundle.extractfile("./usr/share/darknet/data/coco.names").read().decode().split("\n")[:80]


def literal(name, names):
    assert not any("|" in text or '"' in text or "\\" in text for text in names)
    lines, line = [], ""
    for text in names:
        piece = f"{text}|"
        if len(line) + len(piece) > WIDTH - 6:
            lines.append(line)
            line = ""
        line += piece
    lines.append(line[:-1])
    body = "\n".join(f'    "{line}"' for line in lines)
    return f"constexpr std::string_view {name} =\n{body};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("torchvision", help="the wheel of torchvision 0.20.1")
    parser.add_argument("darknet", help="the Debian package darknet")
    options = parser.parse_args()
    names, objects = imagenet(options.torchvision), coco(options.darknet)
    assert (len(names), len(objects)) == (1000, 80), (len(names), len(objects))
    TARGET.write_text("// SPDX-License-Identifier: Apache-2.0\n"
                      "// Made by scripts/make_class_names.py. ImageNet's names are torchvision's (BSD-3-Clause), COCO's are Darknet's (MIT).\n"
                      + literal("kImageNetNames", names) + "\n" + literal("kCocoNames", objects), encoding="utf-8")


if __name__ == "__main__":
    main()

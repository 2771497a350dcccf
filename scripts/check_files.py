#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every source file by itself: SPDX line, #pragma once, whitespace. Warns about long files. Exit status 1 on errors."""

import argparse
import os
import pathlib
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
SOURCES = (".cpp", ".hpp", ".py", ".cmake", ".sh")
SCRIPTS = ("CMakeLists.txt", "tt-zoo", ".clang-format", ".clang-tidy")
SKIPPED = {".git", ".cache", "__pycache__"}
SOURCE_LINES, TEST_LINES = 400, 500
LARGEST_BYTES = 1 << 20
TRAINED_BYTES = 8 << 20  # weights that the project trained itself


def files_below(root):
    for parent, directories, names in os.walk(root):
        relative = pathlib.Path(parent).relative_to(root)
        # build/ is ignored at the top only: a folder of that name elsewhere is somebody's sources.
        directories[:] = sorted(name for name in directories
                                if name not in SKIPPED and (relative / name) != pathlib.Path("build"))
        for name in sorted(names):
            path = pathlib.Path(parent) / name
            if path.is_file() and not path.is_symlink():
                yield path


def is_source(path):
    if path.suffix in SOURCES or path.name in SCRIPTS:
        return True
    if path.suffix:
        return False
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def check_file(relative, text):
    """Yields (is_error, message) for one source file."""
    lines = text.splitlines()
    head = lines[:2]
    if not any(SPDX in line for line in head):
        yield True, f"{relative}: the first line (second after #!) must be '{SPDX}' in a comment"
    # A file that is meant to be included several times says so at its top.
    if relative.suffix == ".hpp" and "#pragma once" not in lines and "no include guard" not in "\n".join(lines[:10]):
        yield True, f"{relative}: a header needs #pragma once, or the words 'no include guard' where it has a reason"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield True, f"{relative}:{number}: white space at the end of the line"
        if "\t" in line and relative.suffix in (".cpp", ".hpp", ".py"):
            yield True, f"{relative}:{number}: a tab"
    if text and not text.endswith("\n"):
        yield True, f"{relative}: no newline at the end"
    limit = TEST_LINES if relative.parts[0] == "tests" else SOURCE_LINES
    if relative.suffix in (".cpp", ".hpp") and len(lines) > limit:
        yield False, f"{relative}: {len(lines)} lines; split by subject at {limit}"


def check(root):
    errors, warnings = [], []
    for path in files_below(root):
        relative = path.relative_to(root)
        trained = relative.is_relative_to("models") and path.suffix == ".safetensors"
        largest = TRAINED_BYTES if trained else LARGEST_BYTES
        if path.stat().st_size > largest and not relative.is_relative_to("tests/data"):
            errors.append(f"{relative}: {path.stat().st_size} bytes; files above {largest} are fetched, not kept here")
            continue
        if not is_source(path):
            continue
        for is_error, message in check_file(relative, path.read_text(encoding="utf-8", errors="replace")):
            (errors if is_error else warnings).append(message)
    return errors, warnings


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parents[1], type=pathlib.Path)
    errors, warnings = check(parser.parse_args().root.resolve())
    for message in warnings:
        print(f"check_files: warning: {message}", file=sys.stderr)
    for message in errors:
        print(f"check_files: {message}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

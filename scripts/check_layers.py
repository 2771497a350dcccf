#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who may include whom, and what libraries may not do. Prints one line a violation; exit status 1 if any.

The rules are those of docs/architecture.md:
  apps -> models -> common -> TTNN headers, provided by ttnn_cpu or by an installed tt-metal.
"""

import argparse
import pathlib
import re
import sys

ROOTS = ("ttnn_cpu", "common", "models", "apps", "bench", "tests")
LIBRARIES = ("ttnn_cpu", "common", "models")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CONDITION = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)")
PROVIDER = re.compile(r"ZOO_TTNN_PROVIDER|TTNN_CPU|ZOO_(?:EMBEDDED|METAL|PROVIDER)|__has_include\s*\(\s*<ttnn_cpu/")
# Headers that the packages of tt-metal v0.77.0 lack, or hold without what those include.
UNPACKAGED = re.compile(r"^ttnn/operations/(?:conv/(?:conv1d|conv_transpose2d)/|conv/conv2d/(?:conv2d_utils|prepare_conv2d_weights)"
                        r"|data_movement/(?:chunk|clone|expand|fold|move|repeat_interleave|split|squeeze|tilize|unsqueeze|view)/"
                        r"|data_movement/sharded/sharded_to_interleaved/sharded_to_interleaved\.hpp"
                        r"|normalization/(?:batch_norm|groupnorm)/|reduction/(?:topk|sampling)/|transformer/sdpa/"
                        r"|experimental/transformer/(?:rotary_embedding|nlp_\w+_decode)/)")
REACHES_UNPACKAGED = "common/include/zoo/unpackaged_ops.hpp"
PRINTS = re.compile(r"\bstd::(?:cout|cerr|clog|puts|printf|fprintf|print|println)\b"
                    r"|(?<![\w:.>])(?:printf|fprintf|puts|putchar|perror|fputs)\s*\(|\bfmt::print\b")
ENDS = re.compile(r"\bstd::(?:exit|abort|quick_exit|_Exit|terminate)\b|(?<![\w:.>])(?:exit|abort|_exit|quick_exit)\s*\(")


def strip_comments_and_strings(text):
    """Blanks comments and literals and keeps the line structure, so that a rule sees code only."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
                         re.DOTALL)
    # A quote between digits is a separator in a number.
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "", text)
    return pattern.sub(lambda match: "\n" * match.group().count("\n"), text)


class File:
    def __init__(self, root, path):
        self.path = path.relative_to(root)
        self.parts = self.path.parts
        self.layer = self.parts[0]
        self.model = self.parts[1] if self.layer == "models" and len(self.parts) > 2 else None
        self.text = path.read_text(encoding="utf-8", errors="replace")
        self.code = strip_comments_and_strings(self.text)

    def includes(self):
        for number, line in enumerate(self.text.splitlines(), 1):
            if match := INCLUDE.match(line):
                yield number, match[2], match[1] == "<"

    def may_use_torch(self):
        if self.layer == "bench" or self.path.name.startswith("torch_"):
            return True
        # A test that compares with libtorch does so through tests/support/torch_*.
        return self.layer == "tests" and self.path.name.endswith("_torch.cpp")


def is_torch(target):
    return target.split("/")[0] in ("torch", "ATen", "c10", "caffe2")


def model_of(target, models):
    first, _, rest = target.partition("/")
    if first == "models":
        return rest.split("/")[0]
    return first if first in models and rest else None


def include_violations(file, models, internal):
    for number, target, angled in file.includes():
        where = f"{file.path}:{number}"
        other = model_of(target, models)
        if is_torch(target) and not file.may_use_torch():
            yield f"{where}: includes {target}; libtorch belongs in torch_*.hpp/.cpp, tests/support/torch_* and bench"
        if file.layer == "models" and other and other != file.model:
            yield f"{where}: includes {target}; a model never includes another model, move what both need to common"
        if file.layer == "common" and other:
            yield f"{where}: includes {target}; common knows no model"
        if file.layer in ("common", "models") and (target.startswith("ttnn_cpu/") or "ttnn_cpu/src" in target):
            yield f"{where}: includes {target}; common and models use the TTNN headers only"
        if file.layer in ("common", "models", "apps") and UNPACKAGED.match(target) and file.path.as_posix() != REACHES_UNPACKAGED:
            yield f"{where}: includes {target}; packages of tt-metal lack it, reach it through {REACHES_UNPACKAGED}"
        if file.layer in ("common", "models", "apps") and not angled and target in internal:
            yield f"{where}: includes {target}; that is inside ttnn_cpu"
        if file.layer == "ttnn_cpu" and (target.startswith("zoo/") or other):
            yield f"{where}: includes {target}; ttnn_cpu stands alone, it knows neither common nor models"
        if file.layer in LIBRARIES and target.startswith(("apps/", "tests/", "bench/", "gtest/", "gmock/", "CLI/")):
            yield f"{where}: includes {target}; libraries do not know apps, tests or benches"
        if file.layer in LIBRARIES and ".." in target.split("/"):
            yield f"{where}: includes {target}; name a header from its include directory, not by ../"
        if file.layer in LIBRARIES and target == "iostream":
            yield f"{where}: includes <iostream>; libraries print nothing"


def code_violations(file):
    for number, line in enumerate(file.code.splitlines(), 1):
        where = f"{file.path}:{number}"
        condition = CONDITION.match(line)
        if file.layer in ("common", "models") and condition and PROVIDER.search(condition[1]):
            yield f"{where}: asks for the provider; common and models are one source for both"
        if match := PRINTS.search(line):
            yield f"{where}: {match[0].strip(' (')}; libraries print nothing, a caller gives a sink or gets a value"
        if match := ENDS.search(line):
            yield f"{where}: {match[0].strip(' (')}; libraries never end the process, they throw"


def internal_headers(root):
    source = root / "ttnn_cpu" / "src"
    return {str(path.relative_to(source)) for path in source.rglob("*.hpp")} if source.is_dir() else set()


def check(root):
    models = {path.name for path in (root / "models").glob("*") if path.is_dir()} if (root / "models").is_dir() else set()
    internal = internal_headers(root)
    found = []
    count = 0
    for layer in ROOTS:
        for path in sorted((root / layer).rglob("*.[ch]pp")) if (root / layer).is_dir() else []:
            file = File(root, path)
            count += 1
            found += include_violations(file, models, internal)
            if layer in LIBRARIES:
                found += code_violations(file)
    return count, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parents[1], type=pathlib.Path)
    root = parser.parse_args().root.resolve()
    count, found = check(root)
    for line in found:
        print(f"check_layers: {line}", file=sys.stderr)
    if found:
        print(f"check_layers: {len(found)} violations in {count} files", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

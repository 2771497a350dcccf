#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documents against what is there: links, file names, presets, and commands with their options.

Relative links must resolve, headings included. A file named in backticks must exist. A `tt-zoo` command, in backticks or in a
fenced sh block, must be one that the launcher or the program knows, with options that its help names (--cli gives the program).
The lines of a fenced block marked `sh run` are run as well, and must succeed.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

LAUNCHER_COMMANDS = {"demo", "test", "build", "setup", "fetch", "help"}
FOLDERS = ("apps", "bench", "cmake", "common", "docs", "models", "scripts", "tech_reports", "tests", "ttnn_cpu", ".ci")
FENCE = re.compile(r"^(```+|~~~+)\s*(.*?)\s*$")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|!\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
RUN_SECONDS = 120


def documents(root):
    skipped = {"build", ".git", ".cache", "data"}
    for path in sorted(root.rglob("*.md")):
        if not skipped & set(path.relative_to(root).parts):
            yield path


def split_document(text):
    """Returns (lines outside fences as (number, line), fenced blocks as (number, info, lines))."""
    prose, blocks, fence = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line.strip())
        if fence:
            if match and match[1].startswith(fence[0]) and not match[2]:
                blocks.append(fence[1])
                fence = None
            else:
                fence[1][2].append((number, line))
        elif match:
            fence = (match[1], (number, match[2], []))
        else:
            prose.append((number, line))
    return prose, blocks


def anchors(text):
    """The names that headings get: lower case, spaces to dashes, the rest of the punctuation dropped."""
    found = set()
    for _, line in split_document(text)[0]:
        if line.startswith("#"):
            title = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip())
            found.add(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
    return found


class Program:
    """What the built program says about itself. Without a program, every command and option is taken on trust."""

    def __init__(self, path):
        self.path = path
        self.texts = {}

    def help_text(self, *words):
        if words not in self.texts:
            run = subprocess.run([self.path, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                                 check=False)
            self.texts[words] = run.stdout if run.returncode == 0 else ""
        return self.texts[words]

    def all_help(self):
        return self.help_text("help", "--all") or self.help_text("--help-all") or self.help_text("--help")

    def knows_command(self, name):
        return re.search(rf"^\s*(?:\S*tt-zoo\s+)?{re.escape(name)}\b", self.all_help(), re.MULTILINE) is not None

    def knows_option(self, words, option):
        text = self.all_help() + "".join(self.help_text(*words[:count], "--help") for count in range(1, min(len(words), 2) + 1))
        return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text) is not None


class Checker:
    def __init__(self, root, program):
        self.root, self.program, self.found = root, program, []
        presets = root / "CMakePresets.json"
        self.presets = set()
        if presets.exists():
            self.presets = {preset["name"] for preset in json.loads(presets.read_text(encoding="utf-8"))["configurePresets"]}
        weights = root / "scripts" / "weights.json"
        self.weights = set(json.loads(weights.read_text(encoding="utf-8"))) if weights.exists() else set()

    def report(self, document, number, message):
        self.found.append(f"{document.relative_to(self.root)}:{number}: {message}")

    def check_link(self, document, number, target):
        if re.match(r"[a-z]+:", target):
            return
        name, _, anchor = target.partition("#")
        path = (document.parent / name) if name else document
        if not path.exists():
            self.report(document, number, f"link to {target}: no such file")
        elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
            self.report(document, number, f"link to {target}: no such heading")

    def check_path(self, document, number, code):
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?", code) and code.split("/")[0] in FOLDERS and not code.endswith("-"):
            # A header may be named as it is included.
            places = (self.root, self.root / "ttnn_cpu" / "include", self.root / "common" / "include")
            if not any((place / code).exists() for place in places):
                self.report(document, number, f"names {code}: no such file")

    def check_command(self, document, number, line):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            words = line.split()
        while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
            words = words[1:]
        if not words:
            return
        for first, second in zip(words, words[1:]):
            if first == "--preset" and words[0] in ("cmake", "ctest") and self.presets and second not in self.presets:
                self.report(document, number, f"preset '{second}' is not in CMakePresets.json")
        if re.match(r"(\./)?(scripts|\.ci)/", words[0]) and not (self.root / words[0]).exists():
            self.report(document, number, f"runs {words[0]}: no such file")
        if words[0] in ("./tt-zoo", "tt-zoo") and len(words) > 1:
            self.check_zoo(document, number, words[1:])

    def check_zoo(self, document, number, words):
        command = words[0]
        if not re.fullmatch(r"[a-z][a-z0-9-]*", command):
            return
        options = [word.split("=")[0] for word in words[1:] if re.match(r"\[?--[a-z]", word)]
        options = [option.strip("[]") for option in options]
        if command == "fetch":
            known = (self.root / "scripts" / "fetch_weights").read_text(encoding="utf-8")
            for word in words[1:]:
                if word.startswith("--") and f'"{word}"' not in known:
                    self.report(document, number, f"'fetch' has no option {word}")
                elif not word.startswith("--") and word.islower() and word not in self.weights:
                    self.report(document, number, f"'fetch' knows no '{word}'")
            return
        if command in ("test", "build", "setup") or not self.program:
            return
        if command not in LAUNCHER_COMMANDS and not self.program.knows_command(command):
            self.report(document, number, f"tt-zoo has no command '{command}'")
            return
        plain = [word for word in words if re.fullmatch(r"[a-z][a-z0-9_-]*", word)]
        for option in options:
            if not self.program.knows_option(plain, option):
                self.report(document, number, f"'tt-zoo {command}' has no option {option}")

    def run_line(self, document, number, line):
        command = line.strip()
        if not command or command.startswith("#"):
            return
        environment = {**os.environ, "TT_ZOO_NO_INSTALL": "1"}
        if self.program:
            environment["PATH"] = f"{pathlib.Path(self.program.path).parent}:{environment.get('PATH', '')}"
        try:
            run = subprocess.run(["bash", "-c", command], cwd=self.root, env=environment, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=RUN_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            self.report(document, number, f"'{command}' took more than {RUN_SECONDS} s")
            return
        if run.returncode != 0:
            said = (run.stderr.strip() or run.stdout.strip()).splitlines()
            self.report(document, number, f"'{command}' ended with {run.returncode}: {said[-1] if said else 'no output'}")

    def check(self, document, run):
        prose, blocks = split_document(document.read_text(encoding="utf-8"))
        for number, line in prose:
            for match in LINK.finditer(CODE.sub("", line)):
                self.check_link(document, number, match[1] or match[2])
            for match in CODE.finditer(line):
                self.check_path(document, number, match[1])
                self.check_command(document, number, match[1])
        for _, info, lines in blocks:
            words = info.split()
            if not words or words[0] not in ("sh", "bash", "console"):
                continue
            joined = re.sub(r"\\\n", lambda _: " ", "\n".join(line.removeprefix("$ ") for _, line in lines))
            for line in joined.splitlines():
                self.check_command(document, lines[0][0], line)
                if run and "run" in words[1:]:
                    self.run_line(document, lines[0][0], line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[1], type=pathlib.Path)
    parser.add_argument("--cli", help="the built program, to check commands and options")
    parser.add_argument("--run", action="store_true", help="also run the blocks marked `sh run`")
    options = parser.parse_args()
    checker = Checker(options.root.resolve(), Program(options.cli) if options.cli else None)
    count = 0
    for document in documents(checker.root):
        checker.check(document, options.run)
        count += 1
    for line in checker.found:
        print(f"check_docs: {line}", file=sys.stderr)
    print(f"check_docs: {count} documents, {len(checker.found)} faults", file=sys.stderr if checker.found else sys.stdout)
    return 1 if checker.found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each public header alone (-fsyntax-only), so that none relies on what its user happened to include before.

A header that passed is not compiled again until it, or a header it includes, changes: the state is in --stamps.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys


def digest_of(paths, command):
    digest = hashlib.sha256(repr(command).encode())
    for path in sorted(paths):
        try:
            digest.update(path.encode() + b"\0" + pathlib.Path(path).read_bytes())
        except OSError:
            digest.update(b"gone")
    return digest.hexdigest()


def included_files(makefile_rule):
    """The prerequisites of a rule written by -MM (system headers left out)."""
    return makefile_rule.split(":", 1)[1].replace("\\\n", " ").split() if ":" in makefile_rule else []


def compile_alone(header, command):
    """Returns (error text or None, the files that decided it)."""
    source = f'#include "{header}"\n#include "{header}"\n'
    # One compiler run both checks the syntax and lists what was included; a second inclusion tests the guard.
    run = subprocess.run([*command, "-fsyntax-only", "-MMD", "-MF", "/dev/stdout", "-x", "c++", "-"], input=source, text=True,
                         capture_output=True, check=False)
    if run.returncode != 0:
        return run.stderr.strip() or "the compiler failed", []
    return None, [file for file in included_files(run.stdout) if file not in ("-", "<stdin>")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--headers", type=pathlib.Path, required=True, help="a file with a header's path on each line")
    parser.add_argument("--include", action="append", default=[], help="include directories, several joined by ':'")
    parser.add_argument("--stamps", type=pathlib.Path, help="where the state of headers that passed is kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    headers = [line for line in options.headers.read_text(encoding="utf-8").splitlines() if line]
    directories = [part for joined in options.include for part in joined.split(":") if part]
    command = [options.compiler, "-std=c++20", "-Wall", "-Wextra", *(f"-I{directory}" for directory in directories)]
    stamps = {}
    if options.stamps and options.stamps.exists():
        stamps = json.loads(options.stamps.read_text(encoding="utf-8"))

    todo = []
    for header in headers:
        stamp = stamps.get(header)
        if not stamp or stamp["digest"] != digest_of([header, *stamp["files"]], command):
            todo.append(header)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for header, (error, files) in zip(todo, pool.map(lambda name: compile_alone(name, command), todo)):
            if error:
                failed += 1
                stamps.pop(header, None)
                print(f"check_headers: {header} does not compile alone:\n{error}\n", file=sys.stderr)
            else:
                stamps[header] = {"files": files, "digest": digest_of([header, *files], command)}
    if options.stamps:
        options.stamps.write_text(json.dumps({name: stamps[name] for name in headers if name in stamps}), encoding="utf-8")
    print(f"check_headers: {len(headers)} headers, {len(todo)} compiled, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""check_docs finds each planted fault, and nothing in documents that tell the truth."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_docs  # noqa: E402

PROGRAM = """#!/bin/sh
case "$*" in
    "help --all") echo "commands:"; echo "  run MODEL    run a model"; echo "  list         the models"; echo "  demo   show" ;;
    "run --help") echo "tt-zoo run MODEL"; echo "  --question TEXT"; echo "  --json" ;;
    "list") echo bert ;;
    *) exit 2 ;;
esac
"""
GOOD = """# Title of it

See [the guide](docs/guide.md), [below](#title-of-it), [a part](docs/guide.md#second-part).
Read `docs/guide.md`, not `models/<name>/x.cpp`; run `./tt-zoo run bert --question Q --json`, `./tt-zoo test -R x`, `./tt-zoo fetch tiny`.

```sh
cmake --preset release && cmake --build --preset release
TT_ZOO_JOBS=1 ./tt-zoo run bert \\
    --question "what?"
```

```sh run
tt-zoo list
```

```text
./tt-zoo nonsense is not looked at here
```
"""
BAD = [
    ("[x](docs/none.md)", "link to docs/none.md: no such file"),
    ("[x](docs/guide.md#nowhere)", "no such heading"),
    ("`docs/none.md`", "names docs/none.md"),
    ("`./tt-zoo walk bert`", "tt-zoo has no command 'walk'"),
    ("`tt-zoo run bert --answer A`", "'tt-zoo run' has no option --answer"),
    ("`./tt-zoo run bert [--questions Q]`", "has no option --questions"),
    ("`./tt-zoo fetch --nothing`", "'fetch' has no option --nothing"),
    ("`./tt-zoo fetch unheard-of`", "'fetch' knows no 'unheard-of'"),
    ("`cmake --preset nosuch`", "preset 'nosuch'"),
    ("`scripts/none --check`", "runs scripts/none"),
    ("```sh\ntt-zoo run bert \\\n    --answer A\n```", "has no option --answer"),
    ("```sh run\nfalse\n```", "'false' ended with 1"),
]


class Docs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for name, text in {"docs/guide.md": "# Guide\n\n## Second `part`\n", "CMakePresets.json": '{"configurePresets": [{"name": "release"}]}',
                           "scripts/weights.json": '{"tiny": {}}', "scripts/fetch_weights": 'parser("--list")',
                           "bin/tt-zoo": PROGRAM}.items():
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        (self.root / "bin/tt-zoo").chmod(0o755)

    def faults(self, text):
        (self.root / "README.md").write_text(text, encoding="utf-8")
        checker = check_docs.Checker(self.root, check_docs.Program(str(self.root / "bin/tt-zoo")))
        for document in check_docs.documents(self.root):
            checker.check(document, run=True)
        return checker.found

    def test_documents_that_tell_the_truth_pass(self):
        self.assertEqual(self.faults(GOOD), [])

    def test_each_planted_fault_is_found(self):
        for text, message in BAD:
            with self.subTest(text):
                found = self.faults(GOOD + "\n" + text + "\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn(message, found[0])


if __name__ == "__main__":
    unittest.main()

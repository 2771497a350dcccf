# SPDX-License-Identifier: Apache-2.0
"""check_layers and check_files find each planted violation, and nothing in code that keeps the rules."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_files  # noqa: E402
import check_layers  # noqa: E402

GOOD = {
    "ttnn_cpu/src/core/tensor.hpp": "#pragma once\n#include <vector>\n",
    "ttnn_cpu/src/core/tensor.cpp": '#include "core/tensor.hpp"\n#include "ttnn_cpu/numerics.hpp"\nint x = 1\'000;\n',
    "common/src/text.cpp": '#include "zoo/text.hpp"\n#include "ttnn/tensor/tensor.hpp"\n'
                           '// std::cout is not used here, nor exit(1)\nauto s = "printf(x)"; auto r = R"(abort())";\n',
    "common/include/zoo/unpackaged_ops.hpp": '#include "ttnn/operations/transformer/sdpa/sdpa.hpp"\n',
    "models/bert/config.cpp": '#include "models/bert/config.hpp"\n#include "bert/x.hpp"\nint n = snprintf(b, 3, "x");\n'
                              "void f() { log.exit(1); table.puts(2); }\n",
    "models/bert/torch_bert.cpp": "#include <torch/torch.h>\n",
    "models/albert/config.cpp": '#include "zoo/error.hpp"\n',
    "apps/main.cpp": '#include <iostream>\n#include "ttnn_cpu/numerics.hpp"\nint main() { std::cout << 1; exit(0); }\n',
    "tests/support/torch_bridge.cpp": "#include <ATen/ATen.h>\n",
    "tests/ttnn_cpu/core/tensor_test.cpp": '#include "core/tensor.hpp"\n',
    "bench/op_bench.cpp": "#include <torch/torch.h>\n",
}

# (path, text, part of the message)
BAD = [
    ("models/albert/a.cpp", '#include "models/bert/config.hpp"', "never includes another model"),
    ("models/albert/a.cpp", '#include "bert/config.hpp"', "never includes another model"),
    ("models/bert/a.cpp", "#include <torch/torch.h>", "libtorch belongs in"),
    ("tests/models/a_test.cpp", "#include <ATen/ATen.h>", "libtorch belongs in"),
    ("common/src/a.cpp", "#include <c10/util/Half.h>", "libtorch belongs in"),
    ("common/src/a.cpp", '#include "models/bert/config.hpp"', "common knows no model"),
    ("common/src/a.cpp", '#include "ttnn_cpu/numerics.hpp"', "TTNN headers only"),
    ("models/bert/a.cpp", '#include "ttnn_cpu/numerics.hpp"', "TTNN headers only"),
    ("models/bert/a.cpp", '#include "core/tensor.hpp"', "inside ttnn_cpu"),
    ("apps/a.cpp", '#include "core/tensor.hpp"', "inside ttnn_cpu"),
    ("ttnn_cpu/src/core/a.cpp", '#include "zoo/error.hpp"', "stands alone"),
    ("ttnn_cpu/src/core/a.cpp", '#include "models/bert/config.hpp"', "stands alone"),
    ("common/src/a.cpp", '#include "../secret.hpp"', "not by ../"),
    ("common/src/a.cpp", "#include <CLI/CLI.hpp>", "do not know apps"),
    ("models/bert/a.cpp", "#ifdef ZOO_TTNN_PROVIDER_METAL", "asks for the provider"),
    ("common/src/a.cpp", "#if defined(TTNN_CPU)", "asks for the provider"),
    ("common/src/a.cpp", "#if __has_include(<ttnn_cpu/numerics.hpp>)", "asks for the provider"),
    ("common/src/a.cpp", '#include "ttnn/operations/transformer/sdpa/sdpa.hpp"', "packages of tt-metal lack it"),
    ("models/bert/a.cpp", "#include <ttnn/operations/reduction/topk/topk.hpp>", "packages of tt-metal lack it"),
    ("apps/a.cpp", "#include <ttnn/operations/data_movement/fold/fold.hpp>", "packages of tt-metal lack it"),
    ("common/src/a.cpp", "#include <iostream>", "print nothing"),
    ("common/src/a.cpp", 'void f() { std::cout << "x"; }', "std::cout; libraries print nothing"),
    ("models/bert/a.cpp", 'void f() { printf("x"); }', "printf; libraries print nothing"),
    ("ttnn_cpu/src/core/a.cpp", 'void f() { std::fprintf(stderr, "x"); }', "print nothing"),
    ("common/src/a.cpp", 'void f() { fmt::print("x"); }', "print nothing"),
    ("common/src/a.cpp", "void f() { std::exit(1); }", "never end the process"),
    ("ttnn_cpu/src/core/a.cpp", "void f() { abort(); }", "never end the process"),
]


def plant(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// SPDX-License-Identifier: Apache-2.0\n" + text, encoding="utf-8")


class Layers(unittest.TestCase):
    def test_code_that_keeps_the_rules_passes(self):
        with tempfile.TemporaryDirectory() as scratch:
            plant(pathlib.Path(scratch), GOOD)
            count, found = check_layers.check(pathlib.Path(scratch))
            self.assertEqual((count, found), (len(GOOD), []))

    def test_each_planted_violation_is_found(self):
        for name, text, message in BAD:
            with self.subTest(text), tempfile.TemporaryDirectory() as scratch:
                plant(pathlib.Path(scratch), {**GOOD, name: text + "\n"})
                _, found = check_layers.check(pathlib.Path(scratch))
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"{name}:2: ", found[0])
                self.assertIn(message, found[0])

    def test_this_tree(self):
        count, found = check_layers.check(pathlib.Path(__file__).resolve().parents[2])
        self.assertEqual(found, [])
        self.assertGreater(count, 0)


class Files(unittest.TestCase):
    def messages(self, name, text):
        return [message for _, message in check_files.check_file(pathlib.Path(name), text)]

    def test_good_files_pass(self):
        spdx = check_files.SPDX
        self.assertEqual(self.messages("common/src/a.cpp", f"// {spdx}\nint x;\n"), [])
        self.assertEqual(self.messages("common/include/a.hpp", f"// {spdx}\n#pragma once\n"), [])
        self.assertEqual(self.messages("common/src/a.hpp", f"// {spdx}\n// Has no include guard, being read twice.\n"), [])
        self.assertEqual(self.messages("scripts/a", f"#!/bin/sh\n# {spdx}\n"), [])

    def test_each_fault_is_found(self):
        spdx = check_files.SPDX
        self.assertIn("first line", self.messages("a.cpp", f"int x;\nint y;\n// {spdx}\n")[0])
        self.assertIn("#pragma once", self.messages("a.hpp", f"// {spdx}\nint x;\n")[0])
        self.assertIn("a.cpp:2: white space", self.messages("a.cpp", f"// {spdx}\nint x; \n")[0])
        self.assertIn("a.cpp:2: a tab", self.messages("a.cpp", f"// {spdx}\n\tint x;\n")[0])
        self.assertIn("no newline", self.messages("a.cpp", f"// {spdx}\nint x;")[0])

    def test_long_files_warn_only(self):
        text = f"// {check_files.SPDX}\n" + "int x;\n" * 450
        self.assertEqual([error for error, _ in check_files.check_file(pathlib.Path("common/a.cpp"), text)], [False])
        self.assertEqual(self.messages("tests/a_test.cpp", text), [])

    def test_this_tree(self):
        errors, _ = check_files.check(pathlib.Path(__file__).resolve().parents[2])
        self.assertEqual(errors, [])


if __name__ == "__main__":
    unittest.main()

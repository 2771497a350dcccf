# SPDX-License-Identifier: Apache-2.0
"""The built program as the shell sees it: exit status, standard output and what it says on standard error."""

import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def run(*arguments, stdout=subprocess.PIPE, **variables):
    return subprocess.run([PROGRAM, *arguments], stdout=stdout, stderr=subprocess.PIPE, text=True, check=False,
                          env=dict(os.environ, **variables))


class Program(unittest.TestCase):
    def test_what_is_no_command_is_named(self):
        for word in ("nonsense", "--bad"):
            result = run(word)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"tt-zoo: '{word}' is no command; it must be one of help, list, run", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_output_that_cannot_be_written_is_an_error(self):
        for arguments in (("list",), ("help", "--all"), ("info", "mnist", "--json"), ("--version",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = run(*arguments, stdout=full)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertRegex(result.stderr, "^tt-zoo: standard output cannot be written(: No space left on device)?\n$")

    def test_environment_sets_the_device(self):
        self.assertIn("[p150]", run("check", "mnist", "--help", TTNN_CPU_BOARD="p150").stdout.replace("=p150", "[p150]"))
        result = run("list", TTNN_CPU_NUMERICS="exact")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "tt-zoo: TTNN_CPU_NUMERICS is 'exact'; it must be fast or wormhole\n")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/peers.py with a stand-in for tt-zoo, and for peers that are out of reach."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PEERS = pathlib.Path(__file__).resolve().parents[2] / "bench/peers.py"


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


class PeersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        script(self.root / "cache/peers/venv/bin/python", "#!/bin/sh\nexit 1\n")

    def run_peers(self, *arguments, best=(12.0, 24.0)):
        """The stand-in is slower at each of its runs."""
        answer = {"latency": {"best_ms": best[0]}, "torch": {"best_ms": best[1]}, "step_ms": 5.0, "decode_ratio": 3.0}
        program = script(self.root / "tt-zoo", "#!" + sys.executable + f"""
import json, pathlib, sys
calls = pathlib.Path({str(self.root / "calls")!r})
before = calls.read_text().splitlines() if calls.exists() else []
calls.write_text("\\n".join(before + [" ".join(sys.argv[1:])]))
answer = {answer!r}
answer["latency"]["best_ms"] += len(before)
print(json.dumps(answer))
""")
        return subprocess.run([sys.executable, PEERS, "--program", program, *arguments], capture_output=True, text=True, check=False,
                              env=dict(os.environ, TT_ZOO_CACHE=str(self.root / "cache")))

    def test_table_of_the_best(self):
        done = self.run_peers("mobilenetv2", "gpt2", "--rounds", "2", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| mobilenetv2 | 12.0 | 24.0 | 0.50 |", done.stdout)
        self.assertIn("| gpt2, a token | 5.0 | 15.0 | 0.33 |", done.stdout)
        for package in ("onnxruntime", "openvino"):
            self.assertIn(f"package {package} is out of reach", done.stderr)
        self.assertIn("mobilenetv2: round 2 of 2", done.stderr)
        calls = (self.root / "calls").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(calls), 8)
        self.assertEqual(calls[0], "bench mobilenetv2 --weights random --mode trace --iterations 10 --threads 1 --json")
        self.assertEqual(calls[1], calls[0] + " --compare torch")

    def test_json(self):
        done = self.run_peers("resnet50", "--rounds", "1", "--json")
        self.assertEqual(json.loads(done.stdout)["best_ms"], {"resnet50": {"tt-zoo": 12.0, "libtorch": 24.0}})

    def test_wrong_usage(self):
        for arguments, message in ((["resnet51"], "network 'resnet51' is none of resnet18, "),
                                   (["resnet50", "--rounds", "0"], "--rounds is 0, must be at least 1")):
            done = self.run_peers(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_no_peer_at_all(self):
        self.assertEqual(self.run_peers("resnet50", "--no-torch").returncode, 3)

    def test_a_program_that_fails(self):
        script(self.root / "broken", "#!/bin/sh\nexit 7\n")
        done = self.run_peers("resnet50", "--program", str(self.root / "broken"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit status 7", done.stderr)


if __name__ == "__main__":
    unittest.main()

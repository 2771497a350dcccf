# SPDX-License-Identifier: Apache-2.0
"""The launcher ./tt-zoo, with stand-ins for cmake, ctest, apt-get and the built program."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

LAUNCHER = pathlib.Path(__file__).resolve().parents[2] / "tt-zoo"

PROGRAM = 'echo "program: $*"; echo "coretype: ${OPENBLAS_CORETYPE:-none}"; exit "${PROGRAM_STATUS:-0}"'
CMAKE = """
echo "cmake $*" >>"$CALLS"
case "$1" in
    --preset) [ -z "$CONFIGURE_FAILS" ] || { echo "CMake Error: no compiler"; exit 1; }
              mkdir -p build/release; touch build/release/build.ninja ;;
    --build)  echo "[1/2] Building CXX object a.o"
              [ -z "$BUILD_FAILS" ] || { echo "FAILED: b.o"; echo "b.cpp:1:1: error: planted"; exit 1; }
              echo "[2/2] Linking" ;;
esac
"""
CTEST = """
echo "ctest $*" >>"$CALLS"
echo "    Start 1: good.one"
echo "1/2 Test #1: good.one ....   Passed    0.01 sec"
echo "    Start 2: bad.one"
echo "2/2 Test #2: bad.one .....***Failed    0.01 sec"
echo "expected 1, found 2"
echo
echo "50% tests passed, 1 tests failed out of 2"
echo
echo "The following tests FAILED:"
exit 8
"""
DPKG_QUERY = 'for name in $MISSING; do [ "$name" = "$3" ] && exit 1; done; printf installed'


class Launcher(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "zoo with space"
        self.bin = pathlib.Path(scratch.name) / "bin"
        self.calls = pathlib.Path(scratch.name) / "calls"
        self.root.mkdir()
        shutil.copy(LAUNCHER, self.root / "tt-zoo")
        self.script(self.root / "scripts" / "fetch_weights", 'echo "fetch $*" >>"$CALLS"; exit "${FETCH_STATUS:-0}"')
        self.script(self.bin / "cmake", CMAKE)
        self.script(self.bin / "ctest", CTEST)
        self.script(self.bin / "dpkg-query", DPKG_QUERY)
        self.script(self.bin / "apt-get", 'echo "apt-get $*" >>"$CALLS"; [ -z "$APT_FAILS" ] || { echo "E: planted"; exit 100; }')
        self.script(self.bin / "sudo", '[ "$1" != -n ] || shift; "$@"')

    def script(self, path, body):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + body + "\n", encoding="utf-8")
        path.chmod(0o755)

    def build_program(self):
        self.script(self.root / "build" / "release" / "bin" / "tt-zoo", PROGRAM)

    def run_launcher(self, *arguments, user=None, **environment):
        surroundings = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": "/nonexistent", "CALLS": str(self.calls), "CI": "true",
                        **environment}
        return subprocess.run([self.root / "tt-zoo", *arguments], cwd="/", env=surroundings, text=True, user=user,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def called(self):
        return self.calls.read_text(encoding="utf-8") if self.calls.exists() else ""

    def test_help_names_both_set_up_commands_and_the_environment(self):
        for arguments in ([], ["help"], ["--help"], ["-h"]):
            run = self.run_launcher(*arguments)
            self.assertEqual(run.returncode, 0)
            for text in ("./tt-zoo demo", "./tt-zoo test", "TT_ZOO_PRESET", "TT_ZOO_NO_INSTALL"):
                self.assertIn(text, run.stdout)

    def test_unknown_option_is_a_usage_error(self):
        run = self.run_launcher("--nonsense")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("'--nonsense' is no option", run.stderr)

    def test_subcommand_before_the_build_says_what_to_do_in_one_line(self):
        run = self.run_launcher("list")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertEqual(run.stderr, "tt-zoo: the program is not built yet (preset release); run ./tt-zoo demo or ./tt-zoo test first\n")

    def test_subcommand_goes_to_the_program_with_its_arguments_and_status(self):
        self.build_program()
        run = self.run_launcher("run", "bert", "--question", "a b", PROGRAM_STATUS="7")
        self.assertEqual(run.returncode, 7)
        self.assertIn("program: run bert --question a b\n", run.stdout)
        self.assertEqual(self.called(), "")

    def test_through_a_symbolic_link(self):
        self.build_program()
        link = self.bin / "zoo"
        link.symlink_to(self.root / "tt-zoo")
        run = subprocess.run([link, "list"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
        self.assertIn("program: list", run.stdout)

    def test_core_type_follows_the_cpu_unless_set(self):
        self.build_program()
        cpuinfo = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        flags = next((line for line in cpuinfo.splitlines() if line.startswith("flags")), "").split()
        expected = "none"
        if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= set(flags):
            expected = "SKYLAKEX"
        elif {"avx2", "fma"} <= set(flags):
            expected = "HASWELL"
        self.assertIn(f"coretype: {expected}\n", self.run_launcher("list").stdout)
        self.assertIn("coretype: Zen\n", self.run_launcher("list", OPENBLAS_CORETYPE="Zen").stdout)

    def test_demo_builds_fetches_and_runs(self):
        self.build_program()
        run = self.run_launcher("demo", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("program: demo --json", run.stdout)
        self.assertEqual([line.split()[0] for line in self.called().splitlines()], ["cmake", "cmake", "fetch"])
        self.assertIn("--target bin/tt-zoo", self.called())
        self.assertIn("fetch minilm-l6", self.called())

    def test_demo_runs_when_the_weights_are_out_of_reach(self):
        self.build_program()
        run = self.run_launcher("demo", FETCH_STATUS="3")
        self.assertEqual(run.returncode, 0)
        self.assertIn("program: demo", run.stdout)

    def test_vision_demo_fetches_photos_and_weights_and_names_the_page(self):
        self.build_program()
        run = self.run_launcher("demo", "vision", "--board", "p150")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"program: demo vision --out {self.root}/build/release/vision.html --board p150", run.stdout)
        fetched = [line.split()[1] for line in self.called().splitlines() if line.startswith("fetch")]
        self.assertEqual(fetched, ["photos-darknet", "photos-skimage", "photos-coco", "mnist-digits", "mobilenetv2",
                                   "yolov4-tiny", "resnet50"])
        run = self.run_launcher("demo", "vision", "--out", "/somewhere/page.html")
        self.assertIn("program: demo vision --out /somewhere/page.html\n", run.stdout)

    def test_vision_demo_goes_on_without_what_is_out_of_reach(self):
        self.build_program()
        run = self.run_launcher("demo", "vision", FETCH_STATUS="3")
        self.assertEqual(run.returncode, 0)
        self.assertIn("going on without resnet50", run.stderr)
        self.assertIn("program: demo vision", run.stdout)

    def test_vision_demo_names_what_the_table_has(self):
        table = json.loads((LAUNCHER.parent / "scripts" / "weights.json").read_text(encoding="utf-8"))
        line = next(line for line in LAUNCHER.read_text(encoding="utf-8").splitlines() if "vision_weights=(" in line)
        for name in line[line.index("(") + 1:line.index(")")].split():
            self.assertIn(name, table)

    def test_demo_with_weights_of_ones_own_fetches_nothing(self):
        self.build_program()
        self.run_launcher("demo", "--weights", "/somewhere")
        self.assertNotIn("fetch", self.called())

    def test_test_counts_passes_shows_failures_and_ends_with_the_summary(self):
        run = self.run_launcher("test", "-R", "one")
        self.assertEqual(run.returncode, 8)
        self.assertIn("ctest --preset release --parallel 2 --output-on-failure --no-tests=error -R one", self.called())
        self.assertIn("expected 1, found 2", run.stdout)
        self.assertNotIn("good.one", run.stdout)
        self.assertTrue(run.stdout.endswith("50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n"))
        self.assertIn("good.one", (self.root / "build/release/test.log").read_text(encoding="utf-8"))

    def test_failed_build_shows_the_error_and_runs_nothing(self):
        run = self.run_launcher("test", BUILD_FAILS="1")
        self.assertEqual(run.returncode, 1)
        self.assertIn("b.cpp:1:1: error: planted", run.stderr)
        self.assertIn("the build failed", run.stderr.splitlines()[-1])
        self.assertNotIn("ctest", self.called())

    def test_failed_configuration_shows_the_error(self):
        run = self.run_launcher("demo", CONFIGURE_FAILS="1")
        self.assertEqual(run.returncode, 1)
        self.assertIn("CMake Error: no compiler", run.stderr)
        self.assertIn("cmake could not configure preset 'release'", run.stderr)

    def test_missing_packages_are_installed_by_name(self):
        run = self.run_launcher("setup", MISSING="libdnnl-dev libopenblas0-openmp")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("install -y --no-install-recommends libdnnl-dev libopenblas0-openmp\n", self.called())

    def test_nothing_is_installed_when_nothing_is_missing(self):
        self.assertEqual(self.run_launcher("setup").returncode, 0)
        self.assertEqual(self.called(), "")

    def test_no_install_is_kept(self):
        self.assertEqual(self.run_launcher("setup", MISSING="cmake", TT_ZOO_NO_INSTALL="1").returncode, 0)
        self.assertEqual(self.called(), "")

    def test_packages_that_cannot_be_installed_end_the_run_with_the_command_to_type(self):
        run = self.run_launcher("test", MISSING="libicu-dev", APT_FAILS="1")
        self.assertEqual(run.returncode, 1)
        self.assertIn("E: planted", run.stderr)
        self.assertIn("by hand: apt-get install --no-install-recommends libicu-dev", run.stderr.splitlines()[-1])
        self.assertNotIn("cmake", self.called())

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to become somebody else")
    def test_user_whom_sudo_refuses_gets_the_command_to_type(self):
        self.root.parent.chmod(0o755)
        self.script(self.bin / "sudo", "exit 1")
        run = self.run_launcher("test", user="nobody", MISSING="libicu-dev cmake")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, "tt-zoo: sudo refused; 2 Debian packages are missing; "
                                     "as root: apt-get install --no-install-recommends cmake libicu-dev\n")
        self.assertEqual(self.called(), "")


if __name__ == "__main__":
    unittest.main()

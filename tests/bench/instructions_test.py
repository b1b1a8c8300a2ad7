#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/instructions/measure.py: its readers, its comparisons, and one quick measurement.

usage: instructions_test.py PROGRAM FOLDER_OF_LIBRARY     exit status 77 without valgrind
"""

import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "instructions"))
import measure  # noqa: E402

PROGRAM, LIBRARY = map(Path, sys.argv[1:3])

PROFILE = """# callgrind format
version: 1
part: 1
thread: 2
positions: line
events: Ir
summary: 1234

ob=(1) /usr/lib/libc.so.6
fn=(7) main
3 10
cfn=(8) malloc
calls=5 20
3 100
cob=(2) /somewhere/lib64/libascendcl.so
cfn=(9) aclInit
calls=1 1
4 50
cfn=(8)
calls=2 20
5 40
"""


def run(*arguments):
    """The exit status and the output."""
    printed = io.StringIO()
    with mock.patch.object(sys, "argv", ["measure.py", *map(str, arguments)]):
        with contextlib.redirect_stdout(printed):
            return measure.main(), printed.getvalue()


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def results(self, name, caller, all_threads=1000, spread=0.0):
        def entry(instructions):
            return {"instructions": instructions, "spread_percent": spread, "allocations": 0}
        side = {"caller": entry(caller), "all": entry(all_threads)}
        path = self.folder / name
        path.write_text(json.dumps({"cases": {"kernel": {"off": side, "on": side}}}))
        return path


class Profile(Files):
    def test_counts_instructions_and_allocations_by_thread(self):
        path = self.folder / "profile-02"
        path.write_text(PROFILE)
        counts = measure.Counts()
        measure.read_profile(path, counts)
        self.assertEqual(counts.instructions, {2: 1234})
        self.assertEqual(counts.allocations, {2: 7})
        self.assertIn("/somewhere/lib64/libascendcl.so", counts.objects)


class Compare(Files):
    def compare(self, before, after, *options):
        return run("--compare", before, after, "--strict", *options)

    def test_the_same_figures_pass(self):
        path = self.results("a", 500)
        status, text = self.compare(path, path)
        self.assertEqual(status, 0)
        self.assertNotIn("MORE", text)

    def test_a_calling_thread_over_the_limit_is_marked(self):
        status, text = self.compare(self.results("a", 500), self.results("b", 515))
        self.assertEqual(status, 1)
        self.assertEqual(text.count("MORE"), 2)  # without the checker and with
        self.assertIn("+3.0 %", text)

    def test_the_limit_can_be_chosen(self):
        status, _ = self.compare(self.results("a", 500), self.results("b", 515), "--limit", "4")
        self.assertEqual(status, 0)

    def test_a_change_within_the_spread_passes(self):
        status, _ = self.compare(self.results("a", 500), self.results("b", 515, spread=5.0))
        self.assertEqual(status, 0)

    def test_other_threads_have_no_limit(self):
        status, _ = self.compare(self.results("a", 500), self.results("b", 500, all_threads=2000))
        self.assertEqual(status, 0)


class Ceilings(Files):
    """Ceilings, with given figures instead of a measurement."""
    def measure(self, needed, ceiling, *options):
        path = self.folder / "ceilings.json"
        path.write_text(json.dumps({"compiler": "GNU 12.2.0", "ceilings": {"kernel": ceiling}}))
        sample = {"instructions": {"caller": needed, "all": needed}}
        with mock.patch.object(measure, "valgrind_version", lambda: "valgrind"):
            with mock.patch.object(measure.Setup, "sample", lambda *_: sample):
                status, text = run("--ceilings", path, "--only", "kernel", *options)
        return status, text, json.loads(path.read_text())["ceilings"]["kernel"]

    def test_a_row_below_its_ceiling_passes(self):
        status, text, _ = self.measure(200, 210)
        self.assertEqual(status, 0)
        self.assertNotIn("OVER", text)

    def test_a_row_above_its_ceiling_fails(self):
        status, text, _ = self.measure(211, 210)
        self.assertEqual(status, 1)
        self.assertIn("OVER", text)

    def test_the_ceilings_of_another_compiler_check_nothing(self):
        self.assertEqual(self.measure(500, 210, "--compiler", "GNU 13.2.0")[0], 0)
        self.assertEqual(self.measure(500, 210, "--compiler", "GNU 12.2.0")[0], 1)

    def test_new_ceilings_lie_above_what_was_measured(self):
        self.assertEqual(self.measure(300, 210, "--raise-ceilings")[::2], (0, 315))


@unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
class Measurement(Files):
    def measure(self, *options):
        out = self.folder / "out.json"
        status, text = run("--build", PROGRAM.parent.parent, "--library", LIBRARY, "--calls", 200,
                           "--rounds", 2, "--out", out, *options)
        return status, text, out

    def test_a_kernel_costs_the_calling_thread_a_part_of_all(self):
        status, text, out = self.measure("--only", "kernel")
        self.assertEqual(status, 0)
        self.assertIn("| an empty kernel |", text)
        kernel = json.loads(out.read_text())["cases"]["kernel"]
        for side in ("off", "on"):
            caller, everyone = (kernel[side][name]["instructions"] for name in ("caller", "all"))
            self.assertGreater(caller, 50)
            self.assertGreater(everyone, caller)
            self.assertLess(everyone, 20000)

    def test_another_library_than_the_named_one_is_an_error(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            status, _ = run("--build", PROGRAM.parent.parent, "--library", elsewhere, "--only",
                            "get_device", "--calls", 1, "--rounds", 1)
        self.assertEqual(status, 2)
        self.assertIn("not with the library in", errors.getvalue())


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(0 if shutil.which("valgrind") else measure.SKIPPED)

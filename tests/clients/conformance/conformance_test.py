# SPDX-License-Identifier: Apache-2.0
"""Suites are found, run and written into the page (scripts/conformance)."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import page  # noqa: E402
import suites  # noqa: E402


def make_checkout(folder):
    for case, script in (("good", "exit 0"), ("bad", "exit 3"), ("hanging", "sleep 1000")):
        (folder / "kit" / "examples" / case).mkdir(parents=True)
        (folder / "kit" / "examples" / case / "run.sh").write_text(script + "\n", encoding="utf-8")
    return folder / "kit"


def a_suite(**changes):
    row = {"name": "kit", "repository": "someone/kit", "marker": "examples/good", "cases": "examples/*/run.sh",
           "command": "bash run.sh", "timeout_s": 1, "expected": [{"cases": "bad", "reason": "It exits with 3."}]}
    return suites.Suite(**{**row, **changes})


def run(suite, checkout):
    lines = []
    result = suites.run_suite(suite, checkout, dict(os.environ), {},
                              lambda suite, case, status, output: lines.append((case, status)))
    return result, dict(lines)


class Conformance(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.checkout = make_checkout(pathlib.Path(self.folder.name))

    def test_a_suite_is_found_by_its_marker_in_the_folder_or_below_it(self):
        self.assertEqual(suites.find(a_suite(), self.checkout.parent), self.checkout)
        self.assertEqual(suites.find(a_suite(), self.checkout), self.checkout)
        self.assertIsNone(suites.find(a_suite(marker="nothing"), self.checkout))

    def test_a_case_passes_by_its_exit_status_and_fails_at_its_time_limit(self):
        result, statuses = run(a_suite(), self.checkout)
        self.assertEqual(statuses, {"bad": 3, "good": 0, "hanging": 124})
        self.assertEqual((result.passed, sorted(result.failed)), (1, ["bad", "hanging"]))

    def test_a_junit_report_of_the_run_is_counted(self):
        report = ("<testsuite><testcase name='a'/><testcase name='b'><failure/></testcase>"
                  "<testcase name='c'><skipped/></testcase></testsuite>")
        suite = a_suite(cases="", report="out/*.xml", timeout_s=60,
                        command="mkdir -p out; printf %%s \"%s\" >out/new.xml" % report)
        result, _ = run(suite, self.checkout)
        self.assertEqual((result.passed, result.failed), (1, ["b"]))

    def test_counts_are_read_from_the_output(self):
        suite = a_suite(cases="", counts=r"(?P<passed>\d+) ok, (?P<failed>\d+) bad", command="echo 7 ok, 2 bad")
        result, _ = run(suite, self.checkout)
        self.assertEqual((result.passed, len(result.failed)), (7, 2))

    def test_a_suite_that_did_not_run_is_a_failure(self):
        result, _ = run(a_suite(cases="", report="out/*.xml", command="exit 5"), self.checkout)
        self.assertEqual((result.passed, len(result.failed)), (0, 1))

    def test_the_page_keeps_the_rows_of_suites_that_did_not_run_this_time(self):
        suite, other = a_suite(), a_suite(name="other", expected=[])
        result, _ = run(suite, self.checkout)
        row = page.row_of(suite, "v1", "2026-01-02", result)
        self.assertEqual(row[4:], ["3", "1", "1", "1"])
        text = page.write([suite, other], {"kit": row})
        self.assertEqual(page.read_rows(text), {"kit": row})
        self.assertIn("Not run yet: other.", text)
        self.assertIn("It exits with 3.", text)


if __name__ == "__main__":
    unittest.main()

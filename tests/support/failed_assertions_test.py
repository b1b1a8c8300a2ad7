# SPDX-License-Identifier: Apache-2.0
"""The excerpt of a failed test shows each failure, and leaves out what the test provoked."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import failed_assertions  # noqa: E402

NOISE = [f"[ERROR] provoked {i}" for i in range(1000)]


class FailedAssertions(unittest.TestCase):
    def test_a_failure_is_shown_without_the_messages_far_from_it(self):
        lines = NOISE + ["a_test.cpp:7: FAILED:", "  CHECK( a == b )", "with expansion:", "  1 == 2"] + NOISE
        shown = failed_assertions.excerpt("\n".join(lines))
        self.assertIn("a_test.cpp:7: FAILED:", shown)
        self.assertIn("  1 == 2", shown)
        self.assertNotIn(NOISE[500], shown)
        self.assertLess(len(shown), 30)

    def test_without_a_known_form_the_last_lines_are_shown(self):
        self.assertEqual(failed_assertions.excerpt("\n".join(NOISE))[-1], NOISE[-1])

    def test_many_failures_are_cut(self):
        lines = [f"a_test.cpp:{i}: FAILED:" for i in range(1000)]
        self.assertEqual(len(failed_assertions.excerpt("\n".join(lines))), failed_assertions.MOST)

    def test_only_failed_tests_of_the_file_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "junit.xml"
            file.write_text('<testsuite><testcase name="a" status="run"><system-out>x</system-out></testcase>'
                            '<testcase name="b" status="fail"><system-out>1 &lt; 2</system-out></testcase>'
                            '<testcase name="c" status="notrun"/></testsuite>', encoding="utf-8")
            self.assertEqual(list(failed_assertions.failed_tests(file)), [("b", "1 < 2")])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints why tests failed: for each failed test of a JUnit file of ctest, the assertions that failed.

usage: failed_assertions.py FILE

Messages that a test provokes can fill thousands of lines, so the output of a failed test is reduced
to the lines around each failure that Catch2, unittest or a sanitizer reports, or to its last lines.
"""
import re
import sys
import xml.etree.ElementTree

FAILURE = re.compile(r"FAILED:|^(FAIL|ERROR): |^FAIL |(Thread|Address|Leak)Sanitizer: |runtime error: ")
BEFORE, AFTER, LAST, MOST = 8, 14, 25, 80


def excerpt(output):
    """Returns the lines of the output that show the failures, at most MOST."""
    lines = output.rstrip().splitlines()
    kept = set()
    for at, line in enumerate(lines):
        if FAILURE.search(line):
            kept.update(range(max(0, at - BEFORE), min(len(lines), at + AFTER)))
    shown = sorted(kept) or range(max(0, len(lines) - LAST), len(lines))
    return [lines[at] for at in shown][:MOST]


def failed_tests(file):
    """Yields name and output of each failed test."""
    for case in xml.etree.ElementTree.parse(file).iter("testcase"):
        if case.get("status") == "fail":
            yield case.get("name"), case.findtext("system-out") or ""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, output in failed_tests(sys.argv[1]):
        print(f"-- {name} failed:")
        for line in excerpt(output):
            print("   " + line)


if __name__ == "__main__":
    main()

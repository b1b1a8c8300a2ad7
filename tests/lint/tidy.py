#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on a share of the sources; every finding is an error.

usage: tidy.py PROJECT BUILD CLANG_TIDY CLANG [PATTERN]

.clang-tidy selects the checks. A run takes one source of 64, selected by ACLSIM_TEST_SEED, which
changes daily; without a share (ACLSIM_TEST_SHARE=1/1) it takes all. PATTERN selects the sources whose
paths match it. Generated files are taken from BUILD.
"""

import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile
import zlib

import commands

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import share  # noqa: E402

PARTS = 64
ROOMS = ("device_sim/", "runtime/", "tools/", "pyacl/", "bench/")
FINDING = re.compile(r"^(?P<place>\S+:\d+:\d+): (?:warning|error): (?P<text>.*)$", re.MULTILINE)


def chosen(name, pattern):
    if pattern:
        return re.search(pattern, name) is not None
    parts = PARTS if share.share().of > 1 else 1
    return zlib.crc32(("%s %d" % (name, share.first_seed())).encode()) % parts == 0


def check(tool, row, folder, build):
    words = [word.replace(folder, build) for word in commands.arguments(row["command"])]
    status, output = commands.run([tool, "--quiet", row["file"], "--", *words[1:]], build)
    findings = ["%(place)s: %(text)s" % match.groupdict() for match in FINDING.finditer(output)]
    return findings or (["%s: %s" % (row["file"], output[-500:])] if status else [])


def main():
    project, build = (os.path.realpath(word) for word in sys.argv[1:3])
    tool, compiler = sys.argv[3:5]
    pattern = sys.argv[5] if len(sys.argv) > 5 else ""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        rows = {}
        for row in commands.configure(project, folder, compiler, "-DCMAKE_UNITY_BUILD=OFF",
                                      "-DACLSIM_BUILD_TESTS=OFF", "-DACLSIM_BUILD_SAMPLES=OFF"):
            name = os.path.relpath(row["file"], project)
            if name.startswith(ROOMS) and name.endswith(".cpp") and chosen(name, pattern):
                rows.setdefault(name, row)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = pool.map(lambda row: check(tool, row, folder, build), rows.values())
            findings = sorted({finding for list_ in found for finding in list_})
    for finding in findings:
        print(finding.replace(project + "/", ""))
    print("%d sources, %d findings" % (len(rows), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

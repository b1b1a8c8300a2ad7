#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles sources alone, to check that each includes everything that it uses.

usage: alone.py PROJECT BUILD CXX [PATTERN]

The presets compile several files as one unit, in which a file may use an include of its neighbour. This check
configures the project without units, and lets the compiler check the syntax of single files. Generated
files are taken from BUILD. The daily share (ACLSIM_TEST_SHARE=k/n) is one file of 16n, selected by
ACLSIM_TEST_SEED; PATTERN selects the files whose paths match it.
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

FEWER = 16
CHECK = ["-fsyntax-only", "-w", "-O0", "-fmax-errors=3"]


def chosen(name, pattern):
    if pattern:
        return re.search(pattern, name) is not None
    parts = share.share().of * FEWER if share.share().of > 1 else 1
    return zlib.crc32(("%s %d" % (name, share.first_seed())).encode()) % parts == 0


def check(row, folder, build):
    words = [word.replace(folder, build) for word in commands.arguments(row["command"])]
    status, output = commands.run(words + CHECK, build)
    if status == 0:
        return ""
    errors = [line for line in output.splitlines() if "error" in line]
    return "\n".join(errors) or output[-2000:]


def main():
    project, build, compiler = (os.path.realpath(word) for word in sys.argv[1:4])
    pattern = sys.argv[4] if len(sys.argv) > 4 else ""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        rows = {}
        for row in commands.configure(project, folder, compiler, "-DCMAKE_UNITY_BUILD=OFF"):
            name = os.path.relpath(row["file"], project)
            if not name.startswith("..") and name.endswith(".cpp") and chosen(name, pattern):
                rows.setdefault(name, row)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = pool.map(lambda name: check(rows[name], folder, build), rows)
        for name, errors in zip(rows, checks):
            if errors:
                wrong += 1
                print("%s does not include what it uses:\n%s" % (name, errors), flush=True)
    print("%d files, %d wrong" % (len(rows), wrong))
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the layout of all C and C++ sources with .clang-format.

usage: layout.py PROJECT CLANG_FORMAT

CLANG_FORMAT is version 14: other versions lay out some lines differently. `clang-format-14 -i FILE` corrects a
file; .git-blame-ignore-revs names the commits that only did so.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

VERSION = "14."
ROOMS = ["bench", "device_sim", "include", "pyacl", "pyshmem", "runtime", "samples", "tests", "tools"]
SUFFIXES = {".c", ".cpp", ".h"}
AT_ONCE = 50  # files of one process


def sources(project):
    return [str(path) for room in ROOMS for path in sorted((project / room).rglob("*"))
            if path.suffix in SUFFIXES and path.is_file()]


def check(tool, files):
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], capture_output=True, text=True)
    return sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.MULTILINE))) or (
        [done.stderr] if done.returncode else [])


def main(project, tool):
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    if "version " + VERSION not in version:
        sys.exit("%s: expected version %sx, found: %s" % (tool, VERSION, version.strip()))
    files = sources(pathlib.Path(project))
    parts = [files[begin:begin + AT_ONCE] for begin in range(0, len(files), AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [file for found in pool.map(lambda part: check(tool, part), parts) for file in found]
    for file in wrong:
        print("%s: differs from .clang-format; clang-format-14 -i mends it"
              % file.replace(project + "/", ""))
    print("%d files, %d wrong" % (len(files), len(wrong)))
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

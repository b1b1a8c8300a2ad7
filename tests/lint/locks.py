#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets clang check the lock rules that the sources state (GUARDED_BY, REQUIRES, ACQUIRE).

usage: locks.py PROJECT BUILD CLANG [PATTERN]

The project is configured for clang with unity builds, and each source of device_sim/, runtime/ and
tools/ is checked with -fsyntax-only -Wthread-safety -Werror. Generated files are taken from BUILD.
PATTERN checks only the sources whose paths match it.
"""

import concurrent.futures
import os
import re
import sys
import tempfile

import commands

ROOMS = ("device_sim/", "runtime/", "tools/")
SETTINGS = ["-G", "Ninja", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=32",
            "-DACLSIM_BUILD_TESTS=OFF", "-DACLSIM_BUILD_SAMPLES=OFF", "-DACLSIM_BUILD_BENCH=OFF"]
CHECK = ["-fsyntax-only", "-w", "-O0", "-Wthread-safety", "-Werror=thread-safety"]


def check(row, folder, build):
    # Unity sources belong to the folder of this check, all other generated files to the build.
    source = os.path.realpath(row["file"])
    words = [word if os.path.realpath(word) == source else word.replace(folder, build)
             for word in commands.arguments(row["command"])]
    status, output = commands.run(words + CHECK, build)
    errors = [line for line in output.splitlines() if "error:" in line]
    return errors or ([output[-2000:]] if status else [])


def main():
    project, build = (os.path.realpath(word) for word in sys.argv[1:3])
    compiler = sys.argv[3]
    pattern = sys.argv[4] if len(sys.argv) > 4 else ""
    rows, texts = {}, set()
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for row in commands.configure(project, folder, compiler, *SETTINGS):
            name = os.path.relpath(row["file"], folder if row["file"].startswith(folder) else project)
            if name.startswith(ROOMS) and name.endswith((".cpp", ".cxx")) and re.search(pattern, name):
                rows.setdefault(name, row)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, errors in zip(rows, pool.map(lambda name: check(rows[name], folder, build), rows)):
                texts.update(errors)
    for text in sorted(texts):
        print(text.replace(project + "/", ""))
    print("%d sources, %d broken rules" % (len(rows), len(texts)))
    return 1 if texts or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets clang check the lock rules that the sources state (GUARDED_BY, REQUIRES, ACQUIRE).

usage: locks.py PROJECT BUILD CLANG [PATTERN]

The project is configured for clang with unity builds, and each source of device_sim/, runtime/ and
tools/ is checked with -fsyntax-only -Wthread-safety -Werror. Generated files are those of BUILD.
PATTERN checks only the sources whose paths match it.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOMS = ("device_sim/", "runtime/", "tools/")
TAKES_VALUE = {"-o", "-include", "-MF", "-MT", "-MQ", "-Xclang"}
DROPPED = {"-c", "-MD", "-MMD", "-Winvalid-pch", "-fpch-instantiate-templates", "-Werror"}
CHECK = ["-fsyntax-only", "-w", "-O0", "-Wthread-safety", "-Werror=thread-safety"]


def configure(project, folder, compiler):
    c_compiler = re.sub(r"clang\+\+(?=[^/]*$)", "clang", compiler)
    command = ["cmake", "-S", project, "-B", folder, "-G", "Ninja", "-DCMAKE_UNITY_BUILD=ON",
               "-DCMAKE_UNITY_BUILD_BATCH_SIZE=32", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
               "-DCMAKE_CXX_COMPILER=" + compiler, "-DCMAKE_C_COMPILER=" + c_compiler,
               "-DACLSIM_BUILD_TESTS=OFF", "-DACLSIM_BUILD_SAMPLES=OFF", "-DACLSIM_BUILD_BENCH=OFF"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s\n%s" % (shlex.join(command), done.stderr[-4000:]))
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        return json.load(file)


def arguments(command):
    """The command without its outputs and without precompiled headers."""
    words = iter(shlex.split(command))
    kept = []
    for word in words:
        if word in TAKES_VALUE:
            next(words)
        elif word not in DROPPED:
            kept.append(word)
    return kept + CHECK


def check(row, folder, build):
    # Unity sources belong to the folder of this check, all other generated files to the build.
    command = arguments(row["command"])
    source = os.path.realpath(row["file"])
    command = [word if os.path.realpath(word) == source else word.replace(folder, build)
               for word in command]
    done = subprocess.run(command, cwd=build, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    return "\n".join(errors) or done.stderr[-2000:]


def main():
    project, build = (os.path.realpath(word) for word in sys.argv[1:3])
    compiler = sys.argv[3]
    pattern = sys.argv[4] if len(sys.argv) > 4 else ""
    rows, texts = {}, set()
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for row in configure(project, folder, compiler):
            name = os.path.relpath(row["file"], folder if row["file"].startswith(folder) else project)
            if name.startswith(ROOMS) and name.endswith((".cpp", ".cxx")) and re.search(pattern, name):
                rows.setdefault(name, row)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, errors in zip(rows, pool.map(lambda name: check(rows[name], folder, build), rows)):
                texts.update(errors.splitlines())
    for text in sorted(texts):
        print(text.replace(project + "/", ""))
    print("%d sources, %d broken rules" % (len(rows), len(texts)))
    return 1 if texts or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

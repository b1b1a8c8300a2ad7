#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets clang check the lock rules that the sources state (GUARDED_BY, REQUIRES, ACQUIRE).

usage: locks.py PROJECT BUILD CLANG [PATTERN]

The sources of each library in device_sim/, runtime/ and tools/ are checked as one, with -fsyntax-only
-Wthread-safety -Werror: their common headers are read once, and names are unique in a library. Files of rows
that are compiled several times (ALONE) have no locks. Generated files are taken from BUILD. PATTERN checks only
the libraries whose names match it.
"""

import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

import commands

LIBRARY = re.compile(r"(device_sim|runtime/acl/\w+|runtime/\w+|tools/\w+)/")
ALONE = re.compile(r"runtime/ascendc/(?:vector|cube)/|runtime/aclnn/|runtime/securec/")
SETTINGS = ["-G", "Ninja", "-DCMAKE_UNITY_BUILD=OFF", "-DACLSIM_BUILD_TESTS=OFF",
            "-DACLSIM_BUILD_SAMPLES=OFF", "-DACLSIM_BUILD_BENCH=OFF"]
CHECK = ["-fsyntax-only", "-O0", "-Wno-everything", "-Wthread-safety",
         "-Werror=thread-safety", "-ferror-limit=0"]


def has_locks(path):
    """Whether the source, or a header beside it, has to do with locks."""
    words = re.compile(r"mutex|spin_lock|biased_lock|thread_annotations|GUARDED_BY|LockGuard")
    return words.search(pathlib.Path(path).read_text(encoding="utf-8")) is not None


def libraries(rows, project):
    """Sources and flags of each library."""
    found = {}
    for row in rows:
        name = os.path.relpath(row["file"], project)
        match = LIBRARY.match(name)
        if not match or not name.endswith(".cpp") or (ALONE.match(name) and not has_locks(row["file"])):
            continue
        sources, flags = found.setdefault(match[1], ({}, {}))
        sources.setdefault(row["file"])
        for word in commands.arguments(row["command"])[1:]:
            if word != row["file"]:
                flags.setdefault(word)
    return {name: (list(sources), list(flags)) for name, (sources, flags) in found.items()}


def check(name, sources, flags, folder, build, compiler):
    source = os.path.join(folder, name.replace("/", "_") + ".cpp")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines('#include "%s"\n' % path for path in sources)
    words = [compiler, *(flag.replace(folder, build) for flag in flags), *CHECK, source]
    status, output = commands.run(words, build)
    errors = [line for line in output.splitlines() if "error:" in line]
    return errors or ([output[-2000:]] if status else [])


def main():
    project, build = (os.path.realpath(word) for word in sys.argv[1:3])
    compiler = sys.argv[3]
    pattern = sys.argv[4] if len(sys.argv) > 4 else ""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        found = {name: row for name, row in
                 libraries(commands.configure(project, folder, compiler, *SETTINGS), project).items()
                 if re.search(pattern, name)}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            checks = pool.map(lambda name: check(name, *found[name], folder, build, compiler), found)
            errors = sorted({error for list_ in checks for error in list_})
    for error in errors:
        print(error.replace(project + "/", ""))
    print("%d libraries, %d sources, %d broken rules"
          % (len(found), sum(len(sources) for sources, _ in found.values()), len(errors)))
    return 1 if errors or not found else 0


if __name__ == "__main__":
    sys.exit(main())

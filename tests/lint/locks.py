#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets clang check the lock rules that the sources state (GUARDED_BY, REQUIRES, ACQUIRE).

usage: locks.py PROJECT BUILD CLANG [PATTERN]

The sources of each folder below device_sim/, runtime/ and tools/ in which a file has locks are checked as one,
with -fsyntax-only -Wthread-safety -Werror. ACLSIM_TEST_SHARE=k/n takes every n-th folder.
Generated files are taken from BUILD. PATTERN checks only the folders whose names match it.
"""

import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

import commands

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import share  # noqa: E402

ROOMS = re.compile(r"(?:device_sim|runtime|tools)/")
# Files that declare functions in a way of their own, as in the unity builds.
ALONE = re.compile(r"cuda/capi/proc_table\.cpp|shmem/capi/older\.cpp")
LOCKS = re.compile(r"mutex|spin_lock|biased_lock|thread_annotations|GUARDED_BY|LockGuard|check_lock")
SETTINGS = ["-G", "Ninja", "-DCMAKE_UNITY_BUILD=OFF", "-DACLSIM_BUILD_TESTS=OFF",
            "-DACLSIM_BUILD_SAMPLES=OFF", "-DACLSIM_BUILD_BENCH=OFF"]
CHECK = ["-fsyntax-only", "-O0", "-Wno-everything", "-Wthread-safety",
         "-Werror=thread-safety", "-ferror-limit=0"]


def has_locks(place):
    place = pathlib.Path(place)
    files = place.iterdir() if place.is_dir() else [place]
    return any(LOCKS.search(path.read_text(encoding="utf-8")) for path in files
               if path.suffix in {".h", ".cpp"})


def folders(rows, project, pattern):
    """Sources and flags of each folder."""
    found = {}
    for row in rows:
        name = os.path.relpath(row["file"], project)
        folder = name if ALONE.search(name) else os.path.dirname(name)
        if not ROOMS.match(name) or not name.endswith(".cpp") or not re.search(pattern, folder):
            continue
        sources, flags = found.setdefault(folder, ({}, {}))
        sources.setdefault(row["file"])
        for word in commands.arguments(row["command"])[1:]:
            if word != row["file"]:
                flags.setdefault(word)
    with_locks = [name for name in sorted(found) if has_locks(os.path.join(project, name))]
    return {name: tuple(map(list, found[name])) for index, name in enumerate(with_locks)
            if pattern or share.in_share(index)}


def check(name, sources, flags, folder, build, compiler):
    source = os.path.join(folder, re.sub(r"\W", "_", name) + ".cpp")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines('#include "%s"\n' % path for path in sources)
    words = [compiler, *(flag.replace(folder, build) for flag in flags), *CHECK, source]
    status, output = commands.run(words, build)
    errors = [line for line in output.splitlines() if "error:" in line]
    return errors or ([output[-2000:]] if status else [])


BROKEN_RULE = """#include "device_sim/base/mutex.h"
struct Counter {
  sim::Mutex mutex;
  int count GUARDED_BY(mutex) = 0;
};
int read(Counter& counter) { return counter.count; }
"""


def sees_a_broken_rule(folder, project, compiler):
    """The check is worth nothing if it passes this source; some options silence the analysis."""
    source = pathlib.Path(folder) / "broken_rule.cpp"
    source.write_text(BROKEN_RULE, encoding="utf-8")
    status, output = commands.run([compiler, "-std=c++20", "-I" + project, *CHECK, str(source)], folder)
    return status != 0 and "requires holding mutex" in output


def main():
    project, build = (os.path.realpath(word) for word in sys.argv[1:3])
    compiler = sys.argv[3]
    pattern = sys.argv[4] if len(sys.argv) > 4 else ""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        if not sees_a_broken_rule(folder, project, compiler):
            sys.exit("%s does not report a broken rule" % compiler)
        found = folders(commands.configure(project, folder, compiler, *SETTINGS), project, pattern)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            checks = pool.map(lambda name: check(name, *found[name], folder, build, compiler), found)
            errors = sorted({error for list_ in checks for error in list_})
    for error in errors:
        print(error.replace(project + "/", ""))
    print("%d folders, %d sources, %d broken rules"
          % (len(found), sum(len(sources) for sources, _ in found.values()), len(errors)))
    return 1 if errors or not found else 0


if __name__ == "__main__":
    sys.exit(main())

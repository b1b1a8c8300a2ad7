#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Right programs are clean under `aclsim run --check --guard-reads --fail-on warning`: the samples, the repaired
twins of the planted programs and of the explored ones.

usage: guarded.py ACLSIM TESTS SAMPLES SOURCE PYTHON [PART...]

TESTS and SAMPLES are the build's folders of tests and of samples, SOURCE is the source tree, PYTHON the folder of
acl.so, or "-". PART: samples, twins, explored; all without one. ACLSIM_TEST_SHARE selects a share.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import in_share  # noqa: E402

RANKS = {"13_shmem_ring": 4}


def names_in(source):
    text = re.sub(r"^#define .*", "", source.read_text(encoding="utf-8"), flags=re.M)
    return re.findall(r"\bPROGRAM\((\w+)[,)]", text)


def twins(tests, source):
    for file in ("planted.cpp", "kernels/planted_kernels.cpp", "guarded.cpp"):
        program = tests / "guests" / pathlib.Path(file).stem
        if program.exists():
            for name in names_in(source / "tests" / "guests" / file):
                yield f"{program.name} {name} ok", [program, name, "ok"], []


def explored(tests):
    for program in sorted((tests / "explore" / "programs").glob("*_repaired")):
        if program.name != "ranks_repaired":  # its ranks are threads of one process
            yield program.name, [program], []


def samples(built, source, python):
    for main in sorted((source / "samples").glob("[0-9]*/main.*")):
        name = main.parent.name
        ranks = ["--ranks", str(RANKS[name])] if name in RANKS else []
        if main.suffix == ".py":
            if python != "-" and not (main.parent / "run.sh").exists():
                ranks = ["--ranks", "4"] if "_shmem_" in name else []
                yield name, [sys.executable, main], ranks
            continue
        program = built / name / name.split("_", 1)[1]
        if program.exists():
            yield name, [program], ranks
    for name in ("all_reduce", "alltoallv"):
        program = built / "17_bandwidth_test" / f"{name}_test"
        if program.exists():
            options = "-b 16 -e 64K -f 8 -n 3 -w 1 -p 3 -d int8".split()
            yield f"{name}_test", [program, *options], []


def failure(tool, name, command, options, environment):
    """The output of a program that is not clean; "" if it is."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [tool, "run", "--check", "--guard-reads", "--fail-on", "warning", *options, "--", *command],
            env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=240, errors="replace")
    return f"{name}: {done.returncode}\n{done.stdout}\n" if done.returncode != 0 else ""


def main():
    tool, tests, built, source, python, *parts = sys.argv[1:]
    tests, built, source = map(pathlib.Path, (tests, built, source))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ACLSIM_")}
    if python != "-":
        environment["PYTHONPATH"] = python
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    cases = []
    if not parts or "samples" in parts:
        cases += samples(built, source, python)
    if not parts or "twins" in parts:
        cases += twins(tests, source)
    if not parts or "explored" in parts:
        cases += explored(tests)
    if not cases:
        sys.exit("no program is built")
    chosen = [case for i, case in enumerate(cases) if in_share(i)]
    wrong = [failure(tool, *case, environment) for case in chosen]
    if any(wrong):
        sys.exit("\n".join(filter(None, wrong)))
    print(f"{len(chosen)} of {len(cases)} programs are clean")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Blocking calls of SHMEM beside Open MPI's OpenSHMEM, on this machine, in one run.

Prints the time of a call in microseconds (median of --rounds runs of each, by turns), and how many times
as long ours takes. Open MPI is left out where it is not installed.
"""
import argparse
import shutil
import statistics
import subprocess
import sys
from pathlib import Path


def rows(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          timeout=300)
    pairs = [line.split() for line in done.stdout.splitlines()]
    table = {pair[0]: float(pair[1]) for pair in pairs if len(pair) == 2}
    if "barrier" not in table:
        sys.exit("compare: %s ended with %d:\n%s%s"
                 % (" ".join(map(str, command)), done.returncode, done.stdout, done.stderr))
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build-release"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pes", type=int, default=2, help="with more than two, barriers alone")
    options = parser.parse_args()
    binaries = options.build.resolve() / "bin"
    more = ["barriers"] if options.pes > 2 else []
    commands = {"ours": [binaries / "aclsim", "run", "--ranks", str(options.pes), "--no-labels", "--",
                         binaries / "bench_shmem", *more]}
    if (binaries / "bench_oshmem").exists() and shutil.which("oshrun"):
        commands["Open MPI"] = ["oshrun", "--allow-run-as-root", "--oversubscribe", "-x",
                                "SHMEM_SYMMETRIC_SIZE=128M", "-np", str(options.pes),
                                binaries / "bench_oshmem", *more]
    else:
        print("not here: Open MPI's OpenSHMEM")
    runs = {name: [] for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            runs[name].append(rows(command))
    print("%d PEs, us a call\n%-16s%s   ratio" % (options.pes, "", "".join("%12s" % name for name in runs)))
    for call in runs["ours"][0]:
        medians = [statistics.median(run[call] for run in runs[name]) for name in runs]
        ratio = "%8.2f" % (medians[0] / medians[1]) if len(medians) == 2 else ""
        print("%-16s%s%s" % (call, "".join("%12.3f" % median for median in medians), ratio))


if __name__ == "__main__":
    main()

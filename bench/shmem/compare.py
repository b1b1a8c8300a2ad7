#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Blocking calls of SHMEM compared with Open MPI's OpenSHMEM, on this machine, in one run.

Prints the time of a call in microseconds (median of --rounds runs of each, alternating), and the ratio. A run
gives the best of 20 short rounds of calls, between hosts the median call. Open MPI is left out if it is not
installed. With --two-hosts the PEs are in two network namespaces with UCX over TCP between them, for both;
this needs root and ip.
"""
import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import two_hosts  # noqa: E402

MEMORY = ["-x", "SHMEM_SYMMETRIC_SIZE=128M"]


def rows(text):
    pairs = [line.split() for line in text.splitlines()]
    table = {pair[0]: float(pair[1]) for pair in pairs if len(pair) == 2}
    if "barrier" not in table:
        sys.exit("compare: not all was measured:\n" + text)
    return table


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          timeout=300).stdout


def measures(binaries, pes, over_network):
    """By name: a function that runs the calls once and returns the time of each."""
    what = ["barriers"] if pes > 2 else ["two-hosts"] if over_network else []
    ours, theirs = [binaries / "bench_shmem", *what], [binaries / "bench_oshmem", *what]
    if over_network:
        made = {"ours": lambda: two_hosts.ours(binaries / "aclsim", pes, ours),
                "Open MPI": lambda: two_hosts.open_mpi(["--mca", "spml", "ucx", *MEMORY], pes, theirs,
                                                       must_succeed=False)}  # the reason is in calls.cpp
    else:
        made = {"ours": lambda: output([binaries / "aclsim", "run", "--ranks", str(pes), "--no-labels", "--", *ours]),
                "Open MPI": lambda: output(["oshrun", "--allow-run-as-root", "--oversubscribe", *MEMORY,
                                            "-np", str(pes), *theirs])}
    if not theirs[0].exists() or not shutil.which("oshrun"):
        print("not here: Open MPI's OpenSHMEM")
        del made["Open MPI"]
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build-release"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pes", type=int, default=2, help="with more than two, barriers alone")
    parser.add_argument("--two-hosts", action="store_true")
    options = parser.parse_args()
    once = measures(options.build.resolve() / "bin", options.pes, options.two_hosts)
    runs = {name: [] for name in once}
    with two_hosts.Hosts() if options.two_hosts else contextlib.nullcontext():
        for _ in range(options.rounds):
            for name, run in once.items():
                runs[name].append(rows(run()))
    print("%d PEs on %s, us a call" % (options.pes, "two hosts" if options.two_hosts else "one host"))
    print("%-16s%s   ratio" % ("", "".join("%12s" % name for name in runs)))
    for call in runs["ours"][0]:
        medians = [statistics.median(run[call] for run in runs[name]) for name in runs]
        ratio = "%8.2f" % (medians[0] / medians[1]) if len(medians) == 2 else ""
        print("%-16s%s%s" % (call, "".join("%12.3f" % median for median in medians), ratio))


if __name__ == "__main__":
    os.environ.pop("MASTER_PORT", None)
    main()

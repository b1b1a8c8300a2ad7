#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""AllReduce through HCCL, Open MPI and gloo, on this machine, in one run.

Prints for each size the time of a call in microseconds, and the ratio of HCCL to the fastest other
library (median of --rounds runs of each, alternating). Libraries that are not installed are left out, and
a message reports this.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


def rows(command, env=None):
    """{size: (time of a call, time of a call that is synchronised)}"""
    result = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    if result.returncode != 0:
        sys.exit(f"compare: {' '.join(map(str, command))} ended with {result.returncode}:\n"
                 f"{result.stdout}{result.stderr}")
    table = {}
    for line in result.stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[0].isdigit():
            table[int(words[0])] = (float(words[1]), float(words[2]))
    return table


def peers(build, ranks, limits):
    """name -> a function that measures once."""
    launch = [build / "bin/aclsim", "run", "--ranks", str(ranks), "--no-labels", "--"]
    program = build / "bin"
    found = {"HCCL": lambda: rows([*launch, program / "bench_allreduce_hccl", *limits])}
    if (program / "bench_allreduce_mpi").exists() and shutil.which("mpirun"):
        mpi = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)]
        found["Open MPI"] = lambda: rows([*mpi, program / "bench_allreduce_mpi", *limits])
    if (program / "bench_allreduce_gloo").exists():
        def gloo():
            with tempfile.TemporaryDirectory() as folder:
                return rows([*launch, program / "bench_allreduce_gloo", *limits],
                            dict(os.environ, GLOO_FOLDER=folder))
        found["gloo"] = gloo
    if ranks == 2:
        found["two threads"] = lambda: rows([program / "bench_allreduce_floor", *limits])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build-release"))
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 8])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--from", dest="first", default="8", help="bytes")
    parser.add_argument("--to", dest="last", default=str(64 << 20), help="bytes")
    options = parser.parse_args()
    for ranks in options.ranks:
        measure = peers(options.build.resolve(), ranks, [options.first, options.last])
        missing = {"Open MPI", "gloo"} - measure.keys()
        if missing:
            print(f"not here: {', '.join(sorted(missing))}")
        runs = {name: [] for name in measure}
        for _ in range(options.rounds):
            for name, once in measure.items():
                runs[name].append(once())
        print(f"\nAllReduce of {ranks} processes, us a call")
        others = [name for name in measure if name != "HCCL"]
        print(f"{'bytes':>10}" + "".join(f"{name:>13}" for name in ["HCCL", "each", *others])
              + f"{'ratio':>8}")
        for size in runs["HCCL"][0]:
            median = {name: statistics.median(run[size][0] for run in runs[name]) for name in runs}
            each = statistics.median(run[size][1] for run in runs["HCCL"])
            real = [median[name] for name in others if name != "two threads"]
            ratio = f"{median['HCCL'] / min(real):8.2f}" if real else ""
            print(f"{size:>10}{median['HCCL']:>13.2f}{each:>13.2f}"
                  + "".join(f"{median[name]:>13.2f}" for name in others) + ratio)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""AllReduce between two network namespaces over UCX and TCP: HCCL compared with Open MPI over the same UCX.

Prints for each size the time of a call in microseconds and the ratio (median of --rounds runs of each,
alternating). Needs root, ip, and for the comparison Open MPI and bench_allreduce_mpi.
"""
import argparse
import os
import shutil
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import two_hosts  # noqa: E402


def table(text):
    return {int(words[0]): (float(words[1]), float(words[2]))
            for words in map(str.split, text.splitlines())
            if len(words) == 3 and words[0].isdigit()}


def hccl(build, ranks, limits):
    return table(two_hosts.ours(build / "bin/aclsim", ranks, [build / "bin/bench_allreduce_hccl", *limits]))


def open_mpi(build, ranks, limits):
    # Each mpirun would bind the first rank of its host to the first processor, which both hosts share.
    return table(two_hosts.open_mpi(["--bind-to", "none"], ranks, [build / "bin/bench_allreduce_mpi", *limits]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build-release"))
    parser.add_argument("--ranks", type=int, nargs="+", default=[2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--from", dest="first", default="8", help="bytes")
    parser.add_argument("--to", dest="last", default=str(16 << 20), help="bytes")
    options = parser.parse_args()
    build = options.build.resolve()
    limits = [options.first, options.last]
    measure = {"HCCL": hccl}
    if shutil.which("mpirun") and (build / "bin/bench_allreduce_mpi").exists():
        measure["Open MPI"] = open_mpi
    else:
        print("not here: Open MPI")
    for ranks in options.ranks:
        runs = {name: [] for name in measure}
        with two_hosts.Hosts():
            for _ in range(options.rounds):
                for name, once in measure.items():
                    runs[name].append(once(build, ranks, limits))
        print(f"\nAllReduce of {ranks} processes on two hosts, us a call")
        print(f"{'bytes':>10}{'HCCL':>13}{'each':>13}{'Open MPI':>13}{'ratio':>8}")
        for size in runs["HCCL"][0]:
            ours, each = (statistics.median(run[size][i] for run in runs["HCCL"]) for i in (0, 1))
            line = f"{size:>10}{ours:>13.2f}{each:>13.2f}"
            if "Open MPI" in runs:
                theirs = statistics.median(run[size][0] for run in runs["Open MPI"])
                line += f"{theirs:>13.2f}{ours / theirs:>8.2f}"
            print(line)


if __name__ == "__main__":
    os.environ.pop("MASTER_PORT", None)
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""AllReduce between two network namespaces over UCX and TCP: HCCL beside Open MPI over the same UCX.

Prints for each size the time of a call in microseconds and the ratio (median of --rounds runs of each, by
turns). Needs root, ip, and for the comparison Open MPI and bench_allreduce_mpi.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ("aclsim-bench-a", "aclsim-bench-b")
ADDRESSES = ("10.231.8.1", "10.231.8.2")


def ip(*words, check=True):
    subprocess.run(["ip", *words], check=check, capture_output=not check)


class Hosts:
    """Two namespaces with a cable, while this is entered."""

    def __enter__(self):
        self.__exit__()
        for name in NAMES:
            ip("netns", "add", name)
        ip("link", "add", "cable", "netns", NAMES[0], "type", "veth",
           "peer", "name", "cable", "netns", NAMES[1])
        for name, address in zip(NAMES, ADDRESSES):
            ip("-n", name, "addr", "add", address + "/24", "dev", "cable")
            for link in ("lo", "cable"):
                ip("-n", name, "link", "set", link, "up")
        for name in NAMES:  # the system notices a moment later that both ends are up
            while b"state UP" not in subprocess.check_output(["ip", "-n", name, "link", "show", "cable"]):
                pass
        return self

    def __exit__(self, *_):
        for name in NAMES:
            ip("netns", "del", name, check=False)


def table(text):
    return {int(words[0]): (float(words[1]), float(words[2]))
            for words in map(str.split, text.splitlines())
            if len(words) == 3 and words[0].isdigit()}


def hccl(build, ranks, limits):
    with tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts"
        hosts.write_text("".join(f"{address} slots={ranks // 2}\n" for address in ADDRESSES))
        command = [build / "bin/aclsim", "run", "--ranks", str(ranks), "--hosts", hosts, "--no-labels",
                   "--", build / "bin/bench_allreduce_hccl", *limits]
        parts = [subprocess.Popen(["ip", "netns", "exec", name, *command], text=True,
                                  stdout=subprocess.PIPE) for name in NAMES]
        texts = [part.communicate(timeout=600)[0] for part in parts]
    if any(part.returncode for part in parts):
        sys.exit("two_hosts: HCCL failed")
    return table(texts[0])


# mpirun starts its helpers through a remote shell: `agent HOST COMMAND`.
AGENT = """#!/bin/sh
shift
exec ip netns exec %s sh -c "$*"
""" % NAMES[1]


def open_mpi(build, ranks, limits):
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder) / "agent"
        agent.write_text(AGENT)
        agent.chmod(0o755)
        command = ["ip", "netns", "exec", NAMES[0], "mpirun", "--allow-run-as-root", "--oversubscribe",
                   "--mca", "plm_rsh_agent", agent, "--mca", "pml", "ucx",
                   "--mca", "opal_common_ucx_tls", "any", "--mca", "opal_common_ucx_devices", "any",
                   "-x", "UCX_TLS=tcp,self", "-H",
                   ",".join(f"{address}:{ranks // 2}" for address in ADDRESSES), "-n", str(ranks),
                   build / "bin/bench_allreduce_mpi", *limits]
        result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if result.returncode:
        sys.exit(f"two_hosts: Open MPI failed:\n{result.stdout}{result.stderr}")
    return table(result.stdout)


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
        with Hosts():
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

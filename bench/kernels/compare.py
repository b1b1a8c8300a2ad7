#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of kernels (kernels.asc): a launch compared with an extension call, a vector add with checks and without
compared with a plain loop, a product of halves compared with OpenBLAS's of floats, each of these in two threads.

usage: compare.py [--build FOLDER] [--rounds N]

Installs the build into a separate folder, builds the program there with bisheng, and runs it with checks and without,
alternating. Figures are medians over the rounds. A requirement is met if the ratio of wall-clock time or of processor
time reaches it. A product without OpenBLAS has no ratio. The exit code is 0 even if a requirement is missed.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "kernels.asc"
ON, OFF = "on", "off"
# The emulator's program and line, the reference and its line, checks, the required share of the reference's speed.
ROWS = (
    ("an empty kernel over 8 blocks", "launch", "an extension call", "call", ON, 0.5),
    ("an add of 16 M floats", "add", "a plain loop", "loop", ON, 0.5),
    ("the same, checks off", "add", "a plain loop", "loop", OFF, 0.8),
    ("a product of 1024^3 halves", "product", "sgemm of OpenBLAS", "sgemm", ON, 0.3),
)


def built(build, folder):
    prefix = folder / "prefix"
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    program = folder / "kernels"
    subprocess.run(["bash", "-c", '. "$0/set_env.sh" && bisheng "$1" -O2 -ldl -o "$2"', prefix, SOURCE, program],
                   check=True)
    return prefix, program


def run(prefix, program, checks):
    """{name: (ms of wall-clock time, ms of processor time)}"""
    text = subprocess.run(["bash", "-c", '. "$0/set_env.sh" && exec "$1"', prefix, program], check=True, text=True,
                          stdout=subprocess.PIPE, env={**os.environ, "ACLSIM_KERNEL_CHECKS": checks}).stdout
    return {name: (float(wall), float(cpu)) for name, wall, cpu in map(str.split, text.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build-release"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prefix, program = built(options.build.resolve(), Path(folder))
        runs = {checks: [] for checks in (ON, OFF)}
        for _ in range(options.rounds):
            for checks, found in runs.items():
                found.append(run(prefix, program, checks))
    print("| kernels | | of the speed of | on the clock | by processor time | asked | |")
    print("|---|---:|---|---:|---:|---:|---|")
    for what, ours, of_what, theirs, checks, asked in ROWS:
        found = [one for one in runs[checks] if theirs in one]
        if not found:
            print(f"| {what} | | {of_what} is not here | | | | |")
            continue
        took = statistics.median(one[ours][0] for one in found)
        ratios = [statistics.median(one[theirs][i] / one[ours][i] for one in found) for i in (0, 1)]
        shown = f"{took:.1f} ms" if ours != "launch" else f"{took:.3f} us"  # a thousand launches
        print(f"| {what} | {shown} | {of_what} | {ratios[0]:.2f} | {ratios[1]:.2f} | >= {asked:.2f} | "
              f"{'met' if max(ratios) >= asked else 'MISSED'} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of kernels (kernels.asc): a launch compared with an extension call, a vector add with checks and without
compared with a plain loop, a product of halves compared with OpenBLAS's of floats, each of these in two threads.
Functions of the high-level library (library.asc) compared with plain loops (library_loops.cpp), which the compiler
vectorises: for any machine of the architecture, and on x86 for AVX2 and FMA.

usage: compare.py [--build FOLDER] [--rounds N]

Installs the build into a separate folder, builds the programs there with bisheng, and runs them alternating with checks
and without. Figures are medians over the rounds. A requirement is met if the ratio of wall-clock time or of processor
time reaches it. A product without OpenBLAS has no ratio. The exit code is 0 even if a requirement is missed.
"""
import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ON, OFF = "on", "off"
LIBRARY = (("SoftMax", "softmax"), ("LayerNorm", "layer_norm"), ("Gelu", "gelu"), ("ReduceSum", "reduce_sum"))
# The options of the loops that the library is compared with, and the beginning of their lines.
LOOPS = [("a vectorised loop", "", [], 0.5)]
if platform.machine() in ("x86_64", "AMD64"):
    LOOPS.append(("the same with AVX2 and FMA", "avx2_", ["-mavx2", "-mfma"], None))
# The emulator's program and line, the reference and its line, checks, the required share of the reference's speed.
ROWS = (
    ("an empty kernel over 8 blocks", "launch", "an extension call", "call", ON, 0.5),
    ("an add of 16 M floats", "add", "a plain loop", "loop", ON, 0.5),
    ("the same, checks off", "add", "a plain loop", "loop", OFF, 0.8),
    ("a product of 1024^3 halves", "product", "sgemm of OpenBLAS", "sgemm", ON, 0.3),
) + tuple((f"{name} of 16 M floats", prefix + line, of_what, prefix + line + "_loop", ON, asked)
          for name, line in LIBRARY for of_what, prefix, _, asked in LOOPS)


def built(build, folder):
    """The prefix, and for each program its command and the beginning of the names of its lines."""
    prefix = folder / "prefix"
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    for name in ("kernels", "library"):
        subprocess.run(["bash", "-c", '. "$0/set_env.sh" && bisheng "$1" -O2 -ldl -o "$2"', prefix,
                        FOLDER / f"{name}.asc", folder / name], check=True)
    programs = [([folder / "kernels"], "")]
    compiler = shutil.which("g++") or "c++"  # its vectorised exponentials need no option
    for _, start, options, _ in LOOPS:
        loops = folder / f"{start}loops.so"
        subprocess.run([compiler, "-O3", "-ffast-math", *options, "-shared", "-fPIC", FOLDER / "library_loops.cpp",
                        "-o", loops], check=True)
        programs.append(([folder / "library", loops], start))
    return prefix, programs


def run(prefix, programs, checks):
    """{name: (ms of wall-clock time, ms of processor time)}"""
    found = {}
    for command, start in programs:
        if checks == OFF and len(command) > 1:
            continue  # no row without checks
        text = subprocess.run(["bash", "-c", '. "$0/set_env.sh" && exec "$@"', prefix, *command], check=True, text=True,
                              stdout=subprocess.PIPE, env={**os.environ, "ACLSIM_KERNEL_CHECKS": checks}).stdout
        found |= {start + name: (float(wall), float(cpu)) for name, wall, cpu in map(str.split, text.splitlines())}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build-release"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prefix, programs = built(options.build.resolve(), Path(folder))
        runs = {checks: [] for checks in (ON, OFF)}
        for _ in range(options.rounds):
            for checks, found in runs.items():
                found.append(run(prefix, programs, checks))
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
        verdict = "|" if asked is None else f">= {asked:.2f} | {'met' if max(ratios) >= asked else 'MISSED'}"
        print(f"| {what} | {shown} | {of_what} | {ratios[0]:.2f} | {ratios[1]:.2f} | {verdict} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of the order checker: the core benchmarks (`bench_acl`, cases a to g) and single calls
(`bench_calls`) with it and without, alternating; and calls with --guard-reads and without.

usage: cost.py [--bin FOLDER] [--rounds N] [--only core|calls|guard]

In a round each benchmark runs without the checker and then with it. The cost is the median of the rounds'
ratios, so it depends little on the load of the machine. The figures are medians
too.
"""

import argparse
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import report  # noqa: E402

ASKED, ASKED_LONG = 1.5, 1.05
CALLS = {
    "launch": ("an empty kernel", ASKED),
    "copy": ("a copy of 4 KiB within a device", ASKED),
    "copy_pinned": ("a copy of 4 KiB from pinned memory", ASKED),
    "hop": ("a record and a wait of another stream", ASKED),
    "round_trip": ("an empty kernel and a synchronise", ASKED),
    "host_function": ("a host function", ASKED),
    "callback": ("a callback that a thread serves", ASKED),
    "release_contenders": ("a record, 64 streams that wait for it", ASKED),
    "stream_life": ("a stream made and destroyed", ASKED),
    "event_life": ("an event made and destroyed", ASKED),
    "get_device": ("aclrtGetDevice", ASKED),
    "work_10us": ("a kernel of 10 us", ASKED_LONG),
    "pipeline": ("a copy, 2 records, 2 waits, a kernel of 10 us", ASKED_LONG),
}
# Host code that touches the memory of tasks, for --guard-reads.
GUARDED = {
    "copy_back": "a copy of 4 KiB to pinned memory, a synchronise, a look at it",
    "copy_in": "a store into pinned memory, a copy of 4 KiB from it, a synchronise",
    "function_touches": "a copy of 4 KiB to pinned memory, a host function that changes it, a synchronise",
    "kernel_touches": "a kernel that writes 1 MiB of the device, a synchronise",
}
SIDES = ("0", "1")  # values of ACLSIM_CHECK


def print_row(title, unit, pairs, asked, more_is_better=False):
    costs = [off / on if more_is_better else on / off for off, on in pairs]
    off, on = map(median, zip(*pairs))
    cost = median(costs)
    print("| %s | %s | %.3g | %.3g | %.2f | <= %.2f | %s |" % (
        title, unit, off, on, cost, asked, "met" if cost <= asked else "MISSED"))


def print_head(title):
    print("| %s | | off | on | cost | asked | |" % title)
    print("|---|---|---:|---:|---:|---:|---|")


# A share of a second program's figure, or a count, is not a cost.
def is_cost(row):
    return row.case in "abcdefg" and row.unit not in ("of calls", "wakes")


def by_itself(row):
    """Copies in GB/s: the speed of memcpy in the same run does not depend on the checker."""
    if not row.key.endswith(":share"):
        return row
    return replace(row, key=row.key.replace(":share", ":GBps"), unit="GB/s")


def core(folder, rounds):
    rows = [by_itself(row) for row in report.ROWS if is_cost(row)]
    figures = {side: report.Figures() for side in SIDES}
    benchmarks = dict.fromkeys(row.key.split(":")[0] for row in rows)
    for _ in range(rounds):
        for name in benchmarks:
            for side in SIDES:
                figures[side].add_report(report.run_program(
                    folder / "bench_acl", "^%s/" % name,
                    {"ACLSIM_CHECK": side, "ACLSIM_CHECK_QUIET": "1"}))
    for side in SIDES:
        for name, problem in figures[side].errors.items():
            raise SystemExit("%s with ACLSIM_CHECK=%s: %s" % (name, side, problem))
    print_head("the core benchmarks with the order checker")
    for row in rows:
        pairs = zip(*(figures[side].samples[row.key] for side in SIDES))
        print_row(row.title, row.unit, list(pairs), ASKED, row.better == report.MORE)


def measure_calls(program, side, guard="0", *case):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ACLSIM_")}
    settings = {"ACLSIM_CHECK": side, "ACLSIM_CHECK_GUARD_READS": guard}
    done = subprocess.run([program, *case], env={**clean, **settings}, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit("%s: %s" % (program, done.stderr))
    return {name: float(ns) for name, ns in map(str.split, done.stdout.splitlines())}


def calls(folder, rounds):
    pairs = [[measure_calls(folder / "bench_calls", side) for side in SIDES]
             for _ in range(rounds)]
    print_head("single calls with the order checker, and their share of a synchronise")
    for name, (title, asked) in CALLS.items():
        print_row(title, "ns", [[side[name] for side in pair] for pair in pairs], asked)


def guarded(folder, rounds):
    print("| single calls under the checker, with --guard-reads and without | | off | on | cost |")
    print("|---|---|---:|---:|---:|")
    for name, title in GUARDED.items():
        pairs = [[measure_calls(folder / "bench_calls", "1", guard, name)[name] / 1000
                  for guard in ("0", "1")] for _ in range(rounds)]
        off, on = map(median, zip(*pairs))
        print("| %s | us | %.3g | %.3g | %.2f |" % (title, off, on,
                                                   median(on / off for off, on in pairs)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=Path("build-release/bin"),
                        help="where the programs are (build-release/bin)")
    parser.add_argument("--rounds", type=int, default=9, help="9 if not given")
    parser.add_argument("--only", choices=("core", "calls", "guard"),
                        help="one of the three tables")
    options = parser.parse_args()
    tables = {"core": core, "calls": calls, "guard": guarded}
    for name in [options.only] if options.only else tables:
        tables[name](options.bin, options.rounds)
        if not options.only:
            print()


if __name__ == "__main__":
    main()

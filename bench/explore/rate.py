#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The number of schedules of a program of 1,000 ops that `aclsim explore` runs in a second on one core.

usage: rate.py [--tool PATH] [--program PATH] [--runs N] [--rounds N]

One figure for each kind of program (by the share of kernels among its ops) and each strategy. A second is a
second of processor time, of explore and of all processes that it starts, so a figure depends little on the
load of the machine. Each figure is the best of a few alternating rounds. The mixture is the default strategy
of explore. `start` is a program that enqueues nothing: the cost of a process.
"""

import argparse
import os
import re
import resource
import subprocess

PROGRAMS = [("start", "0", "0"), ("no kernel", "1000", "0"), ("a quarter kernels", "1000", "25"),
            ("kernels only", "1000", "100")]
STRATEGIES = [None, "eager", "random", "pct:3"]
ASKED = 200  # for the mixture


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rate(tool, program, strategy, runs):
    command = [tool, "explore", "--jobs", "1", "--runs", str(runs)]
    command += ["--strategy", strategy] if strategy else []
    core = min(os.sched_getaffinity(0))
    before = cpu_seconds()
    done = subprocess.run(["taskset", "-c", str(core)] + command + ["--"] + program,
                          capture_output=True, text=True)
    used = cpu_seconds() - before
    if done.returncode != 0 or not re.search(r"nothing found after %d runs" % runs, done.stdout):
        raise SystemExit("%s: %s%s" % (" ".join(command), done.stdout, done.stderr))
    return runs / used


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="aclsim")
    parser.add_argument("--program", default="bench_many_ops")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    cases = [(program, strategy) for program in PROGRAMS for strategy in STRATEGIES]
    best = dict.fromkeys(cases, 0)
    for _ in range(options.rounds):
        for program, strategy in cases:
            command = [options.program] + list(program[1:])
            seen = rate(options.tool, command, strategy, options.runs)
            best[program, strategy] = max(best[program, strategy], round(seen))
    names = [strategy or "mixture" for strategy in STRATEGIES]
    print("| schedules a second on one core, 1,000 ops | %s | asked (mixture only) |" % " | ".join(names))
    print("|---|%s---:|" % ("---:|" * len(names)))
    for program in PROGRAMS:
        figures = [str(best[program, strategy]) for strategy in STRATEGIES]
        print("| %s | %s | >= %d |" % (program[0], " | ".join(figures), ASKED))


if __name__ == "__main__":
    main()

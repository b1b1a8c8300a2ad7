#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the order checker adds to a call: `bench_calls` with it and without, by turns.

usage: cost.py [--program PATH] [--rounds N]

Each figure is the quickest of many short batches in all rounds, so that it hangs little on what else
the machine does; the rounds with and without take turns.
"""

import argparse
import os
import subprocess

CASES = {
    "launch": ("an empty kernel", 1.5),
    "copy": ("a copy of 4 KiB within a device", 1.5),
    "copy_pinned": ("a copy of 4 KiB from pinned memory", 1.5),
    "hop": ("a record and a wait of another stream", 1.5),
    "round_trip": ("an empty kernel and a synchronise", 1.5),
    "host_function": ("a host function", 1.5),
    "callback": ("a callback that a thread serves", 1.5),
    "release_crowd": ("a record, 64 streams that wait for it", 1.5),
    "stream_life": ("a stream made and destroyed", 1.5),
    "event_life": ("an event made and destroyed", 1.5),
    "get_device": ("aclrtGetDevice", 1.5),
    "work_10us": ("a kernel of 10 us", 1.05),
    "pipeline": ("a copy, 2 records, 2 waits, a kernel of 10 us", 1.05),
}


def measure(program, check):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ACLSIM_")}
    done = subprocess.run([program], env={**clean, "ACLSIM_CHECK": "1" if check else "0"},
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit("%s: %s" % (program, done.stderr))
    return {name: float(ns) for name, ns in map(str.split, done.stdout.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="bench_calls")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    rounds = [[measure(options.program, check) for check in (False, True)]
              for _ in range(options.rounds)]
    print("| the order checker, ns | off | on | on/off | asked | |")
    print("|---|---:|---:|---:|---:|---|")
    for name, (title, asked) in CASES.items():
        off, on = (min(pair[check][name] for pair in rounds) for check in (0, 1))
        print("| %s | %.0f | %.0f | %.2f | <= %.2f | %s |" % (
            title, off, on, on / off, asked, "met" if on / off <= asked else "MISSED"))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of the verbs on traces, from files to files: processor time and wall time, best of several rounds.

usage: bench/traces.py [--tool ACLSIM] [--ops N] [--rounds N]
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default=str(ROOT / "build-release" / "bin" / "aclsim"))
    parser.add_argument("--ops", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def cost(command):
    """Processor seconds of one process, its wall seconds, and its maximum memory (bytes)."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):  # 1: findings
        raise SystemExit(f"{' '.join(command)}: exit code {child.returncode}")
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss * 1024


def best(commands, rounds):
    """The same for several processes in sequence."""
    runs = []
    for _ in range(rounds):
        parts = [cost(command) for command in commands]
        runs.append((sum(p[0] for p in parts), sum(p[1] for p in parts), max(p[2] for p in parts)))
    return min(runs)


def main():
    wish = arguments()
    tool, ops = os.path.abspath(wish.tool), wish.ops
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        options = ["--devices", "8", "--streams", "8", "--ops", str(ops), "--seed", "1"]
        for kind in ("random", "racy"):
            subprocess.run([tool, "gen", kind, *options, "-o", f"{kind}.aclt.jsonl"], check=True)
        replay = [tool, "replay", "random.aclt.jsonl", "--quiet", "--timeline", "chrome.json"]
        cost(replay)
        rows = [("read the native format", [[tool, "info", "random.aclt.jsonl"]], "random.aclt.jsonl"),
                ("read Chrome JSON", [[tool, "info", "chrome.json"]], "chrome.json"),
                ("check", [[tool, "check", "random.aclt.jsonl", "--quiet"]], None),
                ("check with races", [[tool, "check", "racy.aclt.jsonl", "--quiet"]], None),
                ("replay", [replay[:-2]], None),
                ("replay, with a timeline", [replay], None),
                ("check, then replay with a timeline", [[tool, "check", "random.aclt.jsonl", "--quiet"], replay],
                 None)]
        peer = os.path.join(os.path.dirname(tool), "bench_replay")
        if os.path.exists(peer) and subprocess.run([peer, "--simgrid", "random.aclt.jsonl"]).returncode == 0:
            rows.append(("SimGrid runs the trace, read by our reader", [[peer, "--simgrid", "random.aclt.jsonl"]], None))
        print(f"| {ops:,} ops on 64 streams, as a file | CPU s | wall s | MB/s of CPU | most memory MB | asked | SimGrid's CPU time / ours |")
        print("|---|---|---|---|---|---|---|")
        costs = [best(commands, wish.rounds) for _, commands, _ in rows]
        simgrid = costs[-1][0] if rows[-1][0].startswith("SimGrid") else None
        for (what, commands, read), (cpu, wall, memory) in zip(rows, costs):
            rate = f"{os.path.getsize(read) / 1e6 / cpu:.0f}" if read else ""
            asked = ">= 150 MB/s" if read else "<= 3 s" if len(commands) == 2 else ""
            ratio = f"{simgrid / cpu:.1f}" if simgrid and not read else ""
            print(f"| {what} | {cpu:.2f} | {wall:.2f} | {rate} | {memory / 1e6:.0f} | {asked} | {ratio} |")


main()

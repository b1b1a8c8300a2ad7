#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark programs and prints one table: the emulator on all cores and pinned to one, PoCL, their
ratio, and the required value.

Every figure is the median over the rounds. In a round the programs alternate case by case, so that a
disturbance affects all of them. A required value is met by the figure itself, or, if a ratio is given, by the
ratio to PoCL's inline driver in the same run, because the speed of the machine varies from run to run.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 180
CASES = "abcdefghi"
PINNED = "abcdeg"  # cases that are also run on one core
OURS_ONLY = "i"
OF_ONE_CORE = 0.95  # the required share of one core's figure on all cores
MORE, LESS = "more", "less"  # the better direction
NOT_COUNTERS = {"family_index", "per_family_instance_index", "repetitions", "repetition_index",
                "threads", "iterations", "real_time", "cpu_time"}


@dataclass(frozen=True)
class Row:
    """One line of the table: a counter of a benchmark."""

    title: str
    key: str  # benchmark:counter
    unit: str
    better: str
    asked: float | None = None
    reach: float | None = None
    peer: str | None = ""  # PoCL's benchmark:counter if it has another name; None: PoCL has none
    of_inline: float | None = None  # the ratio to PoCL's inline driver that also counts as met
    instructions: str | None = None  # the case of bench/instructions that counts the instructions of a call
    needs_two: bool = False  # two threads alternate: on one core this measures the system's thread switches

    @property
    def case(self):
        return self.key[0]

    @property
    def peer_key(self):
        return self.key if self.peer == "" else self.peer

    def reaches(self, value, limit):
        return value >= limit if self.better == MORE else value <= limit

    def meets(self, value, inline):
        """None if no value is required, or the figure is unknown."""
        if self.asked is None or value is None:
            return None
        if self.reaches(value, self.asked):
            return True
        return bool(self.of_inline and inline and self.reaches(value / inline, self.of_inline))

    def keeps_up(self, value, one_core):
        """Whether all cores are as good as one; None if that is unknown."""
        if value is None or one_core is None or self.asked is None:
            return None
        ratio_of_one = value / one_core if self.better == MORE else one_core / value
        return ratio_of_one >= OF_ONE_CORE


def copy_rows(name, title):
    sizes = (("4KiB", "4 KiB in batches of 1,000", 0.4, 0.5), ("1MiB", "1 MiB", 0.95, 1.0),
             ("256MiB", "256 MiB", 1.0, 1.2))
    return [Row(f"{title}, {text}", f"f/{name}_{size}:share", "of memcpy", MORE, asked, reach)
            for size, text, asked, reach in sizes]


ROWS = [
    Row("200,000 empty kernels on one stream and a synchronise", "a/tiny_ops:Mops", "M/s", MORE, 14, 20,
        of_inline=2.2, instructions="kernel"),
    Row("one enqueue call of these", "a/tiny_ops:enqueue_ns", "ns", LESS, 80, 50),
    Row("the same from 2 host threads, a stream each", "a/two_threads:Mops", "M/s", MORE, peer=None),
    Row("from 4 host threads", "a/four_threads:Mops", "M/s", MORE, peer=None),
    Row("from 8 host threads", "a/eight_threads:Mops", "M/s", MORE, peer=None),
    Row("aclrtGetDevice", "a/get_device:ns", "ns", LESS, peer=None),
    Row("one op of a captured graph of 1,000", "a/graph_replay:op_ns", "ns", LESS, peer=None),
    Row("the same by 1,000 calls", "a/graph_replay:of_calls", "of calls", LESS, 0.5, 0.35, peer=None),
    Row("one empty kernel and a synchronise", "b/round_trip:us", "us", LESS, 0.5, 0.2,
        instructions="kernel_synchronize"),
    Row("2,000 of these after every worker slept", "b/round_trip_after_sleep:us", "us", LESS, 0.5, 0.2),
    Row("a single one after every worker slept", "b/first_after_sleep:us", "us", LESS),
    Row("synchronise of an idle stream", "b/synchronize_idle:ns", "ns", LESS,
        instructions="synchronize_idle"),
    Row("hop between two streams of one device", "c/hops:us", "us", LESS, 0.25, 0.15,
        of_inline=1.6, instructions="record_wait"),
    Row("hop between streams of two devices", "c/hops_two_devices:us", "us", LESS, 0.25, 0.15,
        of_inline=1.6),
    Row("hops queued first, then released, one device", "c/hops_queued:us", "us", LESS),
    Row("hops queued first, then released, two devices", "c/hops_queued_two_devices:us", "us", LESS),
    Row("one record releases 64 streams, enqueue included", "d/fan_out:us", "us", LESS, 9, 6,
        of_inline=0.93),
    Row("the same, queued first, then released", "d/fan_out_queued:us", "us", LESS),
    Row("host function behind an empty kernel, rate", "e/host_function_rate:Mps", "M/s", MORE, 4, 6,
        peer="e/callback_rate:Mps", of_inline=1.0, instructions="host_function"),
    Row("host function, one at a time", "e/host_function_latency:us", "us", LESS, 0.5, 0.2,
        peer="e/callback_latency:us", needs_two=True),
    Row("host function, its thread asleep", "e/host_function_asleep:us", "us", LESS, peer=None),
    Row("callback on a report thread, rate", "e/callback_rate:Mps", "M/s", MORE, 3, 4,
        instructions="callback"),
    Row("callback that holds the stream, rate", "e/callback_blocking_rate:Mps", "M/s", MORE, peer=None),
    Row("callback, one at a time", "e/callback_latency:us", "us", LESS),
    Row("callback, report thread asleep", "e/callback_asleep:us", "us", LESS, peer=None),
    Row("the same in bare futex wake-ups", "e/callback_asleep:wakes", "wakes", LESS, 1.3, peer=None),
    *copy_rows("device", "within a device"),
    *copy_rows("pinned", "from pinned memory"),
    Row("create and destroy 1,000 streams", "g/streams:ms", "ms", LESS, 0.3, 0.15,
        instructions="stream_life"),
    Row("create and destroy 1,000 events", "g/events:ms", "ms", LESS, 0.08, 0.05,
        instructions="event_life"),
    Row("1,000 idle streams: growth of resident memory", "h/idle_streams:growth_KiB", "KiB", LESS,
        768, 512),
    Row("after one op on each", "h/idle_streams:used_growth_KiB", "KiB", LESS),
    Row("threads of the process", "h/idle_streams:process_threads", "", LESS),
    Row("CPU time in one idle second", "h/idle_streams:idle_cpu_ms", "ms", LESS, 1),
    Row("two kernels of 1 ms on two streams", "i/two_streams:of_one", "of one", LESS, 1.05, 1.02, peer=None),
    Row("16 kernels of 100 us on 8 devices: cores in use", "i/many_devices:of_cores", "of cores", MORE,
        0.8, 0.9, peer=None),
]

# The share of a rate that remains with 64 devices and 10,000 live streams.
SCALE = [
    ("empty kernels on one stream", "scale/tiny_ops:Mops", "a/tiny_ops:Mops", MORE),
    ("hop, one device", "scale/hops:us", "c/hops:us", LESS),
    ("hop, two devices", "scale/hops_two_devices:us", "c/hops_two_devices:us", LESS),
]
SCALE_ASKED = 0.7

FLOOR = [
    ("memcpy 4 KiB", "floor/memcpy_4KiB:GBps", "GB/s"),
    ("memcpy 1 MiB", "floor/memcpy_1MiB:GBps", "GB/s"),
    ("memcpy 256 MiB", "floor/memcpy_256MiB:GBps", "GB/s"),
    ("futex wake", "floor/futex_wake:us", "us"),
    ("clock read", "floor/clock_read:ns", "ns"),
]


# ---- running ----

class Figures:
    """Samples by benchmark:counter, and the errors of benchmarks that failed."""

    def __init__(self):
        self.samples = {}
        self.errors = {}

    def add_report(self, report):
        for entry in report.get("benchmarks", []):
            if entry.get("run_type") == "aggregate":
                continue
            name = re.sub(r"/(iterations|repeats):.*", "", entry["name"])
            if entry.get("error_occurred"):
                self.errors[name] = entry.get("error_message", "failed")
                continue
            for counter, value in entry.items():
                if isinstance(value, (int, float)) and counter not in NOT_COUNTERS:
                    self.samples.setdefault(f"{name}:{counter}", []).append(value)

    def median(self, key):
        values = self.samples.get(key) if key else None
        return statistics.median(values) if values else None

    def as_json(self):
        rows = {key: {"median": statistics.median(values), "min": min(values), "max": max(values),
                      "samples": values} for key, values in sorted(self.samples.items())}
        return {"figures": rows, "errors": self.errors}

    @staticmethod
    def from_json(data):
        figures = Figures()
        figures.samples = {key: row["samples"] for key, row in data["figures"].items()}
        figures.errors = dict(data["errors"])
        return figures


class BusyProcess:
    """A second process that occupies one processor while the block runs."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.process = None

    def __enter__(self):
        if self.wanted:
            self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"])

    def __exit__(self, *unused):
        if self.process:
            self.process.kill()
            self.process.wait()


def run_program(program, pattern, environment=None, pinned=False):
    """The report of the matching benchmarks; if the program fails, a report with one error."""
    def pin():
        if pinned:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [program, f"--benchmark_filter={pattern}", f"--benchmark_out={out}",
                   "--benchmark_out_format=json"]
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ACLSIM_", "POCL_DEVICES"))}
        try:
            done = subprocess.run(command, env={**clean, **(environment or {})}, timeout=TIMEOUT_S,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  check=False, preexec_fn=pin)
            problem = f"ended with {done.returncode}: {done.stderr.strip()[-300:]}"
        except subprocess.TimeoutExpired:
            done, problem = None, f"hung for {TIMEOUT_S} s"
        try:
            report = json.loads(out.read_text())
        except (OSError, ValueError):
            report = {}
        if done is None or done.returncode != 0 or not report:
            report = {"benchmarks": [{"name": f"{program.name} {pattern}", "error_occurred": True,
                                      "error_message": problem}]}
        return report


class Programs:
    """The three programs of a build, and the available drivers of PoCL."""

    def __init__(self, folder):
        self.acl = folder / "bench_acl"
        self.floor = folder / "bench_floor"
        self.opencl = folder / "bench_opencl"
        self.threads = self.find_driver("pthread", "cpu")
        self.inline = self.find_driver("basic", "cpu-minimal")
        self.compiler = "unknown"

    def find_driver(self, *names):
        if not self.opencl.exists():
            return None
        for name in names:
            report = run_program(self.opencl, "^b/synchronize_idle", {"POCL_DEVICES": name})
            if not any(b.get("error_occurred") for b in report["benchmarks"]):
                return name
        return None

    def run_acl(self, pattern, environment=None, pinned=False):
        report = run_program(self.acl, pattern, environment, pinned)
        self.compiler = report.get("context", {}).get("compiler", self.compiler)
        return report

    def run_opencl(self, driver, pattern):
        return run_program(self.opencl, pattern, {"POCL_DEVICES": driver})


def run_case(programs, case, figures):
    """One round of one case in all programs."""
    figures["ours"].add_report(programs.run_acl(f"^{case}/"))
    if case in PINNED:
        figures["one core"].add_report(programs.run_acl(f"^{case}/", pinned=True))
    if case in OURS_ONLY:
        return
    # PoCL counts its devices at start, and its inline drivers never pass a closed gate.
    one_device = {"c": "^c/hops(_queued)?/"}.get(case, f"^{case}/")
    inline = {"c": "^c/hops/", "d": "^d/fan_out/"}.get(case, f"^{case}/")
    if programs.threads:
        name = programs.threads
        figures["threads"].add_report(programs.run_opencl(name, one_device))
        if case == "c":
            figures["threads"].add_report(
                programs.run_opencl(f"{name} {name}", "^c/hops(_queued)?_two_devices"))
    if programs.inline:
        name = programs.inline
        figures["inline"].add_report(programs.run_opencl(name, inline))
        if case == "c":
            figures["inline"].add_report(programs.run_opencl(f"{name} {name}", "^c/hops_two_devices"))


def run_rounds(programs, cases, rounds, busy):
    figures = {side: Figures() for side in ("ours", "one core", "threads", "inline")}
    for number in range(1, rounds + 1):
        for case in cases:
            note = " beside a busy process" if busy else ""
            print(f"round {number} of {rounds}: case {case}{note}", file=sys.stderr, flush=True)
            with BusyProcess(busy):
                run_case(programs, case, figures)
        with BusyProcess(busy):
            if {"a", "c"} & set(cases):
                figures["ours"].add_report(programs.run_acl("^scale/", {"ACLSIM_DEVICES": "64"}))
            figures["ours"].add_report(run_program(programs.floor, "."))
    return figures


def machine(programs):
    model = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    load = os.getloadavg()[0]
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release(),
            "compiler": programs.compiler, "pocl": [programs.threads, programs.inline],
            "load_before": round(load, 2)}


# ---- printing ----

def number(value):
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def ratio(ours, peer):
    return "-" if ours is None or not peer else number(ours / peer)


def verdict(row, ours, one_core, inline):
    """The verdict of two figures: on all cores and on one."""
    met = [row.meets(value, inline) for value in (ours, None if row.needs_two else one_core)]
    if False in met:
        return "MISSED" if met[0] is False else "MISSED on one core"
    if True not in met:
        return ""
    return "met, below one core" if row.keeps_up(ours, one_core) is False else "met"


def asked(row):
    if row.asked is None:
        return ""
    sign = ">=" if row.better == MORE else "<="
    ratio_too = f" or {number(row.of_inline)} of inline" if row.of_inline else ""
    return f"{sign} {number(row.asked)}{ratio_too}" + (f" ({number(row.reach)})" if row.reach else "")


def main_table(sets, instructions):
    """Header and lines; the loaded run adds two columns."""
    quiet, loaded = sets["quiet"], sets.get("loaded")
    header = ["", "what", "unit", "ours", "one core", "PoCL threads", "inline", "ours/threads",
              "ours/inline", "instructions", "required (stretch goal)", ""]
    if loaded:
        header += ["loaded: ours", "PoCL threads"]
    lines = []
    for row in ROWS:
        ours = quiet["ours"].median(row.key)
        one_core = quiet["one core"].median(row.key) if "one core" in quiet else None
        threads = quiet["threads"].median(row.peer_key)
        inline = quiet["inline"].median(row.peer_key)
        if ours is None and threads is None:
            continue
        line = [row.case, row.title, row.unit, number(ours), number(one_core), number(threads),
                number(inline), ratio(ours, threads), ratio(ours, inline),
                instructions.get(row.instructions, "-"), asked(row),
                verdict(row, ours, one_core, inline)]
        if loaded:
            line += [number(loaded["ours"].median(row.key)),
                     number(loaded["threads"].median(row.peer_key))]
        lines.append(line)
    return header, lines


def scale_table(sets):
    header = ["64 devices, 10,000 streams", "small machine", "large machine", "rate kept", "asked", ""]
    lines = []
    for title, large_key, small_key, better in SCALE:
        small = sets["quiet"]["ours"].median(small_key)
        large = sets["quiet"]["ours"].median(large_key)
        if not small or not large:
            continue
        kept = large / small if better == MORE else small / large
        lines.append([title, number(small), number(large), number(kept), f">= {SCALE_ASKED}",
                      "met" if kept >= SCALE_ASKED else "MISSED"])
    return header, lines


def floor_table(sets):
    header = ["the machine alone", "", "unit"] + (["loaded"] if "loaded" in sets else [])
    lines = []
    for title, key, unit in FLOOR:
        values = [number(figures["ours"].median(key)) for figures in sets.values()]
        lines.append([title, values[0], unit, *values[1:]])
    return header, lines


def print_table(header, lines, markdown):
    if not lines:
        return
    table = [header, *lines]
    widths = [max(len(line[i]) for line in table) for i in range(len(header))]
    between, edges = (" | ", ("| ", " |")) if markdown else ("  ", ("", ""))
    for index, line in enumerate(table):
        cells = between.join(cell.ljust(width) for cell, width in zip(line, widths))
        print((edges[0] + cells + edges[1]).rstrip())
        if index == 0:
            rule = between.join("-" * max(3, width) for width in widths)
            print(edges[0] + rule + edges[1])
    print()


def print_report(result, markdown):
    sets = {name: {side: Figures.from_json(data) for side, data in sides.items()}
            for name, sides in result["sets"].items()}
    host = result["machine"]
    drivers = ", ".join(name for name in host["pocl"] if name) or "none"
    print(f"Machine: {host['cpu']}, {host['cores']} cores, Linux {host['kernel']}, "
          f"{host['compiler']}; PoCL drivers: {drivers}; medians of {result['rounds']} rounds; "
          f"load average before the run {host['load_before']}.\n")
    tables = main_table(sets, instructions_of(result)), scale_table(sets), floor_table(sets)
    for header, lines in tables:
        print_table(header, lines, markdown)
    failures = [(name, side, key, text) for name, sides in sets.items()
                for side, figures in sides.items() for key, text in figures.errors.items()]
    for name, side, key, text in failures:
        print(f"failed ({name}, {side}): {key}: {text}")
    return not any(side == "ours" for _, side, _, _ in failures)


def instructions_of(result):
    """By case: the instructions of a call in the calling thread and in all threads."""
    def of(case):
        counts = [case["off"][threads]["instructions"] for threads in ("caller", "all")]
        return " / ".join(f"{count:,.0f}" for count in counts)
    return {name: of(case) for name, case in result.get("instructions", {}).items()}


def count_instructions(folder):
    """The figures of bench/instructions/measure.py for that build; empty if they cannot be counted."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "instructions.json"
        measure = Path(__file__).resolve().parent / "instructions" / "measure.py"
        print("instructions of the calls", file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, measure, "--build", folder.resolve().parent,
                               "--out", out], stdout=subprocess.DEVNULL, check=False)
        return json.loads(out.read_text())["cases"] if done.returncode == 0 else {}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=Path, default=Path("build-release/bin"),
                        help="folder of the programs (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=CASES, help="cases, for example ac (default: all)")
    parser.add_argument("--load", action="store_true",
                        help="then once more, each case beside a busy process")
    parser.add_argument("--out", type=Path, help="write all samples here, as JSON")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument("--from", dest="source", type=Path,
                        help="print what an earlier --out holds and run nothing")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.source:
        result = json.loads(arguments.source.read_text())
    else:
        programs = Programs(arguments.bin)
        host = machine(programs)
        cases = [case for case in CASES if case in arguments.only]
        sets = {"quiet": run_rounds(programs, cases, arguments.rounds, busy=False)}
        if arguments.load:
            sets["loaded"] = run_rounds(programs, cases, arguments.rounds, busy=True)
        result = {
            "machine": {**host, "compiler": programs.compiler},
            "rounds": arguments.rounds,
            "sets": {name: {side: figures.as_json() for side, figures in sides.items()}
                     for name, sides in sets.items()},
        }
        result["instructions"] = count_instructions(arguments.bin)
        if arguments.out:
            arguments.out.write_text(json.dumps(result, indent=1) + "\n")
    return 0 if print_report(result, arguments.markdown) else 1


if __name__ == "__main__":
    sys.exit(main())

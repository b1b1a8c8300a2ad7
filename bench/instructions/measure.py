#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions per call, of the calling thread and of all, without the order checker and with.

usage: measure.py [--build FOLDER] [--library FOLDER] [--only CASES] [--repeat N] [--out FILE.json]
       measure.py --compare BEFORE.json AFTER.json [--limit PERCENT] [--strict]
       measure.py --ceilings FILE.json [--compiler NAME] [--raise-ceilings] [--build FOLDER] ...

callgrind runs `bench_instructions` twice, with CALLS and with three times as many in each round.
The difference of the two counts is the cost of the additional calls: the start of the process, the
warm-up and the code around the calls of a round cancel out. A figure is the median of repetitions.

The settings are the default ones, except that the pool has 2 threads, as on a machine with 2 cores.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

CASES = {
    "kernel": "an empty kernel",
    "fill": "a fill of 64 B",
    "copy": "a copy of 64 B within a device",
    "record": "a record",
    "wait": "a wait for a pending event",
    "wait_complete": "a wait for a complete event",
    "record_wait": "a record and a wait of another stream",
    "synchronize_idle": "a synchronise of an idle stream",
    "fill_synchronize": "a fill of 64 B and a synchronise",
    "kernel_synchronize": "an empty kernel and a synchronise",
    "host_function": "a host function",
    "callback": "a callback that a thread serves",
    "graph_kernel": "an empty kernel in a captured graph, of 1,000",
    "graph_fill": "a fill of 64 B in a captured graph, of 1,000",
    "event_life": "an event created and destroyed",
    "stream_life": "a stream created and destroyed",
    "get_device": "aclrtGetDevice",
}
SIDES = {"off": "0", "on": "1"}  # the order checker
CALLER = 1  # the main thread in callgrind's numbering
ALLOCATIONS = {"malloc", "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign"}
SKIPPED = 77  # exit status without valgrind, which CTest understands


class Problem(Exception):
    pass


# ---- the output of callgrind ----

@dataclass
class Counts:
    """The counts of one process, by thread."""
    instructions: Counter = field(default_factory=Counter)
    allocations: Counter = field(default_factory=Counter)
    objects: set = field(default_factory=set)


def read_profile(path, counts):
    """Adds a file of one thread. Names are abbreviated after their first use: "(12) malloc", then "(12)"."""
    thread, names, callee = 0, {}, ""
    with open(path) as lines:
        for line in lines:
            key, _, value = line.rstrip("\n").partition("=")
            if key == "calls":
                if callee in ALLOCATIONS:
                    counts.allocations[thread] += int(value.split()[0])
            elif key in ("fn", "cfn"):
                number, _, name = value.partition(" ")
                if name:
                    names[number] = name
                callee = names[number].split("'")[0]  # "malloc'2": a recursive call
            elif key in ("ob", "cob"):
                counts.objects.add(value.partition(" ")[2])
            elif line.startswith("thread: "):
                thread = int(line.split()[1])
            elif line.startswith("summary: "):
                counts.instructions[thread] += int(line.split()[1])


def read_profiles(folder):
    counts = Counts()
    for path in Path(folder).glob("profile-*"):
        read_profile(path, counts)
    if not counts.instructions[CALLER]:
        raise Problem("callgrind has written nothing of the calling thread")
    return counts


# ---- runs ----

@dataclass
class Setup:
    program: Path
    library: Path  # the folder of libascendcl.so
    calls: int
    rounds: int

    def run(self, case, side, calls):
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder, "config.toml")
            config.write_text("[machine]\npool_threads = 2\n")
            environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C",
                           "LD_LIBRARY_PATH": str(self.library), "ACLSIM_CONFIG": str(config),
                           "ACLSIM_CHECK": SIDES[side], "ACLSIM_CHECK_QUIET": "1"}
            command = ["valgrind", "-q", "--tool=callgrind", "--separate-threads=yes",
                       "--callgrind-out-file=%s/profile" % folder, str(self.program),
                       case, str(calls), str(self.rounds)]
            core = min(os.sched_getaffinity(0))
            done = subprocess.run(command, env=environment, capture_output=True, text=True,
                                  preexec_fn=lambda: os.sched_setaffinity(0, {core}))
            if done.returncode != 0:
                raise Problem("%s: %s%s" % (" ".join(command), done.stdout, done.stderr))
            counts = read_profiles(folder)
        libraries = [Path(name) for name in counts.objects if "/libascendcl.so" in name]
        if any(library.parent != self.library for library in libraries):
            raise Problem("the program ran with %s, not with the library in %s"
                          % (libraries[0], self.library))
        return counts

    def sample(self, case, side):
        """The counts per call."""
        fewer, more = (self.run(case, side, calls) for calls in (self.calls, 3 * self.calls))
        calls = 2 * self.calls * self.rounds

        def per_call(less, greater):
            return {"caller": (greater[CALLER] - less[CALLER]) / calls,
                    "all": (greater.total() - less.total()) / calls}
        return {"instructions": per_call(fewer.instructions, more.instructions),
                "allocations": per_call(fewer.allocations, more.allocations)}


def summary(samples):
    """Medians, and the spread of the samples of instructions in percent."""
    result = {}
    for threads in ("caller", "all"):
        values = [sample["instructions"][threads] for sample in samples]
        middle = median(values)
        result[threads] = {
            "instructions": round(middle, 2),
            "spread_percent": round(100 * (max(values) - min(values)) / max(middle, 1), 2),
            "allocations": round(median(sample["allocations"][threads] for sample in samples), 3),
        }
    return result


# ---- tables ----

def print_table(columns, rows):
    print("| %s |" % " | ".join(columns))
    print("|---|%s" % ("---:|" * (len(columns) - 1)))
    for row in rows:
        print("| %s |" % " | ".join(row), flush=True)


def figure(entry):
    text = "%.0f" % entry["instructions"]
    spread = entry["spread_percent"]
    return text if spread < 0.5 else "%s (spread %.1f %%)" % (text, spread)


def count(value):
    return "%.2f" % (round(value, 2) + 0)  # never -0.00


def row_of(case, sides):
    caller = [sides[side]["caller"] for side in SIDES]
    all_threads = [sides[side]["all"] for side in SIDES]
    figures = [figure(entry) for entry in caller + all_threads]
    return [CASES[case]] + figures + [count(entry["allocations"]) for entry in all_threads]


def measure(setup, cases, repeat, results):
    """The rows, one by one; the figures go to `results` as well."""
    for case in cases:
        samples = {side: [] for side in SIDES}
        for _ in range(repeat):
            for side in SIDES:
                samples[side].append(setup.sample(case, side))
        results[case] = {side: summary(taken) for side, taken in samples.items()}
        yield row_of(case, results[case])


def valgrind_version():
    try:
        done = subprocess.run(["valgrind", "--version"], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.strip()


def measure_command(options):
    version = valgrind_version()
    if not version:
        print("valgrind is not installed: instructions per call are not counted")
        return SKIPPED
    library = (options.library or options.build / "lib64").resolve()
    setup = Setup((options.build / "bin" / "bench_instructions").resolve(), library, options.calls,
                  options.rounds)
    results = {}
    print_table(["instructions per call", "calling thread", "with checker", "all threads",
                 "with checker", "allocations", "with checker"],
                measure(setup, options.only or CASES, options.repeat, results))
    if options.out:
        options.out.write_text(json.dumps(
            {"valgrind": version, "calls": options.calls, "rounds": options.rounds,
             "repeat": options.repeat, "cases": results}, indent=1) + "\n")
    return 0


# ---- ceilings ----

ABOVE = 1.05  # ratio of a ceiling to the measured value
TRIES = 3  # beside other processes threads wait for each other more often, which only adds


def least(sample, most):
    """The first sample that is not above `most`, else the least of TRIES samples."""
    best = sample()
    for _ in range(TRIES - 1):
        if most is None or best <= most:
            break
        best = min(best, sample())
    return best


def ratio_of_checker(setup, case):
    """How many times as many instructions all threads need with the checker as without."""
    without, checked = (setup.sample(case, side)["instructions"]["all"] for side in SIDES)
    return checked / without


def ceilings_command(options):
    """Each row of the calling thread against its ceiling, without the checker, and the ratios of the
    cost with and without the checker that have a limit. Ceilings hold for one compiler; with
    another, or without valgrind, nothing fails."""
    if not valgrind_version():
        print("valgrind is not installed: instructions per call are not counted")
        return SKIPPED
    kept = json.loads(options.ceilings.read_text())
    library = (options.library or options.build / "lib64").resolve()
    setup = Setup((options.build / "bin" / "bench_instructions").resolve(), library, options.calls,
                  options.rounds)
    reached, rows, over = {}, [], []
    for case in options.only or CASES:
        ceiling = kept["ceilings"].get(case)
        needed = least(lambda: setup.sample(case, "off")["instructions"]["caller"], ceiling)
        reached[case] = round(needed * ABOVE)
        if ceiling is not None and needed > ceiling:
            over.append(case)
        rows.append([CASES[case], "%.0f" % needed, str(ceiling or "none"),
                     "OVER" if case in over else ""])
    print_table(["instructions of the calling thread", "now", "ceiling", ""], rows)
    ratios = []
    for case, most in kept.get("ratios", {}).items():
        if options.only and case not in options.only:
            continue
        ratio = least(lambda: ratio_of_checker(setup, case), most)
        if ratio > most:
            over.append(case)
        ratios.append([CASES[case], "%.2f" % ratio, "%.2f" % most, "OVER" if ratio > most else ""])
    if ratios:
        print()
        print_table(["instructions with the checker / without", "now", "at most", ""], ratios)
    if options.raise_ceilings:
        kept["ceilings"].update(reached)
        options.ceilings.write_text(json.dumps(kept, indent=2) + "\n")
        return 0
    if over and options.compiler and options.compiler != kept["compiler"]:
        print("the ceilings are those of %s, this is %s: nothing is checked"
              % (kept["compiler"], options.compiler))
        return 0
    return 1 if over else 0


def compare_row(case, side, before, after, limit):
    """The printed row, and whether the calling thread needs more than the limit and the noise."""
    title = CASES.get(case, case) + (", with checker" if side == "on" else "")
    cells, changes, noise = [title], [], 0
    for threads in ("caller", "all"):
        old, new = before[threads], after[threads]
        change = 100 * (new["instructions"] / max(old["instructions"], 1e-9) - 1)
        changes.append(change)
        cells += ["%.0f" % old["instructions"], "%.0f" % new["instructions"], "%+.1f %%" % change]
        if threads == "caller":
            noise = max(old["spread_percent"], new["spread_percent"])
    more = changes[0] > limit and changes[0] > noise
    return cells + ["MORE" if more else ""], more


def compare_command(options):
    before, after = (json.loads(path.read_text())["cases"] for path in options.compare)
    rows, marked = [], 0
    for case in before:
        if case not in after or options.only and case not in options.only:
            continue
        for side in SIDES:
            sides = before[case][side], after[case][side]
            row, more = compare_row(case, side, *sides, options.limit)
            rows.append(row)
            marked += more
    print_table(["instructions per call", "calling thread before", "after", "change",
                 "all threads before", "after", "change", ""], rows)
    print("\n%d of %d rows: the calling thread needs over %g %% more"
          % (marked, len(rows), options.limit))
    return 1 if marked and options.strict else 0


def cases_of(text):
    names = text.split(",")
    for name in names:
        if name not in CASES:
            raise argparse.ArgumentTypeError("'%s' is none of %s" % (name, ", ".join(CASES)))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("build-release"),
                        help="where bin/bench_instructions is (build-release)")
    parser.add_argument("--library", type=Path,
                        help="folder of the libascendcl.so to measure (lib64 of the build)")
    parser.add_argument("--only", type=cases_of, metavar="CASES", help="with commas between them")
    parser.add_argument("--repeat", type=int, default=1, help="1 if not given")
    parser.add_argument("--calls", type=int, default=500, help="a round of the shorter run (500)")
    parser.add_argument("--rounds", type=int, default=8, help="8 if not given")
    parser.add_argument("--out", type=Path, help="keeps the figures as JSON")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("BEFORE", "AFTER"),
                        help="compares two files of --out and measures nothing")
    parser.add_argument("--limit", type=float, default=2,
                        help="percent that the calling thread may need more (2)")
    parser.add_argument("--strict", action="store_true", help="status 1 when a row needs more")
    parser.add_argument("--ceilings", type=Path, metavar="FILE",
                        help="compares the calling thread with the ceilings kept there: status 1 "
                             "when a row needs more")
    parser.add_argument("--compiler", metavar="NAME",
                        help="what the build was made with; ceilings of another one check nothing")
    parser.add_argument("--raise-ceilings", action="store_true",
                        help="with --ceilings: keeps new ones, 5 percent above what is measured")
    options = parser.parse_args()
    try:
        if options.ceilings:
            return ceilings_command(options)
        return compare_command(options) if options.compare else measure_command(options)
    except Problem as problem:
        print("measure.py: %s" % problem, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

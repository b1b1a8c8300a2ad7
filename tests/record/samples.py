# SPDX-License-Identifier: Apache-2.0
"""Records each sample, and reads the recording with the verbs on traces.

samples.py ACLSIM BUILT_SAMPLES SAMPLES: runs the samples that can run here; having none is an error.
The test checks only the order in a recording. The times of a replay depend on the load of the machine: if a
thread gets no processor for 20 ms, a sample of 1 ms takes 21 ms.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

OFF = "FAIL (makespan off by more than 5 %)"  # of times, which are not looked at here
TOOL, BUILT, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def aclsim(*arguments, fine=(0,)):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if done.returncode not in fine:
        sys.exit(f"aclsim {' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def look_at(file, folder):
    info = json.loads(aclsim("info", "--json", file))
    wrong = {key: info[key] for key in ("waits_ambiguous", "waits_unrecorded") if info[key] != 0}
    if info["waits_paired"] != info["waits"] or wrong or info["remarks"]:
        sys.exit(f"{file}: {info}")
    if info["notify_pairs"] != info["notify_waits"]:
        sys.exit(f"{file}: {info}")
    report = folder / "report.json"
    aclsim("replay", file, "--mode", "both", "--report", report, "--quiet", fine=(0, 4))
    (run,) = json.loads(report.read_text())["runs"]
    threads = run["threads"]
    if run["verdict"] not in ("PASS", OFF) or run["overlaps"] or run["status"] != "complete":
        sys.exit(f"{file}: {run}")
    if threads["status"] != "complete" or threads["edges_violated"] or threads["wrong_copies"]:
        sys.exit(f"{file}: {run}")
    again = folder / "again.aclt.jsonl"
    aclsim("convert", file, "-o", again)
    if json.loads(aclsim("info", "--json", again))["ops"] != info["ops"]:
        sys.exit(f"{file}: {again} has other ops")
    aclsim("plot", file, "-o", folder / "page.html")
    return info["ops"]


def main():
    seen = 0
    for source in sorted(SOURCES.glob("[0-9]*/main.cpp")):
        name = source.parent.name
        program = BUILT / name / name.split("_", 1)[1]
        if not program.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "run.aclt.jsonl.gz"
            aclsim("run", "--record", file, "--", program)
            print(f"{name}: {look_at(file, pathlib.Path(folder))} ops")
            seen += 1
    if seen == 0:
        sys.exit(f"{BUILT}: no sample is built there")


os.chdir(BUILT)
main()

# SPDX-License-Identifier: Apache-2.0
"""Records each sample and has the verbs on traces read it.

samples.py ACLSIM BUILT_SAMPLES SAMPLES: what can be run of them is; nothing to run is an error.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOOL, BUILT, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def aclsim(*arguments):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
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
    aclsim("replay", file, "--mode", "both", "--report", report, "--quiet")
    runs = json.loads(report.read_text())["runs"]
    threads = [run["threads"] for run in runs if "threads" in run]
    if not threads or any(run["edges_violated"] or run["wrong_copies"] for run in threads):
        sys.exit(f"{file}: {runs}")
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

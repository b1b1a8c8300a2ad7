#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of a recording finds what the check of the running program finds: runs all programs of
tests/guests/planted.cpp and of tests/guests/kernels/planted_kernels.cpp, the mistakes and their twins, and
compares rules, levels and places.

usage: recordings.py ACLSIM PLANTED PLANTED_KERNELS
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Findings that a recording cannot show: the rule, the reason, and the finding of the recording.
GUESS = ("ACL007", "a guess: such a kernel may access whatever its arguments point to",
         "kernels have no ranges")
CRASH = ("ACL034", "a signal is no operation of the program",
         "how the program ended: the recording stops before")
HOST = ("ACL008", "only who compares the bytes sees that host code changes a buffer",
        "what host code itself does to the memory of")
NOT_SHOWN = {"undeclared_chain": GUESS, "undeclared_in_place": GUESS, "undeclared_readers": GUESS,
             "written_by_pointer": GUESS, "crash_in_kernel": CRASH, "crash_in_callback": CRASH, "abort_after_race": CRASH,
             "source_changed_too_early": HOST}
# The live check has no finding about these either.
NOT_KNOWN = {"written_by_pointer"}
# An asynchronous copy of pageable memory is recorded as the blocking copy that it became.
BECAME_ANOTHER = "ACL024"
# Without the option nothing of these is found.
GUARDED = ["result_read_too_early", "result_copied_too_early", "result_overwritten_too_early",
           "device_read_too_early", "kernel_result_read_too_early", "other_buffer_read"]


def place(op):
    """File and line; empty where nothing or only the line of the recording is known."""
    at = (op or {}).get("place", {})
    name = os.path.basename(at.get("file", ""))
    return "" if name.endswith(".jsonl") else f"{name}:{at.get('line')}" if name else ""


def key(finding):
    places = place(finding["it"]), place(finding.get("other"))
    if finding["rule"] == "ACL007":  # which of the two came first may differ from run to run
        places = tuple(sorted(places))
    return finding["rule"], finding["level"], finding["title"], *places


def findings_of(path):
    return sorted({key(finding) for finding in json.loads(path.read_text())["findings"]})


def run(command, environment):
    return subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120).stdout


def compare(tool, planted, words, options, folder):
    """The differences, as text."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ACLSIM_")}
    live, recorded, trace = (pathlib.Path(folder, name) for name in
                             ("live.json", "recorded.json", "run.aclt.jsonl"))
    said = run([tool, "run", "--check", "--watchdog", "1,abort", "--report", live, "--record", trace,
                *options, "--", planted, *words], environment)
    said += run([tool, "check", trace, "--report", recorded], environment)
    rule, _, instead = NOT_SHOWN.get(words[0], ("", "", ""))
    found = [one for one in findings_of(live) if one[0] != BECAME_ANOTHER]
    again = findings_of(recorded)
    expected = [one for one in found if one[0] != rule]
    if again != expected:
        return f"{words}: live {found}\nrecorded {again}\n{said}"
    unknown = len(expected) != len(found) or words[0] in NOT_KNOWN
    if unknown and not re.search("not checked: .*" + instead, said):
        return f"{words}: the check of the recording does not say that it does not check {rule}\n{said}"
    return ""


def programs_of(source, at_least):
    text = re.sub(r"^#define .*", "", (ROOT / source).read_text(), flags=re.M)
    names = re.findall(r"\bPROGRAM\((\w+)[,)]", text)
    if len(names) < at_least:
        sys.exit(f"{source}: the list of programs is not what it was")
    return names


def main():
    tool, planted, kernels = sys.argv[1:]
    programs = {name: planted for name in programs_of("tests/guests/planted.cpp", 30)}
    programs |= {name: kernels for name in programs_of("tests/guests/kernels/planted_kernels.cpp", 12)}
    if not set(NOT_SHOWN) <= set(programs):
        sys.exit("a program is gone")
    cases = [([name, *twin], []) for name in programs for twin in ([], ["ok"])]
    cases += [([name, *twin], ["--guard-reads"]) for name in GUARDED for twin in ([], ["ok"])]
    wrong = []
    for words, options in cases:
        with tempfile.TemporaryDirectory() as folder:
            wrong.append(compare(tool, programs[words[0]], words, options, folder))
    if any(wrong):
        sys.exit("\n".join(filter(None, wrong)))
    print(f"{len(cases)} runs: the same findings from their recordings")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of a recording finds what the check of the running program finds, or says what it does not
check: runs all programs of tests/guests/planted.cpp and of tests/guests/kernels/planted_kernels.cpp, the mistakes
and their twins, and compares rules, levels and places; and all planted programs of tests/check, of which it compares
rules and levels.

usage: recordings.py ACLSIM PLANTED PLANTED_KERNELS TEST_CHECK IPC_PAIR [PROGRAM...]
"""
import os
import pathlib
import re
import sys
import tempfile

from planted_programs import ROOT, all_programs, environment_of, findings_of, run

sys.path.append(str(ROOT / "tests" / "support"))
import share  # noqa: E402

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
# The same for planted programs of tests/check: rules of the live check alone, rules of the check of the recording
# alone, and the reason in the output of that check.
TIMED = (["ACL003"], [], "deadlocks of 1 wait with a time limit")
IN_FUNCTION = "1 wait in functions that streams call"
CASES = {
    "18a": (["ACL008"], [], HOST[2]), "h1": (["ACL008"], [], HOST[2]),
    "abort c": (["ACL008"], [], HOST[2]), "new d": (["ACL021"], [], HOST[2]),
    "31": TIMED, "32b": TIMED, "34": TIMED,
    "33": (["ACL026"], [], IN_FUNCTION), "33b": (["ACL017"], [], IN_FUNCTION),
    "38c": (["ACL011"], [], "copies after the end of a peer's access"),
    "mstx a": (["ACL020"], [], "blocks that a pool of the program took back"),
    "args": (["ACL007"], [], "kernels have no ranges"),
    "gone d": (["ACL020"], [], "kernels have no ranges"),
    "gone e": (["ACL020"], [], "kernels have no ranges"),
    "threads c": (["ACL037"], [], "the order of calls of several threads"),
    "threads d": (["ACL038"], [], ""),
    "notify e": (["ACL006"], [], "waits for notifies when the program destroys them"),
}
# Notes about redundant order and about work at the end depend on the names of calls, and notes about events that
# are destroyed in use on the time of the waits.
NOTES = {("ACL006", "note"), ("ACL010", "note"), ("ACL013", "note")}
# The live check has no finding about these either.
NOT_KNOWN = {"written_by_pointer"}
# Without the option nothing of these is found.
GUARDED = ["result_read_too_early", "result_copied_too_early", "result_overwritten_too_early",
           "device_read_too_early", "kernel_result_read_too_early", "other_buffer_read"]


def rules_of(keys):
    """Without titles and places."""
    return sorted({key[:2] for key in keys})


def compare_rules(program, what, found, again, said):
    only_live, only_recorded, reason = [], [], ""
    if "REPAIRED" not in program.variables:
        only_live, only_recorded, reason = CASES.get(program.name, ([], [], ""))
    unexpected = [one for one in found - again if one[0] not in only_live]
    unexpected += [one for one in again - found if one[0] not in only_recorded]
    if unexpected or reason not in said:
        return f"{what}: live {sorted(found)}\nrecorded {sorted(again)}\n{said}"
    return ""


def compare(tool, program, options, folder):
    """The differences, as text."""
    environment = environment_of(program)
    live, recorded, trace = (pathlib.Path(folder, name) for name in
                             ("live.json", "recorded.json", "run.aclt.jsonl"))
    said = run([tool, "run", "--check", "--watchdog", "1,abort", "--report", live, "--record", trace,
                *options, "--", *program.command], environment)
    said += run([tool, "check", trace, "--report", recorded], environment)
    what = f"{program.name}, {program.command[1:]} {program.variables}"
    if not (live.exists() and recorded.exists()):
        return f"{what}: no report\n{said}"
    rule, _, instead = NOT_SHOWN.get(program.name, ("", "", ""))
    in_use = ("ACL006", "note")  # depends on the time at which the waits complete
    found = [one for one in findings_of(live) if one[:2] != in_use]
    again = [one for one in findings_of(recorded) if one[:2] != in_use]
    expected = [one for one in found if one[0] != rule]
    if not program.places:
        return compare_rules(program, what, set(rules_of(found)) - NOTES,
                             set(rules_of(again)) - NOTES, said)
    if again != expected:
        return f"{what}: live {found}\nrecorded {again}\n{said}"
    unknown = len(expected) != len(found) or program.name in NOT_KNOWN
    if unknown and not re.search("not checked: .*" + instead, said):
        return f"{what}: the check of the recording does not say that it does not check {rule}\n{said}"
    return ""


# Programs of tests/guests/ipc_pair.cpp that end by themselves.
PAIRS = ["race", "notify", "trip", "host", "late", "word"]


def check_pair(tool, pair, words, folder):
    """Two processes: a right program has no finding at warning or above in its recordings, and their check reports that
    it does not check the other process."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ACLSIM_")}
    trace = pathlib.Path(folder, "run.%p.aclt.jsonl")
    said = run([tool, "run", "--record", trace, "--", pair, *words], environment)
    files = sorted(pathlib.Path(folder).glob("run.*.aclt.jsonl"))
    if len(files) != 2:
        return f"{words}: {len(files)} recordings\n{said}"
    for given in [[one] for one in files] + [files]:
        report = pathlib.Path(folder, "recorded.json")
        told = run([tool, "check", *given, "--report", report], environment)
        found = rules_of(findings_of(report))
        worse = [one for one in found if one[1] != "note"]
        if "ok" in words and worse:
            return f"{words}: {worse}\n{told}"
        if "not checked: " not in told or "actions of other processes" not in told:
            return f"{words}: the check does not say that it does not check the other process\n{told}"
    return ""


def main():
    tool, planted, kernels, test, pair = sys.argv[1:6]
    wanted = sys.argv[6:]
    programs = all_programs(planted, kernels, test)
    names = {program.name for program in programs}
    if not {*NOT_SHOWN, *GUARDED} <= names:
        sys.exit(f"programs are gone: {sorted({*NOT_SHOWN, *GUARDED} - names)}")
    runs = [(twin, []) for program in programs for twin in program.twins()]
    runs += [(twin, ["--guard-reads"]) for program in programs if program.name in GUARDED
             for twin in program.twins()]
    wrong, done = [], 0
    for index, (program, options) in enumerate(runs):
        if wanted and program.name not in wanted or not share.in_share(index // 2):
            continue
        done += 1
        with tempfile.TemporaryDirectory() as folder:
            wrong.append(compare(tool, program, options, folder))
    for words in [[name, *twin] for name in PAIRS for twin in ([], ["ok"])]:
        if wanted and words[0] not in wanted:
            continue
        done += 1
        with tempfile.TemporaryDirectory() as folder:
            wrong.append(check_pair(tool, pair, words, folder))
    if any(wrong):
        sys.exit("\n".join(filter(None, wrong)))
    print(f"{done} runs: the same findings from their recordings")


main()

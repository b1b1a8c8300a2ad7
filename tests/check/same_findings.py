#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each planted program of the tests four times: the findings at warning and above are the same each time.

usage: same_findings.py ACLSIM PLANTED PLANTED_KERNELS TEST_CHECK [PROGRAM...]

Without a name a run takes the programs of its share (ACLSIM_TEST_SHARE=k/n).
"""
import pathlib
import sys
import tempfile

from planted_programs import ROOT, all_programs, environment_of, findings_of, run

sys.path.append(str(ROOT / "tests" / "support"))
import share  # noqa: E402

RUNS = 4


def findings(tool, program, folder):
    report = pathlib.Path(folder, "report.json")
    report.unlink(missing_ok=True)
    said = run([tool, "run", "--check", "--watchdog", "5,abort", "--report", report, "--", *program.command],
               environment_of(program))
    if not report.exists():
        return None, said
    return [key for key in findings_of(report) if key[1] != "note"], said


def difference(tool, program):
    """The difference between the runs, as text."""
    with tempfile.TemporaryDirectory() as folder:
        first, said = findings(tool, program, folder)
        for _ in range(RUNS - 1):
            again, said_again = findings(tool, program, folder)
            if again != first or again is None:
                return f"{program.name}: {first}\n{said}\nthen {again}\n{said_again}"
    return ""


def main():
    tool, planted, kernels, test, *wanted = sys.argv[1:]
    programs = all_programs(planted, kernels, test)
    if wanted:
        programs = [one for one in programs if one.name in wanted]
    else:
        programs = [one for index, one in enumerate(programs) if share.in_share(index)]
    wrong = [text for text in (difference(tool, program) for program in programs) if text]
    print(f"{len(programs)} programs, {len(wrong)} whose findings differ")
    sys.exit("\n\n".join(wrong) if wrong else 0)


main()

# SPDX-License-Identifier: Apache-2.0
"""The sample 11_data_parallel under the checker: clean as it is, a race at its line without a wait.

missing_wait.py ACLSIM PROGRAM SOURCE
"""

import pathlib
import re
import subprocess
import sys

TOOL, PROGRAM, SOURCE = sys.argv[1:]


def check(*options):
    done = subprocess.run([TOOL, "run", "--check", "--", PROGRAM, *options], capture_output=True, text=True,
                          timeout=120)
    return done.returncode, done.stdout, done.stderr


def line_of(text):
    lines = pathlib.Path(SOURCE).read_text(encoding="utf-8").splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if text in line]
    return found


def main():
    status, printed, report = check()
    if status != 0 or "weights on all devices: ok" not in printed or "0 errors, 0 warnings, 0 notes" not in report:
        sys.exit(f"as it is: {status}\n{printed}{report}")
    status, _, report = check("--missing-wait")
    # The order of the two differs from run to run, and so does the one that is named first.
    sums, update = "HcclAllReduce", "update"
    race = [line for line in report.splitlines()
            if "error: data race" in line and "[ACL007]" in line and re.search(rf"\b{sums} on stream", line)
            and re.search(rf"\b{update} on stream", line)]
    place = f"main.cpp:{line_of('CHECK(HcclAllReduce(')}"
    if status != 1 or len(race) != 1 or place not in race[0]:
        sys.exit(f"without a wait: {status}, expected one race of {sums} at {place} with {update}\n{report}")
    usage = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, timeout=120)
    if usage.returncode != 0 or "--missing-wait" not in usage.stdout:
        sys.exit(f"--help: {usage.returncode} {usage.stdout}")
    if subprocess.run([PROGRAM, "--missing"], capture_output=True, timeout=120).returncode != 2:
        sys.exit("another option is not refused")


main()

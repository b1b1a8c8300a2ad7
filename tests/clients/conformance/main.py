# SPDX-License-Identifier: Apache-2.0
"""Runs public suites whose git checkouts are in a folder, and updates docs/conformance.md.

usage: scripts/conformance FOLDER [--prefix install] [--only NAME,...] [--list] [--log FOLDER]

FOLDER is a checkout, or contains checkouts directly below it. --only selects the suites whose names contain one of
the words. --list prints the suites and the folders in which they were found. --log keeps the output of each case.
Exit status: 0 all failures are expected, 1 some are not, 2 wrong arguments or no suite found.
"""

import argparse
import datetime
import pathlib
import re
import subprocess
import sys

import page
import suites as suites_module

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
PAGE = PROJECT / "docs" / "conformance.md"


def environment_of(prefix):
    """The variables that set_env.sh of the install tree exports."""
    script = prefix / "set_env.sh"
    if not script.exists():
        sys.exit("%s is missing; run scripts/quickstart or name an install tree with --prefix" % script)
    done = subprocess.run(["bash", "-c", '. "$1" && env -0', "env", str(script)], capture_output=True, text=True)
    return dict(entry.split("=", 1) for entry in done.stdout.split("\0") if "=" in entry)


def log_to(folder):
    def log(suite, case, status, output):
        print("%s  %s: %s" % ("ok  " if status == 0 else "FAIL", suite.name, case), flush=True)
        if folder:
            name = re.sub(r"[^\w.-]+", "_", "%s_%s" % (suite.name, case))
            folder.mkdir(parents=True, exist_ok=True)
            (folder / (name + ".log")).write_text(output, encoding="utf-8")
    return log


def main():
    parser = argparse.ArgumentParser(prog="scripts/conformance", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--prefix", type=pathlib.Path, default=PROJECT / "install")
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--log", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        parser.error("%s is not a folder" % arguments.folder)

    known = suites_module.read_suites(HERE / "suites.toml")
    words = [word.lower() for word in arguments.only.split(",") if word]
    found = [(suite, checkout) for suite in known
             if (checkout := suites_module.find(suite, arguments.folder.resolve()))
             and (not words or any(word in suite.name.lower() for word in words))]
    if arguments.list:
        for suite in known:
            print("%-28s %s" % (suite.name, dict((s.name, c) for s, c in found).get(suite.name, "not found")))
        return 0
    if not found:
        parser.error("no suite found in %s; --list prints the suites" % arguments.folder)

    environment = environment_of(arguments.prefix.resolve())
    values = {"project": PROJECT, "prefix": arguments.prefix.resolve()}
    rows = page.read_rows(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    unexpected = 0
    for suite, checkout in found:
        result = suites_module.run_suite(suite, checkout, environment, values, log_to(arguments.log))
        rows[suite.name] = page.row_of(suite, suites_module.version(checkout),
                                       datetime.date.today().isoformat(), result)
        unexpected += int(rows[suite.name][-1])
        print("%s: %d passed, %d failed, %s of them unexpected" % (
            suite.name, result.passed, len(result.failed), rows[suite.name][-1]), flush=True)
        PAGE.write_text(page.write(known, rows), encoding="utf-8")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())

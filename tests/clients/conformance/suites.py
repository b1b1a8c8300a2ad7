# SPDX-License-Identifier: Apache-2.0
"""Suites of public programs: how each is found in a folder and run."""

import dataclasses
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tomllib
import xml.etree.ElementTree


@dataclasses.dataclass
class Suite:
    name: str
    repository: str
    marker: str
    command: str
    timeout_s: int
    cases: str = ""
    report: str = ""
    counts: str = ""
    expected: list = dataclasses.field(default_factory=list)

    def reason(self, case):
        """Why the case is expected to fail; "" if it is expected to pass."""
        for row in self.expected:
            if re.fullmatch(row["cases"], case):
                return row["reason"]
        return ""


@dataclasses.dataclass
class Result:
    """The outcome of one suite. The lists hold names of cases; counted suites have only numbers."""
    passed: int = 0
    failed: list = dataclasses.field(default_factory=list)


def read_suites(path):
    with open(path, "rb") as file:
        return [Suite(**row) for row in tomllib.load(file)["suite"]]


def find(suite, folder):
    """The checkout of the suite: `folder` itself or a folder directly below it."""
    for path in [folder, *sorted(folder.iterdir())]:
        if (path / suite.marker).exists():
            return path
    return None


def version(checkout):
    done = subprocess.run(["git", "-C", str(checkout), "describe", "--always", "--dirty=+", "--abbrev=12"],
                          capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def run(command, folder, environment, timeout_s):
    """Runs a bash command; returns its exit status (124: over the time limit) and its output."""
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, text=True,
                               errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout_s)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return 124, output
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)  # processes that the case left running
        except ProcessLookupError:
            pass


def fill_in(command, **values):
    for key, value in values.items():
        command = command.replace("{%s}" % key, shlex.quote(str(value)))
    return command


def run_cases(suite, checkout, environment, values, log):
    result = Result()
    top = checkout / pathlib.PurePath(suite.cases).parts[0]
    for match in sorted(checkout.glob(suite.cases)):
        name = match.parent.relative_to(top).as_posix()
        command = fill_in(suite.command, name=match.parent.name, **values)
        status, output = run(command, match.parent, environment, suite.timeout_s)
        log(suite, name, status, output)
        if status == 0:
            result.passed += 1
        else:
            result.failed.append(name)
    return result


def read_junit(paths):
    result = Result()
    for path in paths:
        for case in xml.etree.ElementTree.parse(path).iter("testcase"):
            if case.find("skipped") is not None:
                continue
            name = "/".join(filter(None, (case.get("classname"), case.get("name"))))
            if case.find("failure") is None and case.find("error") is None:
                result.passed += 1
            else:
                result.failed.append(name)
    return result


def run_suite(suite, checkout, environment, values, log):
    values = {**values, "checkout": checkout}
    if suite.cases:
        return run_cases(suite, checkout, environment, values, log)
    before = set(checkout.glob(suite.report)) if suite.report else set()
    status, output = run(fill_in(suite.command, **values), checkout, environment, suite.timeout_s)
    log(suite, "all", status, output)
    if suite.report:
        result = read_junit(sorted(set(checkout.glob(suite.report)) - before))
    else:
        match = re.search(suite.counts, output, re.DOTALL)
        result = Result(int(match["passed"]), ["unnamed"] * int(match["failed"])) if match else Result()
    if not result.passed and not result.failed:
        result.failed.append("the suite did not run (exit status %d)" % status)
    return result

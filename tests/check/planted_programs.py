# SPDX-License-Identifier: Apache-2.0
"""The planted programs of the tests of the checker, and the findings in the reports about them."""
import json
import os
import pathlib
import re
import subprocess
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]


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


class Program(typing.NamedTuple):
    name: str
    command: list[str]
    variables: dict[str, str] = {}
    places: bool = True  # they are compared, too

    def twins(self):
        if "PLANTED" not in self.variables:
            return self, self._replace(command=[*self.command, "ok"])
        return self, self._replace(variables={**self.variables, "REPAIRED": "1"})


def programs_of(source, at_least):
    text = re.sub(r"^#define .*", "", (ROOT / source).read_text(), flags=re.M)
    names = re.findall(r"\bPROGRAM\((\w+)[,)]", text)
    if len(names) < at_least:
        sys.exit(f"{source}: the list of programs is not what it was")
    return names


def planted_cases(test):
    """The planted programs of tests/check."""
    listed = run([test, "[.planted]"], dict(os.environ, ACLSIM_CHECK_QUIET="1"))
    numbers = re.findall(r"^case ACL\d+\t(.+)$", listed, flags=re.M)
    if len(numbers) < 100:
        sys.exit(f"{test}: the list of programs is not what it was\n{listed}")
    return [Program(number, [test, "[.planted]"], {"PLANTED": number}, places=False)
            for number in numbers]


def all_programs(planted, kernels, test):
    programs = [Program(name, [planted, name])
                for name in programs_of("tests/guests/planted.cpp", 30)]
    programs += [Program(name, [kernels, name])
                 for name in programs_of("tests/guests/kernels/planted_kernels.cpp", 12)]
    return programs + planted_cases(test)


def environment_of(program):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ACLSIM_")}
    return kept | program.variables

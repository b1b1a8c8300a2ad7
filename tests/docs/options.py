#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each option of `aclsim run` has a variable of the same name and vice versa, as docs/configuration.md states.

usage: options.py ACLSIM
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Options that only a launcher can use, so they have no variable; --guard is short for another option.
STARTING = {"--ranks", "--hosts", "--host", "--no-labels", "--cuda", "--help", "--guard"}
# Variables that `aclsim run --check` sets itself.
OWN = {"ACLSIM_CHECK_PROCESS_GROUP"}
OTHER_NAME = {"--fault": "ACLSIM_FAULTS"}  # the option adds one of several faults


def main():
    rows = re.findall(r"^\| (?:`([\w.]+)`[^|]*)?\| `(ACLSIM_\w+)` \| (?:`(--[\w-]+)` )?\|",
                      (ROOT / "docs/configuration.md").read_text(), re.M)
    documented = {option: variable for _, variable, option in rows if option}
    shown = subprocess.run([sys.argv[1], "run", "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", shown, re.M)) - STARTING
    sources = "".join(path.read_text() for path in (ROOT / "runtime/acl/base").glob("config*.cpp"))
    variables = set(re.findall(r'\{"(?:machine|run|check)\.\w+",\s*"(ACLSIM_\w+)"', sources)) - OWN
    mistakes = []
    for option in sorted(options):
        name = option[2:].replace("-", "_").upper()
        variable = documented.get(option)
        if variable not in (f"ACLSIM_{name}", f"ACLSIM_CHECK_{name}", OTHER_NAME.get(option),
                            "ACLSIM_CHECK" if option == "--check" else None):
            mistakes.append(f"{option}: its variable is {variable} in docs/configuration.md")
        elif variable not in variables and variable != "ACLSIM_CONFIG":
            mistakes.append(f"{option}: nothing reads {variable}")
    for variable in sorted(variables - set(documented.values())):
        mistakes.append(f"{variable}: no option of aclsim run in docs/configuration.md")
    for option in sorted(set(documented) - options):
        mistakes.append(f"{option}: aclsim run --help does not have it")
    sys.exit("\n".join(mistakes) if mistakes else 0)


main()

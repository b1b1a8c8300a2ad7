#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the pairs of programs of docs/explain.md, and compares the two pages of explanations with the sources.

usage: explain.py ACLSIM LIBRARY_FOLDER

The wrong program of each pair must be reported with the rule of its section, the right program must not.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from explain_programs import PAGE, ROOT, SECTION, programs, source  # noqa: E402

CODES = (ROOT / "docs" / "error-codes.md").read_text()


def wrong_in_pairs(aclsim, libraries):
    mistakes = []
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "pairs.cpp").write_text(source())
        subprocess.run(["g++", "-std=c++17", "-g", f"-I{ROOT}/include", "pairs.cpp", f"-L{libraries}",
                        "-lascendcl", "-lpthread", "-o", "pairs"], cwd=folder, check=True)
        for rule, kind, options, _ in programs():
            done = subprocess.run([aclsim, "run", "--check", "--watchdog", "5,abort", *options, "--", "./pairs",
                                   f"{rule}_{kind}"], cwd=folder, capture_output=True, text=True, timeout=60)
            if (f"[{rule}]" in done.stderr) != (kind == "wrong") or (kind == "right" and done.returncode != 0):
                mistakes.append(f"{rule}, {kind}: exit code {done.returncode}\n{done.stderr}")
    return mistakes


def missing_explanations(aclsim):
    mistakes = []
    for rule, title, _ in SECTION.findall(PAGE):
        said = subprocess.run([aclsim, "explain", rule], capture_output=True, text=True)
        if said.returncode != 0 or not said.stdout.startswith(f"{rule}: {title} (") or "suppress" not in said.stdout:
            mistakes.append(f"aclsim explain {rule}: {said.stdout}{said.stderr}")
    codes = set()
    for header in (ROOT / "include/acl").rglob("*.h"):
        codes |= set(re.findall(r"\b(ACL_ERROR_[A-Z0-9_]+)\s*=?\s*\(?(\d{6})\b", header.read_text()))
    for name, code in sorted(codes):
        if f"| {code} | `{name}` |" not in CODES:
            mistakes.append(f"docs/error-codes.md: no row of {code}, {name}")
    said = subprocess.run([aclsim, "explain", "107003"], capture_output=True, text=True).stdout
    if not said.startswith("107003: ACL_ERROR_RT_STREAM_CONTEXT\n"):
        mistakes.append(f"aclsim explain 107003: {said}")
    said = subprocess.run([aclsim, "explain", "ACL999"], capture_output=True, text=True)
    if said.returncode != 2 or said.stderr.count("\n") != 1:
        mistakes.append(f"aclsim explain ACL999: {said.returncode} {said.stderr}")
    return mistakes


def main():
    aclsim, libraries = sys.argv[1:]
    mistakes = missing_explanations(aclsim) + wrong_in_pairs(aclsim, libraries)
    sys.exit("\n".join(mistakes) if mistakes else 0)


main()

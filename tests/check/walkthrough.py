#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of docs/checker*.md and compares what they print; --update writes it there.

usage: walkthrough.py ACLSIM LIBRARY_FOLDER [--update]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL, PROCESSES = (ROOT / "docs" / name for name in ("checker.md", "checker-processes.md"))


def block(text, mark):
    """The fenced text behind a mark, and where it stands."""
    found = re.search(re.escape(mark) + r"\n```\w*\n(.*?)```", text, re.S)
    if not found:
        sys.exit(f"docs: no block behind {mark}")
    return found.group(1), found.span(1)


def numbered_processes(text):
    """Processes by the order in which the text names them."""
    seen = []
    for number in re.findall(r"process (\d+)", text):
        if number not in seen:
            seen.append(number)
    return re.sub(r"process (\d+)", lambda m: f"process {seen.index(m[1]) + 1}", text)


def output_of(name, source, aclsim, libraries):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, name + ".cpp").write_text(source)
        subprocess.run(["g++", "-std=c++17", "-g", f"-I{ROOT}/include", name + ".cpp",
                        f"-L{libraries}", "-lascendcl", "-o", name], cwd=folder, check=True)
        done = subprocess.run([aclsim, "run", "--check", "--fail-on", "warning", "--", "./" + name],
                              cwd=folder, capture_output=True, text=True, timeout=120)
    text = done.stderr.replace(folder + "/", "")
    text = re.sub(r"thread \d+", "thread 1", text)  # numbers that differ from run to run
    return numbered_processes(re.sub(r",? at 0x[0-9a-f]+", "", text))


def repaired(name, text, source):
    found = re.search(rf'<!-- repair{name}: before "(.*?)" -->', text)
    line, _ = block(text, found.group(0))
    at = source.index(found.group(1))
    return source[:at] + line + source[at:]


def with_output(text, aclsim, libraries, name, suffix):
    """The page with the output of its program, unchanged and repaired."""
    program, _ = block(text, f"<!-- program: {name}.cpp -->")
    expected = text
    for mark, source in ((f"<!-- output{suffix} -->", program),
                         (f"<!-- output{suffix} repaired -->", repaired(suffix, text, program))):
        _, (begin, end) = block(expected, mark)
        expected = expected[:begin] + output_of(name, source, aclsim, libraries) + expected[end:]
    return expected


def differs(page, expected):
    with tempfile.NamedTemporaryFile("w", suffix=".md") as got:
        got.write(expected)
        got.flush()
        subprocess.run(["diff", "-u", str(page), got.name])
    return f"docs/{page.name} is not what happens; tests/check/walkthrough.py --update mends it"


def main():
    update = "--update" in sys.argv
    aclsim, libraries = [argument for argument in sys.argv[1:] if argument != "--update"]
    wrong = []
    for page, change in (
            (TUTORIAL, lambda text: with_output(text, aclsim, libraries, "pipeline", "")),
            (PROCESSES, lambda text: with_output(text, aclsim, libraries, "pair", " pair"))):
        text = page.read_text()
        expected = change(text)
        if update:
            page.write_text(expected)
        elif expected != text:
            wrong.append(differs(page, expected))
    if wrong:
        sys.exit("\n".join(wrong))


main()

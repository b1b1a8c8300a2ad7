#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of the documents and compares what they print; --update writes it there.

usage: examples.py ACLSIM FOLDER... [--update]     folders below which the programs lie that examples run

An example is a block behind `<!-- example -->`: lines that begin with "$ " are commands of bash, what
stands below each is its output (both streams). Those of a page follow each other in one folder. With
`<!-- example, numbers vary -->` any number may stand where there is one. A command that fails makes the
example fail, unless it goes on with `; echo "exit code $?"`. Each verb needs an example.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^<!-- example(, numbers vary)? -->\n```\w*\n(.*?)```", re.S | re.M)
MARK = re.compile(r"^<!-- example", re.M)
VERBS = ("run", "run.* --record", "explore", "devices", "api", "info", "convert", "gen", "check", "replay",
         "plot", "topo", "diff", "report", "completion")


def commands_of(block):
    """[(command, output)]"""
    parts = re.split(r"^\$ ", block, flags=re.M)
    if parts[0]:
        sys.exit(f"an example begins with a command, not with {parts[0]!r}")
    return [part.partition("\n")[::2] for part in parts[1:]]


def numbers_apart(text):
    """What is the same when numbers, their units and the blanks that align them are not."""
    text = re.sub(r"[-+]?\d[\d.,]*( ?(ns|us|ms|s|B|kB|MB|GB)\b)?", "N", text)
    return re.sub(r"[ ]+", " ", text)


class Page:
    def __init__(self, path, folder, tool, programs):
        self.path, self.folder = path, folder
        self.text = path.read_text()
        self.seen = []
        bin_folder = pathlib.Path(tool).resolve().parent
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith("ACLSIM_")}
        self.environment.update(PATH=f"{bin_folder}:{os.environ['PATH']}", LC_ALL="C", TERM="dumb")
        for program in programs:
            pathlib.Path(folder, program.name).symlink_to(program)

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300)
        if done.returncode != 0:
            sys.exit(f"{self.path}: $ {command}\n{done.stdout}exit code {done.returncode}")
        self.seen.append(command)
        return done.stdout.replace(f"{self.folder}/", "").replace(f"{ROOT}/", "")

    def block(self, found):
        vary, old = found.group(1), found.group(2)
        new = ""
        for command, output in commands_of(old):
            printed = self.run(command)
            if vary and numbers_apart(printed) == numbers_apart(output):
                printed = output
            new += f"$ {command}\n{printed}"
        return found.group(0).replace(old, new)

    def as_it_is(self):
        if len(MARK.findall(self.text)) != len(BLOCK.findall(self.text)):
            sys.exit(f"{self.path}: a mark <!-- example --> without a block behind it")
        return BLOCK.sub(self.block, self.text)


def differs(page, text):
    with tempfile.NamedTemporaryFile("w", suffix=".md") as got:
        got.write(text)
        got.flush()
        subprocess.run(["diff", "-u", str(page.path), got.name])
    return f"{page.path} is not what happens; tests/docs/examples.py --update mends it"


def main():
    tool, *folders = [argument for argument in sys.argv[1:] if argument != "--update"]
    files = [file.resolve() for folder in folders for file in pathlib.Path(folder).glob("**/*")]
    programs = [file for file in files
                if file.is_file() and os.access(file, os.X_OK) and not file.suffix
                and "CMakeFiles" not in file.parts]
    wrong, seen = [], []
    for path in sorted(ROOT.glob("docs/*.md")):
        with tempfile.TemporaryDirectory() as folder:
            page = Page(path, folder, tool, programs)
            text = page.as_it_is()
        seen += page.seen
        if "--update" in sys.argv:
            path.write_text(text)
        elif text != page.text:
            wrong.append(differs(page, text))
    for verb in VERBS:
        if not any(re.search(rf"\baclsim {verb}\b", command) for command in seen):
            wrong.append(f"aclsim {verb} has no example in docs")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(seen)} commands print what the documents say")


main()

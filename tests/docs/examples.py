#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of the README and of docs/ and compares what they print; --update writes it there.

usage: examples.py ACLSIM FOLDER... [--update]     folders that contain the programs of the examples

An example is a block after `<!-- example -->`: lines that begin with "$ " are commands of bash, and the lines
below each command are its output (both streams). The examples of a page run in sequence in one folder. With
`<!-- example, numbers vary -->` any number matches any other number; with
`<!-- example, threads and addresses vary -->` only numbers of threads and addresses may differ. A command
that fails makes the example fail, unless it continues with `; echo "exit code $?"`. Each verb needs an example.

A block after `<!-- program: FILE -->` is written to FILE in that folder. A block after
`<!-- repair: FILE before "TEXT" -->` is inserted before the line in FILE that begins with TEXT. Both happen in
the order of the page. Programs are compiled as a reader would do it: CPATH and LIBRARY_PATH name the headers
and the library.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^<!-- (example|program|repair)([^\n]*?) -->\n```\w*\n(.*?)```", re.S | re.M)
MARK = re.compile(r"^<!-- example", re.M)
REPAIR = re.compile(r': (\S+) before "(.*)"')
VERBS = ("run", "run.* --record", "explore", "devices", "api", "info", "convert", "gen", "check", "replay",
         "summary", "explain", "plot", "topo", "diff", "report", "completion")


def commands_of(block):
    """[(command, output)]"""
    parts = re.split(r"^\$ ", block, flags=re.M)
    if parts[0]:
        sys.exit(f"an example begins with a command, not with {parts[0]!r}")
    return [part.partition("\n")[::2] for part in parts[1:]]


def threads_apart(text):
    """The text with numbers of threads and addresses replaced by constants."""
    return re.sub(r"\b0x[0-9a-f]+", "0x0", re.sub(r"\bthread \d+", "thread 1", text))


def numbers_apart(text):
    """The text with numbers, their units and the blanks that align them replaced by constants."""
    text = re.sub(r"[-+]?\d[\d.,]*( ?(ns|us|ms|s|B|kB|MB|GB)\b)?", "N", text)
    return re.sub(r"[ ]+", " ", text)


VARYING = {"": lambda text: text, ", numbers vary": numbers_apart,
           ", threads and addresses vary": threads_apart}


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

    def write(self, name, text):
        pathlib.Path(self.folder, name).write_text(text)

    def repair(self, what, text):
        name, before = REPAIR.fullmatch(what).groups()
        head, found, tail = pathlib.Path(self.folder, name).read_text().partition("\n" + before)
        if not found:
            sys.exit(f"{self.path}: no line of {name} begins with {before!r}")
        self.write(name, f"{head}\n{text.rstrip()}{found}{tail}")

    def example(self, what, text):
        if what not in VARYING:
            sys.exit(f"{self.path}: <!-- example{what} --> is unknown")
        same = VARYING[what]
        new = ""
        for command, output in commands_of(text):
            printed = self.run(command)
            new += f"$ {command}\n{output if same(printed) == same(output) else printed}"
        return new

    def block(self, found):
        kind, what, old = found.groups()
        if kind == "example":
            return found.group(0).replace(old, self.example(what, old))
        # tests/check/walkthrough.py handles the repairs of the checker's pages.
        if kind == "program":
            self.write(what.removeprefix(": "), old)
        elif REPAIR.fullmatch(what):
            self.repair(what, old)
        return found.group(0)

    def as_it_is(self):
        examples = [found for found in BLOCK.finditer(self.text) if found.group(1) == "example"]
        if len(MARK.findall(self.text)) != len(examples):
            sys.exit(f"{self.path}: a mark <!-- example --> without a block after it")
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
    for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]:
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

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applies the repair of the first finding of each planted program, builds the program and runs it again.

usage: repairs.py ACLSIM LIBRARY_FOLDER GUEST_FOLDER [NAME...]

The finding must be gone, and no other finding at warning or above may have appeared. The programs come from
tests/guests/planted.cpp, docs/explain.md, the tables of test_check and tests/check/repairs; NAME selects some of them. Without a name a run
takes the programs of its share (ACLSIM_TEST_SHARE=k/n).
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

PARTS = 12  # a share is at least this small: each program is built twice
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import share  # noqa: E402
import explain_programs  # noqa: E402

# Rules whose repair is a decision of the author: a size, a missing operation, an error that is not asked for.
WITHOUT_CODE = {
    "ACL001": "no race shows which stream the author means",
    "ACL002": "the functions of the wait and of the record do not know each other's streams",
    "ACL003": "the author decides which wait comes later",
    "ACL004": "the checker does not know where the missing record or wait belongs",
    "ACL005": "the author decides which waits belong to which record",
    "ACL009": "the author decides which order of the collectives is meant",
    "ACL011": "the program decides when peer access ends",
    "ACL017": "the author decides where the call belongs",
    "ACL021": "the checker does not know the intended content",
    "ACL022": "the author knows the right size",
    "ACL025": "the author knows the right limit",
    "ACL026": "the author decides which thread does the work",
    "ACL027": "the author decides which thread serves the callbacks",
    "ACL028": "the author decides what the capture contains",
    "ACL029": "the author decides what is released",
    "ACL031": "the processes decide when they import",
    "ACL032": "only the author knows what the kernel accesses",
    "ACL033": "the author decides how to handle the error",
    "ACL034": "a crash has no order to repair",
    "ACL037": "the author decides which call comes first",
    "ACL038": "the author decides which thread waits for the device",
}

# The same of single programs.
PROGRAMS_WITHOUT_CODE = {
    "cases/life_cases/27d": "the author knows which allocation is meant",
    "cases/memory_cases/mstx a": "a function of a header releases the memory",
    "cases/memory_cases/gone": "another function releases the memory than the one that uses it",
    "cases/number_cases/w4": "the author knows which value the wait is for",
    "cases/number_cases/g1": "the author knows which stream records the event",
    "cases/over_cases/abort a": "the author knows which stream records the event",
}


# The tests of the checker are programs without Catch2 here: each case is a run of its own.
CATCH = r"""#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#define REQUIRE(...) do { if (!(__VA_ARGS__)) { std::fprintf(stderr, "%d: %s\n", __LINE__, #__VA_ARGS__); std::_Exit(9); } } while (false)
#define CHECK(...) REQUIRE(__VA_ARGS__)
#define CHECK_FALSE(...) REQUIRE(!(__VA_ARGS__))
#define CATCH_REGISTER_LISTENER(name)
namespace Catch {
struct TestCaseInfo { std::string name; };
struct SectionInfo { std::string name; };
struct SectionStats { struct { int failed; } assertions; };
}
namespace catch_compat {
struct Listener {
  virtual ~Listener() = default;
  virtual void testCaseStarting(const Catch::TestCaseInfo&) {}
  virtual void sectionStarting(const Catch::SectionInfo&) {}
  virtual void sectionEnded(const Catch::SectionStats&) {}
};
}
"""
RUN_CASE = """#include "tests/check/cases.h"
int main(int, char** words) {
  for (const check::Case& one : check::%s())
    if (std::string(words[1]) == one.number) return one.program(false), 0;
  return 8;
}
"""


class Program:
    """A program with a mistake: its files, by path, the names of the sources, and the words of its command."""

    def __init__(self, name, files, sources, words=(), options=(), libraries=("ascendcl",), standard="c++17"):
        self.name = name
        self.files = files
        self.sources = list(sources)
        self.words = list(words)
        self.options = list(options)
        self.libraries = list(libraries)
        self.standard = standard
        self.expected = {}


def planted():
    folder = ROOT / "tests" / "guests"
    files = {name: (folder / name).read_text()
             for name in ("planted.cpp", "planted_callbacks.h", "planted_desk.h")}
    names = re.findall(r'^    PROGRAM\((\w+), "([^"]*)"\)', files["planted.cpp"], re.M)
    return [Program("planted/" + name, files, ["planted.cpp"], [name],
                    ["--guard-reads"] if kind == "host too early" else []) for name, kind in names]


def explained():
    files = {"pairs.cpp": explain_programs.source()}
    return [Program("explain/" + rule, files, ["pairs.cpp"], [rule + "_wrong"], options)
            for rule, kind, options, _ in explain_programs.programs() if kind == "wrong"]


def cases():
    """The cases of test_check that are listed in tables."""
    made = []
    shared = {"tests/support/catch.h": CATCH}
    for folder in ("acl", "support"):
        for path in sorted((ROOT / "tests" / folder).glob("*.h")):
            shared.setdefault(f"tests/{folder}/{path.name}", path.read_text())
    common = ["tests/acl/world.cpp", "tests/support/waiting.cpp", "tests/support/verdict.cpp"]
    for name in [*common, "tests/check/cases.h"]:
        shared[name] = (ROOT / name).read_text()
    for path in sorted((ROOT / "tests" / "check").glob("*_cases.cpp")):
        text = path.read_text()
        source = f"tests/check/{path.name}"
        files = {**shared, source: text, "main.cpp": RUN_CASE % path.stem}
        rows = re.findall(r'\{"([^"]+)",\s*"[^"]*"(?:\s*"[^"]*")*,\s*"ACL\d+",\s*\w+\}', text)
        made += [Program(f"cases/{path.stem}/{number}", files, ["main.cpp", source, *common], [number],
                         standard="c++20") for number in rows]
    return made


def own():
    made = []
    for path in sorted((ROOT / "tests" / "check" / "repairs").glob("*.c*")):
        text = path.read_text()
        libraries = re.search(r"^// libraries: (.*)$", text, re.M)
        made.append(Program("repairs/" + path.stem, {path.name: text}, [path.name],
                            libraries=libraries.group(1).split() if libraries else ["ascendcl"]))
        made[-1].expected = expected_of(text)
    return made


def expected_of(text):
    """The first finding, as comments of the program state it: its rule, the lines of the two operations, ..."""
    made = dict(re.findall(r"^// (first|times|text|repair|consequence): (.*)$", text, re.M))
    for mark in ("this", "earlier"):
        lines = [number for number, line in enumerate(text.split("\n"), 1) if line.endswith("// " + mark)]
        if lines:
            made[mark] = lines[0]
    return made


def unexpected(expected, findings):
    """The first difference between the findings and the comments; empty: none."""
    first = findings[0]
    found = {"first": first["rule"], "times": str(first["times"]),
             "this": first["it"].get("place", {}).get("line"),
             "earlier": first.get("other", {}).get("place", {}).get("line"),
             "consequence": " ".join(one["rule"] for one in findings if one.get("consequence_of") == 1)}
    for name, value in expected.items():
        if name in ("text", "repair"):
            if value not in first[name]:
                return f"{name}: {first[name]}; expected: {value}"
        elif found[name] != value:
            return f"{name}: {found[name]}; expected: {value}"
    return ""


def edited(text, edits):
    """The text with the edits, and for each of its lines the line of the unchanged text; 0: none."""
    lines, result = text.split("\n"), []
    for number, line in enumerate(lines, 1):
        mine = [edit for edit in edits if edit["line"] == number]

        def code(where):
            return [one for edit in mine if edit["where"] == where for one in edit["code"].split("\n")]
        result += [(one, 0) for one in code("before")]
        instead = [edit["code"] for edit in mine if edit["where"] == "instead"]
        if not instead:
            result.append((line, number))
        elif instead[0]:
            result.append((instead[0], number))
        result += [(one, 0) for one in code("after")]
    return "\n".join(line for line, _ in result), [0] + [number for _, number in result]


class Runner:
    """Builds versions of programs, each once, and runs them."""

    def __init__(self, aclsim, libraries, guests, folder):
        self.aclsim, self.libraries, self.guests, self.folder = aclsim, libraries, guests, pathlib.Path(folder)
        self.lock, self.built, self.count = threading.Lock(), {}, 0

    def compile(self, folder, source, program):
        plain_c = source.endswith(".c")
        done = subprocess.run(["gcc" if plain_c else "g++", "-std=" + ("c17" if plain_c else program.standard), "-g", "-w",
                               "-O0", "-MMD", "-I.", f"-I{ROOT}/include", f"-I{ROOT}",
                               f'-DACLSIM_GUEST_DIR="{self.guests}"', "-c", source, "-o", object_of(source)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError("it does not compile:\n" + done.stderr)

    def unchanged(self, source, program, files):
        """The object of the program as it was, if none of the files that it depends on differs; else None."""
        key = (tuple(program.sources), tuple(sorted(program.files.items())))
        folder = self.built[key][1] if key in self.built and files is not program.files else None
        if not folder:
            return None
        needs = (folder / object_of(source)).with_suffix(".d").read_text().replace("\\\n", " ").split()
        changed = any(os.path.normpath(name) in files and files[os.path.normpath(name)] !=
                      program.files.get(os.path.normpath(name)) for name in needs)
        return None if changed else str(folder / object_of(source))

    def build(self, program, files):
        """The folder of the program. The objects of sources that are unchanged, as their headers, are used again."""
        key = (tuple(program.sources), tuple(sorted(files.items())))
        with self.lock:
            event, folder = self.built.get(key, (None, None))
            mine = event is None
            if mine:
                self.count += 1
                event, folder = threading.Event(), self.folder / str(self.count)
                self.built[key] = (event, folder)
        if not mine:
            event.wait()
            if not (folder / "program").exists():
                raise RuntimeError("it does not compile")
            return folder
        try:
            for name, text in files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            objects = []
            for source in program.sources:
                old = self.unchanged(source, program, files)
                if not old:
                    self.compile(folder, source, program)
                objects.append(old or object_of(source))
            done = subprocess.run(["g++", *objects, f"-L{self.libraries}", *(f"-l{name}" for name in program.libraries),
                                   "-lpthread", "-o", "program"], cwd=folder, capture_output=True, text=True)
            if done.returncode != 0:
                raise RuntimeError("it does not link:\n" + done.stderr)
        finally:
            event.set()
        return folder

    def findings(self, program, files):
        """The findings at warning or above, in lines of these files, and all that the run prints."""
        folder = self.build(program, files)
        with self.lock:
            self.count += 1
            report = folder / f"report{self.count}.json"
        done = subprocess.run([self.aclsim, "run", "--check", "--watchdog", "10,abort", "--report", report.name,
                               *program.options, "--", "./program", *program.words], cwd=folder,
                              env={**os.environ, "LD_LIBRARY_PATH": self.libraries}, capture_output=True, text=True,
                              timeout=120)
        found = json.loads(report.read_text())["findings"] if report.exists() else []
        return [one for one in found if one["level"] != "note"], done.stderr, folder


def object_of(source):
    return source.replace("/", "_") + ".o"


def name_in(folder, file):
    """A path of a report, as a path of the program's files."""
    path = pathlib.Path(os.path.normpath(file))
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def key(finding, origins, folder):
    """The rule and the two places, in lines of the unchanged files."""
    sides = []
    for side in ("it", "other"):
        place = finding.get(side, {}).get("place", {})
        name = name_in(folder, place.get("file", ""))
        line = place.get("line", 0)
        sides.append((name, origins[name][line] if line < len(origins.get(name, ())) else line))
    return (finding["rule"], *sorted(sides))


def mistake(program, runner):
    """The fault of the repair of the first finding; empty: it is right; None: the run has no finding."""
    first = None
    try:
        before, text, folder = runner.findings(program, program.files)
        if not before:
            return "no finding\n" + text if program.expected else None
        first = before[0]
        if wrong := unexpected(program.expected, before):
            return f"{wrong}\n{text}"
        if "fixes" not in first:
            known = first["rule"] in WITHOUT_CODE or program.expected or program.name.startswith(
                tuple(PROGRAMS_WITHOUT_CODE))
            return "" if known else f"no repair as code of {first['rule']}: {first['text']}\n{text}"
        by_file = {}
        for edit in first["fixes"]:
            by_file.setdefault(name_in(folder, edit["file"]), []).append(edit)
        files, origins = dict(program.files), {}
        for name, edits in by_file.items():
            files[name], origins[name] = edited(program.files[name], edits)
        after, repaired, new_folder = runner.findings(program, files)
    except (RuntimeError, subprocess.SubprocessError, KeyError) as error:
        return f"{error!r}\n{error}\n{json.dumps(first, indent=1)}"
    known = {key(one, {}, folder) for one in before}
    gone = key(first, {}, folder)
    for one in after:
        now = key(one, origins, new_folder)
        if now == gone or now not in known:
            return "\n".join([f"after the repair: {one['rule']}: {one['text']}", json.dumps(first["fixes"], indent=1),
                              "before:", text, "after:", repaired])
    return ""


def main():
    aclsim, libraries, guests, *names = sys.argv[1:]
    programs = planted() + explained() + own() + cases()
    if names:
        programs = [one for one in programs if any(one.name.startswith(name) for name in names)]
    else:
        programs = [one for index, one in enumerate(programs) if share.in_share(index, PARTS)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        runner = Runner(aclsim, libraries, guests, folder)
        found = list(pool.map(lambda one: mistake(one, runner), programs))
    wrong = [f"{program.name}: {text}" for program, text in zip(programs, found) if text]
    clean = [program.name for program, text in zip(programs, found) if text is None]
    print(f"{len(programs)} programs, {len(clean)} without a finding, {len(wrong)} with a wrong repair")
    if names:
        print("without a finding:", *clean)
    sys.exit("\n\n".join(wrong) if wrong else 0)


main()

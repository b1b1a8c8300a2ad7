# SPDX-License-Identifier: Apache-2.0
"""Rules for all sources.

usage: sources.py PROJECT

1. Tests do not sleep: they wait for a condition with a deadline. If time itself is the subject of
   a test, it calls let_time_pass() (tests/support/waiting.h, tests/python/work.py).
2. A file of code has at most 600 lines. Tables (.tsv) are not code.
3. Words that docs/glossary.md replaced do not come back as identifiers, names of files, texts that are one
   word (names of cases, keys) or tags of tests, in C, C++ and Python.
4. The README of a room names its hard idea, and the things that may not enter.
"""

import io
import pathlib
import re
import sys
import tokenize

MOST_LINES = 600
ROOMS = ["tests", "tools", "runtime", "device_sim", "pyacl", "pyshmem", "bench"]
CODE = {".c", ".cpp", ".h", ".py"}
SLEEP = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep|time\.sleep)\b|"
                   r"(?<![\w.])sleep\(\d|from time import.*\bsleep\b")
# Words anywhere in an identifier or a name of a file, in any case; and whole identifiers.
OLD_WORDS = re.compile(r"deed|manner|told_?word|grace|uncounted|crowd|circle|judg(?:e|ing)", re.IGNORECASE)
OLD_NAMES = {"Bar", "Look", "[family]"}
KEPT_KEYS = {"judged", "not_judged", "notJudged"}  # keys of files that other programs read
STRING = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"")
TAG = re.compile(r"\[([A-Za-z_][\w-]*)\]")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|R\"\((?:.*?)\)\"|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
MAY_NAME_OLD_WORDS = ["tests/lint/"]
# runtime/acl is not a room; it contains rooms.
ROOM_READMES = ["device_sim/*/README.md", "runtime/acl/*/README.md", "runtime/[!a]*/README.md",
                "runtime/a[!c]*/README.md"]
MAY_SLEEP = ["tests/support/", "tests/python/work.py", "tests/lint/"]


def files(project):
    for room in ROOMS:
        for path in sorted((project / room).rglob("*")):
            if path.suffix in CODE and path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(project).as_posix(), path.read_text(encoding="utf-8")


def is_old(identifier):
    return identifier in OLD_NAMES or OLD_WORDS.search(identifier) is not None


def words_of_text(text):
    """A text that is one word, and the tags of a test, as identifiers to check."""
    if IDENTIFIER.fullmatch(text) and text not in KEPT_KEYS:
        yield text
    if re.fullmatch(r"(?:\[[\w.!-]+\])+", text):
        for tag in TAG.findall(text):
            yield "[%s]" % tag


def words_of_cpp(text):
    code = NOT_CODE.sub(lambda match: "\n" * match.group(0).count("\n"), text)
    for number, line in enumerate(code.splitlines(), 1):
        for identifier in IDENTIFIER.findall(line):
            yield number, identifier
    for number, line in enumerate(text.splitlines(), 1):
        for string in STRING.findall(line.split("//")[0]):
            for word in words_of_text(string):
                yield number, word


def words_of_python(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING:
            for word in words_of_text(token.string.lstrip("rbuRBUfF").strip("\"'")):
                yield token.start[0], word


def old_words(name, text):
    """Identifiers, texts of one word and tags of tests (not comments and other texts), and the name of the file."""
    if name.startswith(tuple(MAY_NAME_OLD_WORDS)):
        return
    for part in pathlib.PurePosixPath(name).parts:
        if is_old(pathlib.PurePosixPath(part).stem):
            yield "%s: the name of the file has a word of old; see docs/glossary.md" % name
    words = words_of_python(text) if name.endswith(".py") else words_of_cpp(text)
    for number, word in sorted(set(words)):
        if is_old(word):
            yield "%s:%d: '%s' has a word of old; see docs/glossary.md" % (name, number, word)


def rooms_without_walls(project):
    for pattern in ROOM_READMES:
        for path in sorted(project.glob(pattern)):
            text = " ".join(path.read_text(encoding="utf-8").split()).lower()
            for phrase in ("hard idea", "may not enter"):
                if phrase not in text:
                    yield "%s: does not say '%s ...'" % (path.relative_to(project).as_posix(), phrase)


def complaints(name, text):
    yield from old_words(name, text)
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        yield "%s:%d: more than %d lines; make it several files" % (name, len(lines), MOST_LINES)
    if not name.startswith("tests/") or name.startswith(tuple(MAY_SLEEP)):
        return
    for number, line in enumerate(lines, 1):
        if SLEEP.search(line):
            yield ("%s:%d: a test that sleeps; wait for a condition with eventually(), or call "
                   "let_time_pass() where time is the subject" % (name, number))


def main(project):
    found = [complaint for name, text in files(project) for complaint in complaints(name, text)]
    found += rooms_without_walls(project)
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

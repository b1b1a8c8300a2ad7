#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Classes of the product have at most 60 member functions.

usage: classes.py PROJECT [--list N]

A declared or defined function counts once, also if it is inherited and overridden. A class with more functions
gives the reason in the comment at its head, which contains "more than 60 functions". --list prints the N
largest classes.
"""

import pathlib
import re
import sys

MOST = 60
REASON = "more than 60 functions"
ROOMS = ["device_sim", "runtime", "tools", "pyacl"]
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
TEXT = re.compile(r"R\"([^()\s]*)\((?:.*?)\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
HEAD = re.compile(r"^[ \t]*(?:class|struct)\s+(?:\[\[[^\]]*\]\]\s*|[A-Z_]+\([^)]*\)\s*|[A-Z_]{6,}\s+)*"
                  r"(?P<name>\w+)\b[^;{}()=]*\{", re.MULTILINE)
NO_FUNCTION = re.compile(r"^\s*(?:using|friend|static_assert|typedef|enum|class|struct|union|namespace)\b")
FUNCTION = re.compile(r"~?\b\w+\s*\(")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def body_after(code, begin):
    """The statements of a class: text at its own depth, with nested braces as {}."""
    depth, statements, current = 1, [], ""
    for at in range(begin, len(code)):
        letter = code[at]
        if letter == "{":
            depth += 1
            if depth == 2:
                current += "{"
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return statements
            if depth == 1:
                statements.append(current + "}")
                current = ""
        elif depth == 1:
            if letter == ";":
                statements.append(current)
                current = ""
            else:
                current += letter
    return statements


def is_function(statement):
    statement = re.sub(r"\b(?:public|private|protected)\s*:", "", statement)
    statement = re.sub(r"^\s*template\s*<.*?>\s*(?=[\w\[~])", "", statement, flags=re.DOTALL)
    statement = re.sub(r"\[\[.*?\]\]|\b[A-Z_]{6,}\s*\([^()]*(?:\([^()]*\)[^()]*)*\)|alignas\s*\([^)]*\)", "", statement)
    if NO_FUNCTION.match(statement) or re.search(r"=\s*delete\s*$", statement):
        return False
    statement = re.sub(r"\boperator\s*\S{1,3}\s*\(", "operator_(", statement)
    declaration = re.split(r"\{|=(?!=)(?!\s*(?:0|default|delete)\s*$)", statement)[0]
    return FUNCTION.search(declaration) is not None and not re.match(r"^\s*std::function\s*<", declaration)


def classes(text):
    """Name, number of functions, line and the text before each class."""
    code = TEXT.sub(blank, COMMENT.sub(blank, text))
    for match in HEAD.finditer(code):
        functions = sum(is_function(statement) for statement in body_after(code, match.end()))
        line = code.count("\n", 0, match.start("name")) + 1
        yield match["name"], functions, line, comment_before(text.splitlines(), line)


def comment_before(lines, line):
    kept = []
    for at in range(line - 2, -1, -1):
        if not lines[at].lstrip().startswith(("//", "/*", "*", "template")):
            break
        kept.insert(0, lines[at].strip(" /*"))
    return " ".join(kept)


def main(arguments):
    project = pathlib.Path(arguments[0])
    found = []
    for room in ROOMS:
        for path in sorted((project / room).rglob("*")):
            if path.suffix in {".h", ".cpp"} and path.is_file():
                name = path.relative_to(project).as_posix()
                found += [(functions, "%s:%d" % (name, line), cls, head)
                          for cls, functions, line, head in classes(path.read_text(encoding="utf-8"))]
    if "--list" in arguments:
        for functions, place, cls, _ in sorted(found, reverse=True)[:int(arguments[2])]:
            print("%4d %s %s" % (functions, place, cls))
    wrong = [row for row in found if row[0] > MOST and REASON not in row[3]]
    for functions, place, cls, _ in wrong:
        print("%s: %s has %d member functions; split it, or give the reason at its head ('It has %s, "
              "since ...')" % (place, cls, functions, REASON))
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

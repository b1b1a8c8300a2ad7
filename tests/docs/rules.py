#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the table of docs/checker-rules.md and the headings of docs/explain.md with the rules in
runtime/order/engine/rules.def. --update writes them; a new rule gets a section with a program to fill in.

usage: rules.py [--update]
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE, SECTIONS = ROOT / "docs" / "checker-rules.md", ROOT / "docs" / "explain.md"
HEADING = re.compile(r"^## (ACL\d+): .*$", re.M)


def rules():
    """[(id, level, title, meaning, repair)]"""
    text = (ROOT / "runtime/order/engine/rules.def").read_text()
    literal = r'((?:"[^"]*"\s*)+)'
    row = re.compile(rf'^RULE\(\w+, "(ACL\d+)", (\w+), {literal},\s*{literal},\s*{literal}\)$', re.M)
    found = [(number, level, *("".join(re.findall(r'"([^"]*)"', part)) for part in parts))
             for number, level, *parts in row.findall(text)]
    if len(found) != len(re.findall(r"^RULE\(", text, re.M)):
        sys.exit("runtime/order/engine/rules.def: a row has another form than the rest")
    return found


def with_table(text, rows):
    head = "| rule | level | title | meaning | fix |\n|---|---|---|---|---|\n"
    table = head + "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return re.sub(r"(?<=<!-- rules -->\n).*?(?=<!-- end of rules -->)", lambda _: table, text, flags=re.S)


def with_headings(text, rows):
    titles = {number: title for number, _, title, _, _ in rows}
    text = HEADING.sub(lambda found: f"## {found[1]}: {titles.get(found[1], 'no such rule')}", text)
    present = set(HEADING.findall(text))
    for number, _, title, meaning, _ in rows:
        if number not in present:
            text += (f"\n## {number}: {title}\n\n{meaning[0].upper() + meaning[1:]}.\n\n"
                     "```cpp wrong\n```\n\n```cpp right\n```\n")
    return text


def main():
    update = sys.argv[1:] == ["--update"]
    rows, stale = rules(), False
    for page, change in ((TABLE, with_table), (SECTIONS, with_headings)):
        text = page.read_text()
        expected = change(text, rows)
        if update:
            page.write_text(expected)
        elif expected != text:
            name, stale = f"docs/{page.name}", True
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), expected.splitlines(True),
                                                       name, f"{name} by rules.def"))
    if stale:
        sys.exit("the documents differ from rules.def; tests/docs/rules.py --update writes them")


main()

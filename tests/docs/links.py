#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links between the documents lead to existing files and existing headings.

usage: links.py [FOLDER]     the checkout; default: the checkout of this file
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT if ROOT.is_dir() else ROOT.parents[2]
FOLDERS = ("docs", "samples", "bench", "runtime", "device_sim", "tests", "tools", "pyacl")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.S | re.M)


def pages():
    yield from ROOT.glob("*.md")
    for folder in FOLDERS:
        yield from (ROOT / folder).glob("**/*.md")


def text_of(page):
    return CODE.sub("", page.read_text())


def anchors_of(page):
    """The anchors that code hosts derive from headings."""
    headings = re.findall(r"^#+ (.*?)\s*$", text_of(page), re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def mistake_of(page, link):
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return "no such file"
    if ROOT not in (target.resolve(), *target.resolve().parents):
        return "leads out of the checkout"
    if anchor and target.suffix == ".md" and anchor not in anchors_of(target):
        return "no such heading"
    return None


def main():
    count, wrong = 0, []
    for page in sorted(pages()):
        for link in LINK.findall(text_of(page)):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            mistake = mistake_of(page, link)
            if mistake:
                wrong.append(f"{page.relative_to(ROOT)}: {link}: {mistake}")
    if wrong or count == 0:
        sys.exit("\n".join(wrong) or "no links found")
    print(f"{count} links lead somewhere")


main()

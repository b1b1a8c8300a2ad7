# SPDX-License-Identifier: Apache-2.0
"""Countable patterns that plain technical English avoids, in documents, comments and help texts.

usage: language.py PROJECT [PATH...] [--count]

Each row of RULES is a pattern and the advice that is printed with it. Fenced code, inline code,
tables of facts (.tsv), quoted text ("..." within prose) and questions are not checked. With PATH
only files below these paths are checked; --count prints one number for each file and each rule.
"""

import io
import pathlib
import re
import sys
import tokenize

# The pattern is searched in one sentence at a time, which has no line breaks.
RULES = [
    ("free-relative", r"^(?:What|Who|Whoever|Whatever|Whichever)\b",
     "begin with a noun; a clause is no subject"),
    ("free-relative", r"\b(?:of|for|with|from|by|in|on|to|as|than|and|or|but|behind|before|after|at|into|"
                      r"beside|only|all|is|are|was|were|nothing|that|has|have|had|about) what\b(?! if\b)",
     "name the thing that the clause describes"),
    ("free-relative", r", what\b", "name the thing that the clause describes"),
    ("whoever", r"\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody|[Ee]verybody|[Ww]hatever)\b", "name the thread, caller or object"),
    ("where-for-if", r"^(?:Where|Wherever)\b", "write 'if' or 'when'"),
    ("where-for-if", r"\bwhere (?:it|they|this|that|no|none|nothing|one|neither|both|a|an) "
                     r"(?:is|are|was|were|does|do|has|have|had|can|cannot|may|must|needs?)\b",
     "write 'if' or 'when'"),
    ("tell", r"\b(?:[Tt]ells?|[Tt]old|[Tt]elling)\b", "write report, specify, print, notify or distinguish"),
    ("say-of", r"\b(?:says?|said|saying) (?:of|so|nothing|anything|which|that it|how|why|where|when|who)\b",
     "write report, describe, specify or list"),
    ("say-of", r"\bis said\b", "write report, describe, specify or list"),
    ("pronoun-that", r"\b(?:[Tt]hose|that) (?:of|who)\b", "repeat the noun"),
    ("pronoun-that", r"\b(?:[Tt]hose|that which|such as are) that\b", "repeat the noun"),
    ("is-there", r"\b(?:is|are|was|were) there\b(?! (?:a|an|any|no)\b)", "write supported, present or available"),
    ("is-there", r"\bthere is none\b", "write supported, present or available"),
    ("stand-or-lie", r"\b(?:stands?|stood|lies|lie|lay) "
                     r"(?:in|on|at|behind|before|beside|there|here|under|above|below|between|still|alone|"
                     r"for|once|where|as|open|ready|empty|within|outside|side|together)\b",
     "things are stored, listed, described or located"),
    ("fronted-of", r"^Of (?!course\b)", "put the subject first"),
    ("after-this-page", r"\bAfter this page\b", "begin with a verb"),
    ("idiom", r"\b(?:for good|by the day|at the edge|of the day|of late|by turns|to the letter|"
              r"in one go|at a time like|has a say|had a say|takes? its turn|over and done)\b",
     "leave the idiom out"),
    ("such", r"\bsuch (?:a |an )?one\b|\bas such\b|\bone such\b|\bsuch a thing\b", "repeat the noun"),
    ("no-thing", r"\bwhat is no\b|\bthat is no (?!longer\b|more\b)|\bis no (?:file|handle|number|kernel|error|finding)\b",
     "write 'is not a'"),
    ("behind-for-after", r"\bin front of it\b|\bbehind it\b(?! in the queue)", "write before or after"),
]
COMPILED = [(name, re.compile(pattern), advice) for name, pattern, advice in RULES]

PROSE = {".md"}
C_LIKE = {".c", ".cpp", ".h", ".asc", ".in"}
HASHED = {".py", ".sh", ".cmake", ".txt", ".toml"}
SCRIPTS = ("scripts/", ".ci/")
HELP = ("tools/aclsim/", "tools/ascendc/")  # texts of programs that print help
NOT_CHECKED = ("tests/lint/language.py", "CHANGELOG.md", "docs/performance-history.md", "LICENSE")

FENCE = re.compile(r"^\s*(```|~~~)")
QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`")
C_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|R\"([^()\s]*)\((?:.*?)\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'",
                       re.DOTALL)
HELP_WORDS = 4


def tracked(project):
    for path in sorted(project.rglob("*")):
        name = path.relative_to(project).as_posix()
        if path.is_file() and not path.is_symlink() and not re.match(r"(?:build|install|\.git/|node_modules)", name) \
                and "__pycache__" not in name and not name.startswith(NOT_CHECKED):
            yield name, path


def blocks_of_markdown(text):
    """Paragraphs, list items, table cells and headings, each with the line at which it begins."""
    lines, begin, fenced = [], 1, False
    for number, line in enumerate(text.splitlines() + [""], 1):
        if FENCE.match(line):
            fenced = not fenced
            line = ""
        elif fenced:
            continue
        if line.lstrip().startswith("|"):
            for cell in line.strip().strip("|").split("|"):
                yield number, cell
            line = ""
        new = not line.strip() or re.match(r"\s*(?:[-*+]|\d+\.|#+|<!--|>)\s?", line)
        if new and lines:
            yield begin, " ".join(lines)
            lines = []
        if line.strip():
            if not lines:
                begin = number
            lines.append(re.sub(r"^\s*(?:[-*+]|\d+\.|#+|>)\s", "", line))


def blocks_of_comments(rows):
    """Comments on adjacent lines are one block; `rows` are (line, text)."""
    block, begin, last = [], 0, -1
    for number, text in rows:
        if block and number != last + 1:
            yield begin, " ".join(block)
            block = []
        if not block:
            begin = number
        for line in text.splitlines() or [""]:
            line = re.sub(r"^[\s/*!<#]+|[\s*/]+$", "", line)
            line = "" if line.startswith("SPDX-License-Identifier") else line  # no part of the next sentence
            if not line and block:
                yield begin, " ".join(block)
                block, begin = [], number
            elif line:
                block.append(line)
            number += 1
        last = number - 1
    if block:
        yield begin, " ".join(block)


def comments_of_c(text):
    for match in C_COMMENT.finditer(text):
        if match.group(0).startswith(("//", "/*")):
            yield text.count("\n", 0, match.start()) + 1, match.group(0)


def strings_of_c(text):
    """Texts of several words; adjacent literals are one."""
    joined, begin, end = "", 0, 0
    for match in C_COMMENT.finditer(text):
        if not match.group(0).startswith('"'):
            continue
        if joined and text[end:match.start()].strip():
            yield begin, joined
            joined = ""
        if not joined:
            begin = text.count("\n", 0, match.start()) + 1
        joined += match.group(0)[1:-1]
        end = match.end()
    if joined:
        yield begin, joined


def comments_of_python(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING and token.string.startswith(('"""', '\'\'\'', 'r"""')):
            yield token.start[0], token.string.lstrip("r").strip("\"'")


def comments_of_hashed(text):
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.search(r"(?:^|\s)#\s?(.*)", line):
            if "'" not in line[:match.start()] and '"' not in line[:match.start()]:
                yield number, match.group(1)


def blocks(name, path):
    suffix = path.suffix
    if suffix in PROSE:
        yield from blocks_of_markdown(path.read_text(encoding="utf-8"))
    elif suffix in C_LIKE:
        text = path.read_text(encoding="utf-8")
        yield from blocks_of_comments(comments_of_c(text))
        if name.startswith(HELP):
            for number, string in strings_of_c(text):
                if len(string.split()) >= HELP_WORDS:
                    yield number, string.replace("\\n", " ").replace("\\\"", "'")
    elif suffix == ".py":
        yield from blocks_of_comments(comments_of_python(path.read_text(encoding="utf-8")))
    elif suffix in HASHED or name.startswith(SCRIPTS):
        yield from blocks_of_comments(comments_of_hashed(path.read_text(encoding="utf-8")))


def sentences(block):
    block = QUOTED.sub(lambda match: "X" if match.group(0)[0] == "`" else "\"\"", block)
    block = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", block)
    for sentence in re.split(r"(?<=[.!?;:])\s+(?=[A-Z\"*])|(?<=[.!])\s+", block):
        sentence = sentence.strip(" *_-")
        if sentence and not sentence.endswith("?"):
            yield sentence


def complaints(name, path):
    for number, block in blocks(name, path):
        for sentence in sentences(block):
            for rule, pattern, advice in COMPILED:
                if match := pattern.search(sentence):
                    yield number, rule, match.group(0), advice, sentence


def main(arguments):
    count = "--count" in arguments
    project, *only = [pathlib.Path(word).resolve() for word in arguments if not word.startswith("--")]
    per_file, per_rule = {}, {}
    for name, path in tracked(project):
        if only and not any(path == place or place in path.parents for place in only):
            continue
        for number, rule, found, advice, sentence in complaints(name, path):
            per_file[name] = per_file.get(name, 0) + 1
            per_rule[rule] = per_rule.get(rule, 0) + 1
            if not count:
                print("%s:%d: %s: '%s': %s: %s" % (name, number, rule, found, advice, sentence[:160]))
    if count:
        for table in (per_file, per_rule):
            for key, value in sorted(table.items(), key=lambda row: -row[1]):
                print("%6d %s" % (value, key))
            print()
    print("%d sentences to rewrite in %d files" % (sum(per_file.values()), len(per_file)))
    return 1 if per_file else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

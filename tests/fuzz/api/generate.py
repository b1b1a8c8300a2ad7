#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes one call with arbitrary arguments for each function of the table.

usage: generate.py TABLE INCLUDE_DIR OUTPUT

The type and the name of an argument determine its values: fuzzer.h has the pools. A call may use all of its
memory, so a function that takes pointers gets small sizes.
"""

import csv
import pathlib
import re
import sys

# Arguments of functions for which types and names are not sufficient.
BY_HAND = {
    "aclAppLog": ["f.number<aclLogLevel>(false)", "f.fixed_text()", "f.fixed_text()",
                  "f.number<uint32_t>(false)", '"%s %d %%"', "f.fixed_text()",
                  "f.number<int>(false)"],
    "aclSetTensorShapeRange": ['(aclTensorDesc*)f.handle("aclTensorDesc *")',
                               "f.number<size_t>(true) % 9",
                               "(int64_t(*)[2])f.numbers<int64_t>()"],
    "aclSetTensorValueRange": ['(aclTensorDesc*)f.handle("aclTensorDesc *")',
                               "f.number<size_t>(true) % 9",
                               "(int64_t(*)[2])f.numbers<int64_t>()"],
    "acldumpRegCallback": ["f.callback<int32_t (*)(const acldumpChunk*, int32_t)>()",
                           "f.number<int32_t>(false)"],
}
# Functions that release the object that the first argument names.
TAKES_BACK = re.compile(r"Destroy|Free|UnLoad|Unmap|Release|Unregister|UnRegister")
# After these functions few objects are left, so they are called rarely.
RARE = re.compile(r"Reset|Finalize|Restore|DestroyContext|aclInit|Abort|StreamStop|"
                  r"SetCurrentContext")
# These functions look addresses up; the others access a pointer as host memory, which must exist.
LOOKS_UP = re.compile(r"^(?!.*Shareable)(aclrt(Malloc|Free|Mem|Host|Reduce|Value|Cmo|Ipc|Map|"
                      r"Unmap|Reserve|Release|Pointer|RandomNum)|acldvpp)")
# The addresses that these return name no memory of the program.
NO_MEMORY = {"aclrtGetHardwareSyncAddr"}
PARAMETER = re.compile(r"^(?P<type>.*?[\s*])(?P<name>\w+)(?P<array>(\[\w*\])*)$")
NUMBERS = {"int", "char", "float", "double", "size_t", "bool"} | {
    "%sint%d_t" % (sign, bits) for sign in ("u", "") for bits in (8, 16, 32, 64)}


class Types:
    """The types as the headers define them."""

    def __init__(self, include):
        text = "".join(re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
                       for path in sorted(pathlib.Path(include).rglob("*.h")))
        self.handles = set(re.findall(r"typedef\s+void\s*\*\s*(\w+)\s*;", text))
        self.handles |= set(re.findall(r"typedef\s+struct\s+\w+\s*\*\s*(\w+)\s*;", text))
        self.functions = set(re.findall(r"typedef\s+[\w\s*]+?\(\s*\*\s*(\w+)\s*\)\s*\(", text))
        self.numbers = set(re.findall(r"typedef\s+u?int\d+_t\s+(\w+)\s*;", text))
        declared = dict(re.findall(r"typedef\s+struct\s+(\w+)\s+(\w+)\s*;", text))
        defined = set(re.findall(r"struct\s+(\w+)\s*\{", text))
        bodies = re.findall(r"typedef\s+struct\s*\w*\s*\{([^{}]*)\}\s*(\w+)\s*;", text)
        self.flat = {name for body, name in bodies if "*" not in body and
                     not set(re.findall(r"\w+", body)) & (self.handles | self.functions)}
        self.opaque = {name for tag, name in declared.items() if tag not in defined}
        self.enumerations = set(re.findall(r"typedef\s+enum\s*\w*\s*\{[^}]*\}\s*(\w+)\s*;", text))


def plain(text):
    return re.sub(r"\b(const|volatile|struct|enum)\b", "", text).replace(" ", "")


def argument(text, small, types, looks_up):
    """The type, and the expression that creates a value of it."""
    if "(*" in text:
        return None
    match = PARAMETER.match(text)
    if not match or match["array"]:
        return None
    kind, name = match["type"].strip(), match["name"]
    base = plain(kind)
    depth, core = base.count("*"), base.rstrip("*")
    if "timeout" in name.lower() or name == "ms":
        return kind, "f.moment<%s>()" % base if depth == 0 else "f.zeros()"
    if depth == 0 and core in types.functions:
        return kind, "f.callback<%s>()" % core
    if depth == 0 and core in types.handles:
        return kind, 'f.handle("%s")' % core
    if depth == 1 and core in types.opaque:
        return kind, 'f.handle("%s *")' % core
    if depth == 0:
        if core in NUMBERS | types.enumerations | types.numbers:
            return kind, "f.number<%s>(%s)" % (core, "true" if small else "false")
        return kind, None
    if base == "void*":
        return kind, "f.memory()" if looks_up else "f.scratch()"
    if base == "void**":
        return kind, "f.memories()" if looks_up else "f.scratches()"
    if base == "char*":
        return kind, "f.text()" if "const" in kind else "f.scratch()"
    if depth == 1 and core in types.handles:
        return kind, 'f.handles("%s")' % core
    if depth == 2 and core in types.opaque:
        return kind, 'f.handles("%s *")' % core
    if depth == 1 and core in NUMBERS | types.enumerations | types.numbers:
        return kind, "f.numbers<%s>()" % core
    return kind, "f.filled()" if depth == 1 and core in types.flat else "f.zeros()"


def by_hand(row):
    values = BY_HAND[row["name"]]
    lines = ["  const auto a%d = %s;" % (at, value) for at, value in enumerate(values)
             if not value.startswith('"')]
    text = "void call_%s(Fuzzer& f) {\n%s\n" % (row["name"], "\n".join(lines))
    # The compiler must see the format at the call.
    names = [value if value.startswith('"') else "a%d" % at for at, value in enumerate(values)]
    expression = "%s(%s)" % (row["name"], ", ".join(names))
    code = "(%s, 0)" % expression if plain(row["return"]) == "void" else "(long)%s" % expression
    return text + '  f.begin("%s");\n  (void)f.end(%s);\n}\n' % (row["name"], code)


def call(row, types):
    params = [part.strip() for part in row["params"].split(",")] if row["params"].strip() else []
    small = any("*" in part and part.strip() != "void" for part in params)
    lines, names, kept = [], [], []
    takes_back = TAKES_BACK.search(row["name"])
    for number, text in enumerate(params):
        made = argument(text, small, types, LOOKS_UP.match(row["name"]) is not None)
        if made is None:
            return None
        kind, value = made
        name = "a%d" % number
        names.append(name)
        if value is None:
            lines.append("  %s %s{};" % (plain(kind), name))
            continue
        cast = re.sub(r"\bconst$", "", kind) if "*" in kind else plain(kind)
        lines.append("  const auto %s = (%s)%s;" % (name, cast, value))
        base = plain(kind)
        if takes_back and ('f.handle("' in value or "f.memory()" in value):
            pool = value.split('"')[1] if '"' in value else "memory"
            kept.append('  f.drop("%s", (const void*)%s);' % (pool, name))
            takes_back = None
        if base.endswith("*") and base[:-1] in types.handles:
            kept.append('  f.keep("%s", %s);' % (base[:-1], name))
        elif base.endswith("**") and base[:-2] in types.opaque:
            kept.append('  f.keep("%s *", %s);' % (base[:-2], name))
        elif base == "void**" and row["name"] not in NO_MEMORY:
            kept.append('  f.keep("memory", %s);' % name)
    made = plain(row["return"])
    own = made.endswith("*") and made[:-1] in types.opaque
    text = "void call_%s(Fuzzer& f) {\n%s\n" % (row["name"], "\n".join(lines))
    text += '  f.begin("%s");\n' % row["name"]
    expression = "%s(%s)" % (row["name"], ", ".join(names))
    if made == "void":
        text += "  %s;\n  const bool done = f.end(0);\n" % expression
    elif own:
        text += ("  auto* made = %s;\n  const bool done = f.end(made != nullptr);\n"
                 '  f.keep_one("%s *", (void*)made);\n' % (expression, made[:-1]))
    elif made in ("aclError", "int", "int32_t", "uint32_t", "size_t"):
        text += "  const bool done = f.end((long)%s);\n" % expression
    else:
        text += "  (void)%s;\n  const bool done = f.end(0);\n" % expression
    if kept:
        text += "  if (done) {\n  %s\n  }\n" % "\n  ".join(kept)
    else:
        text += "  (void)done;\n"
    return text + "}\n"


def main():
    table, include, output = sys.argv[1:4]
    types = Types(include)
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    text = "// Generated by tests/fuzz/api/generate.py\n"
    names, missing = [], []
    for row in rows:
        undeclared = row["library"] in ("inline", "header") or row["header"] == "-"
        if undeclared:
            continue
        made = by_hand(row) if row["name"] in BY_HAND else call(row, types)
        if made is None:
            missing.append(row["name"])
            continue
        text += made
        names.append(row["name"])
    text += "constexpr Call kCalls[] = {\n"
    text += "".join('    {"%s", call_%s, %d},\n' % (name, name, 1 if RARE.search(name) else 50)
                    for name in names)
    text += "};\n"
    if missing:
        sys.exit("generate.py: no values for the arguments of %s" % ", ".join(missing))
    pathlib.Path(output).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(output).write_text(text)


if __name__ == "__main__":
    main()

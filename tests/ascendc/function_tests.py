# SPDX-License-Identifier: Apache-2.0
"""Each function that kernels may call has a test case that checks what it does: function_tests.tsv names it.

function_tests.py ROOT [--write]

The functions are listed in function_rows.h and vector_names.tsv. The named test case must exist, compare something,
and use the function: itself, or through kernels, helpers and macros of its file. Programs that a run.sh builds and
runs count as tests. --write adds a line for each function without one, if a test case is found; check that the test
case is a good one.
"""
import pathlib
import re
import sys

FOLDERS = ("tests/ascendc", "tests/ascendc_build", "tests/ascendc_c_api", "tests/ascendc_cube", "tests/ascendc_hccl",
           "tests/ascendc_library", "tests/ascendc_order")
# How a test names what a member is called on.
HOLDERS = {
    "LocalTensor": r"LocalTensor|\bat\b|AllocTensor|\bfloats\b",
    "GlobalTensor": r"GlobalTensor|\bwords\b",
    "TQueBind": r"\bTQue(Bind)?\b",
    "TQueSync": r"\bTQueSync\b",
    "TBuf": r"\bTBuf\b",
    "TBufPool": r"\bTBufPool\b",
    "TPipe": r"\bTPipe\b",
    "LocalMemAllocator": r"\bLocalMemAllocator\b",
    "GroupBarrier": r"\bGroupBarrier\b",
    "Mutex": r"\bMutex\b",
    "NumericLimits": r"\bNumericLimits\b",
    "Hccl": r"\bHccl\b",
    "ListTensorDesc": r"\bListTensorDesc\b",
    "TensorDesc": r"\bTensorDesc\b",
}
# Names without a row that need a test too: constructors, keywords, host code.
BESIDE = (
    ("LocalTensor", "LocalTensor"), ("GlobalTensor", "GlobalTensor"), ("LocalMemAllocator", "LocalMemAllocator"),
    ("TQueBind", "TQueBind"), ("", "TQue"), ("TBuf", "TBuf"), ("TBufPool", "TBufPool"), ("TPipe", "TPipe"),
    ("", "ShapeInfo"), ("", "TQueSync"), ("", "PlatformAscendC"), ("", "PlatformAscendCManager"),
    ("", "__global__"), ("", "__aicore__"), ("", "__gm__"), ("", "__vector__"), ("", "__cube__"), ("", "__mix__"),
    ("", "GM_ADDR"), ("", "__NPU_ARCH__"), ("", "ASCENDC_CPU_DEBUG"), ("NumericLimits", "Max"),
    ("NumericLimits", "Min"),
)
COMPARES = re.compile(r"\b(CHECK|CHECK_FALSE|REQUIRE|FAIL|check_\w+|check)\b")


def blanked(text):
    """Without comments and the contents of strings; the length is unchanged."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\((.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''

    def blank(match):
        found = match.group()
        keep = found[0] == '"' or found.startswith("R\"")
        return "".join(c if c == "\n" or (keep and c == '"') else " " for c in found)

    return re.sub(pattern, blank, re.sub(r"(?<=\w)'(?=\d)", " ", text), flags=re.S)


def without_template(head):
    head = head.lstrip()
    while head.startswith("template"):
        depth, at = 0, head.find("<")
        for at in range(at, len(head)):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            if depth == 0:
                break
        head = head[at + 1:].lstrip()
    return head


def declared(text):
    """The names that a unit of a file declares."""
    head = without_template(re.split(r"[{]", text, maxsplit=1)[0])
    names = set(re.findall(r"\b(?:struct|class|enum|union|using)\s+(?:class\s+)?(\w+)", head))
    found = re.search(r"(\w+)\s*\(", head)
    if found:
        names.add(found.group(1))
        if found.group(1).isupper():  # KERNEL(name) { ... }
            names.update(re.findall(r"\b[A-Z][A-Z0-9_]+\(\s*(\w+)", head))
    names.update(re.findall(r"(\w+)\s*(?:\[[^\]]*\]\s*)*=", head)[:1])
    if "(" not in head:
        names.update(re.findall(r"(\w+)(?:\[[^\]]*\])*\s*;?\s*$", head.strip())[:1])
    return names


def units(text):
    """(begin, text) of the units at namespace level; directives are units, too."""
    at, begin, depth = 0, 0, 0
    for found in re.finditer(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|[{}();]", text, flags=re.M):
        token = found.group()
        if found.start() < at:
            continue
        if token.lstrip().startswith("#"):
            if depth == 0:
                yield begin, text[begin:found.start()]
                yield found.start(), token
                begin = found.end()
            continue
        piece = text[begin:found.start()]
        if token == "{" and depth == 0 and re.fullmatch(r"\s*namespace[\s\w:]*", piece):
            begin = found.end()
            continue
        if token == "}" and depth == 0:
            begin = found.end()
            continue
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(token, 0)
        follows = text[found.end():].lstrip()[:1]
        if depth == 0 and (token == ";" or (token == "}" and follows not in ";,[(")):
            yield begin, text[begin:found.end()]
            begin = found.end()
    yield begin, text[begin:]


class Source:
    def __init__(self, path):
        self.text = path.read_text()
        self.tests, self.named, self.loose, self.known = {}, [], "", {}
        for begin, text in units(blanked(self.text)):
            case = re.match(r"\s*(?=TEST_CASE\()", text)
            define = re.match(r"\s*#\s*define\s+(\w+)", text)
            if case:
                title = re.match(r'TEST_CASE\(\s*((?:"(?:\\.|[^"\\])*"\s*)+)', self.text[begin + case.end():]).group(1)
                name = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', title)).replace('\\"', '"')
                # The strings contain the input of the translator.
                self.tests[name] = self.text[begin:begin + len(text)] if "ascendc_build" in str(path) else text
            elif define:
                self.named.append(({define.group(1)}, text[define.end():]))
            elif "{" in text or ";" in text:
                self.named.append((declared(text), text))
            elif not text.lstrip().startswith("#"):
                self.loose += text  # macros that stand by themselves: LOOP(Add, ...)

    def reached(self, test):
        """All text that the test case comes to in this file."""
        if test not in self.known:
            self.known[test] = self.found(test)
        return self.known[test]

    def found(self, test):
        todo, seen, text = [self.tests[test]], set(), ""
        while todo:
            piece = todo.pop()
            text += piece
            words = set(re.findall(r"\w+", piece))
            prefixes = tuple(re.findall(r"(\w+)##", piece))
            for i, (names, body) in enumerate(self.named):
                if i in seen:
                    continue
                if names & words or (prefixes and any(name.startswith(prefixes) for name in names)):
                    seen.add(i)
                    todo.append(body)
        return text + (self.loose if "ACLSIM_VECTOR_ROWS" in text else "")


def comes_to(text, holder, name):
    if holder and not re.search(HOLDERS[holder], text):
        return False
    symbol = name.removeprefix("operator") if name.startswith("operator") else ""
    if symbol in ("[]", "()"):
        return symbol[0] in text
    if symbol:
        return " " + symbol + " " in text
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def functions(root):
    rows = (root / "include/ascendc/impl/function_rows.h").read_text()
    found = re.findall(r'R\("(\w*)", "([^"]+)",', rows)
    names = (root / "tests/ascendc/vector_names.tsv").read_text().splitlines()
    return found + list(BESIDE) + [("", line.split("\t")[0]) for line in names if line and line[0] != "#"]


def sources(root):
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".asc") and path.name != "vector_calls.cpp":
                found[str(path.relative_to(root / "tests"))] = Source(path)
    return found


def problem(root, lines, all_sources, function):
    holder, name = function
    if function not in lines:
        return "no line"
    file, test = lines[function]
    if file not in all_sources:
        return f"{file} is not there"
    source = all_sources[file]
    if test == "-":
        if not (root / "tests" / file).parent.joinpath("run.sh").exists():
            return f"{file} has no run.sh beside it"
        return "" if comes_to(blanked(source.text), holder, name) else f"{file} does not name it"
    if test not in source.tests:
        return f"{file} has no test case \"{test}\""
    text = source.reached(test)
    if not comes_to(text, holder, name):
        return f"\"{test}\" in {file} does not come to it"
    return "" if COMPARES.search(text) else f"\"{test}\" in {file} compares nothing"


def found_test(all_sources, function):
    """The test case that comes to least else."""
    best = None
    for file, source in all_sources.items():
        for test in source.tests:
            text = source.reached(test)
            if comes_to(text, *function) and COMPARES.search(text) and (best is None or len(text) < best[0]):
                best = len(text), file, test
    return best


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    table = root / "tests/ascendc/function_tests.tsv"
    lines = {}
    for line in table.read_text().splitlines() if table.exists() else []:
        if line and line[0] != "#":
            holder, name, file, test = line.split("\t")
            lines[(holder, name)] = file, test
    all_sources, wanted = sources(root), functions(root)
    if "--write" in sys.argv:
        for function in wanted:
            best = None if function in lines else found_test(all_sources, function)
            if best:
                lines[function] = best[1:]
        order = [(function, lines[function]) for function in wanted if function in lines]
        head = "# Which test case checks what a function of kernels does (function_tests.py).\n# class\tfunction\tfile\ttest case\n"
        table.write_text(head + "".join("\t".join(f + t) + "\n" for f, t in order))
    failed = False
    for function in wanted:
        said = problem(root, lines, all_sources, function)
        if said:
            failed = True
            print("::".join(part for part in function if part) + ": " + said)
    for function in lines.keys() - set(wanted):
        failed = True
        print("::".join(part for part in function if part) + ": function_tests.tsv has it, no row does")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""llama.cpp's own test of a small model of each known architecture, on the emulated device and on the CPU."""

import re

ROW = re.compile(r"^\|\s*(\S+)\|\s*(Ascend\S*)\|\s*(\S+)\|\s*(OK|FAIL|SKIP)?\s*(?:\(([^)]*)\))?\|?\s*(\w*)")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# Architectures whose model ends the program on every machine: a graph with a square fails an assertion when it is
# computed again, or tables of sines keep their size when a later layer has more angles.
KNOWN = {"arcee", "gemma3n", "jais2", "nemotron", "step35"}


def names_in(llama):
    source = (llama / "src" / "llama-arch.cpp").read_text(encoding="utf-8")
    table = source[source.index("LLM_ARCH_NAMES"):]
    return [name for name in re.findall(r'LLM_ARCH_\w+,\s*"([^"]+)"', table[:table.index("};")]) if "unknown" not in name]


def run(tools, llama):
    passed = skipped = 0
    failed = []
    for name in names_in(llama):
        code, output, errors = tools.run("test-llama-archs", "-a", name, timeout=600)
        rows = [ROW.match(line) for line in COLOURS.sub("", output).splitlines()]
        rows = [row for row in rows if row]
        good = sum(row[4] == "OK" and row[6] != "FAIL" for row in rows)
        passed += good
        skipped += sum(row[4] == "SKIP" for row in rows)
        bad = [row for row in rows if row[4] not in ("OK", "SKIP") or row[6] == "FAIL"]
        if bad or (not rows and code != 0):
            failed.append(name)
            if name in KNOWN:
                continue
            print(f"  {name}: {COLOURS.sub('', bad[0][0]) if bad else 'no result'}: {errors.strip()[-300:]}", flush=True)
    unknown = [name for name in failed if name not in KNOWN]
    print(f"try_llama: architectures: {passed} models agree with the processor, {len(unknown)} do not, "
          f"{len(failed) - len(unknown)} fail on every machine, {skipped} are skipped by the test")
    return not unknown and tools.errors == 0

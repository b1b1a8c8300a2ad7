# SPDX-License-Identifier: Apache-2.0
"""Every case of llama.cpp's operator test on the emulated device, compared with its CPU backend."""

import collections
import csv
import io
import pathlib
import re

DEVICE = "CANN0"
AT_ONCE = 100  # cases of an operator that are repeated in one process after a case ended the process
KNOWN = pathlib.Path(__file__).with_name("known.tsv")

Case = collections.namedtuple("Case", "operator parameters")


def known_failures():
    """(operator, pattern of parameters, reason) of failures that the backend's own code causes."""
    with open(KNOWN, encoding="utf-8") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        return [(row["operator"], re.compile(row["parameters"]), row["why"]) for row in rows]


def rows_of(output):
    """The rows of the CSV output. Other lines are skipped; a row may also follow other text on its line."""
    for line in output.splitlines():
        start = line.find(f'"{DEVICE}","')
        if start < 0:
            continue
        row = next(csv.reader(io.StringIO(line[start:])))
        if len(row) >= 6:
            yield Case(row[1], row[2]), row[4] == "1", row[5]


def supported_cases(tools, operators):
    """Cases that the backend declares as supported, by operator, and all other cases."""
    _, output, errors = tools.run("test-backend-ops", "support", "-b", DEVICE, "--output", "csv")
    cases, others = {}, set()
    for case, supported, _ in rows_of(output):
        if operators and case.operator not in operators:
            continue
        if supported:
            cases.setdefault(case.operator, []).append(case)
        else:
            others.add(case)
    if not cases:
        raise SystemExit(f"try_llama: no cases; test-backend-ops said:\n{errors[-2000:]}")
    return cases, others


def pattern_of(cases):
    return "^(" + "|".join(re.sub(r"([\[\](){}.*+?^$|\\])", r"\\\1", case.parameters) for case in cases) + ")$"


def try_cases(tools, operator, cases):
    """The result and the message of each case: ok, not supported, failed; ended if the process ended, or hung."""
    results = {}
    pending = list(dict.fromkeys(cases))
    narrowed = []  # all of the operator's cases, until one of them ends the process
    while pending:
        part = pending[:AT_ONCE] if narrowed else pending
        code, output, errors = tools.run("test-backend-ops", "test", "-b", DEVICE, "-o", operator, "--output", "csv", *narrowed)
        for case, supported, error in rows_of(output):
            results[case] = ("not supported" if not supported else "failed" if error else "ok", error)
        left = [case for case in part if case not in results]
        if left and ended_early(code):
            results[left[0]] = ("hung" if code is None else "ended", last_words(errors))
        else:
            results.update((case, ("not supported", "")) for case in left)
        pending = [case for case in pending if case not in results]
        narrowed = ["-p", pattern_of(pending[:AT_ONCE])]
    return results


def ended_early(code):
    """Whether the exit code differs from 0 and from 1, which means that cases failed."""
    return code not in (0, 1)


def last_words(errors):
    for line in errors.splitlines():
        if "error" in line.lower() or "assert" in line.lower():
            return line.strip()[:300]
    return errors.strip().splitlines()[-1][:300] if errors.strip() else "it said nothing"


def run(tools, work, only):
    cases, others = supported_cases(tools, set(filter(None, only.split(","))))
    known = known_failures()
    totals = collections.Counter()
    with open(work / "operators.tsv", "w", encoding="utf-8") as table:
        for operator, wanted in cases.items():
            counts = collections.Counter()
            for case, (result, words) in try_cases(tools, operator, wanted).items():
                why = next((w for name, pattern, w in known if name == operator and pattern.search(case.parameters)), None)
                kind = "known" if result not in ("ok", "not supported") and why else result
                counts[kind] += 1
                others.update([case] if result == "not supported" else [])
                print(operator, case.parameters, kind, why or words, sep="\t", file=table, flush=True)
                if kind not in ("ok", "not supported", "known"):
                    print(f"  {operator}({case.parameters}): {kind}: {words}", flush=True)
            totals += counts
            print(f"{operator:28}", ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())), flush=True)
    failed = totals["failed"] + totals["ended"] + totals["hung"]
    print(f"try_llama: operators: {totals['ok']} cases passed, {failed} failed, {totals['known']} fail on every machine, "
          f"{len(others)} the backend does not support" + findings(tools))
    return failed == 0 and tools.errors == 0


def findings(tools):
    return f"; the checker found {tools.errors} errors, {tools.warnings} warnings" if tools.check else ""

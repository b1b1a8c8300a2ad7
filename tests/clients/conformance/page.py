# SPDX-License-Identifier: Apache-2.0
"""The page docs/conformance.md: a table with one row for each suite, and the known failures."""

import re

HEAD = """# Conformance

For users who want to know how far public programs run. Each row is one run of a public suite against an
installed emulator. `scripts/conformance FOLDER` runs the suites that it finds as checkouts in a folder and
renews their rows; it fetches nothing. The commands and the expected failures are listed in
[suites.toml](../tests/clients/conformance/suites.toml).

A case passes if its own command exits with status 0. "Expected" counts failures that have a known reason;
"unexpected" counts all other failures.

| suite | repository | version | date | cases | passed | expected | unexpected |
|---|---|---|---|---|---|---|---|
"""
COLUMNS = 8


def read_rows(text):
    """The rows of the table by suite, each a list of cells."""
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == COLUMNS and re.fullmatch(r"\d+", cells[4]):
            rows[cells[0]] = cells
    return rows


def row_of(suite, version, date, result):
    expected = [case for case in result.failed if suite.reason(case)]
    return [suite.name, suite.repository, version, date, str(result.passed + len(result.failed)),
            str(result.passed), str(len(expected)), str(len(result.failed) - len(expected))]


def write(suites, rows):
    """The whole page. The page also lists suites that were never run."""
    text = HEAD
    for suite in suites:
        if suite.name in rows:
            text += "| %s |\n" % " | ".join(rows[suite.name])
    never = [suite.name for suite in suites if suite.name not in rows]
    if never:
        text += "\nNot run yet: %s.\n" % ", ".join(never)
    text += "\n## Expected failures\n\n| suite | cases | reason |\n|---|---|---|\n"
    for suite in suites:
        for row in suite.expected:
            cases = "all" if row["cases"] == ".*" else "`%s`" % row["cases"].replace("|", "\\|")
            text += "| %s | %s | %s |\n" % (suite.name, cases, row["reason"])
    return text

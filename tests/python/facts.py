# SPDX-License-Identifier: Apache-2.0
"""functions.tsv: the signature of each function that programs expect, as plain facts."""

import csv
import os
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
Fact = namedtuple("Fact", "name parameters returns c_function tier")
Item = namedtuple("Item", "name kind")


def items(text):
    if not text:
        return []
    return [Item(*part.split(":")) for part in text.split(", ")]


def read():
    path = os.path.join(HERE, "functions.tsv")
    with open(path, encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            known = row["parameters"] != "?"
            yield Fact(row["name"], items(row["parameters"]) if known else None,
                       items(row["returns"]) if known else None, row["c_function"], row["tier"])


FACTS = list(read())

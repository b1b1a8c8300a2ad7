# SPDX-License-Identifier: Apache-2.0
"""Shares of large test sets, as in share.h: ACLSIM_TEST_SHARE=k/n takes share k of n."""

import os
import re

SKIPPED = 77  # the status of a run that belongs to another share


class Share:
    def __init__(self, number=1, of=1):
        self.number = number
        self.of = of

    def holds(self, index, parts=None):
        """Whether the case with this index is among the share's; `parts`: cut into fewer parts."""
        used = self.of if parts is None else min(max(parts, 1), self.of)
        return index % used == (self.number - 1) % used


def parse_share(text):
    """Reads "k/n"; ValueError unless 1 <= k <= n."""
    found = re.fullmatch(r"([0-9]+)/([0-9]+)", text)
    number, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= of:
        raise ValueError("ACLSIM_TEST_SHARE: '%s' is no share such as 2/4" % text)
    return Share(number, of)


def share():
    """The share of this run."""
    given = os.environ.get("ACLSIM_TEST_SHARE", "")
    return parse_share(given) if given else Share()


def in_share(index, parts=None):
    """Whether this run takes the case with this index."""
    return share().holds(index, parts)


def first_seed():
    """The first seed of random numbers in this run."""
    return int(os.environ.get("ACLSIM_TEST_SEED") or 1)


def row_in_share():
    """False in a run that CTest starts as a row of a matrix and that belongs to another share."""
    row, _, parts = os.environ.get("ACLSIM_TEST_ROW", "").partition("/")
    return not row or in_share(int(row), int(parts or 2))

# SPDX-License-Identifier: Apache-2.0
"""Shares in Python (tests/support/share.py) mean what they mean in C++."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import Share, parse_share  # noqa: E402


class Shares(unittest.TestCase):
    def test_the_shares_of_n_are_disjoint_and_together_everything(self):
        for of in range(1, 10):
            taken = [i for number in range(1, of + 1) for i in range(100)
                     if Share(number, of).holds(i)]
            self.assertEqual(sorted(taken), list(range(100)))

    def test_what_is_cut_into_fewer_parts_is_complete_after_that_many_shares(self):
        for of in range(1, 10):
            for parts in range(1, of + 1):
                taken = [i for number in range(1, parts + 1) for i in range(20)
                         if Share(number, of).holds(i, parts)]
                self.assertEqual(sorted(taken), list(range(20)))

    def test_without_a_share_everything_is_taken(self):
        self.assertTrue(all(Share().holds(i) and Share().holds(i, 2) for i in range(20)))

    def test_a_share_is_written_k_of_n(self):
        share = parse_share("3/4")
        self.assertEqual((share.number, share.of), (3, 4))
        for wrong in ("", "3", "/", "0/4", "5/4", "1/0", "-1/4", "1/4 ", "a/b", "1/2/3"):
            self.assertRaises(ValueError, parse_share, wrong)


if __name__ == "__main__":
    unittest.main()

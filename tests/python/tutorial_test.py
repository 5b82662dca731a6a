#!/usr/bin/env python3
"""The tutorial runs, and what it shows is so."""

import os
import re
import subprocess
import sys
import unittest

import setting


class Tutorial(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        done = subprocess.run(
            [sys.executable, "-B", setting.EXAMPLES / "tutorial.py"], text=True, check=False,
            capture_output=True, timeout=240,
            env=dict(os.environ, PYTHONPATH=str(setting.ROOT / "sdk/python")))
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.shown = done.stdout

    def number(self, pattern: str) -> float:
        found = re.search(pattern, self.shown)
        self.assertIsNotNone(found, self.shown)
        return float(found.group(1))

    def test_structure_helps(self):
        letters, words, crf = (self.number(rf"{name}: +([0-9.]+)% right")
                               for name in ("letter by letter", "as words", "as a CRF"))
        self.assertGreater(words, letters + 10)
        self.assertGreater(crf, letters + 10)

    def test_the_gap_is_that_of_the_bounds_and_certified(self):
        primal, dual = (self.number(rf"{name} ([0-9.]+)") for name in ("primal", "dual"))
        gap = self.number(r"relative gap ([0-9.e-]+), certified: True")
        self.assertLess(gap, 1e-3)
        self.assertAlmostEqual((primal - dual) / primal, gap, delta=1e-5)

    def test_a_run_stops_resumes_and_ends_with_the_same_weights(self):
        self.assertLess(self.number(r"stopped after \d+ passes, relative gap ([0-9.e-]+)"), 0.1)
        self.assertIn("resumed: the same weights: True", self.shown)

    def test_the_task_is_learned(self):
        self.assertLess(self.number(r"the clock is ([0-9.]+) hours wrong; certified: True"), 1.5)


if __name__ == "__main__":
    setting.main()

#!/usr/bin/env python3
"""Tests of conditioning_cells.py: which cells miss a requirement."""

import unittest

from conditioning_cells import Cell, Outcome, cell_of, misses, with_twins


def outcome(exit=0, cpu=0.1, primal=1.0, passes=5, certified=True, advice=""):
    finished = {}
    if exit in (0, 3):
        finished = {"primal": primal, "passes": passes, "certified": certified}
    return Outcome(exit, cpu, finished, advice, "sculpt train")


class Misses(unittest.TestCase):
    def miss_of(self, solver, raw, twin=None):
        """Returns the text for a cell that misses a requirement, or None."""
        cell = Cell("chain", "1e4", solver, 1)
        return misses({cell.twin(): twin or outcome(), cell: raw}).get(cell)

    def test_n_slack_may_use_sixty_passes(self):
        self.assertIsNone(self.miss_of("n_slack", outcome(passes=60)))
        self.assertIn("61 passes", self.miss_of("n_slack", outcome(passes=61)))

    def test_n_slack_must_be_certified_even_if_it_names_scaling(self):
        stopped = outcome(exit=3, advice="limited by the QP: scaling of the columns")
        self.assertIn("not certified", self.miss_of("n_slack", stopped))
        self.assertIn("not certified", self.miss_of("n_slack", outcome(certified=False)))

    def test_others_may_use_ten_times_the_twin_and_a_second(self):
        twin = outcome(cpu=0.2)
        self.assertIsNone(self.miss_of("one_slack", outcome(cpu=2.9), twin))
        self.assertIn("the twin 0.20", self.miss_of("one_slack", outcome(cpu=3.1), twin))

    def test_without_times_only_the_certificate_is_judged(self):
        cell = Cell("chain", "1e4", "one_slack", 1)
        self.assertEqual(misses({cell.twin(): outcome(), cell: outcome(cpu=9)}, False), {})
        self.assertIn(cell, misses({cell.twin(): outcome(), cell: outcome(exit=69)}, False))

    def test_others_may_stop_if_they_name_scaling(self):
        stopped = outcome(exit=3, advice="limited by: scaling")
        self.assertIsNone(self.miss_of("frank_wolfe", stopped))
        stopped = outcome(exit=3, advice="limited by writing")
        self.assertIn("not named", self.miss_of("frank_wolfe", stopped))

    def test_an_error_of_a_plugin_is_a_miss_even_if_scaling_is_named(self):
        failed = outcome(exit=69, advice="scaling")
        self.assertIn("not certified", self.miss_of("one_slack", failed))

    def test_certified_primals_must_agree(self):
        group = [Cell("chain", "1e4", solver, 2) for solver in ("n_slack", "one_slack")]
        different = dict(zip(group, (outcome(primal=1), outcome(primal=1.002))))
        self.assertIn("apart", misses(different | {group[1].twin(): outcome()})[group[0]])
        close = dict(zip(group, (outcome(primal=1), outcome(primal=1.0009))))
        self.assertEqual(misses(close | {group[1].twin(): outcome()}), {})


class Cells(unittest.TestCase):
    def test_twins_come_first_and_only_once(self):
        chosen = [cell_of("chain/1e4/one_slack/1"), cell_of("chain/1e8/one_slack/1"),
                  cell_of("chain/1e8/n_slack/1")]
        self.assertEqual([str(cell) for cell in with_twins(chosen)],
                         ["chain/1/one_slack/1", *map(str, chosen)])

    def test_unknown_cells_are_refused(self):
        with self.assertRaises(SystemExit):
            cell_of("chain/3/one_slack/1")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""What conditioning_cells.py takes for missed."""

import unittest

from conditioning_cells import Cell, Outcome, cell_of, misses, with_twins


def outcome(exit=0, cpu=0.1, primal=1.0, passes=5, certified=True, said=""):
    finished = {"primal": primal, "passes": passes, "certified": certified} if exit in (0, 3) else {}
    return Outcome(exit, cpu, finished, said, "sculpt train")


class Misses(unittest.TestCase):
    def of(self, solver, raw, twin=None):
        """The text for a cell beside its twin, or nothing."""
        cell = Cell("chain", "1e4", solver, 1)
        return misses({cell.twin(): twin or outcome(), cell: raw}).get(cell)

    def test_n_slack_has_sixty_passes(self):
        self.assertIsNone(self.of("n_slack", outcome(passes=60)))
        self.assertIn("61 passes", self.of("n_slack", outcome(passes=61)))

    def test_n_slack_has_to_be_certified_whatever_it_says(self):
        told = outcome(exit=3, said="limited by the QP: scaling of the columns")
        self.assertIn("not certified", self.of("n_slack", told))
        self.assertIn("not certified", self.of("n_slack", outcome(certified=False)))

    def test_the_others_have_ten_times_the_twin_and_a_second(self):
        twin = outcome(cpu=0.2)
        self.assertIsNone(self.of("one_slack", outcome(cpu=2.9), twin))
        self.assertIn("the twin 0.20", self.of("one_slack", outcome(cpu=3.1), twin))

    def test_without_times_only_the_certificate_counts(self):
        cell = Cell("chain", "1e4", "one_slack", 1)
        self.assertEqual(misses({cell.twin(): outcome(), cell: outcome(cpu=9)}, False), {})
        self.assertIn(cell, misses({cell.twin(): outcome(), cell: outcome(exit=69)}, False))

    def test_the_others_may_stop_where_they_name_scaling(self):
        self.assertIsNone(self.of("frank_wolfe", outcome(exit=3, said="limited by: scaling")))
        self.assertIn("not named", self.of("frank_wolfe", outcome(exit=3, said="limited by writing")))

    def test_a_plugin_that_is_blamed_is_missed_even_where_scaling_is_named(self):
        self.assertIn("not certified", self.of("one_slack", outcome(exit=69, said="scaling")))

    def test_certified_primals_have_to_agree(self):
        group = [Cell("chain", "1e4", solver, 2) for solver in ("n_slack", "one_slack")]
        apart = dict(zip(group, (outcome(primal=1), outcome(primal=1.002))))
        self.assertIn("apart", misses(apart | {group[1].twin(): outcome()})[group[0]])
        near = dict(zip(group, (outcome(primal=1), outcome(primal=1.0009))))
        self.assertEqual(misses(near | {group[1].twin(): outcome()}), {})


class Cells(unittest.TestCase):
    def test_twins_come_first_and_once(self):
        chosen = [cell_of("chain/1e4/one_slack/1"), cell_of("chain/1e8/one_slack/1"),
                  cell_of("chain/1e8/n_slack/1")]
        self.assertEqual([str(cell) for cell in with_twins(chosen)],
                         ["chain/1/one_slack/1", *map(str, chosen)])

    def test_unknown_ones_are_refused(self):
        with self.assertRaises(SystemExit):
            cell_of("chain/3/one_slack/1")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Tests of the table and the JSON of tests/bench/run."""

import types
import unittest

from rounds import Program, Published, Sample, compare_with_peer, run_in_turns
from rows import HEAD, Row, Target, ratio


def medians(name, walls, **more):
    """Returns the Medians of a program with these wall times, one for each round."""
    remaining = iter(walls)
    program = Program(name, lambda: Sample(next(remaining), 1.0, **more))
    return run_in_turns([program], len(walls))[name]


class Rounds(unittest.TestCase):
    def test_the_median_is_that_of_the_wall_time(self):
        self.assertEqual(medians("sculpt", [9, 1, 2]).wall, 2)

    def test_a_slow_program_runs_only_in_the_first_rounds(self):
        quick = Program("quick", lambda: Sample(1, 1))
        slow = Program("slow", lambda: Sample(1, 1), max_rounds=1)
        result = run_in_turns([quick, slow], 3)
        self.assertEqual((result["quick"].rounds, result["slow"].rounds), (3, 1))

    def test_programs_run_in_turns(self):
        order = []

        def program(name):
            def run():
                order.append(name)
                return Sample(1, 1)
            return Program(name, run)
        run_in_turns([program("a"), program("b")], 2)
        self.assertEqual(order, ["a", "b", "a", "b"])


class Targets(unittest.TestCase):
    def test_verdicts(self):
        self.assertEqual(Target("wall", 0.5, at_most=0.5).verdict(), "met")
        self.assertEqual(Target("wall", 0.51, at_most=0.5).verdict(), "MISSED")
        self.assertEqual(Target("speed-up", 1.79, at_least=1.8).verdict(), "MISSED")

    def test_a_peer_that_was_stopped_bounds_the_ratio_from_above(self):
        ours = medians("sculpt", [10])
        stopped = medians("dlib", [100], finished=False)
        self.assertEqual(ratio(ours, stopped, 0.2).verdict(), "met")
        self.assertEqual(ratio(ours, stopped, 0.05).verdict(), "not known")
        self.assertEqual(ratio(ours, stopped, 0.2).cells()[1], "<0.1")

    def test_units_of_a_published_peer_become_seconds_on_this_machine(self):
        ours, unit = medians("sculpt", [16]), medians("the unit", [0.5])
        peer = Published("svm_hmm", 32, unit)
        self.assertEqual(ratio(ours, peer, 1).measured, 1)
        units = [Row("task", ours, [peer]).lines(9.0)[0][column] for column in (4, 9)]
        self.assertEqual(units, ["32.00", "32.00"])  # of the unit of its row

    def test_the_time_of_a_stopped_published_peer_is_a_lower_bound(self):
        ours, unit = medians("sculpt", [10]), medians("the unit", [0.5])
        peer = Published("svm_perf", 115, unit, finished=False)
        line = Row("task", ours, [peer], [ratio(ours, peer, 0.5)]).lines(None)[0]
        self.assertEqual([line[7], line[9], line[11]], [">57.50", ">115.00", "<0.1739"])
        self.assertIn("more than 115 units", peer.note)

    def test_an_installed_peer_replaces_its_published_time(self):
        bench = types.SimpleNamespace(
            repeats=1, unit_program=lambda: Program("the unit", lambda: Sample(0.5, 0.5)))
        own, installed = (Program(name, lambda: Sample(1, 1)) for name in ("sculpt", "svm_perf"))
        for peer, names in ((installed, ["svm_perf"]), (None, ["svm_perf -c 20, published"])):
            _, others = compare_with_peer(bench, own, peer, ("svm_perf -c 20", 2.0))
            self.assertEqual([other.name for other in others], names)


class TableRows(unittest.TestCase):
    def test_each_target_has_a_line_with_its_peer(self):
        ours, quick, slow = (medians(name, [wall]) for name, wall in
                             (("sculpt", 2), ("quick", 1), ("slow", 8)))
        row = Row("task", ours, [quick, slow],
                  [ratio(ours, quick, 1.5), ratio(ours, slow, 0.5), Target("MB", 3, at_most=4)])
        lines = row.lines(0.5)
        self.assertTrue(all(len(line) == len(HEAD) for line in lines))
        self.assertEqual([line[0] for line in lines], ["task", "", ""])
        self.assertEqual([line[5] for line in lines], ["quick", "slow", ""])
        self.assertEqual([line[-1] for line in lines], ["MISSED", "met", "met"])
        self.assertEqual(lines[0][4], "4.00")  # units

    def test_a_row_without_figures_has_the_reason(self):
        row = Row("task", missing="there is no data")
        self.assertEqual(row.lines(None)[0][-1], "skipped")
        self.assertEqual(row.notes(), "there is no data")
        self.assertEqual(row.record(None)["skipped"], "there is no data")

    def test_the_record_has_both_sides_and_their_ratio(self):
        ours, peer = medians("sculpt", [2]), medians("peer", [4])
        record = Row("task", ours, [peer], [ratio(ours, peer, 0.4)]).record(None)
        self.assertEqual(record["against"][0]["wall_ratio"], 0.5)
        self.assertEqual(record["targets"][0]["verdict"], "MISSED")


if __name__ == "__main__":
    unittest.main(buffer=True)

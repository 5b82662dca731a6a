#!/usr/bin/env python3
"""Tests of shared code: settings, missing data, choices on held-out data, figures."""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import clustering
import ranking
import runs
import sweeps


def row(C, losses):
    return {"settings": [f"solver.C={C}", 'oracle={"use":"x"}'],
            "validation": {"loss": {"mean": losses}}}


class Settings(unittest.TestCase):
    def test_a_list_is_values_of_a_sweep_and_text_is_unchanged(self):
        self.assertEqual(runs.options_of({"solver.C": ["1", "10"], "oracle": '["a","b"]', "k": 5}),
                         ["--set", "solver.C=1,10", "--set", 'oracle=["a","b"]', "--set", "k=5"])

    def test_an_experiment_is_a_file_or_is_written_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = runs.file_of({"name": "x"}, folder)
            self.assertEqual(json.loads(pathlib.Path(path).read_text()), {"name": "x"})
            self.assertEqual(runs.file_of(pathlib.Path("a b.json"), folder), "a b.json")

    def test_the_command_of_a_failed_program_can_be_pasted(self):
        done = runs.Finished(["sh", "-c", "exit 3", "with blank"])
        self.assertEqual(done.command, "sh -c 'exit 3' 'with blank'")
        with self.assertRaises(SystemExit):
            done.require(0)


class Data(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        variables = mock.patch.dict(os.environ, {"SCULPT_DATA": "with blank"})
        variables.start()
        self.addCleanup(variables.stop)

    def test_a_missing_data_folder_is_an_error(self):
        with self.assertRaisesRegex(SystemExit, "no folder .*with blank"):
            runs.data_folder()

    def test_missing_data_is_named_and_the_rest_is_done(self):
        os.mkdir("with blank")
        pathlib.Path("with blank/here.txt").touch()
        messages = io.StringIO()
        with contextlib.redirect_stderr(messages):
            available = runs.with_data(["here", "gone"], lambda name: [f"{name}.txt"])
        self.assertEqual(available, ["here"])
        self.assertRegex(messages.getvalue(), "gone is skipped: .*with blank/gone.txt")
        with contextlib.redirect_stderr(messages):
            with self.assertRaisesRegex(SystemExit, "nothing is left"):
                runs.with_data(["gone"], lambda name: [f"{name}.txt"])

    def test_the_data_folder_becomes_absolute(self):
        os.mkdir("with blank")
        self.assertEqual(str(runs.data_folder()), os.environ["SCULPT_DATA"])
        self.assertTrue(os.path.isabs(os.environ["SCULPT_DATA"]))

    def test_files_of_queries_may_end_without_a_newline(self):
        pathlib.Path("q").write_text("1 qid:1 1:1\n0 qid:1 1:2\n2 qid:7 1:3")
        self.assertEqual(ranking.queries("q"), ["1 qid:1 1:1\n0 qid:1 1:2\n", "2 qid:7 1:3\n"])


class Choices(unittest.TestCase):
    def test_the_best_row_is_the_first_of_equal_rows_and_has_its_settings(self):
        rows = [row("0.1", 3), row("1e1", 2), row("100", 2)]
        self.assertEqual(sweeps.value_of(sweeps.best(rows, "loss", min), "solver.C"), "1e1")
        self.assertEqual(sweeps.value_of(sweeps.best(rows, "loss", max), "solver.C"), "0.1")


class Figures(unittest.TestCase):
    def test_one_value_has_no_error(self):
        self.assertEqual(runs.mean_with_error([2.0], 1), "2.0")
        self.assertEqual(runs.mean_with_error([1.0, 3.0], 2), "2.00 ± 1.00")

    def test_the_text_of_a_gap_has_whether_it_is_certified(self):
        self.assertEqual(runs.relative_gap({"relative_gap": None, "certified": False}), "-")
        self.assertEqual(runs.relative_gap({"relative_gap": 0.01, "certified": True}), "1.0e-02")
        self.assertEqual(runs.relative_gap({"relative_gap": 0.01, "certified": False}),
                         "1.0e-02, not certified")

    def test_the_rows_of_several_tables_are_written_to_one_list(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.json"
            runs.write_tables(path, (["a"], [[1], [2]]), (["b"], [[3]]))
            self.assertEqual(json.loads(path.read_text()), [{"a": 1}, {"a": 2}, {"b": 3}])

    def test_measures_of_clusters_agree_with_values_by_hand(self):
        # truth {1, 2, 3} {4}, guess {1, 2} {3, 4}
        found = clustering.measures({1: 0, 2: 0, 3: 0, 4: 1}, {1: 0, 2: 0, 3: 1, 4: 1})
        self.assertEqual(found["rand_error"], 3 / 6)
        self.assertEqual(found["mitre_f1"], 1 / 2)
        # precision (1 + 1 + 1/2 + 1/2) / 4, recall (2/3 + 2/3 + 1/3 + 1) / 4
        self.assertAlmostEqual(found["b_cubed_f1"], 2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3))


if __name__ == "__main__":
    unittest.main(buffer=True)

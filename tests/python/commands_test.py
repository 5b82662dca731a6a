"""check, verify and sweep in Python, against the program.

commands_test.py SCULPT
"""

import json
import os
import subprocess
import sys

from setting import DAYS, EXAMPLES, ROOT, FolderTest, main, python_task, rows_text, run

SOLVER = {"use": "n_slack", "C": 10, "relative_gap": 1e-6}

TASK = """
from month import Month


class Wrong(Month):
    def argmax(self, query):
        y, value = super().argmax(query)
        return (y + 1) % 12, value


if __name__ == "__main__":
    import sculpt
    sculpt.train(task=Wrong)
"""


class CommandTest(FolderTest):
    def setUp(self):
        super().setUp()
        import numpy
        import sculpt
        self.numpy, self.sculpt = numpy, sculpt
        for folder in (EXAMPLES, self.folder):
            sys.path.insert(0, str(folder))
            self.addCleanup(sys.path.remove, str(folder))
        here = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)
        from month import Month
        self.Month = Month

    def points(self):
        """Rows, labels and the same as text."""
        text = rows_text(60)
        lines = [line.split() for line in text.splitlines()]
        rows = self.numpy.array([[float(pair.split(":")[1]) for pair in line[1:]]
                                 for line in lines])
        return rows, self.numpy.array([int(line[0]) - 1 for line in lines]), text


class CheckTest(CommandTest):
    def test_a_right_task_passes_as_by_the_program(self):
        report = self.sculpt.check(task=self.Month, train=DAYS, solver=SOLVER, level=1,
                                   only=["oracle", "features"])
        self.write("month.json", python_task(EXAMPLES / "month.py", DAYS))
        printed = json.loads(run("check", "month.json", "--json", "--level", 1, "--only",
                                 "oracle,features", folder=self.folder).stdout)
        for key in ("failed", "passed", "skipped", "crashed"):
            self.assertEqual(report[key], printed[key], key)
        self.assertEqual(report["failed"], 0)
        self.assertGreater(report["passed"], 5)
        self.assertEqual(sorted(os.listdir(".")), ["month.json"])

    def test_a_wrong_oracle_is_found(self):
        self.write("wrong_task.py", TASK)
        from wrong_task import Wrong
        report = self.sculpt.check(task=Wrong, train=DAYS, solver=SOLVER, level=1,
                                   only=["oracle.exact"])
        self.assertEqual(report["failed"], 1)
        self.assertEqual([test["name"] for test in report["tests"] if test["verdict"] == "fail"],
                         ["oracle.exact"])

    def test_what_only_this_process_has_is_refused(self):
        local = type("Local", (self.Month,), {})
        with self.assertRaisesRegex(self.sculpt.UnsupportedError, "cannot import Local"):
            self.sculpt.check(task=local, train=DAYS, solver=SOLVER)
        with self.assertRaisesRegex(self.sculpt.UnsupportedError, r"do not have train \(list of 1"):
            self.sculpt.check(task=self.Month, train=["1 1 0"], solver=SOLVER)
        with self.assertRaises(self.sculpt.SculptError) as raised:
            self.sculpt.check("nowhere.json")
        self.assertEqual(raised.exception.exit, 66)

    def test_a_file_that_calls_the_host_when_it_is_imported_is_refused(self):
        called = f"sculpt.check(task=Wrong, train={DAYS!r}, solver='n_slack', level=1)"
        script = self.write("script.py", TASK.replace('if __name__ == "__main__":', "if True:")
                            .replace("sculpt.train(task=Wrong)", f"print({called})"))
        path = os.pathsep.join([str(ROOT / "sdk/python"), str(EXAMPLES)])
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, PYTHONPATH=path), check=False)
        self.assertIn("sculpt.check is called while the file of a task is read for its class",
                      done.stdout + done.stderr)

    def test_the_program_runs_in_this_interpreter(self):
        path = dict(os.environ, PYTHONPATH=str(ROOT / "sdk/python"))
        done = subprocess.run([sys.executable, "-m", "sculpt", "describe", "viterbi"], env=path,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, run("describe", "viterbi", folder=self.folder).stdout)
        wrong = subprocess.run([sys.executable, "-m", "sculpt", "nothing"], env=path,
                               capture_output=True, text=True, check=False)
        self.assertEqual(wrong.returncode, 64)


class VerifyTest(CommandTest):
    def test_runs_of_files_classes_and_objects_are_verified(self):
        local = type("Local", (self.Month,), {})
        with open(DAYS, encoding="utf-8") as days:
            lines = days.read().splitlines()
        self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER, output="by_file")
        self.sculpt.train(task=local, train=lines, solver=SOLVER, output="by_object")
        printed = json.loads(run("verify", "by_file", "--json", folder=self.folder).stdout)
        self.assertEqual(self.sculpt.verify("by_file"), printed)
        report = self.sculpt.verify("by_object", task=local, train=lines)
        self.assertTrue(report["verified"])
        self.assertAlmostEqual(report["primal"]["recomputed"], printed["primal"]["recomputed"])
        with self.assertRaisesRegex(self.sculpt.SculptError, "an object of Python: list of 48"):
            self.sculpt.verify("by_object", task=local)

    def test_arrays_and_text_are_the_data_of_a_run_or_refused(self):
        rows, labels, text = self.points()
        data = self.sculpt.Arrays(rows, labels)
        config = {"features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
                  "solver": SOLVER}
        self.sculpt.train({**config, "dataset": "arrays"}, train=data, output="arrays")
        self.sculpt.train({**config, "dataset": "svmlight"}, train=self.sculpt.Text(text),
                          output="text")
        for run_folder, right, wrong in (
                ("arrays", data, self.sculpt.Arrays(rows[::-1], labels)),
                ("text", self.sculpt.Text(text), self.sculpt.Text(text[::-1]))):
            self.assertTrue(self.sculpt.verify(run_folder, train=right)["verified"])
            with self.assertRaises(self.sculpt.SculptError):
                self.sculpt.verify(run_folder, train=wrong)

    def test_other_data_are_refuted(self):
        with open(DAYS, encoding="utf-8") as days:
            lines = days.read().splitlines()
        self.sculpt.train(task=self.Month, train=lines, solver=SOLVER, output="run")
        report = self.sculpt.verify("run", task=self.Month, train=lines[::-1])
        self.assertFalse(report["verified"])


class SweepTest(CommandTest):
    def test_the_table_is_that_of_the_program(self):
        self.write("month.json", python_task(EXAMPLES / "month.py", DAYS))
        table = self.sculpt.sweep("month.json", {"solver.C": [1, 10]}, folds=2, output="here")
        run("sweep", "month.json", "--set", "solver.C=1,10", "--folds", 2, "--output", "there",
            folder=self.folder)
        points = json.loads((self.folder / "there/sweep.json").read_text(encoding="utf-8"))
        self.assertEqual([row["solver.C"] for row in table], [1, 10])
        for row, point in zip(table, points, strict=True):
            self.assertEqual(row["primal"], point["primal"]["mean"])
            self.assertEqual(row["validation.loss"], point["validation"]["loss"]["mean"])
            self.assertEqual(row["primal.standard_error"], point["primal"]["standard_error"])
        self.assertEqual([(cell["solver.C"], cell["fold"]) for cell in table.cells],
                         [(1, 0), (1, 1), (10, 0), (10, 1)])

    def test_classes_and_arrays_give_the_table_of_files(self):
        by_class = self.sculpt.sweep(grid={"solver.C": [1, 10]}, task=self.Month, train=DAYS,
                                     solver=SOLVER, folds=2)
        self.write("month.json", python_task(EXAMPLES / "month.py", DAYS))
        by_file = self.sculpt.sweep("month.json", {"solver.C": [1, 10]}, folds=2)
        self.assertEqual([row["primal"] for row in by_class], [row["primal"] for row in by_file])
        rows, labels, text = self.points()
        self.write("points.txt", text)
        config = {"features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
                  "solver": SOLVER}
        settings = {"grid": {"solver.C": [0.1, 1]}, "hold_out": 0.3, "best": "error"}
        sparse = self.sculpt.Arrays(rows, labels)
        by_arrays = self.sculpt.sweep({**config, "dataset": "arrays"}, train=sparse,
                                      output="arrays", **settings)
        by_text = self.sculpt.sweep({**config, "dataset": {"use": "svmlight",
                                                           "train": "points.txt"}}, **settings)
        for key in ("primal", "validation.error"):
            self.assertEqual([row[key] for row in by_arrays], [row[key] for row in by_text])
        self.assertEqual(len(by_arrays.best().predict(sparse)), 60)
        self.assertEqual(sorted(os.listdir(".")), ["arrays", "month.json", "points.txt"])

    def test_arrays_are_written_to_the_last_bit(self):
        draw = self.numpy.random.default_rng(3)
        lengths = [3, 1, 4]
        data = self.sculpt.Arrays(
            draw.normal(size=(8, 2)), draw.integers(0, 3, 8), lengths=lengths,
            edges=[[(0, 1), (1, 2)], [], [(0, 3)]],
            edge_kinds=[[0, 1], self.numpy.empty(0, int), [1]],
            weights=[1, 0.1, 1 / 3], classes=["a", "b", "c"])
        config = {"features": "graph", "loss": "hamming", "oracle": "enumerate", "solver": SOLVER}
        from sculpt._host._arrays_json import arrays_json
        lent = self.sculpt.train({**config, "dataset": "arrays"}, train=data)
        written = json.loads(json.dumps({"arrays": arrays_json(data)}))
        inline = self.sculpt.train({**config, "dataset": {"use": "arrays", "train": written}})
        self.numpy.testing.assert_array_equal(inline.weights, lent.weights)

    def test_lists_may_be_one_name_and_wrong_ones_are_named(self):
        rows, labels, _ = self.points()
        config = {"dataset": "arrays", "features": "multiclass", "loss": "zero_one",
                  "oracle": "enumerate", "solver": SOLVER}
        data = self.sculpt.Arrays(rows, labels)
        table = self.sculpt.sweep(config, {"solver.C": self.numpy.array([1, 10])}, train=data,
                                  folds=2, predict_with="enumerate")
        self.assertEqual([row["solver.C"] for row in table], [1, 10])
        report = self.sculpt.check(config, train=data, level=1, only="oracle")
        self.assertEqual({test["name"].split(".")[0] for test in report["tests"]}, {"oracle"})
        wrong = {"grid is an object of the type list": {"grid": [1]},
                 r"grid\['solver.C'\] is 1; it must be a list": {"grid": {"solver.C": 1}},
                 r"grid\['oracle.use'\] is 'icm'": {"grid": {"oracle.use": "icm"}},
                 "predict_with is 3": {"predict_with": 3}}
        for text, arguments in wrong.items():
            with self.subTest(text), self.assertRaisesRegex(TypeError, text):
                self.sculpt.sweep(config, train=data, **arguments)
        for option in ({"folds": 0}, {"hold_out": 0.0}):
            with self.subTest(option), self.assertRaises(self.sculpt.SculptError):
                self.sculpt.sweep(config, {"solver.C": [1]}, train=data, **option)

    def test_wrong_settings_and_failed_runs_have_the_reason(self):
        rows, labels, _ = self.points()
        config = {"dataset": "arrays", "features": "multiclass", "loss": "zero_one",
                  "oracle": "enumerate", "solver": SOLVER}
        data = self.sculpt.Arrays(rows, labels)
        with self.assertRaisesRegex(self.sculpt.SculptError, '"C" must be a number'):
            self.sculpt.sweep(config, {"solver.C": [1, -1]}, train=data)
        self.write("failing.py", TASK.replace("return (y", "1 / 0\n        return (y").replace(
            "Wrong", "Failing"))
        from failing import Failing
        with self.assertRaisesRegex(self.sculpt.SculptError,
                                    "failing.py: Failing.argmax: ZeroDivisionError"):
            self.sculpt.sweep(grid={"solver.C": [1, 10]}, task=Failing, train=DAYS, solver=SOLVER)
        local = type("Local", (self.Month,), {})
        with self.assertRaisesRegex(self.sculpt.UnsupportedError, "cannot import Local"):
            self.sculpt.sweep(grid={"solver.C": [1]}, task=local, train=DAYS, solver=SOLVER)
        from sculpt._host import _child
        _child._MOST_NUMBERS, most = 299, _child._MOST_NUMBERS
        try:
            with self.assertRaisesRegex(self.sculpt.UnsupportedError, "have 300 numbers, more"):
                self.sculpt.sweep(config, {"solver.C": [1]}, train=data)
        finally:
            _child._MOST_NUMBERS = most


if __name__ == "__main__":
    main()

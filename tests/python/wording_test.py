"""What a user of Python reads: keywords in place of options, keys in place of positions, and advice
for mistakes in a task.

wording_test.py
"""

import json
import os
import sys

from setting import DAYS, EXAMPLES, FolderTest, main

SOLVER = {"use": "n_slack", "C": 10, "relative_gap": 1e-6}


class Pairs:
    """Two labels from the sign of two numbers."""

    def __init__(self):
        self.x, self.y = [], []

    def load(self, split, source):
        for x, y in source:
            self.x.append(x)
            self.y.append(y)

    def count(self):
        return len(self.x)

    def truth(self, i):
        return self.y[i]

    def dimension(self):
        return 2

    def features(self, i, y):
        return [self.x[i][0] * (2 * y[0] - 1), self.x[i][1] * (2 * y[1] - 1)]

    def loss(self, truth, guess):
        return float((truth != guess).sum())

    def best(self, query):
        def value(b, e):
            psi = self.features(query.example, (b, e))
            loss = 0 if query.truth is None else self.loss(query.truth, [b, e])
            return query.weights @ psi + query.loss_weight * loss

        return max(((b, e) for b in (0, 1) for e in (0, 1)), key=lambda y: value(*y))

    def argmax(self, query):
        return list(self.best(query))

    def format(self, i, y):
        return f"{y[0]}{y[1]}"


DATA = [((1.0, -2.0), [1, 0]), ((-1.0, -1.0), [0, 0]), ((2.0, 1.0), [1, 1])]


class WordingTest(FolderTest):
    def setUp(self):
        super().setUp()
        import numpy
        import sculpt
        self.numpy, self.sculpt = numpy, sculpt
        sys.path.insert(0, str(EXAMPLES))
        self.addCleanup(sys.path.remove, str(EXAMPLES))
        here = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)
        from month import Month
        self.month = {"task": Month, "train": DAYS, "solver": SOLVER}

    def text(self, function, *arguments, **named) -> str:
        with self.assertRaises(Exception) as raised:
            function(*arguments, **named)
        return str(raised.exception)

    def pairs(self, **methods):
        return self.sculpt.train(task=type("Pairs", (Pairs,), methods), train=DATA, solver=SOLVER)


class KeywordTest(WordingTest):
    def test_options_are_keywords(self):
        train, sweep = self.sculpt.train, self.sculpt.sweep
        train(**self.month, output="run")
        self.assertIn("give another folder with output=, or force=True to replace it",
                      self.text(train, **self.month, output="run"))
        self.assertIn("give force=True instead of resume=True to replace that run, or another "
                      "folder with output=",
                      self.text(train, **self.month, output="run", resume=True, solver__C=11))
        sweep(**self.month, grid={"solver.C": [1, 2]}, output="sweep")
        self.assertIn("give resume=True to continue it, force=True to replace it, or another "
                      "folder with output=",
                      self.text(sweep, **self.month, grid={"solver.C": [1, 2]}, output="sweep"))
        self.assertIn("the earlier sweep has solver.C=1,2, but this one has solver.C=1,3",
                      self.text(sweep, **self.month, grid={"solver.C": [1, 3]}, output="sweep",
                                resume=True))
        self.assertIn("give folds= or hold_out=", self.text(sweep, **self.month, best="loss"))
        os.mkdir("empty")
        self.assertIn("finish a stopped run with sculpt.train(..., resume=True)",
                      self.text(self.sculpt.load, "empty"))
        for function in (train, sweep):
            self.assertIn("resume=True continues what is in output, and force=True replaces it",
                          self.text(function, **self.month, output="run", resume=True, force=True))

    def test_a_command_keeps_its_options_and_so_do_other_words(self):
        self.sculpt.train(**self.month, output="run")
        self.assertIn("--output", self.text(self.sculpt.command, "prune", "run"))
        from sculpt._host._wording import for_python
        for kept in ("a/--output", "--output-folder", "pre--force", "--forced", "--unknown"):
            self.assertEqual(for_python(kept), kept)
        self.assertEqual(for_python("--example, --hold-out 3"), "examples=, hold_out= 3")

    def test_what_an_argument_must_be(self):
        sculpt = self.sculpt
        self.assertIn("config is None; it must be the path of an experiment or a dict, or give a "
                      "task", self.text(sculpt.train))
        self.assertIn('run is an object of the type dict; it must be the folder of a run, such as '
                      '"runs/words"', self.text(sculpt.verify, {}))
        del self.month["solver"]
        for function in (sculpt.train, sculpt.check, sculpt.sweep):
            self.assertIn('the key "solver" of the experiment is missing; give one, such as '
                          'solver={"use": "n_slack", "C": 1}', self.text(function, **self.month))


class KeyTest(WordingTest):
    def test_errors_in_a_dict_name_the_key(self):
        del self.month["solver"]
        for change, key in (({"solver": {"use": "n_slack", "C": "x"}}, 'solver.C: "C" must be'),
                            ({"solver": {"use": "n_slac"}}, "solver.use: there is no solver"),
                            ({"solver": "n_slac"}, "solver: there is no solver"),
                            ({"solver": SOLVER, "colour": 2}, "colour: unknown key"),
                            ({"solver": SOLVER, "oracle": {"use": "combine", "members": [
                                "icm", {"use": "no"}]}}, "oracle.members.1.use: no oracle")):
            for function in (self.sculpt.train, self.sculpt.check, self.sculpt.sweep):
                with self.subTest(key, function=function.__name__):
                    text = self.text(function, **self.month, **change)
                    self.assertIn(f"the experiment: {key}", text)
                    self.assertNotIn(".sculpt-", text)

    def test_the_key_is_found_behind_names_with_quotes_and_braces(self):
        config = {"solver": SOLVER, "dataset": {"use": "svmlight", "train": {
            "text": '1 1:1\n{"[],:\\'}, "ä": [1, {}, []]}, "features": "multiclass",
            "loss": "zero_one", "oracle": "enumerate"}
        self.assertIn('the experiment: dataset.ä: unknown key "ä"',
                      self.text(self.sculpt.train, config))
        from sculpt._host._wording import for_python
        words = json.dumps(config)
        for value, key in (("zero_one", "loss"), ("svmlight", "dataset.use")):
            column = words.index(f'"{value}"') + 1
            self.assertEqual(for_python(f"the experiment:1:{column}: x", "the experiment", words),
                             f"the experiment: {key}: x")


class TaskMistakeTest(WordingTest):
    ADVICE = ("a tuple of two is (output, value): return a list or an array for an output of two "
              "labels")

    def test_a_tuple_of_two_labels_has_the_advice(self):
        self.assertEqual(len(self.pairs().predict(DATA)), 3)
        as_tuple = self.text(self.pairs, argmax=lambda task, query: task.best(query))
        self.assertIn("Pairs.features: IndexError", as_tuple)
        self.assertIn(f"argmax returned (0, 0): {self.ADVICE}", as_tuple)
        for wrong in ((0, None), ("b", 1.0), (0.5, 1.0)):
            self.assertIn(self.ADVICE, self.text(self.pairs, argmax=lambda task, _, y=wrong: y))

    def test_other_errors_have_no_advice(self):
        def features(task, i, y):
            raise IndexError

        self.assertNotIn(self.ADVICE, self.text(self.pairs, features=features))

    def test_a_loss_may_be_true_or_false(self):
        losses = [lambda task, truth, guess: bool((truth != guess).any()),
                  lambda task, truth, guess: (truth != guess).any(),
                  lambda task, truth, guess: float((truth != guess).any())]
        weights = [self.pairs(loss=loss).weights.tolist() for loss in losses]
        self.assertEqual(weights[0], weights[2])
        self.assertEqual(weights[1], weights[2])
        self.assertIn("returned True; it must return the number of features",
                      self.text(self.pairs, dimension=lambda task: True))

    def test_a_text_that_is_no_text_is_refused(self):
        for wrong, said in (("a\0b", "a text with a zero byte at 1"),
                            ("a\ud800", "a text with a character at 1 that UTF-8 cannot hold")):
            model = self.pairs(format=lambda task, i, y, text=wrong: text)
            self.assertIn(f"Pairs.format returned {said}",
                          self.text(model.predict, DATA, text=True))

    def test_truths_of_queries_that_a_task_keeps_do_not_change(self):
        kept, known = [], []

        def argmax(task, query):
            if query.truth is not None:  # else the model measures itself
                kept.append(query.truth)
                known.append(query.truth.tolist())
            return list(task.best(query))

        self.pairs(argmax=argmax)
        self.assertGreater(len(kept), 5)
        self.assertEqual([y.tolist() for y in kept], known)
        memory = self.numpy.array([1, 2], self.numpy.int32)
        from sculpt._task._lent import truth_at
        truth = truth_at(memory.ctypes.data, 2)
        memory[:] = 7
        self.assertEqual(truth.tolist(), [1, 2])
        with self.assertRaises(ValueError):
            kept[0][0] = 1


class EndTest(WordingTest):
    def test_any_true_value_of_on_pass_ends_the_run(self):
        for true in (True, self.numpy.bool_(True), 1, "yes"):
            model = self.sculpt.train(**self.month, on_pass=lambda one, true=true: true)
            self.assertEqual(len(model.passes), 1, true)
        for false in (None, False, self.numpy.bool_(False), 0, ""):
            model = self.sculpt.train(**self.month, on_pass=lambda one, false=false: false)
            self.assertTrue(model.reached)

    def test_a_report_of_a_check_has_lasting_names(self):
        (self.folder / "late_month.py").write_text(
            "from month import Month\n\n\nclass Late(Month):\n    def argmax(self, query):\n"
            "        y, value = super().argmax(query)\n        return (y + 1) % 12, value\n")
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        from late_month import Late
        self.month.update(task=Late)
        report = self.sculpt.check(**self.month, level=1, only=["oracle.exact"], seed=3)
        self.assertNotIn(".sculpt-", str(report))
        self.assertEqual((report["subject"], report["tests"][0]["experiment"]), ("Late", "Late"))
        repeat = report["tests"][0]["repeat"]
        self.assertEqual(repeat, 'only=["oracle.exact"], level=1, seed=3')
        again = self.sculpt.check(**self.month, **eval(f"dict({repeat})"))
        self.assertEqual([test["name"] for test in again["tests"]], ["oracle.exact"])
        self.assertEqual(again["tests"][0]["reasons"], report["tests"][0]["reasons"])
        named = self.sculpt.check({"name": "mine"}, **self.month, level=1, only=["loss"])
        self.assertEqual(named["subject"], "mine")


if __name__ == "__main__":
    main()

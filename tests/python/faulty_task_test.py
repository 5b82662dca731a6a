#!/usr/bin/env python3
"""Faults of tasks in Python are named: the file, the class, the method, the example, the line.

    faulty_task_test.py SCULPT
"""

import setting

MONTH = (setting.EXAMPLES / "month.py").read_text()
# Exit codes of the program.
DATA, MISSING, PLUGIN, CONFIG = 65, 66, 69, 78


class Faults(setting.FolderTest):
    def text_of(self, exit_code: int, experiment: dict, *words) -> str:
        """The last message of a training that fails with this exit code."""
        self.write("task.json", experiment)
        done = setting.run("train", "task.json", "--output", "run", "--force", *words,
                           folder=self.folder)
        self.assertEqual(done.returncode, exit_code, done.stderr)
        return next(line for line in done.stderr.splitlines() if line.startswith("sculpt: "))

    def changed(self, old: str, new: str, exit_code=PLUGIN) -> str:
        """The same for the example month.py with one line changed, as task.py."""
        self.assertIn(old, MONTH)
        self.write("task.py", MONTH.replace(old, new, 1))
        return self.text_of(exit_code, setting.python_task("task.py", setting.DAYS))

    def test_an_exception_in_each_method_is_named_with_its_line(self):
        bodies = {"load": (self.line("month, *inputs = line.split()"), "load", ""),
                  "count": (self.line("return len(self.rows)"), "count", ""),
                  "truth": (self.line("return self.truths[i]"), "truth", "example 0: "),
                  "dimension": (self.line("return 2 * self.width"), "dimension", ""),
                  "output_shape": (self.line("return sculpt.OutputShape"), "output_shape",
                                   "example 0: "),
                  "features": (self.line("angle = 2 * np.pi * y[0]"), "features", "example 0: "),
                  "loss": (self.line("distance = abs"), "loss", "example 0: "),
                  "argmax": (self.line("best = value"), "argmax", "example 0: "),
                  "save": (self.line('return {"width"'), "save", ""),
                  "__init__": (self.line("self.rows, self.truths"), "__init__", "")}
        for method, (line, name, example) in bodies.items():
            indent = line[:len(line) - len(line.lstrip())]
            text = self.changed(line, f"{indent}1 // 0", PLUGIN)
            self.assertIn(f"python: {example}task.py: Month.{name}: ZeroDivisionError: integer "
                          "division or modulo by zero [task.py:", text, method)
            self.assertIn(f" in {name}: 1 // 0]", text, method)
            self.assertNotIn("_callbacks.py", text)

    def test_an_exception_about_a_guess_is_that_of_its_example(self):
        of_the_host = "truth[0] == 2 and not isinstance(guess, list) and guess[0]"
        for line, guess in ((self.line("angle = 2 * np.pi * y[0]"), "i == 2 and y[0]"),
                            (self.line("distance = abs"), of_the_host)):
            method = "features" if "angle" in line else "loss"
            truth = "self.truths[i]" if method == "features" else "truth[0]"
            indent = line[:len(line) - len(line.lstrip())]
            wrong = f"{indent}if {guess} != {truth}: 1 // 0\n{line}"
            text = self.changed(line, wrong)
            self.assertIn(f"python: example 2: task.py: Month.{method}: ZeroDivisionError: ", text)
            self.assertIn(f" in {method}: if {guess} != {truth}: 1 // 0]", text)
            for value, shown in (("np.nan", "is NaN"), ("'a'", "returned 'a'; it must return")):
                result = f"np.full(2 * self.width, {value})" if value == "np.nan" else value
                result = value if method == "loss" else result
                text = self.changed(line, wrong.replace("1 // 0", f"return {result}"))
                self.assertIn("python: example 2: ", text)
                self.assertIn("nan" if (method, value) == ("loss", "np.nan") else shown, text)

    def test_an_interrupt_that_comes_once_is_not_lost(self):
        line = self.line("angle = 2 * np.pi * y[0]")
        text = self.changed(line, f"""\
        if y[0] != self.truths[i] and not hasattr(self, 'once'):
            self.once = True
            raise KeyboardInterrupt
{line}""")
        self.assertIn("task.py: Month.features: KeyboardInterrupt [task.py:", text)

    @staticmethod
    def line(beginning: str) -> str:
        return next(line for line in MONTH.splitlines() if line.strip().startswith(beginning))

    def test_other_exceptions_stop_the_run_too(self):
        for statement, shown in (("raise SystemExit(3)", "SystemExit: 3"),
                                 ("raise KeyboardInterrupt", "KeyboardInterrupt"),
                                 ("assert False, 'one\\ntwo'", "AssertionError: one two")):
            text = self.changed("best = value.argmax()", statement)
            self.assertIn(f"task.py: Month.argmax: {shown} [task.py:", text)
        text = self.changed("best = value.argmax()", "raise sculpt.DataError('day 3: is wrong')",
                            DATA)
        self.assertEqual(text, "sculpt: python: example 0: day 3: is wrong")

    def test_results_of_a_wrong_type_or_shape_are_named(self):
        cases = [
            ("return best, value[best]", "return np.ones(3)", "Month.argmax returned float64[3]; "
             "it must return int32 labels, (labels, value) or a sculpt.Answer"),
            ("return best, value[best]", "pass", "Month.argmax returned None; it must"),
            ("return best, value[best]", "return best, 'x'", "Month.argmax returned 'x'; it must "
             "return (labels, value), the value a number"),
            ("return np.outer", "return np.ones((2, 3)); np.outer", "Month.features returned "
             "float64[2,3]; it must return float64[6] (the dimension)"),
            ("return np.outer", "return [9], [1]; np.outer", "Month.features returned the index 9; "
             "indices lie in [0, 6)"),
            ("return min(distance, self.months - distance)", "return None", "Month.loss returned "
             "None; it must return a number"),
            ("return self.truths[i]", "return 0.5", "Month.truth returned 0.5; it must return "
             "int32 labels, or None if the example has none"),
            ("return len(self.rows)", "return '48'", "Month.count returned '48'; it must return "
             "the number of examples"),
            ("return 2 * self.width", "return 6.0", "Month.dimension returned 6.0; it must return "
             "the number of features"),
            ("return sculpt.OutputShape", "return 3; sculpt.OutputShape", "Month.output_shape "
             "returned 3; it must return a sculpt.OutputShape"),
            ('return {"width": self.width}', "import pickle; return pickle.dumps(3)",
             "Month.save returned a pickle; loading one from a model would run any code"),
        ]
        for old, new, expected in cases:
            self.assertIn(f"task.py: {expected}", self.changed(old, new), new)

    def test_an_error_of_the_data_names_file_and_line(self):
        self.write("task.py", MONTH)
        self.write("days.txt", "1 9.4 0.1\n2 10.1 x\n")
        experiment = setting.python_task("task.py", "days.txt")
        text = self.text_of(DATA, experiment)
        self.assertIn("days.txt:2: task.py: Month.load: ValueError: could not convert string to "
                      "float: 'x' [task.py:", text)
        self.write("days.txt", "1 9.4 0.1\n2 10.1\n")
        self.assertTrue(self.text_of(DATA, experiment).endswith("days.txt:2: has 2 fields, not 3"))
        (self.folder / "days.txt").unlink()
        self.assertIn("days.txt: ", self.text_of(MISSING, experiment))

    def test_a_method_that_is_missing_is_named(self):
        text = self.changed("def argmax", "def arg_max", CONFIG)
        self.assertRegex(text, "task.json:1:[0-9]+: python: task.py: Month has no method argmax, "
                         "so it cannot be an oracle; did you mean arg_max[?]$")
        text = self.changed("def truth", "def unused_1", CONFIG)
        self.assertIn("task.py: Month has no method truth, so it cannot be a dataset; write def "
                      "truth(self, example)", text)

    def test_a_file_that_does_not_load_is_named(self):
        text = self.changed("def loss(self, truth, guess):", "def loss(self, truth, guess)")
        line = MONTH.splitlines().index("    def loss(self, truth, guess):") + 1
        self.assertIn(f"task.py:{line}:33: SyntaxError: expected ':': def loss(self, truth, guess)",
                      text)
        text = self.changed("import numpy as np", "import numpi as np")
        self.assertIn("task.py: ModuleNotFoundError: No module named 'numpi' [task.py:7 in <module>"
                      ": import numpi as np]", text)
        text = self.changed("months: int = 12", "months: bytes = b''", CONFIG)
        self.assertIn("task.py: Month: the annotation of months is bytes, which is no type of "
                      "parameters", text)
        self.write("none.py", "x = 3\n")
        self.assertIn("none.py has no class with methods of a task",
                      self.text_of(CONFIG, setting.python_task("none.py", setting.DAYS)))
        self.write("zero.py", "x = 3\n\0")
        self.assertIn("zero.py: is no Python source",
                      self.text_of(PLUGIN, setting.python_task("zero.py", setting.DAYS)))
        self.assertIn("no.py: No such file or directory",
                      self.text_of(MISSING, setting.python_task("no.py", setting.DAYS)))

    def test_a_class_or_parameter_that_does_not_exist_is_named(self):
        self.write("task.py", MONTH)
        experiment = setting.python_task("task.py", setting.DAYS)
        for change, expected in (
                ("dataset.class=Mont", "task.py has no class Mont; did you mean Month?"),
                ("dataset.with.month=3", 'unknown parameter "month", did you mean "months"?'),
                ('dataset.with={"months": 1.5}', '"months" must be an integer, not 1.5'),
                ("dataset.with=[1]", '"with" must be an object, {"name": value}, of parameters of '
                                     "the class, not [1]"),
                ('features={"use": "python", "file": "task.py", "with": {"months": 3}}',
                 "its parameters differ from those of the dataset, whose object it shares")):
            self.assertIn(expected, self.text_of(CONFIG, experiment, "--set", change))

    def test_components_that_cannot_work_together_are_refused(self):
        self.write("task.py", MONTH)
        experiment = setting.python_task("task.py", setting.DAYS)
        self.assertIn('Month works only with its own loss; set "loss" to "python" as well',
                      self.text_of(CONFIG, {**experiment, "loss": "zero_one"}))
        del experiment["dataset"]["file"]
        self.assertIn('needs the key "file": the Python file with the class of the task',
                      self.text_of(CONFIG, experiment))
        experiment["dataset"] = {"use": "svmlight", "train": {"text": "1 1:1\n2 1:2\n"}}
        self.assertIn("no component before it is a task in Python, whose object it could share",
                      self.text_of(CONFIG, experiment))

    def test_a_model_is_not_lost_to_a_state_that_cannot_be_saved(self):
        """It is noticed before the training, not behind it."""
        self.changed('return {"width": self.width}', "return {'f': lambda: 3}")
        self.assertFalse((self.folder / "run/model.sculpt").exists())
        self.assertFalse((self.folder / "run/events.jsonl").exists())


if __name__ == "__main__":
    setting.main()

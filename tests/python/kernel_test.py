#!/usr/bin/env python3
"""Kernels in Python: the optimum and the predictions of the built-in ones, models without the
training data, and faults by name.

    kernel_test.py SCULPT
"""

import setting

RBF = """
import numpy as np

class Rbf:
    gamma: float = 0.25
    positive = True

    def kernel(self, row, other):
        return np.exp(-self.gamma * ((row.dense - other.dense) ** 2).sum())
"""
COMMON_WORDS = setting.EXAMPLES / "common_words.py"
TEXTS = """spam\tbuy cheap pills now
spam\tcheap pills for you
spam\tbuy now pay later
ham\tmeeting at noon in the office
ham\tsee you at the office
ham\tlunch at noon with the team
"""
DATA, PLUGIN, CONFIG = 65, 69, 78


def of_rows(kernel) -> dict:
    return {"dataset": {"use": "svmlight", "train": "rows.txt", "first_index": 1},
            "features": "multiclass", "kernel": kernel, "loss": "zero_one", "oracle": "enumerate",
            "solver": {"use": "n_slack", "C": 200, "relative_gap": 1e-7}}


def of_words(kernel) -> dict:
    return {"dataset": {"use": "letters", "train": "words.txt"}, "features": "chain",
            "kernel": kernel, "loss": "hamming", "oracle": "viterbi",
            "solver": {"use": "n_slack", "C": 100, "relative_gap": 1e-6}}


class Kernels(setting.FolderTest):
    def setUp(self):
        super().setUp()
        self.write("rbf.py", RBF)
        self.write("rows.txt", setting.rows_text(60))
        self.write("words.txt", setting.words_text(30))

    def predict(self, run, data, *words):
        done = setting.run("predict", run, data, *words, folder=self.folder,
                           environment={"SCULPT_PLUGIN_PATH": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_it_has_the_optimum_and_the_predictions_of_the_built_in_kernel(self):
        for experiment, data in ((of_rows, "rows.txt"), (of_words, "words.txt")):
            own = self.train(experiment({"use": "python", "file": "rbf.py"}), f"own-{data}")
            builtin = self.train(experiment({"use": "rbf", "gamma": 0.25}), f"builtin-{data}")
            self.assertTrue(own["certified"])
            for key in ("primal", "dual"):
                self.assertAlmostEqual(own[key] / builtin[key], 1, delta=2e-6, msg=data)
            (self.folder / data).rename(self.folder / "moved.txt")  # the model needs no rows
            self.assertEqual(self.predict(f"own-{data}", "moved.txt"),
                             self.predict(f"builtin-{data}", "moved.txt"))
            (self.folder / "moved.txt").rename(self.folder / data)

    def test_parameters_and_several_rows_at_once(self):
        self.write("batch.py", RBF.replace(
            "    def kernel(self, row, other):\n        return np.exp(-self.gamma * ((row.dense - "
            "other.dense) ** 2).sum())",
            "    def kernel_rows(self, rows, others):\n"
            "        one, other = (np.array([row.dense for row in part])\n"
            "                      for part in (rows, others))\n"
            "        return np.exp(-self.gamma * ((one[:, None] - other) ** 2).sum(2))"))
        section = {"use": "python", "file": "batch.py", "with": {"gamma": 0.5}}
        own = self.train(of_rows(section), "own")
        builtin = self.train(of_rows({"use": "rbf", "gamma": 0.5}), "builtin")
        self.assertAlmostEqual(own["primal"] / builtin["primal"], 1, delta=1e-6)
        whole = {"use": "sum", "members": [section, "linear"]}
        self.assertTrue(self.train(of_rows(whole), "sum")["certified"])

    def test_check_proves_it(self):
        self.write("check.json", of_rows({"use": "python", "file": "rbf.py"}))
        done = setting.run("check", "check.json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        for test in ("symmetric", "positive", "kept", "damage"):
            self.assertRegex(done.stdout, rf"kernel\.{test} +pass")

    def test_check_finds_a_kernel_that_is_not_symmetric_or_not_positive(self):
        for old, new, test in (("return ", "return row.value[0] * ", "symmetric"),
                               ("return np.exp(-self.gamma", "return (-self.gamma", "positive")):
            self.assertIn(old, RBF)
            self.write("wrong.py", RBF.replace(old, new))
            self.write("check.json", of_rows({"use": "python", "file": "wrong.py"}))
            done = setting.run("check", "check.json", folder=self.folder)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stdout, rf"kernel\.{test} +fail")

    def test_texts_by_their_common_words(self):
        self.write("texts.txt", TEXTS)
        experiment = of_rows({"use": "python", "file": str(COMMON_WORDS)})
        experiment["dataset"] = {"use": "texts", "symbols": "words", "train": "texts.txt"}
        self.train(experiment)
        self.write("new.txt", "spam\tcheap pills\nham\tthe office at noon\n")
        done = setting.run("predict", "run", "new.txt", folder=self.folder,
                           environment={"SCULPT_PLUGIN_PATH": str(COMMON_WORDS.parent)})
        self.assertEqual(done.stdout.split(), ["spam", "ham"], done.stderr)

    def test_a_kernel_that_claims_wrongly_to_be_positive_is_named_beside_the_oracle(self):
        wrong = RBF.replace("return np.exp", "return -np.exp")
        text = self.fault(PLUGIN, wrong)
        self.assertIn("enumerate: either the kernel (python) is not positive semidefinite, as it "
                      "claims, or this oracle is wrong: it sets EXACT or BOUND wrongly: the dual",
                      text)
        self.assertIn("; sculpt check tests both", text)
        several = {"use": "sum", "members": [{"use": "python", "file": "fault.py"},
                                             {"use": "rbf", "gamma": 1e-3}]}
        self.assertIn("either the kernel (python, rbf) is not",
                      self.fault(PLUGIN, wrong.replace("return -np", "return -5 * np"),
                                 of_rows(several)))

    def test_without_the_claim_nothing_is_certified(self):
        self.write("claim.py", RBF.replace("    positive = True\n", ""))
        self.write("claim.json", of_rows({"use": "python", "file": "claim.py"}))
        done = setting.run("train", "claim.json", "--output", "run", folder=self.folder)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertFalse(setting.finished(self.folder / "run")["certified"])

    def fault(self, exit_code, source=RBF, experiment=None):
        self.write("fault.py", source)
        self.write("fault.json", experiment or of_rows({"use": "python", "file": "fault.py"}))
        done = setting.run("train", "fault.json", "--output", "run", folder=self.folder)
        self.assertEqual(done.returncode, exit_code, done.stderr)
        self.assertFalse((self.folder / "run/model.sculpt").exists())
        return done.stderr

    def test_faults_are_named(self):
        changed = "np.exp(-self.gamma * ((row.dense - other.dense) ** 2).sum())"
        for value, shown in (("float('nan')", "returned nan; values of a kernel must be finite"),
                             ("'one'", "returned 'one'; it must return a number"),
                             ("1 / 0", "ZeroDivisionError: float division by zero [fault.py:")):
            value = value.replace("1 / 0", "1 / (0 * self.gamma)")
            text = self.fault(PLUGIN, RBF.replace(changed, value))
            between = " " if "returned" in shown else ": "
            self.assertIn(f"fault.py: Rbf.kernel{between}{shown}", text)
        several = RBF.replace("def kernel(self, row, other):",
                              "def kernel_rows(self, rows, others):")
        self.assertIn("Rbf.kernel_rows returned None; it must return float64[",
                      self.fault(PLUGIN, several.replace(f"return {changed}", "pass")))
        self.assertIn("Rbf has no method kernel, so it cannot be a kernel; did you mean kernal?",
                      self.fault(CONFIG, RBF.replace("def kernel", "def kernal"),
                                 of_rows({"use": "python", "file": "fault.py", "class": "Rbf"})))
        self.assertIn("positive is 1; it must be True or False",
                      self.fault(CONFIG, RBF.replace("= True", "= 1")))
        self.assertIn('needs the key "file"',
                      self.fault(CONFIG, experiment=of_rows({"use": "python"})))

    def test_a_dataset_without_rows_is_refused(self):
        experiment = setting.python_task(setting.EXAMPLES / "month.py", setting.DAYS)
        experiment["kernel"] = {"use": "python", "file": "rbf.py"}
        text = self.fault(CONFIG, experiment=experiment)
        self.assertIn("kernel", text)


if __name__ == "__main__":
    setting.main()

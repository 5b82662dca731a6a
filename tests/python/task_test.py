#!/usr/bin/env python3
"""Tasks in Python through the program: certified, checked, equal to the components in C++.

    task_test.py SCULPT
"""

import signal
import subprocess
import time

import setting

# A multiclass task: the features of `multiclass`, the loss `zero_one`, the oracle `enumerate`.
ROWS = '''
import numpy as np
import sculpt

class Rows:
    def __init__(self):
        self.x, self.y, self.classes, self.width = [], [], 0, 0

    def load(self, split, source):
        for line in source:
            label, *inputs = line.split()
            self.y.append(int(label) - 1)
            self.x.append(np.array([float(text.split(":")[1]) for text in inputs]))
            self.width = self.width or len(inputs)
            if len(inputs) != self.width:
                raise source.error("has another number of inputs")
            if split != "train" and self.y[-1] >= self.classes:
                raise source.error("this class is not in the training data")
        if split == "train":
            self.classes = max(self.y) + 1

    def count(self):
        return len(self.x)

    def truth(self, i):
        return self.y[i]

    def save(self):
        return {"classes": self.classes, "width": self.width}

    def restore(self, state):
        self.classes, self.width = state["classes"], state["width"]

    def dimension(self):
        return self.classes * self.width

    def output_shape(self, i):
        return sculpt.OutputShape(1, self.classes, complete=True)

    def features(self, i, y):
        begin = y[0] * self.width
        return np.arange(begin, begin + self.width), self.x[i]

    def loss(self, truth, guess):
        return float(truth[0] != guess[0])

    def argmax_batch(self, queries):
        weights = queries.weights.reshape(self.classes, self.width)
        answers = []
        for query in queries:
            score = np.array([w @ self.x[query.example] for w in weights])
            if query.loss_weight > 0:
                score += query.loss_weight * (np.arange(self.classes) != query.truth[0])
            answers.append(sculpt.Answer(score.argmax(), score.max()))
        return answers
'''


class Task(setting.FolderTest):
    def compare(self, python, other):
        """Both runs are certified at a gap of 1e-6, so their optima differ by no more."""
        for bound in ("primal", "dual"):
            self.assertAlmostEqual(python[bound], other[bound], delta=3e-6 * python["primal"])
        self.assertAlmostEqual(python["train"]["loss"], other["train"]["loss"], places=12)

    def test_a_multiclass_task_has_the_optimum_of_the_components_in_cpp(self):
        self.write("rows.py", ROWS)
        self.write("rows.txt", setting.rows_text(60))
        mine = self.train(setting.python_task("rows.py", "rows.txt"))
        theirs = self.train({"dataset": {"use": "svmlight", "train": "rows.txt"},
                             "features": {"use": "multiclass", "bias": False}, "loss": "zero_one",
                             "oracle": "enumerate",
                             "solver": {"use": "n_slack", "C": 10, "relative_gap": 1e-6}}, "cpp")
        self.compare(mine, theirs)

    def test_a_chain_task_has_the_optimum_of_the_components_in_cpp(self):
        self.write("words.txt", setting.words_text(25))
        mine = self.train(setting.python_task(setting.EXAMPLES / "words.py", "words.txt"))
        theirs = self.train({"dataset": {"use": "letters", "train": "words.txt"},
                             "features": {"use": "chain", "bias": True, "start_end": False},
                             "loss": {"use": "hamming", "normalize": False}, "oracle": "viterbi",
                             "solver": {"use": "n_slack", "C": 10, "relative_gap": 1e-6}}, "cpp")
        self.compare(mine, theirs)

    def test_the_month_in_python_has_the_optimum_of_brute_force_at_its_weights(self):
        result = self.train(setting.python_task(setting.EXAMPLES / "month.py", setting.DAYS,
                                                setting.OTHER_DAYS))
        self.assertTrue(result["certified"])
        done = run("verify", "run", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("verified", done.stdout)

    def test_check_proves_the_examples(self):
        self.write("rows.py", ROWS)
        self.write("rows.txt", setting.rows_text(12))
        self.write("words.txt", setting.words_text(6))
        for number, (file, data) in enumerate([("rows.py", "rows.txt"),
                                               (setting.EXAMPLES / "words.py", "words.txt"),
                                               (setting.EXAMPLES / "month.py", setting.DAYS)]):
            self.write(f"{number}.json", setting.python_task(file, data))
            done = run("check", f"{number}.json", "--level", "1", folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("oracle.exact            pass", done.stdout)
            if number == 0:
                self.assertIn("oracle.batch            pass", done.stdout)
            self.assertIn("features.batch          pass", done.stdout)
            self.assertIn("loss.batch              pass", done.stdout)

    def test_check_finds_an_argmax_that_is_none(self):
        source = (setting.EXAMPLES / "month.py").read_text()
        self.write("month.py", source.replace("best = value.argmax()", "best = value[:5].argmax()"))
        self.write("month.json", setting.python_task("month.py", setting.DAYS))
        done = run("check", "month.json", "--level", "1", "--only", "oracle.exact",
                   folder=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("oracle.exact            fail", done.stdout)

    def test_a_value_that_is_left_out_is_computed_from_features_and_loss(self):
        source = (setting.EXAMPLES / "month.py").read_text()
        self.write("alone.py", source.replace("return best, value[best]", "return best"))
        experiment = setting.python_task("alone.py", setting.DAYS)
        with_value = setting.python_task(setting.EXAMPLES / "month.py", setting.DAYS)
        first, second = self.train(experiment), self.train(with_value, "value")
        for key in ("primal", "dual", "passes"):
            self.assertAlmostEqual(first[key], second[key], delta=1e-9 * second[key])

    def test_components_that_name_the_same_class_share_one_object(self):
        experiment = setting.python_task(setting.EXAMPLES / "month.py", setting.DAYS)
        named = {"use": "python", "file": str(setting.EXAMPLES / "month.py"), "class": "Month"}
        experiment.update(features=named, loss={**named, "with": {"months": 12}}, oracle=named)
        shared = self.train(setting.python_task(setting.EXAMPLES / "month.py", setting.DAYS))
        self.assertEqual(self.train(experiment, "named")["primal"], shared["primal"])

    def test_parameters_come_from_the_experiment(self):
        experiment = setting.python_task(setting.EXAMPLES / "month.py", setting.DAYS,
                                         **{"with": {"months": 12}})
        twelve = self.train(experiment)
        other = self.train(experiment, "other", "--set", "dataset.with.months=24")
        self.assertNotEqual(twelve["primal"], other["primal"])

    def test_what_a_task_prints_is_no_result(self):
        source = (setting.EXAMPLES / "month.py").read_text()
        self.write("loud.py", source.replace("return len(self.rows)",
                                             "print('loud'); return len(self.rows)"))
        self.write("loud.json", setting.python_task("loud.py", setting.DAYS))
        done = run("train", "loud.json", "--output", "run", "--threads", "2", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("one thread is used: python can be called from one thread only", done.stderr)
        self.assertEqual(done.stdout.count("loud"), 1)  # the name of the run
        self.assertIn("loud\n", done.stderr)

    def test_a_killed_run_resumes_to_the_same_bytes(self):
        self.write("words.txt", setting.words_text(40))
        experiment = setting.python_task(setting.EXAMPLES / "words.py", "words.txt")
        self.train(experiment, "whole")
        self.write("words.json", {**experiment, "checkpoint_seconds": 0, "name": "whole"})
        killed = self.kill_when_it_trains("words.json")
        self.assertNotEqual(killed, 0)
        done = run("train", "words.json", "--output", "killed", "--resume", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "killed/model.sculpt").read_bytes(),
                         (self.folder / "whole/model.sculpt").read_bytes())

    def kill_when_it_trains(self, experiment) -> int:
        """Kills a run that has written a checkpoint. Returns what the process returned."""
        process = subprocess.Popen([setting.SCULPT, "train", experiment, "--output", "killed"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        checkpoints = self.folder / "killed/checkpoints"
        while process.poll() is None and not (checkpoints.is_dir() and any(checkpoints.iterdir())):
            time.sleep(0.002)
        process.kill()
        return process.wait()

    def test_an_interrupt_stops_a_run_at_a_checkpoint(self):
        source = (setting.EXAMPLES / "month.py").read_text()
        source = source.replace("        best = ", "        time.sleep(0.01)\n        best = ")
        self.write("slow.py", source.replace("import numpy", "import time\nimport numpy"))
        self.write("slow.json", setting.python_task("slow.py", setting.DAYS))
        process = subprocess.Popen([setting.SCULPT, "train", "slow.json", "--output", "run"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if line.split()[:1] == ["2"]:
                break
        process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, text)
        self.assertNotIn("KeyboardInterrupt", text)
        self.assertTrue((self.folder / "run/model.sculpt").is_file())

    def test_libraries_of_a_virtual_environment_are_not_needed(self):
        """$VIRTUAL_ENV of another version is left alone."""
        self.write("m.json", setting.python_task(setting.EXAMPLES / "month.py", setting.DAYS))
        done = run("train", "m.json", "--output", "run", folder=self.folder,
                   environment={"VIRTUAL_ENV": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)


run = setting.run
if __name__ == "__main__":
    setting.main()

"""predict, evaluate and verify print the same for any number of ranks, once.

commands_test.py SCULPT
"""

import os

from rank_setting import RankTest, main, rows_experiment, rows_text, words_experiment

TEXTS = [
    ("predict", "run", "words.txt"),
    ("predict", "run", "words.txt", "--decode", "max-marginal"),
    ("predict", "run", "words.txt", "--marginals"),
    ("predict", "run", "words.txt", "--nbest", "3"),
    ("predict", "run", "words.txt", "--sample", "2"),
    ("evaluate", "run", "words.txt"),
    ("evaluate", "run", "words.txt", "--json"),
    ("verify", "run"),
]


class CommandsTest(RankTest):
    def train(self, experiment, files):
        for name, text in files.items():
            self.write(name, text)
        self.write("experiment.json", experiment)
        done = self.sculpt("train", "experiment.json", "--output", "run")
        self.assertEqual(done.returncode, 0, done.stderr)

    def compare(self, counts, *words):
        alone = self.sculpt(*words)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertTrue(alone.stdout)
        for count in counts:
            with self.subTest(words=words, ranks=count):
                done = self.ranks(count, *words)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, alone.stdout)
                self.assertEqual(done.stderr, alone.stderr)

    def test_the_output_is_that_of_one_process(self):
        self.train(*words_experiment({"use": "crf", "C": 40}))
        for index, words in enumerate(TEXTS):
            self.compare([(2, 3, 1)[index % 3]], *words)

    def test_scores_of_rows_are_those_of_one_process(self):
        self.train(*rows_experiment({"use": "n_slack", "C": 50}))
        self.compare([3], "predict", "run", "rows.txt", "--scores")
        self.compare([2], "verify", "run", "--json")

    def test_there_may_be_more_ranks_than_examples(self):
        self.train(*words_experiment({"use": "n_slack", "C": 50}))
        first = self.write("first.txt", "1 0 0 a 0 010101\n")
        self.compare([3], "predict", "run", first.name)
        self.compare([3], "evaluate", "run", first.name, "--json")

    def test_the_output_of_many_examples_is_in_order(self):
        self.train(*rows_experiment({"use": "n_slack", "C": 50}, rows=400))
        self.compare([3], "predict", "run", "rows.txt")

    def test_other_commands_are_refused_once(self):
        done = self.ranks(3, "describe")
        self.assertEqual(done.returncode, 64)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("sculpt describe does not share its work among "
                                           "processes; start it without mpirun (sculpt train, "), 1)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_task_is_trained_and_tuned_alike(self):
        self.write("rows.txt", rows_text(60))
        words = ["train", "--task", "multiclass", "rows.txt", "--quiet", "--output"]
        alone = self.sculpt(*words, "alone")
        done = self.ranks(3, *words, "run")
        self.assertEqual((done.returncode, done.stderr), (alone.returncode, alone.stderr))
        self.assertEqual(self.model("run"), self.model("alone"))
        alone = self.sculpt(*words, "tuned_alone", "--tune")
        done = self.ranks(2, *words, "tuned", "--threads", "1", "--tune")
        self.assertEqual((done.returncode, done.stderr), (alone.returncode, alone.stderr))
        self.assertEqual(self.model("tuned"), self.model("tuned_alone"))

    def test_pipes_are_refused_once(self):
        self.train(*words_experiment({"use": "n_slack", "C": 50}))
        os.mkfifo(self.folder / "fifo")
        for words, name in ((("predict", "run", "-"), "standard input"),
                            (("evaluate", "run", "fifo"), "fifo")):
            done = self.ranks(3, *words, timeout=30)
            self.assertEqual((done.returncode, done.stderr),
                             (64, f"sculpt: {name}: is a pipe, and only one process can read it; "
                                  "write the data into a file, or start without mpirun\n"))

    def test_a_wrong_model_is_refused_once(self):
        self.write("model.sculpt", "nonsense")
        alone = self.sculpt("predict", "model.sculpt", "words.txt")
        done = self.ranks(2, "predict", "model.sculpt", "words.txt")
        self.assertNotEqual(alone.returncode, 0)
        self.assertEqual(done.returncode, alone.returncode)
        self.assertEqual(done.stderr, alone.stderr)

    def test_faulty_data_is_refused_once_wherever_it_is(self):
        self.train(*words_experiment({"use": "n_slack", "C": 50}))
        text = (self.folder / "words.txt").read_text()
        for name, wrong in (("begin.txt", "x y z\n" + text), ("end.txt", text + "1 0 0 a 0 0\n")):
            self.write(name, wrong)
            alone = self.sculpt("evaluate", "run", name)
            done = self.ranks(2, "evaluate", "run", name)
            self.assertEqual(alone.returncode, 65, alone.stderr)
            self.assertEqual((done.returncode, done.stderr), (65, alone.stderr))


if __name__ == "__main__":
    main()

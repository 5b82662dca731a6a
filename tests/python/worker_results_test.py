#!/usr/bin/env python3
"""What worker processes compute: the same bytes as the host, by whom, and what fails.

    worker_results_test.py SCULPT
"""

import collections
import os
import pathlib

import setting

MONTH = (setting.EXAMPLES / "month.py").read_text()
FEATURES, LOSS = "        angle = 2 * np.pi * y[0]", "        distance = abs("
BEST, RETURN = "        best = value.argmax()\n", "        return best, value[best]"
PSI = "return np.outer([np.cos(angle), np.sin(angle)], self.rows[i]).ravel()"


def task(*changes: tuple[str, str]) -> str:
    """month.py with texts replaced. note(what, i) writes who did what."""
    text = MONTH.replace("import numpy as np\n", "import os\nimport time\nimport numpy as np\n"
                         "HOST = '_worker_process' not in open('/proc/self/cmdline').read()\n"
                         "def note(what, i=-1):\n"
                         "    with open('notes.txt', 'a') as file:\n"
                         "        print(what, 'host' if HOST else os.getpid(), i, file=file)\n", 1)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def before(line: str, statement: str) -> tuple[str, str]:
    return line, f"        {statement}\n{line}"


class Results(setting.FolderTest):
    def experiment(self, workers: int, **more) -> dict:
        return setting.python_task("task.py", setting.DAYS, workers=workers, **more)

    def weights(self, workers: int, *words, **more):
        """The bytes of the weights, and the notes: how often each process did each thing."""
        import sculpt
        (self.folder / "notes.txt").write_text("")
        self.train(self.experiment(workers, **more), "run", "--force", *words)
        notes = collections.Counter(tuple(line.split()[:2]) for line in
                                    (self.folder / "notes.txt").read_text().splitlines())
        return sculpt.load(self.folder / "run").weights.tobytes(), notes

    def message(self, workers: int, *words, **more) -> str:
        """The message of a training that fails."""
        self.write("task.json", self.experiment(workers, **more))
        done = setting.run("train", "task.json", "--output", "run", "--force", *words,
                           folder=self.folder)
        self.assertEqual(done.returncode, 69, done.stderr)
        return next(line for line in done.stderr.splitlines() if line.startswith("sculpt: "))

    def setUp(self):
        super().setUp()
        os.environ["SCULPT_PLUGIN_PATH"] = str(self.folder)
        self.addCleanup(os.environ.pop, "SCULPT_PLUGIN_PATH")

    def test_uneven_examples_give_the_same_weights_for_any_number_of_workers(self):
        self.write("task.py", task(before(
            BEST, "time.sleep(0.02 * (os.getpid() + query.example) % 7 == 0)")))
        expected, _ = self.weights(1)
        for workers in (2, 3):
            self.assertEqual(self.weights(workers)[0], expected, workers)

    def test_any_form_of_psi_and_loss_gives_the_same_weights_as_without_workers(self):
        """Also arrays that the task uses again, and a value that the package computes."""
        forms = {"pairs": "psi = {}; j = psi.nonzero()[0]; return j, psi[j].astype(np.float32)",
                 "repeated": "psi = {}; j = np.arange(2 * psi.size) % psi.size; "
                             "return j, np.tile(psi / 2, 2)",
                 "in steps": "return np.repeat({}, 2)[::2]",
                 "used again": "self.psi = getattr(self, 'psi', np.zeros(self.dimension())); "
                               "self.psi[:] = {}; return self.psi"}
        for name, form in forms.items():
            self.write("task.py", task(
                (PSI, form.format(PSI.removeprefix("return "))),
                (RETURN, "        self.y = getattr(self, 'y', np.zeros(1, np.int32))\n"
                         "        self.y[0] = best\n        return self.y")))
            expected, _ = self.weights(1)
            self.assertEqual(self.weights(2)[0], expected, name)

    def test_an_array_of_labels_may_be_used_again_in_a_batch(self):
        self.write("task.py", MONTH)
        expected, _ = self.weights(1)
        self.write("task.py", task((RETURN, "        self.y = getattr(self, 'y', np.zeros(1, "
                                            "np.int32))\n        self.y[0] = best\n"
                                            "        return self.y, value[best]")))
        self.assertEqual(self.weights(1)[0], expected)

    def test_workers_compute_psi_and_loss_of_their_answers(self):
        """The host computes those of the truths, and few others."""
        self.write("task.py", task(before(FEATURES, "note('features', i)"), before(
            BEST, "note('argmax')")))
        _, notes = self.weights(2)
        count = {what: {who: n for (name, who), n in notes.items() if name == what}
                 for what in ("features", "argmax")}
        calls = {what: sum(n for who, n in counts.items() if who != "host")
                 for what, counts in count.items()}
        self.assertGreater(calls["argmax"], 200)
        self.assertGreater(calls["features"], 0.8 * calls["argmax"])
        self.assertLess(count["features"]["host"], calls["features"] / 2)
        self.assertEqual(len(count["argmax"]) - ("host" in count["argmax"]), 2)

    def test_features_of_another_class_are_not_computed_for_long(self):
        """The task's own are of no use then: the host asks the other class."""
        self.write("other.py", f"""import month

class Other:
    def __init__(self):
        self.month = month.Month()
        self.month.load("train", open({setting.DAYS!r}))

    def dimension(self):
        return self.month.dimension()

    def features(self, i, y):
        return self.month.features(i, y)
""")
        self.write("month.py", MONTH)
        self.write("task.py", task(before(FEATURES, "note('features', i)"), (
            "    months: int = 12", "    takes_other_features = True\n    months: int = 12")))
        experiment = self.experiment(2)
        experiment["features"] = {"use": "python", "file": "other.py"}
        experiment["loss"] = experiment["oracle"] = {"use": "python", "file": "task.py"}
        (self.folder / "notes.txt").write_text("")
        result = self.train(experiment)
        notes = (self.folder / "notes.txt").read_text().splitlines()
        self.assertGreater(result["oracle_calls"], 3 * 64)
        self.assertGreater(len(notes), 0)
        self.assertLessEqual(len(notes), 64)

    def test_psi_of_many_numbers_are_computed_by_the_host(self):
        """Beyond 16 MB a batch: 2.4 MB each here."""
        import sculpt
        psi = PSI.removeprefix("return ")
        self.write("task.py", task(
            before(FEATURES, "note('features', i)"), ("return 2 * self.width", "return 200000"),
            (PSI, f"psi = np.ones(200000) / 1e3; psi[:2 * self.width] = {psi}; return psi"),
            ("query.weights.reshape(2, -1)",
             "query.weights[:2 * self.width].reshape(2, -1)"),
            (RETURN, "        return best")))
        days = pathlib.Path(setting.DAYS).read_text().splitlines(keepends=True)
        self.write("few.txt", "".join(days[:24]))
        weights = []
        for workers in (1, 2):
            experiment = self.experiment(workers)
            experiment["dataset"]["train"] = "few.txt"
            experiment["solver"].update(max_passes=3, relative_gap=1e-9)
            self.write("run.json", experiment)
            (self.folder / "notes.txt").write_text("")
            done = setting.run("train", "run.json", "--output", "run", "--force",
                               folder=self.folder)
            self.assertEqual(done.returncode, 3, done.stderr)
            weights.append(sculpt.load(self.folder / "run").weights.tobytes())
        self.assertEqual(weights[0], weights[1])
        notes = [line.split()[1] for line in (self.folder / "notes.txt").read_text().splitlines()]
        self.assertGreater(notes.count("host"), 24 * 2)

    def test_features_or_a_loss_that_fail_for_one_example_are_named_as_without_workers(self):
        for line, method in ((FEATURES, "features"), (LOSS, "loss")):
            statement = ("1 // int(i != 30 or y[0] == self.truths[30])" if method == "features" else
                         "1 // int(not hasattr(guess, 'dtype') or guess[0] == truth[0])")
            self.write("task.py", task(before(line, statement)))
            alone = self.message(1)
            self.assertIn(f"task.py: Month.{method}: ZeroDivisionError", alone)
            self.assertEqual(self.message(2), alone)

    def test_results_that_are_not_finite_are_refused_as_without_workers(self):
        for line, statement in ((FEATURES, "if i == 30 and y[0] != self.truths[30]: return "
                                           "np.full(self.dimension(), np.nan)"),
                                (LOSS, "if hasattr(guess, 'dtype') and guess[0] != truth[0]: "
                                       "return float('nan')")):
            self.write("task.py", task(before(line, statement)))
            alone = self.message(1)
            self.assertIn("NaN" if line is FEATURES else "nan", alone)
            self.assertEqual(self.message(2), alone)

    def test_a_worker_that_crashes_in_features_is_named_with_them(self):
        self.write("task.py", task(before(FEATURES, "if i == 30 and not HOST: "
                                          "os.kill(os.getpid(), 11)")))
        self.assertRegex(self.message(2), "example 30: worker [12] of 2 was killed by SIGSEGV in "
                                          "task.py: Month.features$")
        self.write("task.py", task(before(
            LOSS, "while hasattr(guess, 'dtype') and not HOST: pass")))
        self.assertRegex(self.message(2, worker_seconds=0.5), "example [0-9]+: worker [12] of 2 "
                         "took more than 0.5 seconds for one example .worker_seconds. in task.py: "
                         "Month.loss$")

    def test_a_guarded_run_compares_psi_of_a_worker_with_that_of_the_host(self):
        self.write("task.py", MONTH)
        self.assertEqual(self.weights(2, "--guard")[0], self.weights(1)[0])
        self.write("task.py", task(before(FEATURES, "if not HOST: return "
                                          "np.full(self.dimension(), 0.5)")))
        self.assertIn("psi of its output in a batch (sculpt.batch-features/draft-1) is not that of "
                      "accumulate", self.message(2, "--guard"))

    def test_parts_of_argmax_batch_are_the_same_for_any_order(self):
        """Products of matrices depend on their shapes, so parts begin at fixed queries."""
        self.write("task.py", task(("    def argmax(self, query):", """\
    def argmax_batch(self, queries):
        note(f'{queries.examples[0]}-{len(queries)}')
        time.sleep(0.003 * (os.getpid() % 3))
        return [self.best(query) for query in queries]

    def best(self, query):""")))
        expected, _ = self.weights(1)
        first, second = (self.weights(3) for _ in range(2))
        self.assertEqual((first[0], second[0]), (expected, expected))
        parts = [sorted(what for what, who in notes.elements() if who != "host")
                 for _, notes in (first, second)]
        self.assertEqual(*parts)
        self.assertGreater(len(parts[0]), 6)


class Blocks(setting.unittest.TestCase):
    def test_what_a_worker_found_is_the_same_after_its_way_through_a_pipe(self):
        import numpy
        from sculpt._task._worker_answers import Found, from_blocks, to_blocks
        y, psi = numpy.array([3, -1], numpy.int32), (numpy.array([7], numpy.int32),
                                                     numpy.array([0.1]))
        nothing = numpy.zeros(0, numpy.int32), numpy.zeros(0)
        found = [Found(5, (1, y, 0.1, None), psi, 0.3), Found(2, (4, None, 0.0, None), None, None),
                 Found(0, (2, y[:0], -1.5, float("inf")), nothing, 0.0),
                 Found(9, (3, y[:1], 2.0, 2.5), None, 1.0)]
        for before_, after in zip(found, from_blocks(to_blocks(found)), strict=True):
            self.assertEqual(repr(after), repr(before_))
        self.assertEqual(from_blocks(to_blocks([])), [])

    def test_psi_and_loss_are_given_once_and_for_their_labels_alone(self):
        import numpy
        from sculpt._task._lent import Query
        from sculpt._task._prepared import Prepared
        from sculpt._task._worker_answers import Found
        y, truth = numpy.array([[1], [2]], numpy.int32)
        psi = numpy.array([7], numpy.int32), numpy.array([0.1])
        found = Found(0, (1, y, 0.1, None), psi, 0.0)
        prepared = Prepared()
        for _ in range(2):
            prepared.keep(Query(4, None, truth, 1.0, 0), found)
            for example, labels in ((3, y), (4, truth)):
                self.assertIsNone(prepared.psi(example, labels))
            self.assertIsNone(prepared.loss(4, y, y))
            self.assertIs(prepared.psi(4, y), psi)
            self.assertIsNone(prepared.psi(4, y))
            self.assertEqual((prepared.loss(4, truth, y), prepared.loss(4, truth, y)), (0.0, None))
            prepared.forget()
            self.assertTrue(prepared.psis.is_wanted and prepared.losses.is_wanted)
        prepared.keep(Query(4, None, truth, 1.0, 0), found)
        self.assertEqual(prepared.loss(4, truth, y), 0.0)
        prepared.forget()
        self.assertIsNone(prepared.psi(4, y))
        self.assertEqual((prepared.psis.is_wanted, prepared.losses.is_wanted), (False, True))


if __name__ == "__main__":
    setting.main()

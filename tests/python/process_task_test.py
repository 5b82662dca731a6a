"""Tasks in Python that train and predict in the process of the package.

process_task_test.py SCULPT
"""

import os
import pickle
import threading

from setting import DAYS, EXAMPLES, OTHER_DAYS, FolderTest, main, python_task

MONTH = (EXAMPLES / "month.py").read_text()
# Exit codes of the program.
DATA, PLUGIN, CONFIG = 65, 69, 78


class TaskTest(FolderTest):
    def setUp(self):
        super().setUp()
        import sculpt
        self.sculpt = sculpt
        self.write("task.py", MONTH)
        self.set_path(str(self.folder))

    def set_path(self, folder: str):
        previous = os.environ.get("SCULPT_PLUGIN_PATH")
        os.environ["SCULPT_PLUGIN_PATH"] = folder
        self.addCleanup(lambda: os.environ.pop("SCULPT_PLUGIN_PATH") if previous is None else
                        os.environ.update(SCULPT_PLUGIN_PATH=previous))

    def train(self, **more):
        return self.sculpt.train(python_task(self.folder / "task.py", DAYS), **more)

    def refused(self, exit: int, expected: str, function, *arguments, example=None, **named):
        with self.assertRaises(self.sculpt.SculptError) as raised:
            function(*arguments, **named)
        self.assertEqual(raised.exception.exit, exit, str(raised.exception))
        self.assertIn(expected, str(raised.exception))
        self.assertEqual(raised.exception.example, example)

    def changed(self, old: str, new: str):
        self.assertIn(old, MONTH)
        self.write("task.py", MONTH.replace(old, new, 1))

    def test_a_task_without_argmax_is_refused(self):
        self.changed("def argmax", "def arg_max")
        self.refused(CONFIG, "task.py: Month has no method argmax, so it cannot be an oracle; did "
                             "you mean arg_max?", self.train)

    def test_an_exception_of_a_task_has_its_example_and_line(self):
        self.changed("best = value.argmax()", "best = 1 // (query.example != 7)")
        self.refused(PLUGIN, "task.py: Month.argmax: ZeroDivisionError: integer division or modulo "
                             "by zero [task.py:", self.train, example=7)

    def test_a_state_that_is_a_pickle_is_refused_before_the_training(self):
        self.changed('return {"width": self.width}', "import pickle; return pickle.dumps(3)")
        self.refused(PLUGIN, "Month.save returned a pickle; loading one from a model would run any "
                             "code", self.train, output=self.folder / "run")
        self.assertFalse((self.folder / "run/model.sculpt").exists())

    def test_a_pickle_in_a_model_is_not_run(self):
        """A model whose state of the dataset was replaced by a pickle of the same size."""
        model = self.train()
        place = model.header["arrays"]["state.dataset"]
        begin, size = place["offset"], place["shape"][0]

        class Runs:
            def __reduce__(self):
                return os.mkdir, ("was-run",)

        evil = pickle.dumps(Runs())
        evil += b"." * (size - len(evil))
        body = bytes(model)[:-8]
        body = body[:begin] + evil + body[begin + size:]
        changed = self.sculpt.Model.from_bytes(self.model_file(body))
        self.refused(DATA, "is a pickle", changed.predict, OTHER_DAYS)
        self.assertFalse(os.path.exists("was-run"))

    def test_predictions_are_those_of_a_second_thread(self):
        model = self.train()
        expected = [output.tolist() for output in model.predict(OTHER_DAYS)]
        found = []
        threads = [threading.Thread(target=lambda: found.append(
            [output.tolist() for output in model.predict(OTHER_DAYS)])) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 3)

    def test_a_source_that_has_changed_is_told(self):
        model = self.train()
        with open(self.folder / "task.py", "a", encoding="utf-8") as file:
            file.write("# another line\n")
        with self.assertWarnsRegex(self.sculpt.HostWarning, "task.py has changed since the model "
                                   "was trained") as warned:
            model.predict(OTHER_DAYS)
        self.assertEqual(warned.filename, __file__)

    def test_a_fit_in_a_method_of_a_task_is_refused_and_a_prediction_works(self):
        """A call out of an oracle call has threads of its own."""
        self.changed("best = value.argmax()", "sculpt.train({}); best = value.argmax()")
        self.refused(PLUGIN, "Month.argmax: SculptError: sculpt.train is called in argmax() of a "
                             "task, while the host waits for it", self.train, example=0)
        model = self.sculpt.train({
            "dataset": {"use": "svmlight", "train": self.sculpt.Text("1 1:1\n2 2:1\n")},
            "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
            "solver": "n_slack"})
        model.save(self.folder / "inner.sculpt")
        path = self.folder / "inner.sculpt"
        self.changed("best = value.argmax()", f"inner = sculpt.load({str(path)!r}).predict(sculpt."
                     "Text('2:1\\n'), threads=2); best = value.argmax() + inner[0][0] - 1")
        weights = self.train().weights.tolist()
        self.write("task.py", MONTH)
        self.assertEqual(self.train().weights.tolist(), weights)


if __name__ == "__main__":
    main()

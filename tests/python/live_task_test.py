"""Tasks that are classes of the process: task=, and classes in an experiment.

live_task_test.py SCULPT
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import setting
from setting import DAYS, EXAMPLES, OTHER_DAYS, ROOT, FolderTest, main, python_task, run

SOLVER = {"use": "n_slack", "C": 10, "relative_gap": 1e-6}


def local_task(base, **methods):
    """A class that no other process can import."""
    return type("Local", (base,), methods)


class LiveTaskTest(FolderTest):
    def setUp(self):
        super().setUp()
        import numpy
        import sculpt
        sys.path.insert(0, str(EXAMPLES))
        import month
        self.numpy, self.sculpt, self.Month = numpy, sculpt, month.Month

    def error(self, function, *arguments, **named) -> Exception:
        with self.assertRaises((self.sculpt.SculptError, TypeError, self.sculpt.ParameterError,
                                self.sculpt.UnsupportedError)) as raised:
            function(*arguments, **named)
        return raised.exception

    def weights_by_file(self, **dataset):
        """Of the program, with the file of the class."""
        self.train(python_task(EXAMPLES / "month.py", DAYS, **dataset), "by_file", "--force")
        return self.sculpt.load(self.folder / "by_file").weights

    def lines(self) -> list:
        with open(DAYS, encoding="utf-8") as days:
            return days.read().splitlines()

    def check_same(self, model, weights):
        self.numpy.testing.assert_array_equal(model.weights, weights)


class TrainTest(LiveTaskTest):
    def test_a_class_gives_the_model_and_the_outputs_of_its_file(self):
        weights = self.weights_by_file()
        model = self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER)
        self.assertTrue(model.reached)
        self.check_same(model, weights)
        printed = run("predict", "by_file", OTHER_DAYS, folder=self.folder,
                      environment={"SCULPT_PLUGIN_PATH": str(EXAMPLES)}).stdout.split()
        self.assertEqual(model.predict(OTHER_DAYS, text=True), printed)
        self.assertEqual(model.evaluate(DAYS)["examples"], len(self.lines()))

    def test_classes_in_an_experiment_take_the_place_of_names(self):
        weights = self.weights_by_file()
        Month = self.Month
        for config in ({"dataset": {"use": Month, "train": DAYS}, "features": Month,
                        "loss": Month, "oracle": Month, "solver": SOLVER},
                       {"dataset": {"use": Month, "train": DAYS}, "features": "python",
                        "loss": "python", "oracle": "python", "solver": SOLVER}):
            self.check_same(self.sculpt.train(config), weights)
        model = self.sculpt.train({"dataset": {"train": DAYS}, "solver": {"use": "n_slack"}},
                                  task=Month, solver__C=10, solver__relative_gap=1e-6)
        self.check_same(model, weights)

    def test_parameters_come_by_with_by_keyword_or_from_an_object(self):
        weights = self.weights_by_file(**{"with": {"months": 15}})
        self.assertFalse(self.numpy.array_equal(weights, self.weights_by_file()))
        fifteen = self.Month()
        fifteen.months = 15
        for model in (
                self.sculpt.train(task=self.Month, parameters={"months": 15}, train=DAYS,
                                  solver=SOLVER),
                self.sculpt.train(task=fifteen, train=DAYS, solver=SOLVER),
                self.sculpt.train({"dataset": {"use": self.Month, "with": {"months": 15},
                                               "train": DAYS}}, task=self.Month, solver=SOLVER)):
            self.check_same(model, weights)
        wrong = self.error(self.sculpt.train, task=self.Month, parameters={"month": 3}, train=DAYS,
                           solver=SOLVER)
        self.assertIn('unknown parameter "month", did you mean "months"?', str(wrong))

    def test_the_program_uses_the_run_of_a_class_in_a_file(self):
        self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER, output=self.folder / "run")
        verified = run("verify", "run", folder=self.folder)
        self.assertEqual(verified.returncode, 0, verified.stderr)
        no_path = run("predict", "run", DAYS, folder=self.folder)
        self.assertIn("month.py, the source of the task, was not found", no_path.stderr)
        self.assertIn("sculpt.load(path, task=Month) needs no file", no_path.stderr)
        predicted = run("predict", "run", DAYS, folder=self.folder,
                        environment={"SCULPT_PLUGIN_PATH": str(EXAMPLES)})
        self.assertEqual(predicted.returncode, 0, predicted.stderr)

    def test_a_run_is_resumed_with_the_class(self):
        whole = self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER)
        output = self.folder / "run"
        stopped = self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER, output=output,
                                    on_pass=lambda one: True)
        self.assertFalse(stopped.reached)
        resumed = self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER, output=output,
                                    resume=True)
        self.assertTrue(resumed.reached)
        self.check_same(resumed, whole.weights)

    def test_a_run_of_a_changed_file_is_not_resumed(self):
        path = self.write("own_month.py", (EXAMPLES / "month.py").read_text())
        sys.path.insert(0, str(self.folder))
        from own_month import Month
        arguments = {"task": Month, "train": DAYS, "solver": SOLVER, "output": self.folder / "run"}
        self.sculpt.train(**arguments)
        path.write_text(path.read_text() + "# another line\n")
        self.assertRegex(str(self.error(self.sculpt.train, **arguments, resume=True)),
                         r"own_month.py has changed since \S+ was written: ")

    def test_each_component_may_be_another_class(self):
        class Distance:
            def loss(self, truth, guess):
                distance = abs(int(truth[0]) - int(guess[0]))
                return min(distance, 12 - distance)

        free = local_task(self.Month, takes_other_losses=True)
        model = self.sculpt.train(task=free, loss=Distance, train=DAYS, solver=SOLVER)
        self.check_same(model, self.weights_by_file())
        error = self.error(self.sculpt.train, task=self.Month, loss=Distance, train=DAYS,
                           solver=SOLVER)
        self.assertIn("Month works only with its own loss", str(error))


class DataTest(LiveTaskTest):
    def test_load_gets_the_object_that_the_caller_gave(self):
        weights = self.weights_by_file()
        lines = self.lines()
        model = self.sculpt.train(task=self.Month, train=lines, test=lines[:5], solver=SOLVER)
        self.check_same(model, weights)
        self.assertEqual(model.predict(lines[3:7], text=True),
                         model.predict(DAYS, text=True)[3:7])
        self.assertEqual(model.evaluate(lines[:6])["examples"], 6)

    def test_the_program_names_an_object_that_it_does_not_have(self):
        self.sculpt.train(task=self.Month, train=self.lines(), solver=SOLVER,
                          output=self.folder / "run")
        verified = run("verify", "run", folder=self.folder)
        self.assertIn("the data were an object of Python: list of 48; give the object again",
                      verified.stderr)
        self.assertEqual(verified.returncode, 66)

    def test_an_error_in_load_names_the_split_and_the_object(self):
        error = self.error(self.sculpt.train, task=self.Month, train=["1 1 0", "x 1 0"],
                           solver=SOLVER)
        self.assertIn("train (list of 2): month.py: Month.load: ValueError: invalid literal",
                      str(error))
        self.assertEqual(error.exit, 65)
        self.assertIsInstance(error.__cause__.__cause__, ValueError)

    def test_objects_need_a_task_that_reads_them(self):
        error = self.error(self.sculpt.train, {"dataset": "svmlight", "solver": SOLVER}, train=[1])
        self.assertIn("train is an object of the type list; it must be a path", str(error))


class ClassTest(LiveTaskTest):
    def test_a_class_without_a_file_is_named_where_it_is_missing(self):
        local = local_task(self.Month)
        output = self.folder / "run"
        model = self.sculpt.train(task=local, train=DAYS, solver=SOLVER, output=output)
        self.check_same(model, self.weights_by_file())
        wanted = model.predict(OTHER_DAYS, text=True)
        self.assertEqual(self.sculpt.load(output, task=local).predict(OTHER_DAYS, text=True),
                         wanted)
        printed = run("predict", "run", DAYS, folder=self.folder)
        missing = "the model needs the class Local, which has no file"
        self.assertIn(missing, printed.stderr)
        self.assertIn(missing, str(self.error(self.sculpt.load(output).predict, DAYS)))
        other = self.error(self.sculpt.load(output, task=self.Month).predict, DAYS)
        self.assertIn("task=Local); task= gives Month", str(other))

    def test_a_changed_class_is_warned_of(self):
        model = self.sculpt.train(task=local_task(self.Month), train=DAYS, solver=SOLVER)
        (self.folder / "changed.py").write_text("from month import Month\n\n\n"
                                                "class Local(Month):\n    pass\n")
        sys.path.insert(0, str(self.folder))
        from changed import Local
        changed = self.sculpt.Model.from_bytes(bytes(model), task=Local)
        with self.assertWarnsRegex(self.sculpt.HostWarning,
                                   "has changed since the model was trained"):
            changed.predict(DAYS)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.predict(DAYS)

    def test_a_model_is_pickled_with_a_class_that_can_be_imported(self):
        model = self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER)
        copy = pickle.loads(pickle.dumps(model))
        self.assertEqual(bytes(copy), bytes(model))
        self.assertEqual(copy.predict(DAYS, text=True), model.predict(DAYS, text=True))
        local = self.sculpt.train(task=local_task(self.Month), train=DAYS, solver=SOLVER)
        with self.assertRaises(pickle.PicklingError):
            pickle.dumps(local)

    def test_classes_of_one_name_train_at_once_in_their_own_sessions(self):
        names = [f"kind_{k}" for k in range(4)]
        classes = [local_task(self.Month, weight_name=lambda self, j, name=name: f"{name} {j}")
                   for name in names]
        found = {}

        def train(cls, name):
            found[name] = self.sculpt.train(task=cls, train=DAYS, solver=SOLVER).weight_names()[0]

        threads = [threading.Thread(target=train, args=pair) for pair in zip(classes, names)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {name: f"{name} 0" for name in names})
        config = {"dataset": {"use": classes[0], "train": DAYS}, "loss": classes[1],
                  "features": classes[0], "oracle": classes[0], "solver": SOLVER}
        self.assertIn("two classes of this call are called Local",
                      str(self.error(self.sculpt.train, config)))

    def test_workers_need_a_class_and_data_in_files(self):
        weights = self.weights_by_file()
        model = self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER, dataset__workers=2)
        self.check_same(model, weights)
        error = self.error(self.sculpt.train, task=local_task(self.Month), train=DAYS,
                           solver=SOLVER, dataset__workers=2)
        self.assertIn('"workers" needs a class in a file', str(error))
        error = self.error(self.sculpt.train, task=self.Month, train=["1 1 0"], solver=SOLVER,
                           dataset__workers=2)
        self.assertIn('"workers" needs files', str(error))


class PageTest(LiveTaskTest):
    def test_the_task_of_the_page_works(self):
        page = (ROOT / "sdk/python/README.md").read_text(encoding="utf-8")
        code = page.split("## A task in thirty lines")[1].split("```python\n")[1].split("```")[0]
        names = {}
        exec(code, names)
        model = names["model"]
        self.assertTrue(model.reached)
        outputs = model.predict([(None, 0.9), (None, 3.0), (None, 6.0)])
        self.assertEqual([int(y[0]) for y in outputs], [0, 1, 2])


class ErrorTest(LiveTaskTest):
    def fit(self, **methods):
        return self.sculpt.train(task=local_task(self.Month, **methods), train=DAYS, solver=SOLVER)

    def test_an_exception_is_the_cause_with_its_traceback(self):
        def argmax(task, query):
            if query.example == 3:
                return task.rows[10 ** 6]
            return self.Month.argmax(task, query)

        error = self.error(self.fit, argmax=argmax)
        self.assertIn("example 3: Local.argmax: IndexError: list index out of range "
                      "[live_task_test.py:", str(error))
        self.assertEqual(error.exit, 69)
        self.assertIsInstance(error.__cause__, IndexError)
        names = []
        traceback = error.__cause__.__traceback__
        while traceback is not None:
            names.append(traceback.tb_frame.f_code.co_name)
            traceback = traceback.tb_next
        self.assertEqual(names[-1], "argmax")

    def test_exceptions_leave_the_process_as_it_was(self):
        def features(task, i, y):
            raise ZeroDivisionError

        for _ in range(50):
            self.error(self.fit, features=features)
        from sculpt._task._part import parts
        self.assertEqual(parts, {})
        self.check_same(self.fit(), self.weights_by_file())

    def test_a_fit_inside_of_a_method_is_refused(self):
        def argmax(task, query):
            self.sculpt.train(task=self.Month, train=DAYS, solver=SOLVER)

        error = self.error(self.fit, argmax=argmax)
        self.assertIn("sculpt.train is called in argmax() of a task, while the host waits for it",
                      str(error))

    def test_missing_methods_and_wrong_calls_are_named(self):
        class Unfinished:
            def load(self, split, source):
                pass

        train = self.sculpt.train
        self.assertIn("Unfinished has no method count, so it cannot be a dataset; write def "
                      'count(self), or give another "dataset"',
                      str(self.error(train, task=Unfinished, solver=SOLVER)))
        self.assertIn("no task: it has none of the methods", str(self.error(train, task=complex)))
        self.assertIn("config is None; it must be the path", str(self.error(train)))
        self.assertIn("config is a path, so task,",
                      str(self.error(train, "month.json", task=self.Month)))

    def test_ctrl_c_while_a_method_runs_ends_the_run_and_leaves_a_checkpoint(self):
        script = self.write("script.py", f"""
import sys
import time
sys.path[:0] = [{str(ROOT / "sdk/python")!r}, {str(EXAMPLES)!r}]
import sculpt
from month import Month

class Slow(Month):
    def argmax(self, query):
        time.sleep(0.02)
        return super().argmax(query)

def show(one):
    print("pass", one.number, flush=True)

if __name__ == "__main__":
    try:
        sculpt.train(task=Slow, train={DAYS!r}, output="run", on_pass=show,
                     solver={{"use": "n_slack", "C": 1e6, "relative_gap": 1e-12}})
        print("ended")
    except KeyboardInterrupt:
        print("interrupted")
""")
        process = subprocess.Popen([sys.executable, "-B", script], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, env=dict(os.environ))
        self.assertEqual(process.stdout.readline(), "pass 1\n")
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)[0]
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(rest.split()[-1], "interrupted")
        self.assertEqual(setting.finished(self.folder / "run")["stopped_by"], "signal")


if __name__ == "__main__":
    main()

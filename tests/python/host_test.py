"""Training and models in the process of Python, against the program.

host_test.py SCULPT CC
"""

import contextlib
import io
import pickle
import signal
import subprocess
import sys
import threading
import time

import setting
from setting import ARGUMENTS, ROOT, FolderTest, main, rows_text, run, words_text

import ctypes


def multiclass(train, **more):
    return {"name": "points", "dataset": {"train": train, **more}, "features": "multiclass",
            "loss": "zero_one", "oracle": "enumerate",
            "solver": {"use": "n_slack", "C": 10, "relative_gap": 1e-6}}


def points(count=40):
    """Rows and labels as arrays, and the same as text for svmlight."""
    import numpy
    text = rows_text(count)
    labels = [int(line.split()[0]) - 1 for line in text.splitlines()]
    rows = [[float(pair.split(":")[1]) for pair in line.split()[1:]] for line in text.splitlines()]
    return numpy.array(rows), numpy.array(labels), text


class LayoutTest(FolderTest):
    def test_records_have_the_layout_of_c(self):
        from sculpt._batch import _batch_library
        from sculpt._host import _library
        lines = ["#include <sculpt/host/host.h>", "#include <stdio.h>", "int main(void) {"]
        expected = []
        for name, record in {**_library.RECORDS, **_batch_library.RECORDS}.items():
            lines.append(f'printf("%zu\\n", sizeof({name}));')
            expected.append(ctypes.sizeof(record))
            for field, *_ in record._fields_:
                lines.append(f'printf("%zu\\n", offsetof({name}, {field.rstrip("_")}));')
                expected.append(getattr(record, field).offset)
        source = self.write("layout.c", "\n".join(lines) + "return 0;}\n")
        program = self.folder / "layout"
        subprocess.run([ARGUMENTS[1], "-I", ROOT / "sdk/include", source, "-o", program],
                       check=True)
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        self.assertEqual([int(word) for word in printed.split()], expected)


class ModelTest(FolderTest):
    def setUp(self):
        super().setUp()
        import sculpt
        self.sculpt = sculpt

    def test_arrays_text_and_file_give_one_model(self):
        import numpy
        rows, labels, text = points()
        self.write("points.txt", text)
        self.write("points.json", multiclass("points.txt", use="svmlight"))
        run("train", "points.json", "--output", "run", folder=self.folder)
        by_program = self.sculpt.load(self.folder / "run")
        of_file = self.sculpt.train(self.folder / "points.json")
        self.assertEqual(bytes(of_file), bytes(by_program))
        of_text = self.sculpt.train(multiclass(self.sculpt.Text(text), use="svmlight"))
        of_arrays = self.sculpt.train(multiclass(self.sculpt.Arrays(rows, labels), use="arrays"))
        for model in (of_text, of_arrays):
            numpy.testing.assert_array_equal(model.weights, by_program.weights)
            self.assertTrue(model.reached)
        self.assertTrue(of_arrays.passes[-1].certified)
        self.assertLessEqual(of_arrays.passes[-1].relative_gap, 1e-6)

        data = self.sculpt.Arrays(rows, labels)
        guesses = [int(output[0]) for output in of_arrays.predict(data)]
        printed = run("predict", "run", "points.txt", folder=self.folder).stdout.split()
        self.assertEqual([guess + 1 for guess in guesses], [int(word) for word in printed])
        self.assertEqual(of_file.predict(self.folder / "points.txt", text=True), printed)
        self.assertEqual(of_file.evaluate(self.sculpt.Text(text))["error"],
                         of_arrays.evaluate(data)["error"])
        scores = of_arrays.scores(data)
        self.assertEqual([int(numpy.argmax(of_one)) for of_one in scores], guesses)
        w = of_arrays.weights.reshape(rows.shape[1], -1)
        numpy.testing.assert_allclose(scores[3][0], rows[3] @ w, rtol=1e-12)

    def test_sparse_rows_give_the_model_of_dense_rows(self):
        try:
            from scipy import sparse
        except ImportError as error:
            self.skipTest(str(error))
        import numpy
        rows, labels, _ = points()
        rows[rows < 0] = 0
        dense = self.sculpt.train(multiclass(self.sculpt.Arrays(rows, labels), use="arrays"))
        matrix = sparse.csr_matrix(rows)
        data = self.sculpt.Arrays(matrix, labels)
        model = self.sculpt.train(multiclass(data, use="arrays"))
        numpy.testing.assert_allclose(model.weights, dense.weights, atol=1e-9)
        self.assertEqual(data.record.value, matrix.data.ctypes.data)  # borrowed

    def test_sequences_and_probabilities(self):
        import numpy
        draw = numpy.random.default_rng(1)
        labels = [draw.integers(0, 3, size) for size in (1, 4, 2, 5, 3, 3)]
        rows = [numpy.eye(3)[one] + draw.normal(0, 0.3, (len(one), 3)) for one in labels]
        data = self.sculpt.Arrays.of_sequences(rows, labels, classes=["a", "b", "c"])
        model = self.sculpt.train(
            {"dataset": {"use": "arrays", "train": data}, "features": "chain", "loss": "hamming",
             "oracle": "viterbi", "solver": {"use": "crf", "C": 10, "relative_gap": 1e-6}})
        marginals = model.marginals(data)
        self.assertEqual([len(one) for one in marginals], [len(one) for one in labels])
        for of_one in marginals:
            numpy.testing.assert_allclose([p.sum() for p in of_one], 1)
        decoded = model.predict(data, decode="max-marginal")
        for output, of_one in zip(decoded, marginals):
            self.assertEqual(list(output), [int(numpy.argmax(p)) for p in of_one])
        best = model.nbest(data, 3)
        self.assertEqual(len(best[0]), 3)
        for outputs in best:
            self.assertEqual(sorted((one.score for one in outputs), reverse=True),
                             [one.score for one in outputs])
        self.assertAlmostEqual(sum(one.probability for one in best[0]), 1)  # all three outputs
        self.assertEqual(len(model.sample(data, 2, seed=3)[1]), 2)
        self.assertIn("transition a->b", model.weight_names())

    def test_a_model_is_pickled_and_saved(self):
        rows, labels, _ = points()
        model = self.sculpt.train(multiclass(self.sculpt.Arrays(rows, labels), use="arrays"))
        copy = pickle.loads(pickle.dumps(model))
        self.assertEqual(bytes(copy), bytes(model))
        self.assertEqual(copy.passes, model.passes)
        model.save(self.folder / "points.sculpt")
        self.assertEqual(bytes(self.sculpt.load(self.folder / "points.sculpt")), bytes(model))

    def test_runs_are_folders_that_can_be_resumed(self):
        _, _, text = points()
        config = multiclass(self.sculpt.Text(text), use="svmlight")
        whole = self.sculpt.train(config)
        output = self.folder / "run"
        stopped = self.sculpt.train(config, output=output, on_pass=lambda one: True)
        self.assertFalse(stopped.reached)
        self.assertEqual(stopped.events()[-1]["stopped_by"], "signal")
        with self.assertRaises(self.sculpt.SculptError) as refused:
            self.sculpt.train(config, output=output)
        self.assertEqual(refused.exception.exit, 73)
        resumed = self.sculpt.train(config, output=output, resume=True)
        self.assertEqual(bytes(resumed), bytes(whole))
        self.assertEqual(resumed.events()[-1]["event"], "finished")

    def test_a_loaded_run_tells_its_passes_and_whether_it_reached_its_target(self):
        rows, labels, _ = points()
        data, output = self.sculpt.Arrays(rows, labels), self.folder / "run"
        for name, more in (("n_slack", {}), ("frank_wolfe", {}), ("perceptron", {"max_passes": 4}),
                           ("one_slack", {"max_passes": 3}), ("one_slack", {"epsilon": 0.5})):
            config = {**multiclass(data, use="arrays"), "solver": {"use": name, "C": 10, **more}}
            model = self.sculpt.train(config, output=output, force=True)
            loaded = self.sculpt.load(output)
            self.assertEqual(loaded.reached, model.reached)
            self.assertEqual(repr(loaded.passes), repr(model.passes))  # NaN is not equal to itself
            self.assertGreater(len(loaded.passes), 0)
        with open(output / "events.jsonl", "a", encoding="utf-8") as events:
            events.write('{"event":"resu')  # a run that was killed there
        self.assertEqual(repr(self.sculpt.load(output).passes), repr(model.passes))
        file = self.sculpt.load(output / "model.sculpt")
        self.assertEqual((file.passes, file.reached), ([], None))
        (output / "events.jsonl").unlink()
        self.assertEqual(self.sculpt.load(output).passes, [])

    def test_objects_tell_what_they_are(self):
        import numpy
        rows, labels, _ = points()
        data = self.sculpt.Arrays(rows, labels)
        self.assertEqual(repr(data), "<sculpt.Arrays: 40 examples, rows [40, 5], labels of 4 "
                                     "states>")
        edges = [[(0, 1)], [(0, 1), (1, 2)]]
        self.assertEqual(repr(self.sculpt.Arrays(rows[:5], lengths=[2, 3], edges=edges)),
                         "<sculpt.Arrays: 2 examples, rows [5, 5], no labels, edges>")
        sets = numpy.ones((40, 3), int)
        self.assertIn("sets of 3 labels", repr(self.sculpt.Arrays(rows, sets, label_sets=True)))
        model = self.sculpt.train(multiclass(data, use="arrays"))
        self.assertRegex(repr(model), r"^<sculpt.Model: arrays, multiclass, zero_one, enumerate; "
                         r"40 examples; primal \d+\.\d+; relative gap \S+ \(certified\)>$")

    def test_changes_and_what_the_program_prints(self):
        rows, labels, _ = points()
        config = multiclass(self.sculpt.Arrays(rows, labels), use="arrays")
        model = self.sculpt.train(config, solver__C=3, solver__max_passes=1)
        self.assertEqual(model.header["config"]["solver"]["C"], 3)
        self.assertEqual(len(model.passes), 1)
        self.assertIn("relative gap", model.summary)
        self.assertEqual(self.sculpt.command("describe", "viterbi"),
                         run("describe", "viterbi", folder=self.folder).stdout)
        self.assertIn("components", self.sculpt.describe("viterbi"))

    def test_two_threads_train_at_once(self):
        rows, labels, _ = points()
        config = multiclass(self.sculpt.Arrays(rows, labels), use="arrays")
        expected = bytes(self.sculpt.train(config))
        found = []
        threads = [threading.Thread(target=lambda: found.append(bytes(self.sculpt.train(config))))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)

    def test_progress_is_shown_on_a_terminal_and_in_a_notebook(self):
        rows, labels, _ = points()
        config = multiclass(self.sculpt.Arrays(rows, labels), use="arrays")
        notebook = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})
        terminal = type("Terminal", (io.StringIO,), {"isatty": lambda self: True})
        for stream, verbose, is_shown in ((notebook, None, True), (terminal, None, True),
                                          (io.StringIO, None, False), (io.StringIO, True, True),
                                          (terminal, False, False)):
            with contextlib.redirect_stderr(stream()) as shown:
                self.sculpt.train(config, verbose=verbose)
            self.assertEqual("rel. gap" in shown.getvalue(), is_shown, (stream, verbose))

    def test_training_in_a_callback_and_errors_of_callbacks(self):
        rows, labels, _ = points()
        config = multiclass(self.sculpt.Arrays(rows, labels), use="arrays")
        inner = []
        self.sculpt.train(config,
                          on_pass=lambda one: inner.append(self.sculpt.train(config)) or None)
        self.assertTrue(all(model.reached for model in inner))

        def fail(one):
            raise ZeroDivisionError("in the callback")

        with self.assertRaisesRegex(ZeroDivisionError, "in the callback"):
            self.sculpt.train(config, on_pass=fail)

    def test_ctrl_c_ends_a_run_soon_and_leaves_a_checkpoint(self):
        self.write("words.txt", words_text(400))
        script = self.write("script.py", f"""
import sys
sys.path.insert(0, {str(ROOT / "sdk/python")!r})
import sculpt
config = {{"dataset": {{"use": "letters", "train": "words.txt"}}, "features": "chain",
          "loss": "hamming", "oracle": "viterbi",
          "solver": {{"use": "n_slack", "C": 1e6, "relative_gap": 1e-12}}}}
try:
    sculpt.train(config, output="run", on_pass=lambda one: print(one.number, flush=True))
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
""")
        process = subprocess.Popen([sys.executable, "-B", script], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE)
        while process.stdout.readline().strip() != "3":
            pass
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)[0]
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(rest.split()[-1], "interrupted")
        self.assertEqual(setting.finished(self.folder / "run")["stopped_by"], "signal")
        self.assertTrue(any((self.folder / "run/checkpoints").iterdir()))


class RefusalTest(FolderTest):
    def setUp(self):
        super().setUp()
        import sculpt
        self.sculpt = sculpt

    def refusal(self, *arguments, error=ValueError, **named):
        with self.assertRaises(error) as refused:
            self.sculpt.Arrays(*arguments, **named)
        return str(refused.exception)

    def test_wrong_arrays_are_named(self):
        import numpy
        rows = numpy.ones((3, 2))
        self.assertIn("the shape (3,); it must be [sites, features]", self.refusal(numpy.ones(3)))
        self.assertIn("the type <U1; it must hold numbers",
                      self.refusal(numpy.array([["a"]]), error=TypeError))
        self.assertIn("labels has the shape (2,); it must be (3,)", self.refusal(rows, [0, 1]))
        self.assertIn("the type float64; it must hold integers",
                      self.refusal(rows, [0.5, 1, 1], error=TypeError))
        self.assertIn("lengths sum to 4, but there are 3 rows", self.refusal(rows, lengths=[2, 2]))
        self.assertIn("classes has 1 names for 1",
                      self.refusal(rows, classes=["a"], state_count=2).replace("for 2", "for 1"))
        with self.assertRaisesRegex(ValueError, "sequence 1 has 2 rows and 1 labels"):
            self.sculpt.Arrays.of_sequences([rows[:1], rows[:2]], [[0], [1]])

    def test_values_that_are_not_finite_are_named_by_the_host(self):
        import numpy
        rows, labels, _ = points(4)
        rows[2, 1] = numpy.nan
        with self.assertRaises(self.sculpt.SculptError) as refused:
            self.sculpt.train(multiclass(self.sculpt.Arrays(rows, labels), use="arrays"))
        self.assertEqual(refused.exception.exit, 65)
        self.assertIn("example 2, column 1", str(refused.exception))

    def test_wrong_experiments_have_the_text_of_the_program(self):
        path = self.write("wrong.json", '{"dataset": 3}')
        with self.assertRaises(self.sculpt.SculptError) as refused:
            self.sculpt.train(path)
        printed = run("train", path, folder=self.folder)
        self.assertEqual(printed.stderr, f"sculpt: {refused.exception}\n")
        self.assertEqual(printed.returncode, refused.exception.exit)
        with self.assertRaises(self.sculpt.SculptError) as refused:
            self.sculpt.load("/nowhere")
        self.assertEqual(refused.exception.exit, 66)
        with self.assertRaises(self.sculpt.SculptError):
            self.sculpt.Model.from_bytes(pickle.dumps("a pickle"))


if __name__ == "__main__":
    main()

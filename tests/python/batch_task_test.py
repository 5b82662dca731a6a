"""The batch layer for any task in Python, sculpt.batch.BatchTask, against formulas.

batch_task_test.py SCULPT
"""

import sys
import threading

import listed_outputs
from setting import EXAMPLES, FolderTest, main, words_text

POINTS = {"features": "multiclass", "loss": "zero_one", "oracle": "enumerate"}
CHAIN = {"features": "chain", "loss": "hamming", "oracle": "viterbi"}


class ClassesTest(FolderTest):
    """Three classes: psi(x, y) is x in the column of y."""

    def setUp(self):
        super().setUp()
        import numpy
        import sculpt
        from sculpt.batch import BatchTask
        self.numpy, self.sculpt, self.BatchTask = numpy, sculpt, BatchTask
        draw = numpy.random.default_rng(1)
        self.rows, self.labels = draw.normal(size=(6, 2)), numpy.array([0, 2, 1, 1, 0, 2])
        self.weights = draw.normal(size=(4, 6))  # [example][feature, class]
        self.task = self.arrays_task()

    def arrays_task(self, **more):
        data = self.sculpt.Arrays(self.rows, self.labels)
        return self.BatchTask({"dataset": {"use": "arrays", "train": data}, **POINTS}, **more)

    def listed(self, example, w):
        """One variable of three states, whose scores are x . w."""
        scores = self.rows[example] @ w.reshape(2, 3)
        return listed_outputs.Example([scores], [], [self.labels[example]])

    def test_losses_and_gradients_are_those_of_the_formulas(self):
        numpy, examples = self.numpy, [5, 0, 3, 3]
        self.assertEqual((len(self.task), self.task.dimension), (6, 6))
        for kind in ("hinge", "perceptron", "log-loss", "softmax-margin"):
            found = self.task.loss(examples, self.weights, kind)
            for k, (example, w) in enumerate(zip(examples, self.weights)):
                value, (of_scores,), _ = self.listed(example, w).loss(kind)
                self.assertAlmostEqual(found.values[k], value, places=12)
                numpy.testing.assert_allclose(
                    found.gradient[k], numpy.outer(self.rows[example], of_scores).ravel(),
                    atol=1e-12)
            self.assertTrue(found.exact.all())
            self.assertEqual(found.outputs is None, kind in ("log-loss", "softmax-margin"))

    def test_weights_may_be_shared_and_examples_weighted(self):
        numpy, examples, w = self.numpy, [5, 0, 3, 3], self.weights[0]
        factors = numpy.array([1.0, -2, 0.5, 3])
        single = self.task.loss(examples, numpy.tile(w, (4, 1)), "log-loss")
        shared = self.task.loss(examples, w, "log-loss", example_weights=factors)
        numpy.testing.assert_array_equal(shared.values, single.values)
        self.assertEqual(shared.gradient.shape, (6,))
        numpy.testing.assert_allclose(shared.gradient, factors @ single.gradient, atol=1e-12)

    def test_outputs_and_expectations(self):
        numpy, examples = self.numpy, [0, 1, 2, 4]
        found = self.task.decode(examples, self.weights)
        sums = self.task.expectations(examples, self.weights)
        for k, (example, w) in enumerate(zip(examples, self.weights)):
            listed = self.listed(example, w)
            value, y = listed.decoded()
            self.assertEqual(found.outputs[k].tolist(), y)
            self.assertAlmostEqual(found.values[k], value, places=12)
            log_z, (of_scores,), _ = listed.marginals()
            self.assertAlmostEqual(sums.values[k], log_z, places=12)
            numpy.testing.assert_allclose(
                sums.gradient[k], numpy.outer(self.rows[example], of_scores).ravel(), atol=1e-12)

    def test_text_and_files_are_the_arrays(self):
        numpy = self.numpy
        lines = [f"{label + 1} 1:{a:.17g} 2:{b:.17g}\n"
                 for label, (a, b) in zip(self.labels, self.rows)]
        of_text = self.BatchTask({"dataset": {"use": "svmlight",
                                              "train": self.sculpt.Text("".join(lines))}, **POINTS})
        self.write("points.txt", "".join(lines))
        path = self.write("points.json", {"dataset": {"use": "svmlight", "train": "points.txt"},
                                          **POINTS})
        expected = self.task.loss(range(4), self.weights)
        for task in (of_text, self.BatchTask(path), self.arrays_task(threads=2)):
            found = task.loss(range(4), self.weights)
            numpy.testing.assert_array_equal(found.gradient, expected.gradient)

    def test_the_arrays_live_as_long_as_the_task(self):
        import gc
        expected = self.task.loss(range(4), self.weights).values
        task = self.arrays_task()
        self.rows = self.labels = None
        gc.collect()
        self.numpy.testing.assert_array_equal(task.loss(range(4), self.weights).values, expected)

    def test_calls_of_threads_keep_their_outputs(self):
        found = {}

        def work(k):
            found[k] = self.task.decode([k], self.weights[0]).outputs[0].tolist()

        threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k in range(6):
            self.assertEqual(found[k], self.listed(k, self.weights[0]).decoded()[1])

    def test_wrong_calls_are_named(self):
        error = self.sculpt.SculptError
        for kind, text, arguments, named in (
                (ValueError, r"weights has the shape \(4, 5\); it must be \(4, 6\) or \(6,\)",
                 (range(4), self.weights[:, :5]), {}),
                (TypeError, "examples has the type float64", ([0.0], self.weights[0]), {}),
                (ValueError, r"examples has the shape \(1, 1\)", ([[0]], self.weights[0]), {}),
                (ValueError, "kind is 'crf'", ([0], self.weights[0], "crf"), {}),
                (ValueError, r"example_weights has the shape \(2,\)", ([0], self.weights[0]),
                 {"example_weights": [1.0, 1]}),
                (error, "6", ([6], self.weights[0]), {}),
                (error, "nan", ([0], self.weights[0] * float("nan")), {})):
            with self.assertRaisesRegex(kind, text):
                self.task.loss(*arguments, **named)
        with self.assertRaisesRegex(error, "experiment"):
            self.BatchTask({"dataset": 3})
        sys.path.insert(0, str(EXAMPLES))
        self.addCleanup(sys.path.remove, str(EXAMPLES))
        from month import Month
        with self.assertRaisesRegex(TypeError, "has a class of this process.*give its file"):
            self.BatchTask({"dataset": {"use": Month, "train": "days.txt"}, **POINTS})
        with self.assertRaises(FileNotFoundError):
            self.BatchTask(self.folder / "nothing.json")


class SequencesTest(FolderTest):
    def test_gradients_of_a_chain_are_those_of_finite_differences(self):
        import numpy
        from sculpt.batch import BatchTask
        path = self.write("words.txt", words_text(5, letters="abc", pixels=2))
        task = BatchTask({"dataset": {"use": "letters", "train": str(path)}, **CHAIN})
        w = numpy.random.default_rng(2).normal(size=task.dimension)
        found = task.loss(range(len(task)), w, "hinge")
        truth = task.loss(range(len(task)), w, "perceptron")
        sums = task.loss(range(len(task)), w, "log-loss")
        self.assertTrue((found.values >= truth.values).all())
        self.assertTrue((sums.values >= truth.values).all())
        # The gradient is that of finite differences.
        for kind, at in (("log-loss", sums), ("softmax-margin",
                                              task.loss(range(len(task)), w, "softmax-margin"))):
            for j in range(0, task.dimension, 3):
                step = numpy.zeros(task.dimension)
                step[j] = 1e-5
                rise = (task.loss(range(len(task)), w + step, kind).values.sum()
                        - task.loss(range(len(task)), w - step, kind).values.sum())
                self.assertAlmostEqual(at.gradient[j], rise / 2e-5, places=5)


if __name__ == "__main__":
    main()

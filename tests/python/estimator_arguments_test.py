"""Labels, groups, flags and kernels that users give to estimators: refused by name if they are
wrong; and what estimators return may be changed.
"""

import importlib.util
import unittest

from setting import main


class EstimatorTest(unittest.TestCase):
    def setUp(self):
        import estimator_data
        import numpy
        import sculpt
        self.data, self.np, self.sculpt = estimator_data, numpy, sculpt
        self.rows, self.labels = estimator_data.points()

    def refused(self, error, text, function, *given, **named):
        with self.assertRaisesRegex(error, text):
            function(*given, **named)


class ReturnedTest(EstimatorTest):
    def test_what_is_returned_can_be_changed_and_changes_no_model(self):
        model = self.sculpt.Multiclass(objective="crf").fit(self.rows, self.labels)
        tagger = self.sculpt.SequenceTagger(objective="crf").fit(*self.data.sequences())
        sequences = self.data.sequences()[0]
        for read in (lambda: model.predict_proba(self.rows), lambda: model.coef_,
                     lambda: model.intercept_, lambda: model.model_.weights,
                     lambda: tagger.transitions_, lambda: tagger.predict_marginals(sequences)[0],
                     lambda: tagger.predict(sequences)[0],
                     lambda: tagger.model_.predict(self.sculpt.Arrays.of_sequences(sequences))[0]):
            found = read()
            before = found.copy()
            found[:] = found.flat[0]
            self.np.testing.assert_array_equal(read(), before)

    @unittest.skipUnless(importlib.util.find_spec("sklearn"), "no scikit-learn")
    def test_ada_boost_takes_probabilities(self):
        from sklearn.ensemble import AdaBoostClassifier
        boosted = AdaBoostClassifier(self.sculpt.Multiclass(objective="crf"), n_estimators=3)
        self.assertGreater(boosted.fit(self.rows, self.labels).score(self.rows, self.labels), 0.7)

    @unittest.skipUnless(importlib.util.find_spec("sklearn"), "no scikit-learn")
    def test_numbers_of_numpy_are_prices(self):
        from sklearn.model_selection import GridSearchCV
        np = self.np
        for C in (np.int64(3), np.float32(3), np.float16(3), np.uint8(3)):
            for estimator, X, y in self.data.cases():
                found = estimator.set_params(C=C).fit(X, y)
                self.assertEqual(found.model_.header["config"]["solver"]["C"],
                                 estimator.set_params(C=3).fit(X, y).model_.header["config"]
                                 ["solver"]["C"])
        large = self.sculpt.Multiclass(np.float16(2000), relative_gap=0.5).fit(self.rows,
                                                                               self.labels)
        self.assertEqual(large.model_.header["config"]["solver"]["C"], 120000)
        search = GridSearchCV(self.sculpt.Multiclass(), {"C": np.array([1, 10])}, cv=2)
        self.assertIn(search.fit(self.rows, self.labels).best_params_["C"], (1, 10))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas")
    def test_columns_of_a_data_frame_are_the_classes_of_sets(self):
        import pandas
        rows, sets = self.data.label_sets()
        table = pandas.DataFrame(sets, columns=["sad", "calm", "glad"])
        by_name = self.sculpt.Multilabel().fit(rows, table)
        by_number = self.sculpt.Multilabel().fit(rows, sets)
        self.assertEqual(by_name.classes_.tolist(), ["sad", "calm", "glad"])
        self.assertEqual(by_number.classes_.tolist(), [0, 1, 2])
        self.np.testing.assert_array_equal(by_name.predict(rows), by_number.predict(rows))
        self.assertEqual(by_name.score(rows, table), by_number.score(rows, sets))
        self.assertEqual(by_name.edges_.tolist(), by_number.edges_.tolist())


class LabelTest(EstimatorTest):
    def test_labels_that_are_missing_or_mixed_are_named(self):
        nan, sculpt = float("nan"), self.sculpt
        fit = sculpt.Multiclass().fit
        three = self.rows[:3]
        self.refused(ValueError, "y contains NaN at 1", fit, three, ["a", nan, "b"])
        self.refused(ValueError, "y contains NaN", fit, three, [1, nan, 2])
        self.refused(ValueError, "y has None at 2", fit, three, ["a", "b", None])
        self.refused(ValueError, "y has None at 0", fit, three, self.np.array([None, "b", "a"]))
        self.refused(ValueError, "y mixes texts and other labels, such as 1 and 'a'", fit, three,
                     [1, "a", 2])
        self.refused(ValueError, r"y has \{1\} at 0; give one label for each row", fit, three,
                     [{1}, {2}, {1, 2}])
        matrices = [self.rows[:2], self.rows[2:4]]
        fit = sculpt.SequenceTagger().fit
        self.refused(ValueError, "sequence 0 of y contains NaN at 1", fit, matrices,
                     [["A", nan], ["A", "B"]])
        self.refused(ValueError, "sequence 1 of y has None at 0", fit, matrices,
                     [["A", "B"], [None, "B"]])
        self.refused(ValueError, "y mixes texts", fit, matrices, [["A", "B"], [1, 2]])
        self.refused(ValueError, "y mixes texts", fit, matrices,
                     [self.np.array(["A", "B"]), self.np.array([1, 2])])

    def test_groups_that_are_missing_are_named(self):
        nan = float("nan")
        rows, grades = self.rows[:4], [0, 1, 0, 1]
        for fit in (self.sculpt.Ranker().fit,
                    lambda X, y, groups: self.sculpt.SetClassifier().fit(X, y, groups=groups)):
            for groups, text in (([0, 0, nan, 1], "groups contains NaN at 2"),
                                 ([0, 0, None, 1], "groups has None at 2"),
                                 ([None] * 4, "groups has None at 0"),
                                 (["a", "a", nan, "b"], "groups contains NaN at 2"),
                                 ([0, 0, "b", "b"], "groups mixes texts")):
                self.refused(ValueError, text, fit, rows, grades, groups=groups)

    def test_queries_without_an_order_and_sets_that_are_too_small_are_named(self):
        rows = self.rows[:6]
        self.refused(ValueError, "y has grades that are no numbers", self.sculpt.Ranker().fit, rows,
                     ["a", "b"] * 3, groups=[0, 0, 0, 1, 1, 1])
        for loss in ("pair_error", "ndcg", "mean_average_precision", "reciprocal_rank"):
            self.refused(ValueError, "all grades of each query are equal.*check y and groups",
                         self.sculpt.Ranker(loss).fit, rows, [1, 1, 1, 2, 2, 2],
                         groups=[0, 0, 0, 1, 1, 1])
        for loss in ("precision_at", "recall_at"):
            fit = self.sculpt.SetClassifier(loss, k=10).fit
            self.refused(ValueError, "k is 10, but X has 6 rows", fit, rows, [0, 1] * 3)
            self.refused(ValueError, "k is 10, but the smallest group has 2 rows", fit, rows,
                         [0, 1] * 3, groups=[0, 0, 1, 1, 1, 1])

    def test_lists_of_labels_are_no_indicator_matrix(self):
        for sets in ([[1.0, 3.0], [2.0], [1.0]], [{1, 3}, {2}, {1}], [("a", "b"), ("a",), ()]):
            self.refused(ValueError, "matrix of 0 and 1.*MultiLabelBinarizer",
                         self.sculpt.Multilabel().fit, self.rows[:3], sets)


class ParameterTest(EstimatorTest):
    def test_wrong_parameters_are_named(self):
        np, sculpt = self.np, self.sculpt
        for solver in (3, ["n_slack"], True):
            self.refused(TypeError, "solver is .*; it must be the name of a solver",
                         sculpt.Multiclass(solver=solver).fit, self.rows, self.labels)
        for flag in ("no", 0.5, 2, [True]):
            self.refused(TypeError, "fit_intercept is .*; it must be True or False",
                         sculpt.Multiclass(fit_intercept=flag).fit, self.rows, self.labels)
        sculpt.Multiclass(fit_intercept=np.bool_(False)).fit(self.rows, self.labels)
        for count in ("2", 1.5):
            self.refused(TypeError, "n_jobs is .*; it must be an integer",
                         sculpt.Multiclass(n_jobs=count).fit, self.rows, self.labels)
        for weight in (-1, float("nan"), "1", None):
            self.refused(ValueError, "class_weight of 'A' is .*; it must be a finite number",
                         sculpt.SequenceTagger(class_weight={"A": weight}).fit,
                         *self.data.sequences())

    def test_a_class_without_probabilities_names_no_parameter_that_it_has_not(self):
        model = self.sculpt.SetClassifier().fit(self.rows, self.labels == "c0")
        with self.assertRaises(AttributeError) as found:
            model.predict_proba
        self.assertNotIn("objective", str(found.exception))
        self.assertIn("decision_function", str(found.exception))

    def test_a_gap_that_is_reached_but_not_certified_is_told_as_it_is(self):
        from sculpt.estimators import ConvergenceWarning
        kernel = {"use": "matrix"}  # makes no claim to be positive
        with self.assertWarnsRegex(ConvergenceWarning, r"reached a relative gap of \S+, but the "
                                   "gap is not certified") as found:
            model = self.sculpt.Multiclass(kernel=kernel).fit(self.rows @ self.rows.T, self.labels)
        self.assertNotIn("missed", str(found.warning))
        self.assertFalse(model.certified_)
        self.assertLessEqual(model.relative_gap_, 1e-3)


class Products:
    """The linear kernel."""
    scale: float = 1
    positive = True

    def kernel(self, row, other):
        return self.scale * float((row.dense * other.dense).sum())


class KernelTest(EstimatorTest):
    def test_a_class_or_an_object_is_a_kernel(self):
        fit = lambda kernel: self.sculpt.Multiclass(kernel=kernel, relative_gap=1e-5).fit(
            self.rows, self.labels)
        named, by_class, by_object = (fit(kernel) for kernel in
                                      ({"use": "linear"}, Products, Products()))
        self.assertAlmostEqual(by_class.primal_, named.primal_, delta=1e-4 * named.primal_)
        self.assertEqual(by_class.primal_, by_object.primal_)
        self.assertEqual(by_class.predict(self.rows).tolist(), named.predict(self.rows).tolist())

    def test_precomputed_kernels_have_the_optimum_and_the_guesses_of_the_kernel(self):
        train, new = self.rows[:40], self.rows[40:]
        fit = lambda kernel, X: self.sculpt.Multiclass(kernel=kernel, relative_gap=1e-6).fit(
            X, self.labels[:40])
        named = fit({"use": "linear"}, train)
        model = fit("precomputed", train @ train.T)
        self.assertTrue(model.certified_)
        self.assertAlmostEqual(model.primal_, named.primal_, delta=1e-5 * named.primal_)
        self.assertEqual(model.predict(new @ train.T).tolist(), named.predict(new).tolist())

    @unittest.skipUnless(importlib.util.find_spec("sklearn"), "no scikit-learn")
    def test_folds_of_precomputed_kernels_take_rows_and_columns(self):
        from sklearn.model_selection import cross_val_score
        scores = cross_val_score(self.sculpt.Multiclass(kernel="precomputed"),
                                 self.rows @ self.rows.T, self.labels, cv=3)
        self.assertGreater(scores.min(), 0.5)

    def test_kernels_that_do_not_work_are_refused_with_what_does(self):
        sculpt, square = self.sculpt, self.rows @ self.rows.T
        for kernel in ("cubic", 3, square, lambda row, other: 1.0):
            self.refused(ValueError, "kernel is .*'precomputed', a class with the method `kernel`",
                         sculpt.Multiclass(kernel=kernel).fit, self.rows, self.labels)
        self.refused(ValueError, r"X has the shape \(60, 4\).*must be a square matrix",
                     sculpt.Multiclass(kernel="precomputed").fit, self.rows, self.labels)
        self.refused(ValueError, "SetClassifier does not take kernel='precomputed'",
                     sculpt.SetClassifier(kernel="precomputed").fit, square, self.labels == "c0")
        model = sculpt.Multiclass(kernel="precomputed").fit(square, self.labels)
        self.refused(ValueError, "X has 4 features, but Multiclass is expecting 60",
                     model.predict, self.rows)


if __name__ == "__main__":
    main()

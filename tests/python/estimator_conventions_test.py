"""What scikit-learn asks of estimators, for each class: also for lists of sequences, queries and
graphs, which check_estimator cannot test.

estimator_conventions_test.py SCULPT
"""

import copy
import functools
import os
import pickle
import subprocess
import sys
import unittest
import warnings

from setting import ROOT, main


def for_each_case(test):
    """A test that runs for each estimator with data that fit it: test(self, estimator, X, y)."""
    @functools.wraps(test)
    def run_all(self):
        for estimator, X, y in self.cases:
            with self.subTest(estimator=repr(estimator)):
                test(self, estimator, X, y)
    return run_all


class ConventionTest(unittest.TestCase):
    def setUp(self):
        import estimator_data
        self.data = estimator_data
        self.cases = estimator_data.cases()

    def assert_equal_outputs(self, some, others):
        import numpy
        numpy.testing.assert_array_equal(self.data.joined(some), self.data.joined(others))

    @for_each_case
    def test_fit_returns_self_and_changes_neither_parameters_nor_data(self, estimator, X, y):
        import numpy
        params, before = estimator.get_params(), copy.deepcopy((X, y))
        self.assertIs(estimator.fit(X, y), estimator)
        estimator.predict(X)
        self.assertEqual(estimator.get_params(), params)
        numpy.testing.assert_equal((X, y), before)

    @for_each_case
    def test_arrays_that_cannot_be_written_are_accepted(self, estimator, X, y):
        import numpy
        for one in [X, y] if isinstance(X, numpy.ndarray) else [*X, *y]:
            if isinstance(one, numpy.ndarray):
                one.flags.writeable = False
        estimator.fit(X, y).predict(X)

    @for_each_case
    def test_fitting_again_gives_the_same_model(self, estimator, X, y):
        estimator.fit(X, y)
        first = bytes(estimator.model_)
        self.assertEqual(bytes(estimator.fit(X, y).model_), first)

    @for_each_case
    def test_pickles_predict_the_same(self, estimator, X, y):
        estimator.fit(X, y)
        again = pickle.loads(pickle.dumps(estimator))
        self.assertEqual(bytes(again.model_), bytes(estimator.model_))
        self.assertEqual(repr(again), repr(estimator))
        self.assert_equal_outputs(again.predict(X), estimator.predict(X))

    @for_each_case
    def test_a_prediction_does_not_depend_on_the_other_examples(self, estimator, X, y):
        estimator.fit(X, y)
        self.assert_equal_outputs(estimator.predict(X[:5]),
                                  estimator.predict(X)[:5])
        self.assert_equal_outputs(estimator.predict(X[5:1:-1]), estimator.predict(X)[5:1:-1])

    @for_each_case
    def test_what_is_known_of_a_fit(self, estimator, X, y):
        import numpy
        estimator.fit(X, y)
        self.assertTrue(estimator.certified_)
        self.assertLessEqual(estimator.relative_gap_, estimator.relative_gap)
        self.assertAlmostEqual(estimator.primal_ - estimator.dual_, estimator.gap_)
        self.assertGreaterEqual(estimator.n_iter_, 1)
        self.assertEqual(len(estimator.weight_names), len(estimator.model_.weights))
        self.assertEqual(numpy.shape(estimator.coef_)[-1], estimator.n_features_in_)
        self.assertGreater(estimator.score(X, y), 0.5)
        self.assertLessEqual(estimator.score(X, y), 1)

    @for_each_case
    def test_parameters_by_name(self, estimator, X, y):
        self.assertIs(estimator.set_params(C=3), estimator)
        self.assertEqual(estimator.get_params()["C"], 3)
        self.assertIn("C=3", repr(estimator))
        self.assertRaises(ValueError, estimator.set_params, unknown=1)

    @for_each_case
    def test_methods_before_fit_say_so(self, estimator, X, y):
        from sculpt.estimators import NotFittedError
        self.assertRaisesRegex(NotFittedError, "call fit", estimator.predict, X)
        self.assertRaisesRegex(NotFittedError, "call fit", estimator.score, X, y)
        self.assertFalse(hasattr(estimator, "coef_"))

    @for_each_case
    def test_other_numbers_of_features_are_refused(self, estimator, X, y):
        import numpy
        estimator.fit(X, y)
        if isinstance(X, numpy.ndarray):
            other = X[:, :-1]
        elif isinstance(X[0], tuple):
            other = [(rows[:, :-1], *rest) for rows, *rest in X]
        elif isinstance(X[0], list):
            return  # unknown attributes are left out
        else:
            other = [rows[:, :-1] for rows in X]
        self.assertRaisesRegex(ValueError, r"X has \d features, but \w+ is expecting \d",
                               estimator.predict, other)

    @for_each_case
    def test_bad_data_are_refused_by_name(self, estimator, X, y):
        import numpy
        estimator.fit(X, y)
        fitted = copy.deepcopy(estimator)
        refused = lambda text, *data: self.assertRaisesRegex(ValueError, text, estimator.fit,
                                                             *data)
        refused("requires y to be passed", X, None)
        refused(r"X has|y has the shape", X, y[:-1])
        refused("", X[:0], y[:0])
        for wrong, text in ((numpy.nan, "NaN"), (numpy.inf, "inf")):
            bad = copy.deepcopy(X)
            if isinstance(X, numpy.ndarray):
                bad[2, 1] = wrong
            elif isinstance(X[0], tuple):
                bad[2][0][0, 1] = wrong
            elif isinstance(X[0], list):
                bad[2][0]["size"] = wrong
            else:
                bad[2][0, 1] = wrong
            refused(text, bad, y)
            self.assertRaisesRegex(ValueError, text, fitted.predict, bad)
        self.assertRaises(ValueError, estimator.predict, X)  # a fit that failed leaves nothing

    @for_each_case
    def test_labels_of_one_class_are_refused(self, estimator, X, y):
        import numpy
        if not hasattr(type(estimator), "_fit_classes") or numpy.ndim(y) == 2:
            return
        with self.assertRaisesRegex(ValueError, "class"):
            estimator.fit(X, numpy.full(len(y), y[0]))

    @for_each_case
    def test_parameters_out_of_range_are_named(self, estimator, X, y):
        for params, text in (({"C": 0}, "C is 0"), ({"C": "1"}, "C is '1'"),
                             ({"C": 1, "n_jobs": 0}, "n_jobs is 0"),
                             ({"n_jobs": 1, "kernel": "cubic"}, "kernel is 'cubic'")):
            if estimator.get_params().get("objective") == "crf" and "kernel" in params:
                return
            self.assertRaisesRegex(ValueError, text, estimator.set_params(**params).fit, X, y)

    @for_each_case
    def test_a_missed_target_is_a_warning(self, estimator, X, y):
        from sculpt.estimators import ConvergenceWarning
        with self.assertWarnsRegex(ConvergenceWarning, "missed its target.*max_passes") as found:
            estimator.set_params(max_passes=1, relative_gap=1e-9).fit(X, y)
        self.assertEqual(found.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            estimator.set_params(max_passes=None, relative_gap=1e-2).fit(X, y)

    def test_n_jobs_counts_threads_as_scikit_learn_does(self):
        from sculpt.estimators._solver import thread_count
        cores = os.cpu_count()
        self.assertEqual([thread_count(n) for n in (None, 3, -1, -2, -99)],
                         [1, 3, cores, max(1, cores - 1), 1])

    @for_each_case
    def test_only_models_with_probabilities_have_the_methods(self, estimator, X, y):
        estimator.fit(X, y)
        is_crf = estimator.get_params().get("objective") == "crf"
        names = [name for name in ("predict_proba", "predict_marginals")
                 if hasattr(estimator, name)]
        self.assertEqual(bool(names), is_crf)


class WithoutScikitLearn(unittest.TestCase):
    def test_importing_sculpt_imports_no_optional_package(self):
        self.run_python("""
assert not {"sklearn", "scipy", "pandas", "sculpt.estimators"} & set(sys.modules), sys.modules
assert "Ranker" in dir(sculpt)
""")

    def test_estimators_need_no_scikit_learn(self):
        self.run_python("""
import pickle, estimator_data
for estimator, X, y in estimator_data.cases():
    assert type(estimator)().set_params(**estimator.get_params()).get_params() \\
        == estimator.get_params()
    assert repr(estimator).startswith(type(estimator).__name__ + "(")
    again = pickle.loads(pickle.dumps(estimator.fit(X, y)))
    assert estimator_data.joined(again.predict(X)).tolist() \\
        == estimator_data.joined(estimator.predict(X)).tolist()
    assert estimator.score(X, y) > 0.5
    try:
        estimator.set_params(unknown=1)
        raise AssertionError("unknown parameter")
    except ValueError as error:
        assert "'unknown'" in str(error), error
try:
    sculpt.Ranker().predict(X)
except sculpt.estimators.NotFittedError:
    pass
""", hidden=("sklearn", "scipy", "pandas"))

    def run_python(self, script, hidden=()):
        head = ("import sys\n" + "".join(f"sys.modules[{name!r}] = None\n" for name in hidden)
                + f"sys.path[:0] = [{str(ROOT / 'sdk/python')!r}, {str(ROOT / 'tests/python')!r}]\n"
                + "import sculpt\n")
        done = subprocess.run([sys.executable, "-B", "-c", head + script], text=True,
                              capture_output=True, env=dict(os.environ), check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main()

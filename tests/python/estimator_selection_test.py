"""Estimators inside scikit-learn: searches, folds, pipelines, clones, data frames; and the models
of scikit-learn that solve the same problem.

estimator_selection_test.py SCULPT
"""

import contextlib
import io
import unittest
import warnings

import setting


class SelectionTest(unittest.TestCase):
    def setUp(self):
        import estimator_data
        import sculpt
        self.data, self.sculpt = estimator_data, sculpt
        warnings.simplefilter("error", category=UserWarning)  # a fold that fails is a warning
        self.addCleanup(warnings.resetwarnings)

    def test_every_class_can_be_cloned_searched_and_cross_validated(self):
        from sklearn.base import clone
        from sklearn.model_selection import GridSearchCV, cross_val_score
        for estimator, X, y in self.data.cases():
            with self.subTest(estimator=repr(estimator)):
                self.assertEqual(repr(clone(estimator)), repr(estimator))
                if getattr(estimator, "qid_column", None) is not None:
                    continue  # below, with folds of whole queries
                self.assertEqual(len(cross_val_score(estimator, X, y, cv=3)), 3)
                search = GridSearchCV(estimator, {"C": [1e-6, 1]}, cv=2).fit(X, y)
                self.assertGreater(search.best_score_, 0.4)
                self.assertEqual(len(search.predict(X)), len(y))

    def test_rankers_with_folds_of_whole_queries(self):
        import numpy
        from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
        rows, grades, groups = self.data.queries()
        X = numpy.column_stack([groups, rows])
        ranker = self.sculpt.Ranker("ndcg", qid_column=0)
        scores = cross_val_score(ranker, X, grades, groups=groups, cv=GroupKFold(3))
        self.assertEqual(len(scores), 3)
        search = GridSearchCV(ranker, {"loss": ["pair_error", "ndcg"]}, cv=GroupKFold(3))
        search.fit(X, grades, groups=groups)
        self.assertGreater(search.best_score_, 0.8)
        lists = self.data.by_query(rows, grades, groups)
        of_lists = cross_val_score(self.sculpt.Ranker("ndcg"), *lists, cv=3,
                                   groups=numpy.arange(12) % 3)
        self.assertEqual(len(of_lists), 3)

    def test_pipelines_and_searches_in_processes(self):
        from sklearn.model_selection import GridSearchCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        rows, labels = self.data.points()
        pipeline = make_pipeline(StandardScaler(), self.sculpt.Multiclass(kernel="rbf"))
        self.assertGreater(pipeline.fit(rows, labels).score(rows, labels), 0.8)
        search = GridSearchCV(pipeline, {"multiclass__C": [0.1, 1]}, cv=2, n_jobs=2)
        alone = GridSearchCV(pipeline, {"multiclass__C": [0.1, 1]}, cv=2)
        self.assertEqual(search.fit(rows, labels).cv_results_["mean_test_score"].tolist(),
                         alone.fit(rows, labels).cv_results_["mean_test_score"].tolist())

    def test_probabilities_serve_scorers(self):
        from sklearn.model_selection import cross_val_score
        rows, labels = self.data.points()
        softmax = self.sculpt.Multiclass(objective="crf")
        losses = cross_val_score(softmax, rows, labels, cv=3, scoring="neg_log_loss")
        self.assertTrue((losses < 0).all() and (losses > -1).all(), losses)
        area = cross_val_score(self.sculpt.SetClassifier("roc_area"), rows, labels == "c0", cv=3,
                               scoring="roc_auc")
        self.assertGreater(area.mean(), 0.9)

    def test_columns_of_data_frames_name_the_weights(self):
        try:
            import pandas
        except ImportError as error:
            self.skipTest(str(error))
        rows, labels = self.data.points()
        frame = pandas.DataFrame(rows, columns=["petal length", "width", "x", "y"])
        model = self.sculpt.Multiclass().fit(frame, labels)
        self.assertEqual(model.feature_names_in_.tolist(), list(frame.columns))
        self.assertIn("petal length, label c1", model.weight_names)
        ranker = self.sculpt.Ranker(qid_column=0).fit(frame.assign(x=0).round(0), rows[:, 3])
        self.assertEqual(ranker.feature_names_in_.tolist(), ["width", "x", "y"])


class PageTest(unittest.TestCase):
    def test_the_code_of_the_page_runs(self):
        text = (setting.ROOT / "sdk/python/estimators.md").read_text()
        blocks = text.split("```python\n")[1:]
        self.assertGreaterEqual(len(blocks), 4)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            for block in blocks:
                exec(block.split("```")[0], names)  # in order, as a reader would
        self.assertIn("True", shown.getvalue())
        self.assertIsNotNone(names["search"].best_params_)


class SameProblemTest(unittest.TestCase):
    """The same objective by solvers that share no code."""

    def setUp(self):
        import estimator_data
        import sculpt
        self.data, self.sculpt = estimator_data, sculpt
        warnings.filterwarnings("ignore", "Liblinear failed to converge")  # at this tolerance
        self.addCleanup(warnings.resetwarnings)

    def assert_close(self, found, expected, tolerance=2e-4):
        import numpy
        numpy.testing.assert_allclose(found, expected, atol=tolerance)

    def test_multiclass_is_the_crammer_singer_svm_of_linear_svc(self):
        from sklearn.svm import LinearSVC
        rows, labels = self.data.points()
        for C in (0.01, 0.3):
            ours = self.sculpt.Multiclass(C, relative_gap=1e-10).fit(rows, labels)
            theirs = LinearSVC(C=C, multi_class="crammer_singer", tol=1e-7, max_iter=10**6)
            theirs.fit(rows, labels)
            self.assert_close(ours.coef_, theirs.coef_)
            self.assert_close(ours.intercept_, theirs.intercept_)
            self.assert_close(ours.decision_function(rows), theirs.decision_function(rows))

    def test_softmax_regression_is_logistic_regression(self):
        from sklearn.linear_model import LogisticRegression
        for classes in (2, 3):
            rows, labels = self.data.points(classes=classes)
            weights = self.data.draws().random(len(rows))
            theirs = LogisticRegression(C=0.5, multi_class="multinomial", fit_intercept=False,
                                        tol=1e-10, max_iter=10**4)
            ours = self.sculpt.Multiclass(0.5, objective="crf", fit_intercept=False,
                                          class_weight="balanced", relative_gap=1e-10)
            theirs.set_params(class_weight="balanced").fit(rows, labels, weights)
            ours.fit(rows, labels, weights)
            self.assert_close(ours.predict_proba(rows), theirs.predict_proba(rows))
            self.assert_close(ours.predict_log_proba(rows), theirs.predict_log_proba(rows), 1e-3)

    def test_sets_with_the_error_rate_are_the_plain_svm(self):
        import numpy
        from sklearn.svm import LinearSVC
        rows, labels = self.data.points()
        is_first = labels == "c0"
        ours = self.sculpt.SetClassifier("error_rate", 0.3, relative_gap=1e-10)
        ours.fit(rows, is_first)
        theirs = LinearSVC(C=0.3, loss="hinge", tol=1e-7, max_iter=10**6).fit(rows, is_first)
        self.assert_close(2 * ours.coef_, theirs.coef_)
        self.assert_close(2 * ours.intercept_, theirs.intercept_)
        numpy.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))

    def test_scores_are_the_metrics_of_scikit_learn(self):
        from sklearn import metrics
        rows, labels = self.data.points()
        truth = labels == "c1"
        for loss, metric in (("f1", metrics.f1_score), ("error_rate", metrics.accuracy_score),
                             ("balanced_error", metrics.balanced_accuracy_score)):
            model = self.sculpt.SetClassifier(loss).fit(rows, truth)
            self.assertAlmostEqual(model.score(rows, truth), metric(truth, model.predict(rows)))
        for loss, metric in (("roc_area", metrics.roc_auc_score),
                             ("average_precision", metrics.average_precision_score)):
            model = self.sculpt.SetClassifier(loss).fit(rows, truth)
            self.assertAlmostEqual(model.score(rows, truth),
                                   metric(truth, model.decision_function(rows)))
        rows, grades, groups = self.data.queries()
        ranker = self.sculpt.Ranker("ndcg").fit(rows, grades, groups)
        expected = [metrics.ndcg_score([2.0 ** some - 1], [ranker.predict(of_one)], k=10)
                    for of_one, some in zip(*self.data.by_query(rows, grades, groups))
                    if len(set(some)) > 1]
        self.assertAlmostEqual(ranker.score(rows, grades, groups), sum(expected) / len(expected))


if __name__ == "__main__":
    setting.main("sklearn")

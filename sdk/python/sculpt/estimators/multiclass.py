"""Multiclass: one of several classes for each row."""

import numpy as np

from ..arrays import Arrays
from ._labels import names_of
from ._row_classifier import RowClassifier


class Multiclass(RowClassifier):
    """The multiclass SVM of Crammer and Singer, or softmax regression.

    C             price of an error of one row, as in LinearSVC and LogisticRegression:
                  solver.C is C * rows
    objective     "svm", or "crf": softmax regression, with probabilities
    kernel        "linear", "rbf", "poly", "sigmoid"; "precomputed": X is the kernel of each row
                  with each row of training; a class with `kernel`; or the section of an
                  experiment as a dict. gamma, degree and coef0 are those of SVC
    fit_intercept  adds a feature that is 1 in every row; its weight has a price as others do
    class_weight  "balanced", or a dict: how much the rows of a class count
    costs         [classes, classes]: costs[i, j] is the loss of guessing classes_[j] for
                  classes_[i]; None: 1 for all errors. Not with objective="crf"
    solver        the name of a solver, or its section of an experiment as a dict
    relative_gap  the fit ends at this proved gap; max_passes, max_seconds: or here
    n_jobs        threads: None is 1, -1 is all. They do not change results
    verbose       show the passes
    """
    _takes_matrix = True

    def __init__(self, C=1.0, *, objective="svm", kernel="linear", gamma="scale", degree=3,
                 coef0=0.0, fit_intercept=True, class_weight=None, costs=None, solver=None,
                 relative_gap=1e-3, max_passes=None, max_seconds=None, n_jobs=None,
                 verbose=False):
        self._keep(locals())

    def fit(self, X, y, sample_weight=None) -> "Multiclass":
        """X: [rows, features], dense or sparse. y: [rows], numbers or texts. sample_weight:
        [rows]. Returns self. Raises ValueError and SculptError."""
        matrix, numbers, weights = self._fit_classes(X, y, sample_weight)
        words = self.costs is not None
        names = names_of(self.classes_, words)
        data = Arrays(matrix, numbers, weights=weights, classes=names,
                      features=self._feature_names())
        self._train(data, {"use": "multiclass", "bias": bool(self.fit_intercept)},
                    self._loss(names), "enumerate", price=matrix.shape[0], matrix=matrix)
        return self

    def _loss(self, names: "list[str]"):
        if self.costs is None:
            return "zero_one"
        if self.objective == "crf":
            raise ValueError("costs need objective='svm': the log-loss has no costs")
        costs = np.asarray(self.costs, np.float64)
        if costs.shape != (len(names), len(names)):
            raise ValueError(f"costs has the shape {costs.shape}; it must be "
                             f"({len(names)}, {len(names)}), in the order of the classes")
        if not np.isfinite(costs).all() or (costs < 0).any() or np.diag(costs).any():
            raise ValueError("costs must be finite, at least 0, and 0 on the diagonal")
        rows = [f"{truth} {guess} {costs[i, j]!r}" for i, truth in enumerate(names)
                for j, guess in enumerate(names) if i != j]
        return {"use": "cost_table", "rows": rows}

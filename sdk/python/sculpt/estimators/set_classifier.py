"""SetClassifier: which rows are positive, for a measure of all rows together."""

import numpy as np

from .._host._arguments import integer
from ..arrays import Arrays
from ._grouping import grouping_of
from ._labels import check_two_classes, label_column, names_of, numbered
from ._row_classifier import RowClassifier

_LABEL_LOSSES = {"f1": "f_beta", "f_beta": "f_beta", "error_rate": "error_rate",
                 "balanced_error": "balanced_error", "break_even": "break_even",
                 "precision_at": "precision_at", "recall_at": "recall_at"}
_ORDER_LOSSES = ("roc_area", "average_precision")
_FIRST_ROWS = ("break_even", "precision_at", "recall_at")


class SetClassifier(RowClassifier):
    """Two classes; trained for F1, precision at the top, or the area under the ROC curve.

    loss          "f1"; "f_beta" with beta; "error_rate": the plain SVM; "balanced_error";
                  "break_even": precision where it equals recall; "precision_at", "recall_at": of
                  the first k rows; "roc_area"; "average_precision"
    C             as C of LinearSVC(loss="hinge") with loss="error_rate": solver.C is C * rows / 4
    positive_cost  how often a row of the second class counts, in losses of labels
    The other parameters are those of Multiclass. There is no objective="crf".

    After fit(): classes_ (the second one is positive), coef_ [1, features], intercept_ [1] and
    threshold_, which decision_function subtracts. It is 0, save for losses of orders: there as
    many rows of the training lie above it as are positive.
    """
    objective = "svm"

    def __init__(self, loss="f1", C=1.0, *, beta=1.0, k=10, positive_cost=1.0, kernel="linear",
                 gamma="scale", degree=3, coef0=0.0, fit_intercept=True, solver=None,
                 relative_gap=1e-3, max_passes=None, max_seconds=None, n_jobs=None,
                 verbose=False):
        self._keep(locals())

    def _more_tags(self):
        return {"requires_y": True, "binary_only": True}

    def fit(self, X, y, groups=None) -> "SetClassifier":
        """X: [rows, features], dense or sparse. y: [rows] of two classes. groups: [rows], the set
        of each row; None: all are one set. Returns self. Raises ValueError and SculptError."""
        self._begin_fit(y)
        matrix = self._fit_matrix(X)
        self.classes_, numbers = numbered(label_column(y, matrix.shape[0]))
        check_two_classes(self.classes_, numbers, None)
        if len(self.classes_) > 2:
            raise ValueError("Only binary classification is supported. y has "
                             f"{len(self.classes_)} classes; take Multiclass")
        grouping = grouping_of(groups, matrix.shape[0])
        least = int(grouping.lengths.min())
        if self.loss in ("precision_at", "recall_at") and integer(self.k, "k", 1) > least:
            where = "X has" if groups is None else "the smallest group has"
            raise ValueError(f"k is {self.k}, but {where} {least} rows; k must be at most that")
        data = Arrays(grouping.sorted(matrix), grouping.sorted(numbers), lengths=grouping.lengths,
                      classes=names_of(self.classes_), features=self._feature_names())
        positives = int(numbers.sum())
        features, loss, oracle = self._components(positives, len(numbers) - positives)
        self._train(data, features, loss, oracle, default="one_slack",
                    price=matrix.shape[0] / 4, matrix=matrix)
        self.threshold_ = 0.0
        if self.loss in _ORDER_LOSSES:
            scores = np.sort(self._scores(matrix))[::-1]
            self.threshold_ = float(scores[positives - 1] + scores[positives]) / 2
        return self

    def _components(self, positives: int, others: int) -> tuple:
        """Features, loss and oracle. Orders of rows of two kinds are rankings of two grades: psi
        and loss of `ranking` are those of `contingency` then, and arrays offer grades."""
        if self.loss in _LABEL_LOSSES:
            loss = {"use": _LABEL_LOSSES[self.loss]}
            loss.update({"beta": self.beta} if self.loss == "f_beta" else {})
            loss.update({"k": self.k} if self.loss in ("precision_at", "recall_at") else {})
            return {"use": "contingency", "bias": bool(self.fit_intercept),
                    "cost": self.positive_cost}, loss, "contingency"
        if self.loss not in _ORDER_LOSSES:
            raise ValueError(f"loss is {self.loss!r}; it must be one of "
                             f"{[*_LABEL_LOSSES, *_ORDER_LOSSES]}")
        loss = ("pair_error" if self.loss == "roc_area"
                else {"use": "mean_average_precision", "relevant_from": 1})
        cells = max(10**7, (positives + 1) * (others + 1))
        return ({"use": "ranking", "relevant_from": 0 if self.loss == "roc_area" else 1}, loss,
                {"use": "ranking", "max_cells": cells})

    def _scores(self, matrix) -> np.ndarray:
        """float64[rows], without the threshold."""
        data = Arrays(matrix, lengths=[matrix.shape[0]])
        return self.model_.scores_joined(data, threads=self._threads()).values

    def decision_function(self, X) -> np.ndarray:
        """The score of each row, float64[rows]; above 0 is the second class."""
        return self._scores(self._new_matrix(X)) - self.threshold_

    def predict(self, X) -> np.ndarray:
        """The class of each row, [rows]."""
        is_positive = self.decision_function(X) > 0
        return self.classes_[is_positive.astype(int)]

    def score(self, X, y, groups=None) -> float:
        """1 - the loss: F1, the area under the ROC curve, ... The mean over the groups."""
        matrix = self._new_matrix(X)
        labels = label_column(y, matrix.shape[0])
        truths = (labels == self.classes_[1]).astype(np.int32)
        if not np.isin(labels, self.classes_).all():
            raise ValueError(f"y has other classes than those of fit(), {list(self.classes_)}")
        grouping = grouping_of(groups, matrix.shape[0])
        if self.loss in _FIRST_ROWS:
            scores = np.split(grouping.sorted(self._scores(matrix)),
                              np.cumsum(grouping.lengths)[:-1])
            parts = np.split(grouping.sorted(truths), np.cumsum(grouping.lengths)[:-1])
            return float(np.mean([self._of_first_rows(*pair) for pair in zip(scores, parts)]))
        data = Arrays(grouping.sorted(matrix), grouping.sorted(truths), state_count=2,
                      lengths=grouping.lengths)
        metrics = self.model_.evaluate(data, threads=self._threads())
        return 1 - metrics["counted_loss" if self.loss in _ORDER_LOSSES else "loss"]

    def _of_first_rows(self, scores: np.ndarray, truths: np.ndarray) -> float:
        """The measure of the first rows by score. Rows that tie at the end count in part."""
        positives = int(truths.sum())
        count = positives if self.loss == "break_even" else min(self.k, len(scores))
        if count == 0 or positives == 0:
            return 0.0
        last = np.sort(scores)[-count]
        tied, above = scores == last, scores > last
        found = truths[above].sum() + truths[tied].sum() * (count - above.sum()) / tied.sum()
        return float(found / (positives if self.loss == "recall_at" else count))

    @property
    def coef_(self) -> np.ndarray:
        """The weights, float64[1, features]."""
        return self._weight_block(0, 1, self.n_features_in_)

    @property
    def intercept_(self) -> np.ndarray:
        """The weight of the constant feature minus the threshold, float64[1]."""
        if self.loss in _ORDER_LOSSES or not self.fit_intercept:
            self._weight_block(0, 1, self.n_features_in_)  # refused with a kernel
            return np.array([-self.threshold_])
        return self._weight_block(self.n_features_in_, 1) - self.threshold_

"""A label for each row of an example: what sequences and graphs share."""

import numpy as np

from ..arrays import Arrays
from ._base import Estimator, only_crf
from ._labels import (check_two_classes, class_factors, example_weights, names_of, numbered,
                      share_equal)
from ._row_classifier import split_bias
from ._rows import check_features, remember_features
from ._stacked import Stacked, stacked_labels


class Labeller(Estimator):
    """The base of estimators whose outputs are labels of rows. A class says:

    _what                       how messages call an example
    _read(X, is_fit)            Stacked rows of X, and further arguments of Arrays
    """

    def _more_tags(self):
        return {"requires_y": True, "X_types": ["sequences"]}

    def _fit_data(self, X, y, sample_weight) -> "tuple[Stacked, np.ndarray, Arrays]":
        """The rows of fit(), the numbers of their labels, and both as Arrays. Sets classes_ and
        n_features_in_."""
        self._begin_fit(y)
        rows, more = self._read(X, is_fit=True)
        labels = stacked_labels(y, rows.lengths, self._what)
        self.classes_, numbers = numbered(labels)
        check_two_classes(self.classes_, numbers, None)
        weights = example_weights(sample_weight, len(rows.lengths))
        data = Arrays(rows.matrix, numbers, lengths=rows.lengths, weights=weights,
                      classes=names_of(self.classes_), **more)
        return rows, numbers, data

    def _loss(self, numbers):
        """The loss by the parameters loss and class_weight."""
        factors = class_factors(self.class_weight, self.classes_, numbers)
        if factors is None:
            return self.loss
        if self.objective == "crf":
            raise ValueError("class_weight needs objective='svm': the log-loss has no costs of "
                             "labels")
        if self.loss != "hamming":
            raise ValueError(f"class_weight needs loss='hamming', not {self.loss!r}")
        costs = [f"{name}:{cost!r}" for name, cost in zip(names_of(self.classes_), factors)]
        return {"use": "weighted_hamming", "label_costs": costs}

    def _new_data(self, X) -> "tuple[Stacked, Arrays]":
        self._check_fitted()
        rows, more = self._read(X, is_fit=False)
        return rows, Arrays(rows.matrix, lengths=rows.lengths, **more)

    def predict(self, X) -> "list[np.ndarray]":
        """The labels of each example: a list of [length]."""
        rows, data = self._new_data(X)
        guesses = self.model_.predict_joined(data, threads=self._threads())
        return rows.split(self.classes_[guesses.values])

    @only_crf
    def predict_marginals(self, X) -> "list[np.ndarray]":
        """The probability of each label at each row: a list of float64[length, classes]. Only
        with objective="crf"."""
        rows, data = self._new_data(X)
        found = self.model_.marginals_joined(data, threads=self._threads())
        return rows.split(found.values.reshape(-1, len(self.classes_)))

    def score(self, X, y, sample_weight=None) -> float:
        """The share of the right labels. sample_weight: [examples]."""
        guesses = self.predict(X)
        lengths = np.array([len(one) for one in guesses])
        labels = stacked_labels(y, lengths, self._what)
        weights = example_weights(sample_weight, len(lengths))
        return share_equal(labels, np.concatenate(guesses),
                           None if weights is None else np.repeat(weights, lengths))

    @property
    def coef_(self) -> np.ndarray:
        """The weights of the features, float64[classes, features]."""
        return split_bias(self._node_block(), self.n_features_in_)[0]

    @property
    def intercept_(self) -> np.ndarray:
        """The weights of the constant feature, float64[classes], 0 without fit_intercept."""
        return split_bias(self._node_block(), self.n_features_in_)[1]

    def _node_block(self) -> np.ndarray:
        return self._weight_block(0, self._column_count(), len(self.classes_))

    def _check_width(self, matrix, is_fit: bool) -> None:
        if is_fit:
            remember_features(self, matrix.shape[1], None)
        else:
            check_features(self, matrix.shape[1], None)

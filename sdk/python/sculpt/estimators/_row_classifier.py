"""Classifiers of rows: one class for each row. Multiclass, Taxonomy and SetClassifier are such."""

import numpy as np

from ..arrays import Arrays
from . import _kernel
from ._base import Estimator, only_crf
from ._foundation import ClassifierMixin
from ._labels import (check_two_classes, class_factors, example_weights, label_column, names_of,
                      numbered, share_equal)
from ._rows import check_features, feature_names_of, matrix_of, remember_features


class RowEstimator(Estimator):
    """The base of estimators whose X is a matrix of rows."""

    def _fit_matrix(self, X):
        """The rows of training; sets n_features_in_ and feature_names_in_."""
        matrix = matrix_of(X)
        remember_features(self, matrix.shape[1], feature_names_of(X))
        return matrix

    def _new_matrix(self, X):
        """Rows of other data: float64 or CSR, with the features of fit()."""
        self._check_fitted()
        matrix = matrix_of(X)
        check_features(self, matrix.shape[1], feature_names_of(X))
        return matrix

    def _feature_names(self) -> "list[str] | None":
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else names_of(names)

    def _scores(self, matrix) -> np.ndarray:
        """float64[rows, columns]: the scores that the model chooses by."""
        scores = self.model_.scores_joined(Arrays(matrix), threads=self._threads())
        return scores.values.reshape(matrix.shape[0], -1)


class RowClassifier(ClassifierMixin, RowEstimator):
    """The base of classifiers with one class for each row.

    After fit(): classes_, n_features_in_, feature_names_in_ if X had names, and what Estimator
    has. With kernel="linear": coef_ [classes, features] and intercept_ [classes], or with two
    classes [1, features] and [1], for the second class.
    """

    def _more_tags(self):
        return {"requires_y": True, "pairwise": _kernel.is_precomputed(self)}

    def _fit_classes(self, X, y, sample_weight):
        """Checked data of fit(): the rows, the numbers of the classes, and weights or None.
        Sets classes_."""
        self._begin_fit(y)
        matrix = self._fit_matrix(X)
        self.classes_, numbers = numbered(label_column(y, matrix.shape[0]))
        weights = example_weights(sample_weight, matrix.shape[0])
        check_two_classes(self.classes_, numbers, weights)
        factors = class_factors(getattr(self, "class_weight", None), self.classes_, numbers)
        if factors is not None:
            weights = factors[numbers] * (1 if weights is None else weights)
        return matrix, numbers, weights

    def predict(self, X) -> np.ndarray:
        """The class of each row, [rows]."""
        matrix = self._new_matrix(X)
        guesses = self.model_.predict_joined(Arrays(matrix), threads=self._threads())
        return self.classes_[guesses.values]

    def decision_function(self, X) -> np.ndarray:
        """The score of each class, float64[rows, classes]. With two classes float64[rows]: above
        0 is the second class."""
        scores = self._scores(self._new_matrix(X))
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    @only_crf
    def predict_proba(self, X) -> np.ndarray:
        """The probability of each class, float64[rows, classes]. Only with objective="crf"."""
        matrix = self._new_matrix(X)
        found = self.model_.marginals_joined(Arrays(matrix), threads=self._threads())
        return found.values.reshape(matrix.shape[0], -1)

    @only_crf
    def predict_log_proba(self, X) -> np.ndarray:
        """The logarithm of predict_proba()."""
        return np.log(self.predict_proba(X))

    def score(self, X, y, sample_weight=None) -> float:
        """The share of the rows with the right class."""
        guesses = self.predict(X)
        return share_equal(label_column(y, len(guesses)), guesses, sample_weight)

    @property
    def coef_(self) -> np.ndarray:
        """The weights of the features, see the class."""
        return self._of_second(self._class_weights()[0])

    @property
    def intercept_(self) -> np.ndarray:
        """The weights of the constant feature, 0 without fit_intercept."""
        return self._of_second(self._class_weights()[1])

    def _class_weights(self) -> "tuple[np.ndarray, np.ndarray]":
        """[classes, features] and [classes]."""
        columns = self._weight_block(0, self._column_count(), len(self.classes_))
        return split_bias(columns, self.n_features_in_)

    def _of_second(self, by_class: np.ndarray) -> np.ndarray:
        return by_class[1:] - by_class[:1] if len(self.classes_) == 2 else by_class


def split_bias(columns: np.ndarray, feature_count: int) -> "tuple[np.ndarray, np.ndarray]":
    """Weights [features + bias, labels] as [labels, features] and [labels], 0 without bias."""
    if len(columns) > feature_count:
        return columns[:feature_count].T, columns[feature_count]
    return columns.T, np.zeros(columns.shape[1])

"""Multilabel: any number of labels for each row."""

import re

import numpy as np

from ..arrays import Arrays, is_sparse
from ._base import available_if, only_crf
from ._labels import example_weights, share_equal
from ._row_classifier import RowClassifier
from ._rows import feature_names_of

_LABELS_WITH_ALL_PAIRS = 12  # "auto": 4096 assignments
_LABELS_TO_ENUMERATE = 14


class Multilabel(RowClassifier):
    """Labels of a row are decided together: pairs of labels have weights, too.

    C             price of an error of one row: solver.C is C * rows
    edges         the pairs of labels with weights: "full": all; "tree": a spanning tree that is
                  learned; "none"; or a list of pairs of numbers of labels. "auto": "full" up to
                  12 labels, else "tree"
    pairs         the weights of an edge: "both_on" (1), or "tables" (4)
    loss          "hamming": the share of the wrong labels; "f1": 1 - F1 of the labels of a row;
                  "zero_one": 1 if any label is wrong. Or a section of an experiment as a dict
    oracle        None: an exact one for these edges. Or its name, or a section as a dict
    The other parameters are those of Multiclass.

    y is an indicator matrix [rows, labels] of 0 and 1. With one label a row, y is [rows] and this
    is Multiclass, as in other classifiers of scikit-learn. Then edges, pairs, loss and oracle have
    no effect.

    After fit() on an indicator matrix: classes_ are the numbers of the labels, or the names of the
    columns if y is a data frame; coef_
    [labels, features], intercept_ [labels]; edges_ [edges, 2], pair_coef_ [edges], with "tables"
    [edges, 2, 2]: pair_coef_[e, 1, 0] is for the first label on and the second one off.
    """
    _takes_matrix = True

    def __init__(self, C=1.0, *, edges="auto", pairs="both_on", loss="hamming", oracle=None,
                 objective="svm", kernel="linear", gamma="scale", degree=3, coef0=0.0,
                 fit_intercept=True, solver=None, relative_gap=1e-3, max_passes=None,
                 max_seconds=None, n_jobs=None, verbose=False):
        self._keep(locals())

    def _more_tags(self):
        return {**super()._more_tags(), "multioutput": True, "multilabel": True}

    def fit(self, X, y, sample_weight=None) -> "Multilabel":
        """X: [rows, features], dense or sparse. y: [rows, labels] of 0 and 1, or [rows].
        Returns self. Raises ValueError and SculptError."""
        self._begin_fit(y)
        names = feature_names_of(y)
        y = _as_array(y)
        self._has_sets = y.ndim == 2 and y.shape[1] > 1
        if not self._has_sets:
            return self._fit_single(X, y, sample_weight)
        matrix = self._fit_matrix(X)
        sets = _indicators(y, matrix.shape[0])
        weights = example_weights(sample_weight, matrix.shape[0])
        self.classes_ = np.arange(sets.shape[1]) if names is None else names
        edges = self._chosen_edges(sets.shape[1])
        data = Arrays(matrix, sets, label_sets=True, weights=weights,
                      features=self._feature_names())
        self._train(data, self._features(edges), self._loss(),
                    self.oracle or self._oracle(edges, sets.shape[1]), price=matrix.shape[0],
                    matrix=matrix)
        return self

    def _fit_single(self, X, y, sample_weight) -> "Multilabel":
        matrix, numbers, weights = self._fit_classes(X, y, sample_weight)
        data = Arrays(matrix, numbers, weights=weights, features=self._feature_names(),
                      state_count=len(self.classes_))
        self._train(data, {"use": "multiclass", "bias": bool(self.fit_intercept)}, "zero_one",
                    "enumerate", price=matrix.shape[0], matrix=matrix)
        return self

    def _chosen_edges(self, label_count: int):
        if isinstance(self.edges, str):
            if self.edges == "auto":
                return "full" if label_count <= _LABELS_WITH_ALL_PAIRS else "tree"
            if self.edges not in ("full", "tree", "none"):
                raise ValueError(f"edges is {self.edges!r}; it must be 'auto', 'full', 'tree', "
                                 "'none' or a list of pairs of labels")
            return self.edges
        pairs = np.asarray(self.edges)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise ValueError(f"edges has the shape {pairs.shape}; it must be pairs of numbers of "
                             "labels, [edges, 2]")
        if pairs.min() < 0 or pairs.max() >= label_count:
            raise ValueError(f"edges joins the labels {pairs.min()} to {pairs.max()}, but y has "
                             f"the labels 0 to {label_count - 1}")
        return pairs

    def _features(self, edges) -> dict:
        section = {"use": "multilabel", "bias": bool(self.fit_intercept), "pairs": self.pairs}
        if isinstance(edges, np.ndarray):
            return {**section, "edges": "list", "edge_list": [f"{u}-{v}" for u, v in edges]}
        return {**section, "pairs": "none"} if edges == "none" else {**section, "edges": edges}

    def _loss(self):
        losses = {"hamming": {"use": "hamming", "normalize": True}, "f1": "f1",
                  "zero_one": "zero_one"}
        if isinstance(self.loss, dict):
            return self.loss
        if self.loss not in losses:
            raise ValueError(f"loss is {self.loss!r}; it must be one of {list(losses)}, or a dict")
        return losses[self.loss]

    def _oracle(self, edges, label_count: int) -> str:
        if isinstance(edges, str) and edges in ("none", "tree"):
            return "viterbi"
        if label_count <= _LABELS_TO_ENUMERATE:
            return "enumerate"
        return "belief_propagation" if self.objective == "crf" else "branch_and_bound"

    def predict(self, X) -> np.ndarray:
        """int64[rows, labels] of 0 and 1, or [rows] if fit() had one label a row."""
        self._check_fitted()
        if not self._has_sets:
            return super().predict(X)
        data = Arrays(self._new_matrix(X))
        guesses = self.model_.predict_joined(data, threads=self._threads()).values
        return guesses.reshape(-1, len(self.classes_)).astype(np.int64)

    @available_if(lambda self: self.edges == "none" or not getattr(self, "_has_sets", True),
                  "labels that are decided together have no scores of their own; set edges='none'")
    def decision_function(self, X) -> np.ndarray:
        """The score of each label, float64[rows, labels], above 0 if it is on. Only with
        edges="none". With one label a row: as Multiclass."""
        self._check_fitted()
        if self._has_sets:
            return self._scores(self._new_matrix(X))
        return super().decision_function(X)

    @only_crf
    def predict_proba(self, X) -> np.ndarray:
        """The probability that a label is on, float64[rows, labels]. Only with objective="crf".
        With one label a row: as Multiclass."""
        self._check_fitted()
        if not self._has_sets:
            return RowClassifier.predict_proba(self, X)
        matrix = self._new_matrix(X)
        found = self.model_.marginals_joined(Arrays(matrix), threads=self._threads())
        return found.values.reshape(matrix.shape[0], -1, 2)[:, :, 1]

    def score(self, X, y, sample_weight=None) -> float:
        """The share of the rows whose labels are all right."""
        guesses = self.predict(X)
        if not self._has_sets:
            return share_equal(np.asarray(y).ravel(), guesses, sample_weight)
        sets = _indicators(_as_array(y), len(guesses))
        return share_equal((sets == guesses).all(axis=1), True, sample_weight)

    def _of_second(self, by_class: np.ndarray) -> np.ndarray:
        return by_class if self._has_sets else super()._of_second(by_class)

    @property
    def edges_(self) -> np.ndarray:
        """The pairs of labels with weights, int[edges, 2]."""
        self._check_fitted()
        names = [name for name in self.weight_names if name.startswith("labels ")]
        pairs = [[int(number) for number in re.findall(r"\d+", name)] for name in names]
        return np.array(pairs[::4 if self.pairs == "tables" else 1], int).reshape(-1, 2)

    @property
    def pair_coef_(self) -> np.ndarray:
        """The weights of the pairs, see the class."""
        shape = (len(self.edges_), 2, 2) if self.pairs == "tables" else (len(self.edges_),)
        return self._weight_block(self._column_count() * len(self.classes_), *shape)


def _as_array(y) -> np.ndarray:
    """y as an array. Raises ValueError for lists of numbers or names of labels."""
    if is_sparse(y):
        return y.toarray()
    lists = (list, tuple, set, frozenset)
    has_lists = isinstance(y, (list, tuple)) and any(isinstance(one, lists) for one in y)
    if has_lists and (len({len(one) if isinstance(one, lists) else -1 for one in y}) > 1
                      or any(isinstance(one, (set, frozenset)) for one in y)):
        raise ValueError("y lists the labels of each row; it must be a matrix of 0 and 1, "
                         "[rows, labels]. MultiLabelBinarizer of scikit-learn makes it of sets of "
                         "labels")
    return np.asarray(y)


def _indicators(sets: np.ndarray, count: int) -> np.ndarray:
    """y as int32[rows, labels]. Raises ValueError for other values than 0 and 1."""
    if sets.ndim != 2 or sets.shape[0] != count:
        raise ValueError(f"y has the shape {sets.shape}; it must be ({count}, labels), a matrix of "
                         "0 and 1. MultiLabelBinarizer makes it of sets of labels")
    if sets.dtype.kind not in "biufO" or not np.isin(sets, (0, 1)).all():
        raise ValueError("Unknown label type: y holds other values than 0 and 1; sets of labels "
                         "go through MultiLabelBinarizer, several columns of classes need an "
                         "estimator for each column")
    return sets.astype(np.int32)

"""SequenceTagger: a label for each item of a sequence."""

import numpy as np

from ._attributes import AttributeDictionary, are_attributes
from ._labeller import Labeller
from ._labels import names_of
from ._stacked import Stacked, stacked


class SequenceTagger(Labeller):
    """A chain of labels: a conditional random field or a structural SVM (SVM-hmm).

    C             price of an error of one sequence: solver.C is C * sequences. CRFsuite's c2 is
                  1 / (2 C)
    objective     "svm", or "crf", with probabilities
    order         labels that have weights together: 1: neighbours; 2: three in a row too
    start_end     weights for the label at the beginning and at the end
    loss          "hamming": the number of wrong labels; "zero_one": 1 if any is wrong. Or a
                  section of an experiment as a dict. No effect with objective="crf"
    class_weight  "balanced", or a dict: the price of missing a label, with loss="hamming"
    min_count     attributes that training has less often are left out
    solver        a name, or a section as a dict: {"use": "crf", "method": "sdca", "l1": 0.1}
    The other parameters are those of Multiclass.

    X is a list of sequences, and a sequence is a matrix [length, features], dense or sparse; or a
    list of items, and an item is a dict of attributes or a list of texts, as sklearn-crfsuite
    takes them. y is a list of the labels of each sequence.

    After fit(): classes_, n_features_in_, attributes_ (the names, if X had attributes, else None);
    coef_ [classes, features], intercept_ [classes], transitions_ [classes, classes] from the first
    to the second; start_ and end_ [classes] with start_end.
    """
    _what = "sequence"

    def __init__(self, C=1.0, *, objective="svm", order=1, start_end=False, loss="hamming",
                 class_weight=None, min_count=1, kernel="linear", gamma="scale", degree=3,
                 coef0=0.0, fit_intercept=True, solver=None, relative_gap=1e-3, max_passes=None,
                 max_seconds=None, n_jobs=None, verbose=False):
        self._keep(locals())

    def fit(self, X, y, sample_weight=None) -> "SequenceTagger":
        """X, y: see the class. sample_weight: [sequences]. Returns self. Raises ValueError,
        TypeError and SculptError."""
        rows, numbers, data = self._fit_data(X, y, sample_weight)
        features = {"use": "chain", "bias": bool(self.fit_intercept),
                    "start_end": bool(self.start_end), "order": self.order}
        self._train(data, features, self._loss(numbers), "viterbi", price=len(rows.lengths),
                    matrix=rows.matrix)
        return self

    def _read(self, X, is_fit: bool) -> "tuple[Stacked, dict]":
        if len(X) == 0:
            raise ValueError("X is empty; there must be at least one sequence")
        has_attributes = are_attributes(X)
        if is_fit:
            self._dictionary = AttributeDictionary(X, self.min_count) if has_attributes else None
        if not has_attributes and self._dictionary is not None:
            has_attributes = all(len(sequence) == 0 for sequence in X)
        if has_attributes != (self._dictionary is not None):
            kinds = ("attributes", "matrices") if has_attributes else ("matrices", "attributes")
            raise ValueError(f"X has sequences of {kinds[0]}, but SequenceTagger was fitted with "
                             f"{kinds[1]}")
        if not has_attributes:
            rows = stacked(X, "sequence")
            self._check_width(rows.matrix, is_fit)
            return rows, {}
        rows = Stacked(self._dictionary.rows(X), np.array([len(one) for one in X], np.int64))
        self._check_width(rows.matrix, is_fit)
        return rows, {"features": names_of(self._dictionary.names)} if is_fit else {}

    @property
    def attributes_(self) -> "list[str] | None":
        """The names of the attributes, by their numbers; None if X had matrices."""
        self._check_fitted()
        return None if self._dictionary is None else self._dictionary.names

    @property
    def transitions_(self) -> np.ndarray:
        """The weights of neighbours, float64[classes, classes], from the first to the second."""
        return self._after_nodes(0, 2)

    @property
    def start_(self) -> np.ndarray:
        """The weights of the label at the beginning, float64[classes]."""
        return self._of_ends(0)

    @property
    def end_(self) -> np.ndarray:
        """The weights of the label at the end, float64[classes]."""
        return self._of_ends(1)

    def _of_ends(self, which: int) -> np.ndarray:
        if not self.start_end:
            raise AttributeError("SequenceTagger has weights of ends only with start_end=True")
        count = len(self.classes_)
        return self._after_nodes(count * count + which * count, 1)

    def _after_nodes(self, begin: int, axes: int) -> np.ndarray:
        count = len(self.classes_)
        return self._weight_block(self._column_count() * count + begin, *[count] * axes)

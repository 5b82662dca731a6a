"""Lists of matrices, one for each example, as one matrix; and lists of labels as one array."""

from typing import NamedTuple

import numpy as np

from ..arrays import is_sparse
from ._labels import check_labels, require_labels
from ._rows import matrix_of


class Stacked(NamedTuple):
    """matrix: float64[all rows, features] or CSR. lengths: int64[examples], rows of each."""
    matrix: object
    lengths: np.ndarray

    def split(self, rows: np.ndarray) -> "list[np.ndarray]":
        """An array of all rows as a list of one array for each example."""
        return np.split(rows, np.cumsum(self.lengths)[:-1])


def stacked(X, what: str) -> Stacked:
    """A list of [rows, features], dense or sparse. `what`: how messages call an example.

    Raises ValueError and TypeError, which name the example.
    """
    if len(X) == 0:
        raise ValueError(f"X is empty; there must be at least one {what}")
    matrices = []
    for k, one in enumerate(X):
        given = one if is_sparse(one) else np.asarray(one)
        if len(given.shape) != 2:
            raise ValueError(f"{what} {k} of X has the shape {given.shape}; it must be "
                             "[rows, features]")
        if given.shape[1] != (matrices or [given])[0].shape[1]:
            raise ValueError(f"{what} {k} of X has {given.shape[1]} features, but {what} 0 has "
                             f"{matrices[0].shape[1]}")
        matrices.append(given)
    lengths = np.array([one.shape[0] for one in matrices], np.int64)
    if any(is_sparse(one) for one in matrices):
        from scipy import sparse
        joined = sparse.vstack(matrices, format="csr")
    else:
        joined = np.concatenate(matrices)
    try:
        return Stacked(matrix_of(joined, least_rows=0), lengths)
    except ValueError:
        for k, one in enumerate(matrices):  # says which
            matrix_of(one, f"{what} {k} of X", least_rows=0)
        raise


def check_lengths(y, lengths: np.ndarray, what: str) -> None:
    """Raises ValueError unless y has one item for each row of each example."""
    if len(y) != len(lengths):
        raise ValueError(f"X has {len(lengths)} examples, but y has {len(y)}")
    for k, (labels, length) in enumerate(zip(y, lengths)):
        if len(labels) != length:
            raise ValueError(f"{what} {k} has {length} rows, but {len(labels)} labels in y")


def stacked_labels(y, lengths: np.ndarray, what: str) -> np.ndarray:
    """A list of one label for each row of each example, as one array [all rows]."""
    check_lengths(y, lengths, what)
    for k, one in enumerate(y):
        require_labels(one, f"{what} {k} of y")
    kinds = {one.dtype.kind if isinstance(one, np.ndarray) else "" for one in y}
    if len(kinds) == 1 and kinds.isdisjoint(("", "O")):
        joined = np.concatenate(list(y))
    else:
        labels = [label for one in y for label in one]
        require_labels(labels, "y")
        joined = np.asarray(labels)
    if joined.ndim != 1:
        raise ValueError(f"y must have one label for each row of a {what}, not arrays")
    check_labels(joined)
    return joined


def is_list_of_matrices(X) -> bool:
    """Whether X is a list or tuple whose first item is a matrix."""
    if not isinstance(X, (list, tuple)) or len(X) == 0:
        return False
    return is_sparse(X[0]) or np.ndim(X[0]) == 2

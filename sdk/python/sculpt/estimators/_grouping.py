"""Rows that belong together: documents of a query, rows of a set."""

from typing import NamedTuple

import numpy as np

from ._labels import require_labels


class Grouping(NamedTuple):
    """Groups in the order of their first row.

    order    int[rows], the rows group by group; None if they stand so already
    lengths  int64[groups], the number of rows of each
    """
    order: "np.ndarray | None"
    lengths: np.ndarray

    def sorted(self, rows):
        """Rows or labels, group by group."""
        return rows if self.order is None else rows[self.order]


def grouping_of(groups, row_count: int, name: str = "groups") -> Grouping:
    """The groups of rows that have the same number or text in `groups`, [rows]. They need not
    stand together. None: all rows are one group. Raises ValueError."""
    if groups is None:
        return Grouping(None, np.array([row_count], np.int64))
    require_labels(groups, name)
    given = np.asarray(groups)
    if given.shape != (row_count,):
        raise ValueError(f"{name} has the shape {given.shape}; it must be ({row_count},), one "
                         "number or text for each row of X")
    if given.dtype.kind == "f" and np.isnan(given).any():
        raise ValueError(f"{name} contains NaN at {np.isnan(given).argmax()}; give a number or "
                         "text for each row of X")
    _, first, inverse = np.unique(given, return_index=True, return_inverse=True)
    number = np.argsort(np.argsort(first))[inverse]  # by first appearance
    lengths = np.bincount(number).astype(np.int64)
    if (np.diff(number) >= 0).all():
        return Grouping(None, lengths)
    return Grouping(np.argsort(number, kind="stable"), lengths)

"""Examples that are arrays of the program: rows of inputs, labels, edges.

`Arrays` takes the place of a file of the dataset `arrays` (plugins/arrays/README.md). The host
borrows arrays of the right type and order, and copies nothing.
"""

import ctypes
from ctypes import c_char_p
from typing import NamedTuple

import numpy as np

from ._host import _arguments, _library
from ._host._memory import address, counts_of, edge_arrays, list_of, offsets, owned


def is_sparse(rows) -> bool:
    """Whether rows are a sparse matrix of scipy, or SparseRows."""
    return hasattr(rows, "tocsr")


def _require_csr(matrix) -> None:
    """Raises ValueError unless the offsets fit to the arrays. The host checks the indices."""
    begin, (rows, _) = np.asarray(matrix.indptr), matrix.shape
    if begin.shape != (rows + 1,):
        raise ValueError(f"rows.indptr has the shape {begin.shape}; it must be ({rows + 1},)")
    if begin[0] != 0:
        raise ValueError(f"rows.indptr[0] is {begin[0]}; it must be 0")
    falls = np.flatnonzero(begin[1:] < begin[:-1])
    if falls.size:
        k = int(falls[0])
        raise ValueError(f"rows.indptr[{k + 1}] is {begin[k + 1]}, after {begin[k]}; it must not "
                         "fall")
    for name in ("indices", "data"):
        size = len(getattr(matrix, name))
        if size < begin[-1]:
            raise ValueError(f"rows.{name} has {size} entries, but rows.indptr ends with "
                             f"{begin[-1]}")


class SparseRows(NamedTuple):
    """A CSR matrix without scipy: the entries of row r are [indptr[r], indptr[r + 1]) in indices,
    which rise within a row, and in data."""
    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray
    shape: "tuple[int, int]"
    has_sorted_indices = True
    has_canonical_format = True

    def tocsr(self) -> "SparseRows":
        return self


class Arrays:
    """Examples in memory.

    rows      float64[sites, features], a sparse matrix of scipy, or `SparseRows`. One row is one
              site
    labels    int[sites], numbers of states from 0; -1 is unknown. With label_sets=True it is
              int[examples, labels] of 0 and 1. None: nothing is labelled
    label_sets  True or False: whether `labels` has sets. It does not take the sets themselves
    lengths   int[examples], the number of sites of each example; None: one site each
    edges     a list of int[count, 2] for each example: sites from 0 in that example
    edge_kinds  a list of int[count] for each example, kinds from 0; None: all are of one kind
    weights   float64[examples], how much each counts in training; None: 1 each
    classes, features, label_names, edge_kind_names: names, lists of str

    Borrowed: arrays of the right type (float64 rows, weights and sparse data, int32 labels and
    sparse indices) in C order and aligned, also read-only ones. The object keeps them alive. Do not
    change them while a call uses it: the host checks them at the begin of a call, and indices that
    change later end the process.
    Copied: other orders (Fortran, strided, backwards), unaligned arrays, other byte orders and
    types that fit: float16 to longdouble, integers and bool as rows, any integers as labels.
    Refused with TypeError: complex numbers, objects, texts and times, and fractions as labels. With
    ValueError: wrong shapes and lengths, masked values, offsets of a sparse matrix beyond its
    arrays. The host refuses NaN, infinity and numbers out of range, when it is called.
    """

    def __init__(self, rows, labels=None, *, lengths=None, edges=None, edge_kinds=None,
                 label_sets: bool = False, weights=None, classes=None, features=None,
                 label_names=None, edge_kind_names=None, state_count: "int | None" = None):
        if not isinstance(label_sets, (bool, np.bool_)):
            raise TypeError(f"label_sets is {_arguments.shown(label_sets)}; it must be True or "
                            "False. Give the sets as labels: Arrays(rows, sets, label_sets=True)")
        self._kept = []
        record = _library.MemoryRows()
        self._set_rows(record, rows)
        self._set_lengths(record, lengths)
        if edges is not None:
            self._set_edges(record, edges, edge_kinds)
        elif edge_kinds is not None:
            raise ValueError("edge_kinds needs edges")
        self._set_labels(record, labels, label_sets, classes, state_count)
        if weights is not None:
            record.weight = self._keep(
                owned(weights, np.float64, "weights", (record.example_count,)))
        self._set_names(record, "state_name", classes, record.state_count, "classes")
        self._set_names(record, "feature_name", features, record.feature_count, "features")
        self._set_names(record, "variable_name", label_names, record.variable_count, "label_names")
        self._set_names(record, "edge_kind_name", edge_kind_names, record.edge_kind_count,
                        "edge_kind_names")
        self.record = record

    @classmethod
    def of_sequences(cls, sequences, labels=None, **more) -> "Arrays":
        """Examples from a list of float64[length, features], with a list of int[length]."""
        sequences = [np.asarray(rows) if not is_sparse(rows) else rows for rows in sequences]
        for k, rows in enumerate(sequences):
            if len(rows.shape) != 2:
                raise ValueError(f"sequence {k} has the shape {rows.shape}; it must be "
                                 "[length, features]")
        lengths = [rows.shape[0] for rows in sequences]
        if labels is not None:
            if len(labels) != len(lengths):
                raise ValueError(f"there are {len(lengths)} sequences and {len(labels)} lists of "
                                 "labels")
            for k, (length, of_one) in enumerate(zip(lengths, labels)):
                if len(of_one) != length:
                    raise ValueError(f"sequence {k} has {length} rows and {len(of_one)} labels")
            labels = np.concatenate([np.asarray(one) for one in labels]) if lengths else []
        if any(is_sparse(rows) for rows in sequences):
            from scipy import sparse
            joined = sparse.vstack(sequences, format="csr")
        else:
            joined = np.concatenate(sequences) if sequences else np.empty((0, 0))
        return cls(joined, labels, lengths=lengths, **more)

    def __repr__(self) -> str:
        record = self.record
        parts = [f"{record.example_count} examples",
                 f"rows [{record.site_count}, {record.feature_count}]"]
        if record.row_from:
            parts[-1] += " sparse"
        if not record.label:
            parts.append("no labels")
        elif record.variable_count:
            parts.append(f"sets of {record.variable_count} labels")
        else:
            parts.append(f"labels of {record.state_count} states")
        if record.edge:
            count = record.edge_kind_count
            parts.append("edges" if count == 1 else f"edges of {count} kinds")
        return f"<sculpt.Arrays: {', '.join(parts)}>"

    def __len__(self) -> int:
        return self.record.example_count

    def _keep(self, array: np.ndarray) -> int:
        self._kept.append(array)
        return address(array)

    def _set_rows(self, record, rows) -> None:
        if is_sparse(rows):
            matrix = rows.tocsr()
            _require_csr(matrix)
            if not matrix.has_sorted_indices or not matrix.has_canonical_format:
                matrix = matrix.copy()
                matrix.sum_duplicates()
            record.site_count, record.feature_count = matrix.shape
            record.row_from = self._keep(owned(matrix.indptr, np.int64, "rows.indptr"))
            record.index = self._keep(owned(matrix.indices, np.int32, "rows.indices"))
            record.value = self._keep(owned(matrix.data, np.float64, "rows.data"))
            return
        dense = owned(rows, np.float64, "rows")
        if dense.ndim != 2:
            raise ValueError(f"rows has the shape {dense.shape}; it must be [sites, features]")
        record.site_count, record.feature_count = dense.shape
        record.value = self._keep(dense)

    def _set_lengths(self, record, lengths) -> None:
        if lengths is None:
            record.example_count = record.site_count
            return
        counts = counts_of(lengths, "lengths")
        total = counts.sum(dtype=np.float64)  # int64 may overflow
        if total != record.site_count:
            raise ValueError(f"lengths sum to {total:.0f}, but there are {record.site_count} rows")
        record.example_count = counts.size
        record.first_site = self._keep(offsets(counts))

    def _set_edges(self, record, edges, kinds) -> None:
        first_edge, pairs = edge_arrays(edges, record.example_count)
        record.first_edge, record.edge = self._keep(first_edge), self._keep(pairs)
        record.edge_kind_count = 1
        if kinds is None:
            return
        counts = np.diff(first_edge).tolist()
        of_examples = [owned(one, np.int32, f"edge_kinds[{k}]", (counts[k],)) for k, one in
                       enumerate(list_of(kinds, "edge_kinds", record.example_count))]
        numbers = np.concatenate([np.empty(0, np.int32), *of_examples])
        record.edge_kind = self._keep(numbers)
        record.edge_kind_count = int(numbers.max()) + 1 if numbers.size else 1

    def _set_labels(self, record, labels, label_sets, classes, state_count) -> None:
        if label_sets:
            record.state_count = 2
            if labels is None:
                return
            sets = owned(labels, np.int32, "labels")
            if sets.ndim != 2 or sets.shape[0] != record.example_count:
                raise ValueError(f"labels has the shape {sets.shape}; it must be "
                                 f"({record.example_count}, number of labels)")
            record.variable_count = sets.shape[1]
            record.label = self._keep(sets)
            return
        numbers = None
        if labels is not None:
            numbers = owned(labels, np.int32, "labels", (record.site_count,))
            record.label = self._keep(numbers)
        if state_count is not None:
            record.state_count = _arguments.integer(state_count, "state_count", 0, 2**31 - 1)
        elif classes is not None:
            record.state_count = len(classes)
        elif numbers is not None and numbers.size:
            record.state_count = int(numbers.max()) + 1

    def _set_names(self, record, field, names, count, argument) -> None:
        if names is None:
            return
        if isinstance(names, str):
            raise TypeError(f"{argument} is {names!r}; it must be a list of names")
        if len(names) != count:
            raise ValueError(f"{argument} has {len(names)} names for {count}")
        texts = [_arguments.without_zero(_arguments.utf8(str(name), f"{argument}[{k}]"),
                                         f"{argument}[{k}]") for k, name in enumerate(names)]
        encoded = (c_char_p * len(texts))(*texts)
        self._kept.append(encoded)
        setattr(record, field, ctypes.cast(encoded, ctypes.POINTER(c_char_p)))

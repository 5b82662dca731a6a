"""Examples that are arrays of the program: rows of inputs, labels, edges.

`Arrays` takes the place of a file of the dataset `arrays` (plugins/arrays/README.md). The host
borrows arrays of the right type and order, and copies nothing.
"""

import ctypes
from ctypes import c_char_p

import numpy as np

from . import _library


def _owned(array, dtype, name: str, shape: "tuple | None" = None) -> np.ndarray:
    """The array as C wants it: not copied if it has the type and order already."""
    given = np.asarray(array)
    if given.dtype.kind not in ("biuf" if dtype == np.float64 else "biu"):
        what = "numbers" if dtype == np.float64 else "integers"
        raise TypeError(f"{name} has the type {given.dtype}; it must hold {what}")
    if dtype == np.int32 and given.size and (given.min() < -2**31 or given.max() >= 2**31):
        raise ValueError(f"{name} holds numbers beyond 32 bits")
    if shape is not None and given.shape != shape:
        raise ValueError(f"{name} has the shape {given.shape}; it must be {shape}")
    return np.ascontiguousarray(given, dtype)


def _is_sparse(rows) -> bool:
    return hasattr(rows, "indptr") and hasattr(rows, "tocsr")


def _address(array: "np.ndarray | None") -> "int | None":
    return None if array is None else array.ctypes.data


class Arrays:
    """Examples in memory.

    rows      float64[sites, features], or a sparse matrix of scipy. One row is one site
    labels    int[sites], numbers of states from 0; -1 is unknown. With `label_sets` it is
              int[examples, labels] of 0 and 1. None: nothing is labelled
    lengths   int[examples], the number of sites of each example; None: one site each
    edges     a list of int[count, 2] for each example: sites from 0 in that example
    edge_kinds  a list of int[count] for each example, kinds from 0; None: all are of one kind
    weights   float64[examples], how much each counts in training; None: 1 each
    classes, features, label_names, edge_kind_names: names, lists of str

    The object keeps the arrays. Do not change them while a call uses it.
    """

    def __init__(self, rows, labels=None, *, lengths=None, edges=None, edge_kinds=None,
                 label_sets: bool = False, weights=None, classes=None, features=None,
                 label_names=None, edge_kind_names=None, state_count: "int | None" = None):
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
                _owned(weights, np.float64, "weights", (record.example_count,)))
        self._set_names(record, "state_name", classes, record.state_count, "classes")
        self._set_names(record, "feature_name", features, record.feature_count, "features")
        self._set_names(record, "variable_name", label_names, record.variable_count, "label_names")
        self._set_names(record, "edge_kind_name", edge_kind_names, record.edge_kind_count,
                        "edge_kind_names")
        self.record = record

    @classmethod
    def of_sequences(cls, sequences, labels=None, **more) -> "Arrays":
        """Examples from a list of float64[length, features], with a list of int[length]."""
        sequences = [np.asarray(rows) if not _is_sparse(rows) else rows for rows in sequences]
        for k, rows in enumerate(sequences):
            if len(rows.shape) != 2:
                raise ValueError(f"sequence {k} has the shape {rows.shape}; it must be "
                                 "[length, features]")
        lengths = [rows.shape[0] for rows in sequences]
        if labels is not None:
            for k, (length, of_one) in enumerate(zip(lengths, labels, strict=True)):
                if len(of_one) != length:
                    raise ValueError(f"sequence {k} has {length} rows and {len(of_one)} labels")
            labels = np.concatenate([np.asarray(one) for one in labels]) if lengths else []
        if any(_is_sparse(rows) for rows in sequences):
            from scipy import sparse
            joined = sparse.vstack(sequences, format="csr")
        else:
            joined = np.concatenate(sequences) if sequences else np.empty((0, 0))
        return cls(joined, labels, lengths=lengths, **more)

    def __len__(self) -> int:
        return self.record.example_count

    def _keep(self, array: np.ndarray) -> int:
        self._kept.append(array)
        return _address(array)

    def _set_rows(self, record, rows) -> None:
        if _is_sparse(rows):
            matrix = rows.tocsr()
            if not matrix.has_sorted_indices or not matrix.has_canonical_format:
                matrix = matrix.copy()
                matrix.sum_duplicates()
            record.site_count, record.feature_count = matrix.shape
            record.row_from = self._keep(_owned(matrix.indptr, np.int64, "indptr"))
            record.index = self._keep(_owned(matrix.indices, np.int32, "indices"))
            record.value = self._keep(_owned(matrix.data, np.float64, "data"))
            return
        dense = _owned(rows, np.float64, "rows")
        if dense.ndim != 2:
            raise ValueError(f"rows has the shape {dense.shape}; it must be [sites, features]")
        record.site_count, record.feature_count = dense.shape
        record.value = self._keep(dense)

    def _set_lengths(self, record, lengths) -> None:
        if lengths is None:
            record.example_count = record.site_count
            return
        counts = _owned(lengths, np.int64, "lengths")
        if counts.ndim != 1 or (counts.size and counts.min() < 0):
            raise ValueError("lengths must be one number for each example, none below 0")
        if counts.sum() != record.site_count:
            raise ValueError(f"lengths sum to {counts.sum()}, but there are {record.site_count} rows")
        record.example_count = counts.size
        record.first_site = self._keep(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))

    def _set_edges(self, record, edges, kinds) -> None:
        if len(edges) != record.example_count:
            raise ValueError(f"edges has {len(edges)} items for {record.example_count} examples")
        pairs = [np.asarray(one, dtype=np.int64).reshape(-1, 2) for one in edges]
        counts = np.array([len(one) for one in pairs], dtype=np.int64)
        record.first_edge = self._keep(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
        joined = np.concatenate(pairs) if pairs else np.empty((0, 2))
        record.edge = self._keep(_owned(joined, np.int32, "edges") if joined.size
                                 else np.empty((0, 2), np.int32))
        record.edge_kind_count = 1
        if kinds is None:
            return
        flat = np.concatenate([np.asarray(one) for one in kinds]) if len(kinds) else np.empty(0, int)
        numbers = _owned(flat, np.int32, "edge_kinds", (int(counts.sum()),))
        record.edge_kind = self._keep(numbers)
        record.edge_kind_count = int(numbers.max()) + 1 if numbers.size else 1

    def _set_labels(self, record, labels, label_sets, classes, state_count) -> None:
        if label_sets:
            record.state_count = 2
            if labels is None:
                return
            sets = _owned(labels, np.int32, "labels")
            if sets.ndim != 2 or sets.shape[0] != record.example_count:
                raise ValueError(f"labels has the shape {sets.shape}; it must be "
                                 f"({record.example_count}, number of labels)")
            record.variable_count = sets.shape[1]
            record.label = self._keep(sets)
            return
        numbers = None
        if labels is not None:
            numbers = _owned(labels, np.int32, "labels", (record.site_count,))
            record.label = self._keep(numbers)
        if state_count is not None:
            record.state_count = state_count
        elif classes is not None:
            record.state_count = len(classes)
        elif numbers is not None and numbers.size:
            record.state_count = int(numbers.max()) + 1

    def _set_names(self, record, field, names, count, argument) -> None:
        if names is None:
            return
        if len(names) != count:
            raise ValueError(f"{argument} has {len(names)} names for {count}")
        encoded = (c_char_p * len(names))(*[str(name).encode() for name in names])
        self._kept.append(encoded)
        setattr(record, field, ctypes.cast(encoded, ctypes.POINTER(c_char_p)))

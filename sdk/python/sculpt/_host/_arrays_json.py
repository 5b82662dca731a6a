"""`Arrays` as an experiment has them in JSON, for processes that cannot borrow them."""

import ctypes

import numpy as np

from ..arrays import Arrays

_COUNTS = ("state_count", "feature_count", "variable_count", "edge_kind_count")
_NAMES = {"state_name": "state_count", "feature_name": "feature_count",
          "variable_name": "variable_count", "edge_kind_name": "edge_kind_count"}


def number_count(arrays: Arrays) -> int:
    """How many numbers the rows have."""
    record = arrays.record
    if record.row_from is None:
        return record.site_count * record.feature_count
    return int(_array(record, "row_from", np.int64, record.site_count + 1)[-1])


def arrays_json(arrays: Arrays) -> dict:
    """The object "arrays" of a split (plugins/arrays/README.md), the same to the last bit."""
    record, numbers = arrays.record, number_count(arrays)
    edge_from = _array(record, "first_edge", np.int64, record.example_count + 1)
    edges = 0 if edge_from is None else int(edge_from[-1])
    labels = record.variable_count * record.example_count or record.site_count
    sizes = {"first_site": (np.int64, record.example_count + 1),
             "row_from": (np.int64, record.site_count + 1),
             "index": (np.int32, numbers),
             "value": (np.float64, numbers),
             "first_edge": (np.int64, record.example_count + 1),
             "edge": (np.int32, 2 * edges),
             "edge_kind": (np.int32, edges),
             "label": (np.int32, labels),
             "weight": (np.float64, record.example_count)}
    found = {key: getattr(record, key) for key in _COUNTS if getattr(record, key) != 0}
    for key, (dtype, size) in sizes.items():
        array = _array(record, key, dtype, size)
        if array is not None:
            found[key] = array.tolist()
    for key, count in _NAMES.items():
        names = getattr(record, key)
        if names:
            found[key] = [name.decode() for name in names[:getattr(record, count)]]
    return found


def _array(record, key: str, dtype, size: int) -> "np.ndarray | None":
    """A copy of an array of the record, or None."""
    address = getattr(record, key)
    if address is None:
        return None
    return np.frombuffer(ctypes.string_at(address, size * np.dtype(dtype).itemsize), dtype)

"""Items with attributes, as CRFsuite takes them, as sparse rows.

    {"word": "Rome", "is_title": True, "size": 4}    word:Rome = 1, is_title = 1, size = 4
    ["word:Rome", "is_title"]                        each is 1
    {"next": {"word": "the"}, "tags": ["a", "b"]}    next:word:the = 1, tags:a = 1, tags:b = 1
"""

import itertools

import numpy as np

from ..arrays import SparseRows


def are_attributes(X) -> bool:
    """Whether the items of a list of sequences have attributes, and not numbers."""
    for sequence in X:
        if not isinstance(sequence, (list, tuple)):
            return False
        for item in sequence:
            if isinstance(item, dict):
                return True
            is_listing = isinstance(item, (list, tuple, set, frozenset))
            if not is_listing or len(item) > 0:
                return is_listing and isinstance(next(iter(item)), str)
    return False


def pairs_of(item, place: str) -> "list[tuple[str, float]]":
    """The attributes of an item with their values. `place`: "item 2 of sequence 0 of X"."""
    if isinstance(item, dict):
        found = []
        for key, value in item.items():
            if isinstance(value, str):
                found.append((f"{key}:{value}", 1.0))
            elif isinstance(value, (dict, list, tuple, set, frozenset)):
                found.extend((f"{key}:{name}", inner) for name, inner in pairs_of(value, place))
            else:
                found.append((_text(key, place), _number(value, key, place)))
        return found
    if isinstance(item, (set, frozenset)):
        item = sorted(item)  # whatever the hashes of this process
    if not isinstance(item, (list, tuple)):
        raise TypeError(f"{place} is a {type(item).__name__}; it must be a dict of attributes or "
                        "a list of texts")
    return [(_text(name, place), 1.0) for name in item]


class AttributeDictionary:
    """The numbers of the attributes of training, by first appearance.

    names   list of str
    """

    def __init__(self, X, least_count: int = 1):
        """Learns from a list of sequences. `least_count`: rarer attributes are left out."""
        counts = {}
        for pairs in _pairs(X):
            for name, _ in pairs:
                counts[name] = counts.get(name, 0) + 1
        self.names = [name for name, count in counts.items() if count >= least_count]
        if not self.names:
            raise ValueError("X has 0 attributes"
                             + (f" that occur {least_count} times" if least_count > 1 else "")
                             + " while a minimum of 1 is required")
        self._number = {name: k for k, name in enumerate(self.names)}

    def rows(self, X) -> SparseRows:
        """The items of all sequences, one row each. Unknown attributes are left out; the values
        of one that an item repeats are added."""
        row, index, value = [], [], []
        number = self._number
        count = 0
        for pairs in _pairs(X):
            for name, amount in pairs:
                k = number.get(name)
                if k is not None and amount != 0:
                    row.append(count)
                    index.append(k)
                    value.append(amount)
            count += 1
        return _merged(np.array(row, np.int64), np.array(index, np.int64),
                       np.array(value, np.float64), (count, len(self.names)))


def _pairs(X):
    """The attributes of each item, all sequences one behind the other."""
    return itertools.chain.from_iterable(
        (pairs_of(item, f"item {t} of sequence {k} of X") for t, item in enumerate(sequence))
        for k, sequence in enumerate(X))


def _merged(row, index, value, shape) -> SparseRows:
    """Rows of entries in any order within a row."""
    cell = row * shape[1] + index
    order = np.argsort(cell, kind="stable")
    cell = cell[order]
    first = np.flatnonzero(np.diff(cell, prepend=-1))
    sums = np.add.reduceat(value[order], first) if cell.size else value
    cell = cell[first]
    row_from = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(np.bincount(cell // shape[1], minlength=shape[0]), out=row_from[1:])
    return SparseRows(row_from, (cell % shape[1]).astype(np.int32), sums, shape)


def _text(name, place: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{place} has the attribute {name!r}; attributes are texts")
    return name


def _number(value, name: str, place: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{place} has the value {value!r} for {name!r}; it must be a number, a "
                        "text, or attributes") from error
    if not np.isfinite(number):
        what = "NaN" if np.isnan(number) else "infinity (inf)"
        raise ValueError(f"{place} contains {what} for {name!r}; give finite numbers")
    return number

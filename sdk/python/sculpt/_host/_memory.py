"""Arrays as C borrows them, and arrays of C as copies."""

import ctypes

import numpy as np


def owned(array, dtype, name: str, shape: "tuple | None" = None) -> np.ndarray:
    """The array as C wants it: not copied if it has the type, order and alignment already. Raises
    TypeError and ValueError, which name the argument."""
    if (type(array) is np.ndarray and array.dtype == dtype != np.int32 and array.flags.carray
            and shape in (None, array.shape)):
        return array
    if np.ma.is_masked(array):
        raise ValueError(f"{name} has masked values; fill them, as by numpy.ma.filled()")
    try:
        given = np.asarray(array)
    except ValueError as error:  # rows of several lengths
        raise ValueError(f"{name} is no array: {error}") from None
    is_real = dtype == np.float64
    is_empty_list = given.size == 0 and not isinstance(array, np.ndarray)
    if given.dtype.kind not in ("biuf" if is_real else "biu") and not is_empty_list:
        what = "numbers" if is_real else "integers"
        raise TypeError(f"{name} has the type {given.dtype}; it must hold {what}")
    if shape is not None and given.shape != shape:
        raise ValueError(f"{name} has the shape {given.shape}; it must be {shape}")
    if dtype == np.int32 and given.size and (given.min() < -2**31 or given.max() >= 2**31 - 1):
        raise ValueError(f"{name} holds numbers beyond 32 bits")
    return np.require(given, dtype, ["C", "ALIGNED"])


def address(array: "np.ndarray | None") -> "int | None":
    """Where the array begins. Its caller keeps it alive."""
    return None if array is None else array.__array_interface__["data"][0]


def copied(begin: "int | None", count: int, dtype) -> np.ndarray:
    """A copy of `count` values of C, which the user may change."""
    if not begin or count == 0:
        return np.empty(0, dtype)
    values = np.empty(count, dtype)
    ctypes.memmove(address(values), begin, values.nbytes)
    return values


def counts_of(numbers, name: str) -> np.ndarray:
    """int64[examples], none below 0. Raises ValueError."""
    counts = owned(numbers, np.int64, name)
    if counts.ndim != 1 or (counts.size and counts.min() < 0):
        raise ValueError(f"{name} must be one number for each example, none below 0")
    return counts


def offsets(counts) -> np.ndarray:
    """int64[examples + 1]: where each example begins, and the end."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def list_of(items, name: str, count: int):
    """`items`, one for each example. Raises TypeError, ValueError."""
    try:
        size = len(items)
    except TypeError:
        raise TypeError(f"{name} must be a list with one array for each example") from None
    if size != count:
        raise ValueError(f"{name} has {size} items for {count} examples")
    return items


def edge_pairs(array, example: int) -> np.ndarray:
    """int32 or int64[count, 2]; [] is no edge."""
    if not (isinstance(array, np.ndarray) and array.dtype in (np.int32, np.int64)):
        array = owned(array, np.int32, f"edges[{example}]")
    if array.size == 0:
        return np.empty((0, 2), np.int32)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"edges[{example}] has the shape {array.shape}; it must be [count, 2]")
    return array


def edge_arrays(edges, examples: int) -> "tuple[np.ndarray, np.ndarray]":
    """int64[examples + 1], where the edges of each example begin, and int32[all edges, 2]."""
    pairs = [edge_pairs(one, k) for k, one in enumerate(list_of(edges, "edges", examples))]
    joined = np.concatenate([np.empty((0, 2), np.int32), *pairs])
    return offsets([len(one) for one in pairs]), owned(joined, np.int32, "edges")

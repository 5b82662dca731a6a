"""Memory that the host lends for a call, as numpy arrays, and what a task gives back.

Arrays of lent memory are no copies, and read-only. They are valid until the call returns: a task
copies what it keeps. A truth of a few labels in a query is a copy, which costs 0.2 us, because
tasks keep it by mistake. Copies for features() and loss() would cost 0.5 us an oracle call. An
array is made once for each address and size and then found again, because making one costs as much
as a small oracle call (about 1 us; numpy.ctypeslib.as_array takes 5 us).
"""

import ctypes
import struct
from typing import NamedTuple

import numpy

from . import _abi
from ._errors import HostError

_MAX_KEPT = 4096
_MOST_COPIED = 64  # labels
_LARGEST = 2**31 - 1

# The fields of a struct as plain numbers, by one call of unpack. tests/python/abi_test.py compares
# their sizes with those of the structs.
_QUERY = struct.Struct("<IIqQQqQQqd")
_ANSWER = struct.Struct("<IIQqqQdd")


class FlatAccumulator(ctypes.Structure):
    """sculpt_accumulator with its pointers as numbers."""
    _fields_ = [("index", ctypes.c_uint64), ("value", ctypes.c_uint64), ("size", ctypes.c_int64),
                ("capacity", ctypes.c_int64), ("dimension", ctypes.c_int64),
                ("grow", ctypes.c_uint64), ("dense", ctypes.c_uint64)]


class FlatAnswer(ctypes.Structure):
    """sculpt_answer with its pointers as numbers and its label buffer as its own fields."""
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("data", ctypes.c_uint64), ("size", ctypes.c_int64), ("capacity", ctypes.c_int64),
                ("grow", ctypes.c_uint64), ("value", ctypes.c_double), ("bound", ctypes.c_double)]


_LABELS_IN_ANSWER = FlatAnswer.data.offset


class _Kept(dict):
    """kept[address, size]: what `make` gives for them, kept until there are too many."""

    def __init__(self, make):
        super().__init__()
        self._make = make

    def __missing__(self, key: tuple[int, int]):
        if len(self) >= _MAX_KEPT:
            self.clear()
        found = self[key] = self._make(*key)
        return found


def array_maker(item: type, is_read_only: bool):
    """A function of an address and a size that makes an array of memory of the host."""
    dtype = numpy.dtype(item)

    def make(address: int, size: int) -> numpy.ndarray:
        if size == 0:
            return numpy.zeros(0, dtype)
        array = numpy.frombuffer((item * size).from_address(address), dtype)
        if is_read_only:
            array.flags.writeable = False
        return array

    return make


read_labels = _Kept(array_maker(ctypes.c_int32, True))
read_reals = _Kept(array_maker(ctypes.c_double, True))
write_labels = _Kept(array_maker(ctypes.c_int32, False))
write_reals = _Kept(array_maker(ctypes.c_double, False))


def matrix(address: int, rows: int, columns: int) -> numpy.ndarray:
    """float64[rows, columns] of the host, to write to."""
    if rows * columns == 0:
        return numpy.empty((rows, columns))
    return write_reals[address, rows * columns].reshape(rows, columns)


_query_bytes = _Kept(lambda address, size: (ctypes.c_char * size).from_address(address))
_answers = _Kept(lambda address, _: FlatAnswer.from_address(address))
accumulator = _Kept(lambda address, _: FlatAccumulator.from_address(address))


def forget():
    """Forgets all arrays of lent memory: a component has ended."""
    for kept in (read_labels, read_reals, write_labels, write_reals, _query_bytes, _answers,
                 accumulator, _answer_bytes, _label_bytes):
        kept.clear()


_frombuffer, _INT32 = numpy.frombuffer, numpy.dtype(numpy.int32)


def truth_at(address: int, size: int) -> numpy.ndarray:
    """int32[size], read-only. A copy if it is small."""
    view = read_labels[address, size]
    return _frombuffer(view.tobytes(), _INT32) if 0 < size <= _MOST_COPIED else view


def labels_of(labels: _abi.Labels):
    """int32[size], or None if the example is unlabelled."""
    data = labels.data
    return None if not data else read_labels[data, labels.size]


def label_list(address: int, count: int) -> list:
    """int32[size] of each of the sculpt_labels at this address."""
    fields = memoryview(ctypes.string_at(address, 16 * count)).cast("q").tolist()
    return [read_labels[data, size] for data, size in zip(fields[::2], fields[1::2])]


class Query(NamedTuple):
    """The question of an oracle: the best y of <w, psi(x, y)> + loss_weight * Delta(truth, y).

    example      the number of the example
    weights      w, float64[dimension], read-only
    truth        the true output, int32[...], or None in prediction
    loss_weight  0 if the scores alone decide, else > 0
    seed         for random numbers; depends on the run, the pass and the example
    """
    example: int
    weights: numpy.ndarray
    truth: numpy.ndarray | None
    loss_weight: float
    seed: int


_new = tuple.__new__  # a third of the time of Query()


def read_query(address: int) -> Query:
    (_, _, example, seed, weights, dimension, _, truth, truth_size,
     loss_weight) = _QUERY.unpack(_query_bytes[address, _QUERY.size])
    return _new(Query, (example, read_reals[weights, dimension],
                        truth_at(truth, truth_size) if truth else None, loss_weight, seed))


def read_queries(addresses: list[int]) -> list[Query]:
    """read_query() of queries with the same weights and loss_weight. Their structs are mostly at
    new addresses, so one view has them all. What lies between them is not read."""
    first, unpack, begin = read_query(addresses[0]), _QUERY.unpack_from, min(addresses)
    view = (ctypes.c_char * (max(addresses) - begin + _QUERY.size)).from_address(begin)
    weights, loss_weight, queries = first.weights, first.loss_weight, []
    for address in addresses:
        _, _, example, seed, _, _, _, truth, truth_size, _ = unpack(view, address - begin)
        queries.append(_new(Query, (
            example, weights, truth_at(truth, truth_size) if truth else None, loss_weight, seed)))
    return queries


def stamp_of(address: int) -> int:
    """The version number of the weights of a query: equal stamps mean equal weights."""
    return _QUERY.unpack(_query_bytes[address, _QUERY.size])[6]


def _grow(function: int, buffer: int, capacity: int):
    _raise_unless_ok(_abi.GROW(function)(buffer, capacity))


def write_answer(address: int, labels, value: float, bound, flags: int):
    """Fills a sculpt_answer. `labels`: int32[...], None without an output. `bound` may be None."""
    answer = _answers[address, 0]
    if labels is not None:
        size = labels.size
        if size > answer.capacity:
            _grow(answer.grow, address + _LABELS_IN_ANSWER, size)
        answer.size = size
        if size:
            write_labels[answer.data, size][:] = labels
    if bound is not None:
        answer.bound = bound
        flags |= _abi.ANSWER_BOUND
    answer.value = value
    answer.flags = flags


_PACKERS = [struct.Struct(f"={size}i") for size in range(_MOST_COPIED + 1)]


def packed(found) -> "tuple[bytes, float] | None":
    """The labels, as int32, and the value of what argmax() returned, if it is a pair of a list of a
    few integers or int32[n] and a float, as most oracles return. None: something else, or wrong."""
    if type(found) is not tuple or len(found) != 2:
        return None
    labels, value = found
    if not isinstance(value, float):
        return None
    if type(labels) is list:
        try:  # no number is rounded
            return _PACKERS[len(labels)].pack(*labels), value
        except (IndexError, struct.error):
            return None
    if type(labels) is numpy.ndarray and labels.dtype is _INT32 and labels.ndim == 1:
        return labels.tobytes(), value
    return None


_answer_bytes = _Kept(lambda address, size: (ctypes.c_char * size).from_address(address))
_label_bytes = _Kept(lambda address, size: memoryview(
    (ctypes.c_char * size).from_address(address)).cast("B"))


def write_packed(address: int, labels: bytes, value: float):
    """Fills a sculpt_answer with what packed() gave: it is exact."""
    kept = _answer_bytes[address, _ANSWER.size]
    struct_size, _, data, _, capacity, grow, _, bound = _ANSWER.unpack(kept)
    size = len(labels) >> 2
    if size > capacity:
        _grow(grow, address + _LABELS_IN_ANSWER, size)
        return write_packed(address, labels, value)
    if size:
        _label_bytes[data, len(labels)][:] = labels
    _ANSWER.pack_into(kept, 0, struct_size, _abi.ANSWER_EXACT, data, size, capacity, grow, value,
                      bound)


def write_label_buffer(address: int, labels):
    buffer = _abi.LabelBuffer.from_address(address)
    if labels.size > buffer.capacity:
        _raise_unless_ok(buffer.grow(address, labels.size))
    buffer.size = labels.size
    if labels.size:
        write_labels[buffer.data, labels.size][:] = labels


def append_bytes(address: int, data: bytes):
    """Appends to a sculpt_byte_buffer."""
    buffer = _abi.ByteBuffer.from_address(address)
    size = buffer.size
    if len(data) > buffer.capacity - size:
        _raise_unless_ok(buffer.grow(address, size + len(data)))
    ctypes.memmove(buffer.data + size, data, len(data))
    buffer.size = size + len(data)


_addressof, _byte_of = ctypes.addressof, ctypes.c_char.from_buffer


def _raise_unless_ok(status: int):
    if status != _abi.OK:
        raise HostError(status, "")


def nonzero(psi: numpy.ndarray) -> tuple:
    """The indices and values of the entries of float64[dimension] that are not 0."""
    index = (psi != 0).nonzero()[0]  # five times as fast as psi.nonzero()
    return index, psi.take(index)


def add_dense(address: int, sum_: FlatAccumulator, psi: numpy.ndarray, scale: float):
    """sum += scale * psi, for psi float64[dimension]. `sum_`: the accumulator at the address."""
    if sum_.dense:
        whole = write_reals[sum_.dense, sum_.dimension]
        whole += psi if scale == 1 else scale * psi
        return
    _append_entries(address, sum_, *nonzero(psi), scale)


def dense_adder(service: int | None):
    """add_dense(), by the service "sum" of the host if it has one: a fifth of the time. `service`:
    the address of its table, or None."""
    if not service:
        return add_dense
    add = _abi.HostSum.from_address(service).add

    def add_by_host(address: int, _, psi: numpy.ndarray, scale: float):
        # The address of the array: ctypes.data takes four times as long.
        if psi.flags.carray and psi.size:
            data = _addressof(_byte_of(psi))
        else:
            psi = numpy.require(psi, requirements="CA")
            data = psi.ctypes.data
        _raise_unless_ok(add(address, scale, data))

    return add_by_host


def add_sparse(address: int, sum_: FlatAccumulator, index, value, scale: float):
    """The same for integers [n] in [0, dimension) and numbers [n]. Indices may repeat."""
    if sum_.dense:
        numpy.add.at(write_reals[sum_.dense, sum_.dimension], index, scale * value)
    else:
        _append_entries(address, sum_, index, value, scale)


def _append_entries(address: int, sum_: FlatAccumulator, index, value, scale: float):
    count = index.size
    if count == 0:
        return
    if sum_.size + count > sum_.capacity:
        _grow(sum_.grow, address, sum_.size + count)  # it merges entries
    begin, capacity = sum_.size, sum_.capacity
    end = sum_.size = begin + count
    # The arrays of the whole list are found again. Those of its parts would be made anew.
    write_labels[sum_.index, capacity][begin:end] = index
    write_reals[sum_.value, capacity][begin:end] = value if scale == 1 else scale * value


def write_error(address, text: str):
    """Fills a sculpt_error, whole if it can grow, else cut between characters."""
    if not address:
        return
    data = text.replace("\0", "?").encode("utf-8", "replace")
    error = _abi.Error.from_address(address)
    if len(data) >= error.capacity and error.grow:
        error.grow(address, len(data) + 1)
    if not error.text or error.capacity <= 0:
        return
    if len(data) >= error.capacity:
        data = data[:error.capacity - 1].decode("utf-8", "ignore").encode()
    ctypes.memmove(error.text, data + b"\0", len(data) + 1)


class ErrorText:
    """A sculpt_error of Python's, for calls into the host."""

    def __init__(self):
        self._buffer = ctypes.create_string_buffer(4096)
        self.raw = _abi.Error(ctypes.addressof(self._buffer), 4096, _abi.GROW(0))

    def raise_unless_ok(self, status: int):
        if status != _abi.OK:
            raise HostError(status, self._buffer.value.decode("utf-8", "replace"))

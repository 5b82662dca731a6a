"""A live kernel: the rows of the dataset as `Row`, and the calls of the host on the user's class.

The host numbers the rows of all examples: these are atoms. A model keeps the rows of its support
atoms as bytes, so that it predicts without the training data.
"""

import ctypes
import struct
import zlib

import numpy

from . import _abi, _lent, _results
from ._errors import DataError, ParameterError, ResultError, UnsupportedError
from ._instance import Instance

# Not kept by their addresses, as arrays that are lent for a call are.
_read_offsets, _read_columns, _read_values = (
    _lent.array_maker(item, True) for item in (ctypes.c_int64, ctypes.c_int32, ctypes.c_double))

_HEAD = struct.Struct("<Iq")  # CRC-32 of the rest, and how many values of a row are not 0


class Row:
    """A row of the dataset: what a kernel compares.

    index  int32[n], increasing: the columns whose values are not 0
    value  float64[n]
    width  the number of columns, the same for all rows

    Of texts, `value` has the codes of the symbols, in their order.
    """
    __slots__ = ("index", "value", "width")

    def __init__(self, index: numpy.ndarray, value: numpy.ndarray, width: int):
        self.index, self.value, self.width = index, value, width

    @property
    def dense(self) -> numpy.ndarray:
        """float64[width], made anew by each use."""
        dense = numpy.zeros(self.width)
        dense[self.index] = self.value
        return dense

    def __len__(self) -> int:
        return self.index.size

    def to_bytes(self) -> bytes:
        body = self.index.astype("<i4").tobytes() + self.value.astype("<f8").tobytes()
        return _HEAD.pack(zlib.crc32(body), self.index.size) + body

    @classmethod
    def from_bytes(cls, data: bytes) -> "Row":
        """A row whose width only goes to its last value. ValueError if the bytes are damaged."""
        if len(data) < _HEAD.size:
            raise ValueError("its bytes are too few")
        checksum, size = _HEAD.unpack_from(data)
        if size < 0 or len(data) != _HEAD.size + 12 * size:
            raise ValueError("its bytes do not fit its size")
        if zlib.crc32(data[_HEAD.size:]) != checksum:
            raise ValueError("its checksum is wrong")
        index = numpy.frombuffer(data, "<i4", size, _HEAD.size).astype(numpy.int32)
        value = numpy.frombuffer(data, "<f8", size, _HEAD.size + 4 * size).astype(numpy.float64)
        if size and (index[0] < 0 or (numpy.diff(index) <= 0).any()):
            raise ValueError("its columns are not in order")
        if not numpy.isfinite(value).all():
            raise ValueError("it has values that are not finite")
        return cls(index, value, int(index[-1]) + 1 if size else 0)


class Kernel:
    """The kernel of a task class, over the rows of a dataset and the kept rows of a model."""

    def __init__(self, instance: Instance):
        self._instance = instance
        self._has_rows = instance.has("kernel_rows")
        self._rows: list[Row] = []
        self._kept: list[Row] = []

    def claims(self) -> int:
        positive = getattr(self._instance.task, "positive", False)
        if not isinstance(positive, bool):
            raise ParameterError(f"{self._instance.where('positive')} is "
                                 f"{_results.shown(positive)}; it must be True or False")
        return _abi.KERNEL_POSITIVE if positive else 0

    def bind(self, dataset: _abi.Ref):
        self._rows = _rows_of(dataset)
        width = max((row.width for part in (self._rows, self._kept) for row in part), default=0)
        for part in (self._rows, self._kept):  # new texts may be shorter than those of the model
            for row in part:
                row.width = width

    def keep(self, data: bytes, begins: "list[int]"):
        """Takes the rows of a model: row k has the bytes [begins[k], begins[k + 1])."""
        for atom, (begin, end) in enumerate(zip(begins, begins[1:])):
            try:
                self._kept.append(Row.from_bytes(data[begin:end]))
            except ValueError as error:
                raise DataError(f"atom {atom} of the model is damaged: {error}") from None

    def write_atom(self, atom: int) -> bytes:
        return self._rows[atom].to_bytes()

    def fill(self, atoms, others, out: numpy.ndarray):
        """out[atoms][others] = k between rows of the dataset."""
        self._values([self._rows[a] for a in atoms], [self._rows[b] for b in others], out)

    def fill_kept(self, atoms, begin: int, end: int, out: numpy.ndarray):
        """out[atoms][end - begin] = k between rows of the dataset and kept ones."""
        self._values([self._rows[a] for a in atoms], self._kept[begin:end], out)

    def fill_diagonal(self, atoms, out: numpy.ndarray):
        for k, atom in enumerate(atoms):
            row = [self._rows[atom]]
            self._values(row, row, out[k:k + 1].reshape(1, 1))

    def _values(self, rows: "list[Row]", others: "list[Row]", out: numpy.ndarray):
        if not out.size:
            return
        if self._has_rows:
            self._instance.activity = "kernel_rows"
            found = self._instance.task.kernel_rows(rows, others)
            found = numpy.asarray(found) if isinstance(found, list) else found
            if not isinstance(found, numpy.ndarray) or found.shape != out.shape or (
                    found.dtype.kind not in "fiub"):
                raise ResultError(f"returned {_results.shown(found)}; it must return float64"
                                  f"[{out.shape[0]},{out.shape[1]}]: a row of values for each row")
            out[:] = found
        else:
            self._instance.activity = "kernel"
            kernel = self._instance.task.kernel
            out[:] = [[_results.real(kernel(row, other)) for other in others] for row in rows]
        if not numpy.isfinite(out).all():
            raise ResultError(f"returned {out[~numpy.isfinite(out)][0]}; values of a kernel must "
                              "be finite")


def _rows_of(dataset: _abi.Ref) -> "list[Row]":
    """The rows of all examples. They are memory of the dataset, which outlives its kernel."""
    component = _abi.Component.from_address(dataset.component)
    table = component.life.contents.extension(dataset.self, _abi.SitesTable.ID)
    if not table:
        name = component.id.decode()
        raise UnsupportedError(f"{name} has no rows that a kernel could compare; use a dataset of "
                               "rows or sequences, such as svmlight, texts, conll or arrays")
    sites_of = _abi.SitesTable.from_address(table)
    error = _lent.ErrorText()
    text = ctypes.addressof(error.raw)
    shape = _abi.SitesShape(struct_size=ctypes.sizeof(_abi.SitesShape))
    error.raise_unless_ok(sites_of.shape(dataset.self, ctypes.byref(shape), text))
    count = ctypes.c_int64()
    api = _abi.DatasetApi.from_address(component.api)
    error.raise_unless_ok(api.count(dataset.self, ctypes.byref(count), text))
    rows = []
    sites = _abi.Sites(struct_size=ctypes.sizeof(_abi.Sites))
    for example in range(count.value):
        error.raise_unless_ok(sites_of.sites(dataset.self, example, ctypes.byref(sites), text))
        rows += _rows_of_example(sites, shape.feature_count)
    return rows


def _rows_of_example(sites: _abi.Sites, width: int) -> "list[Row]":
    begins = _read_offsets(sites.row_from, sites.site_count + 1).tolist()
    first, last = begins[0], begins[-1]
    index = _read_columns(sites.index and sites.index + 4 * first, last - first)
    value = _read_values(sites.value and sites.value + 8 * first, last - first)
    return [Row(index[begin - first:end - first], value[begin - first:end - first], width)
            for begin, end in zip(begins, begins[1:])]

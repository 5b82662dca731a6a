"""What methods of tasks return, checked and as arrays. Errors say what came and what must come."""

import numbers
from array import array as Packed

import numpy

from ._errors import ResultError

_INT32 = numpy.dtype(numpy.int32)
_FLOAT64 = numpy.dtype(numpy.float64)
_NONE = numpy.zeros(0, _INT32)


def shown(value) -> str:
    """ "float64[3]", "None" or "a list": what a value is, for messages."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        shape = ",".join(map(str, value.shape))
        return f"{value.dtype}[{shape}]" if shape else f"{value.dtype}"
    if value is None:
        return "None"
    if isinstance(value, (bool, int, float, str)):
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "..."
    return type(value).__name__


def labels(value, wanted: str = "int32 labels") -> numpy.ndarray:
    """int32[...], contiguous: an output. A single integer is an output of one label."""
    if type(value) is numpy.ndarray and value.dtype == _INT32 and value.ndim == 1:
        return value if value.flags.c_contiguous else value.copy()
    array = value
    if type(value) is list or type(value) is tuple:
        try:  # a fifth of the time of numpy.array, and no number is rounded
            packed = Packed("i", value)
            return numpy.frombuffer(packed, _INT32) if packed else _NONE
        except (TypeError, OverflowError):
            array = numpy.array(value)
    elif isinstance(value, numbers.Integral) and not isinstance(value, bool):
        if not -(2**31) <= value < 2**31:
            raise ResultError("returned a label beyond the range of int32")
        return numpy.array((value,), _INT32)
    if not isinstance(array, numpy.ndarray) or array.ndim > 1 or array.dtype.kind not in "iub":
        if isinstance(array, numpy.ndarray) and array.dtype.kind == "O" and array.ndim == 1 and (
                all(isinstance(item, numbers.Integral) for item in array)):
            raise ResultError("returned a label beyond the range of int32")
        found = array if isinstance(value, (list, tuple)) else value
        raise ResultError(f"returned {shown(found)}; it must return {wanted}")
    flat = array.reshape(-1)
    cast = flat.astype(_INT32)
    # Lists of a few labels compare in a tenth of the time.
    if cast.tolist() != flat.tolist() if flat.size <= 64 else (cast != flat).any():
        raise ResultError("returned a label beyond the range of int32")
    return cast


def real(value, wanted: str = "a number") -> float:
    """A number of Python or numpy as float."""
    if isinstance(value, float) or type(value) is int:  # numpy.float64 is a float
        return float(value)
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return float(value)
    raise ResultError(f"returned {shown(value)}; it must return {wanted}")


def loss(value) -> float:
    """A number as float. True is 1, so that a loss may be `truth[0] != guess[0]`."""
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        value = value[()]
    return float(value) if isinstance(value, (bool, numpy.bool_)) else real(value)


def integer(value, wanted: str = "an integer") -> int:
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return int(value)
    raise ResultError(f"returned {shown(value)}; it must return {wanted}")


def features(value, dimension: int):
    """(None, float64[dimension]), or (indices, values) of a sparse vector."""
    if type(value) is numpy.ndarray and value.dtype is _FLOAT64 and value.ndim == 1 and (
            value.size == dimension):
        return None, value
    if type(value) is tuple and len(value) == 2:
        return _sparse(value, dimension)
    array = numpy.asarray(value) if isinstance(value, list) else value
    if not isinstance(array, numpy.ndarray) or array.shape != (dimension,) or (
            array.dtype.kind not in "fiub"):
        raise ResultError(f"returned {shown(array)}; it must return float64[{dimension}] (the "
                          "dimension), or a pair of arrays (indices, values)")
    return None, array.astype(_FLOAT64)


def _sparse(pair: tuple, dimension: int):
    index, value = (numpy.asarray(part) for part in pair)
    if index.ndim != 1 or value.shape != index.shape or value.dtype.kind not in "fiub" or (
            index.size and index.dtype.kind not in "iu"):
        raise ResultError(f"returned the pair ({shown(index)}, {shown(value)}); it must return "
                          "(indices, values): integers and numbers of the same length, or "
                          f"float64[{dimension}]")
    if index.size and (index.min() < 0 or index.max() >= dimension):
        wrong = index[(index < 0) | (index >= dimension)][0]
        raise ResultError(f"returned the index {wrong}; indices lie in [0, {dimension})")
    return index, value.astype(_FLOAT64, copy=False)


def text(value) -> bytes:
    if isinstance(value, str):
        if "\0" in value:
            raise ResultError(f"returned a text with a zero byte at {value.index(chr(0))}; it must "
                              "return one without")
        try:
            return value.encode()
        except UnicodeEncodeError as error:
            raise ResultError(f"returned a text with a character at {error.start} that UTF-8 "
                              f"cannot hold: {value[error.start]!r}") from None
    raise ResultError(f"returned {shown(value)}; it must return a text")


class Answer:
    """The answer of an oracle, where more is to say than the output:

        return Answer(y, value)                             the maximum, with its value
        return Answer(y, value, exact=False, bound=b)       perhaps not; nothing is above b
        return Answer.no_output()                           the example has no output at all

    value          <w, psi(x, y)> + loss_weight * Delta(truth, y). None: computed from features()
                   and loss() of the task
    exact          True claims that no output has a larger value. The certificate rests on it
    bound          no output has a value above it
    truth_outside  the truth is not among the outputs searched
    """
    __slots__ = ("y", "value", "exact", "bound", "truth_outside", "has_output")

    def __init__(self, y, value=None, exact: bool = True, bound=None, truth_outside: bool = False):
        self.y, self.value, self.exact, self.bound = y, value, exact, bound
        self.truth_outside, self.has_output = truth_outside, True

    @classmethod
    def no_output(cls) -> "Answer":
        answer = cls(None)
        answer.has_output = False
        return answer


_WANTED = "int32 labels, (labels, value) or a sculpt.Answer"
PAIR = ("a tuple of two is (output, value): return a list or an array for an output of two labels")


def may_be_output(value) -> bool:
    """Whether argmax() may have meant this tuple of two as an output of two labels."""
    return type(value) is tuple and len(value) == 2 and all(
        isinstance(one, numbers.Integral) for one in value)


def answer(value) -> tuple[numpy.ndarray | None, float | None, Answer | None]:
    """(labels, value or None, Answer or None) of what argmax() returned. A tuple of two is labels
    and value; both this and labels alone claim to be exact."""
    if type(value) is tuple and len(value) == 2:
        try:
            return labels(value[0], "int32 labels before the value"), real(
                value[1], "(labels, value), the value a number"), None
        except ResultError as error:
            raise ResultError(f"{error}; {PAIR}") from None
    if isinstance(value, Answer):
        if not value.has_output:
            return None, 0.0, value
        score = None if value.value is None else real(value.value, "a number as value")
        return labels(value.y, "int32 labels in sculpt.Answer"), score, value
    return labels(value, _WANTED), None, None

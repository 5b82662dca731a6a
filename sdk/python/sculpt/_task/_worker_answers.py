"""What a worker process found for its queries, as blocks of bytes and back."""

from typing import NamedTuple

import numpy


class Found(NamedTuple):
    """What a worker found for one query.

    query   its number in the batch
    answer  (flags, labels or None, value, bound or None), as Instance.answers() gives it
    psi     the entries of psi(x, y) of the answer, (int32[n], float64[n]), or None
    loss    Delta(truth, y) of the answer, or None
    """
    query: int
    answer: tuple
    psi: "tuple[numpy.ndarray, numpy.ndarray] | None"
    loss: "float | None"


def _or_nan(value) -> float:
    return numpy.nan if value is None else value


def _or_none(value: float):
    return None if value != value else value


def to_blocks(found: "list[Found]") -> "list[bytes]":
    integers, reals = [], []
    for query, (flags, y, value, bound), psi, loss in found:
        integers.append((query, flags, -1 if y is None else y.size,
                         -1 if psi is None else psi[0].size))
        reals.append((value, _or_nan(bound), _or_nan(loss)))
    entries = [one.psi for one in found if one.psi is not None]
    return [numpy.array(integers, numpy.int64).tobytes(),
            numpy.array(reals, numpy.float64).tobytes(),
            b"".join(one.answer[1].tobytes() for one in found if one.answer[1] is not None),
            b"".join(index.tobytes() for index, _ in entries),
            b"".join(value.tobytes() for _, value in entries)]


def from_blocks(blocks: "list[bytes]") -> "list[Found]":
    integers, reals, labels, index, value = map(numpy.frombuffer, blocks, (
        numpy.int64, numpy.float64, numpy.int32, numpy.int32, numpy.float64))
    found, label, entry = [], 0, 0
    for (query, flags, size, count), (score, bound, loss) in zip(
            integers.reshape(-1, 4).tolist(), reals.reshape(-1, 3).tolist()):
        y = psi = None
        if size >= 0:
            y = labels[label:label + size]
            label += size
        if count >= 0:
            psi = index[entry:entry + count], value[entry:entry + count]
            entry += count
        found.append(Found(query, (flags, y, score, _or_none(bound)), psi, _or_none(loss)))
    return found

"""Text as arrays of bytes of a fixed width. A text is followed by NULs up to its width, and what is
written leaves the NULs out, so numpy can put lines together without a loop over them."""

import numpy as np


def fields(texts):
    """uint8 [len(texts), longest]: the texts, which are ASCII."""
    strings = np.array([text.encode("ascii") for text in texts])
    return strings.view(np.uint8).reshape(len(texts), strings.dtype.itemsize)


def taken(table, indices):
    """uint8 [..., width]: the fields of a table [n, width] at these indices [...]."""
    width = table.shape[1]
    whole = np.ascontiguousarray(table).view(f"V{width}").ravel()
    return whole.take(indices).view(np.uint8).reshape(*np.shape(indices), width)


def decimals(numbers, largest):
    """uint8 [n, digits of the largest]: whole numbers [n] as text, from 0 to `largest`."""
    width = len(str(largest))
    powers = 10 ** np.arange(width - 1, -1, -1)
    digits = (np.asarray(numbers, dtype=np.int64)[:, None] // powers) % 10 + ord("0")
    leads = np.asarray(numbers)[:, None] < powers
    leads[:, -1] = False  # the 0 of the number 0
    return np.where(leads, 0, digits).astype(np.uint8)


def constant(text, count):
    """uint8 [count, len(text)]: the same text `count` times."""
    return np.broadcast_to(fields([text]), (count, len(text)))


def packed(*parts):
    """The bytes of lines: row by row the fields of all parts, each uint8 [lines, its width]."""
    return np.concatenate(parts, axis=1).tobytes().translate(None, b"\0")

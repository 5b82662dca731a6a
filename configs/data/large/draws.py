"""Random integers that are the same on every machine and with every version of numpy.

All draws are raw words of PCG64, whose stream numpy keeps fixed, and all arithmetic is on whole
numbers. The key of a stream is a tuple of whole numbers: what it is for, a seed, a block."""

import numpy as np

# What a stream is for.
MODEL, SIZES, STATES, CONTENT = range(4)


class Stream:
    """A stream of random integers with a key."""

    def __init__(self, *key):
        self._bits = np.random.PCG64(np.random.SeedSequence(key))

    def words(self, count):
        """uint64 [count]: the next raw words."""
        return self._bits.random_raw(count).astype("<u8", copy=False)

    def integers(self, count, kind):
        """[count] integers of the type `kind` ("u1", "<u2" or "<u4"), all its values alike."""
        per_word = 8 // np.dtype(kind).itemsize
        return self.words(-(-count // per_word)).view(kind)[:count]

    def below(self, count, end):
        """int64 [count]: numbers from 0 to end - 1; `end` is one number or [count], at most 2^31."""
        draws = self.integers(count, "<u4").astype(np.uint64)
        return ((draws * np.asarray(end, dtype=np.uint64)) >> np.uint64(32)).astype(np.int64)


def lookup(weights, bits):
    """uint8 [2^bits]: a table in which the number i stands in proportion to weights[i]."""
    ends = np.cumsum(np.array(weights, dtype=np.int64)) * 2**bits // sum(weights)
    return np.searchsorted(ends, np.arange(2**bits), side="right").astype(np.uint8)


def triangle():
    """int64 [256]: a number from -15 to 15 for each byte; a triangular distribution around 0, with
    the standard deviation 6.5."""
    byte = np.arange(256)
    return (byte & 15) + (byte >> 4) - 15

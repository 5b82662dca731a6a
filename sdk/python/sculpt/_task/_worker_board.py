"""Memory that a task shares with its worker processes: who works on what, and the weights.

It begins with int64 numbers: the place of each worker, then the next query that none has taken,
and whether all shall stop. The weights follow.
"""

import fcntl
import mmap
import os

import numpy

MOST_WORKERS = 256
_NEXT, _STOP, _NUMBERS = MOST_WORKERS, MOST_WORKERS + 1, 512
_OFFSET = 8 * _NUMBERS  # of the weights

# The method that a worker is in, a part of its place.
METHODS = ("argmax", "argmax_batch", "features", "loss")


class Board:
    """The shared memory of this descriptor, as the host and as each worker sees it."""

    def __init__(self, descriptor: int):
        self.descriptor = descriptor
        self.weights = numpy.zeros(0)
        self.map()

    @classmethod
    def create(cls) -> "Board":
        descriptor = os.memfd_create("sculpt-weights")
        os.ftruncate(descriptor, _OFFSET)
        return cls(descriptor)

    def map(self):
        """Looks at the memory again: another process has changed its size."""
        mapped = mmap.mmap(self.descriptor, 0)
        self._numbers = memoryview(mapped).cast("q")
        self.weights = numpy.frombuffer(mapped, numpy.float64, offset=_OFFSET)

    def close(self):
        """The memory lives as long as a process looks at it. Harmless if it is closed."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
        self.descriptor = -1

    def resize(self, dimension: int):
        """For weights of this many numbers."""
        os.ftruncate(self.descriptor, _OFFSET + 8 * dimension)
        self.map()

    def begin(self):
        """A batch of queries begins. The workers wait for it."""
        for worker in range(MOST_WORKERS):
            self._numbers[worker] = -1
        self._numbers[_NEXT] = self._numbers[_STOP] = 0

    def take(self, size: int) -> int:
        """The first of the next `size` queries, which are the caller's now."""
        fcntl.lockf(self.descriptor, fcntl.LOCK_EX)
        first = self._numbers[_NEXT]
        self._numbers[_NEXT] = first + size
        fcntl.lockf(self.descriptor, fcntl.LOCK_UN)
        return first

    def stop(self):
        self._numbers[_STOP] = 1

    def is_stopping(self) -> bool:
        return self._numbers[_STOP] != 0

    def note(self, worker: int, query: int, method: int):
        """The worker begins with this query, or with another method for it."""
        self._numbers[worker] = len(METHODS) * query + method

    def place(self, worker: int) -> "tuple[int, str] | None":
        """The query that the worker is at, or was at last, and the method. None: it has not begun.
        """
        place = self._numbers[worker]
        return None if place < 0 else (place // len(METHODS), METHODS[place % len(METHODS)])

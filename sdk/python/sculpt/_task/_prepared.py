"""What workers computed beside their answers: psi and the loss, which the host asks for next."""

from ._lent import Query
from ._worker_answers import Found


class _Once(dict):
    """Results by what they belong to. Each is given once: who asks again, as a guarded host does,
    gets what the task says itself.

    is_wanted  whether workers shall compute them. False once none of a batch was taken: the host
               asks another component
    """

    def __init__(self):
        super().__init__()
        self.is_wanted = True
        self._count = 0

    def keep(self, key: tuple, result):
        self[key] = result
        self._count = len(self)

    def take(self, key: tuple):
        return self.pop(key, None)

    def forget(self):
        """The batch has ended."""
        if self and len(self) == self._count:
            self.is_wanted = False
        self.clear()


class Prepared:
    """psi and losses of the answers of one batch."""

    def __init__(self):
        self.psis, self.losses = _Once(), _Once()

    def keep(self, query: Query, found: Found):
        y = found.answer[1]
        if found.psi is not None:
            self.psis.keep((query.example, y.tobytes()), found.psi)
        if found.loss is not None:
            self.losses.keep((query.example, query.truth.tobytes(), y.tobytes()), found.loss)

    def psi(self, example: int, y) -> "tuple | None":
        """(indices, values), or None."""
        return self.psis.take((example, y.tobytes()))

    def loss(self, example: int, truth, y) -> "float | None":
        return self.losses.take((example, truth.tobytes(), y.tobytes()))

    def forget(self):
        """The batch has ended."""
        self.psis.forget()
        self.losses.forget()

"""What workers computed beside their answers: psi and the loss, which the host asks for next."""

from ._lent import Query
from ._worker_answers import Found


class Prepared:
    """psi and losses of the answers of one batch. Each is given once: who asks again, as a guarded
    host does, gets what the task says itself.

    is_wanted  whether workers shall compute them. False once the host has taken none of a batch:
               its features and loss are other components
    """

    def __init__(self):
        self._psi, self._losses = {}, {}
        self._count = 0
        self.is_wanted = True

    def clear(self):
        """Forgets a batch."""
        if self._count and len(self._psi) + len(self._losses) == self._count:
            self.is_wanted = False
        self._psi.clear()
        self._losses.clear()
        self._count = 0

    def keep(self, query: Query, found: Found):
        y = found.answer[1]
        if found.psi is not None:
            self._psi[query.example, y.tobytes()] = found.psi
        if found.loss is not None:
            self._losses[query.example, query.truth.tobytes(), y.tobytes()] = found.loss
        self._count = len(self._psi) + len(self._losses)

    def psi(self, example: int, y):
        """(indices, values), or None."""
        return self._psi.pop((example, y.tobytes()), None)

    def loss(self, example: int, truth, y) -> "float | None":
        return self._losses.pop((example, truth.tobytes(), y.tobytes()), None)

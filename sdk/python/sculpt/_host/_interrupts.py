"""Exceptions of signal handlers, kept back while the host works on memory of this process.

Ctrl-C raises KeyboardInterrupt in the main thread between any two of its steps. Then the caller of
the host would be left, and the memory freed that the host still reads in another thread.
"""

import signal

# The handlers of others, such as SIGUSR1, mostly do not raise. Session.run() keeps theirs as well,
# but not between any two steps.
_NUMBERS = (signal.SIGALRM, signal.SIGTERM, signal.SIGINT)


class _Handler:
    """A handler of Python, whose exceptions `keeper` keeps while it is entered."""

    def __init__(self, keeper: "KeptInterrupts", handler):
        self.keeper, self.handler = keeper, handler

    def __call__(self, number, frame):
        if not self.keeper.is_entered:
            return self.handler(number, frame)
        try:
            self.handler(number, frame)
        except BaseException as error:
            self.keeper.keep(error)


class KeptInterrupts:
    """While this is entered, exceptions of signal handlers call `stop` and are kept.

    error   the first one, or None
    Requires the main thread. Handlers in C, and those of other programs around Python, stay.
    """

    def __init__(self, stop):
        self.error = None
        self.is_entered = False
        self._stop = stop
        self._replaced = []

    def keep(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        self._stop()

    def __enter__(self) -> "KeptInterrupts":
        for number in _NUMBERS:
            handler = signal.getsignal(number)
            while isinstance(handler, _Handler) and not handler.keeper.is_entered:
                handler = handler.handler  # an interrupt came while one of these was left
            if callable(handler):
                mine = _Handler(self, handler)
                self._replaced.append((number, mine))
                signal.signal(number, mine)
        self.is_entered = True
        return self

    def __exit__(self, *_) -> None:
        self.is_entered = False
        for number, mine in self._replaced:
            if signal.getsignal(number) is mine:  # else a handler has set another one
                signal.signal(number, mine.handler)

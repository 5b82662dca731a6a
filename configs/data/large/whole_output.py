"""An output that appears whole or not at all."""

import contextlib
import os
import signal
import stat
import sys

STOPS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM]


class Stopped(BaseException):
    """A signal has asked to stop."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


class CannotCreate(Exception):
    """The output exists or cannot be created."""


def _stop(number, _frame):
    raise Stopped(number)


@contextlib.contextmanager
def whole_output(path, force):
    """A binary file to write to: "-" is standard output. A file gets its name when all is written;
    an error or a signal leaves nothing. A device or a pipe is written to as it is.

    Raises CannotCreate, Stopped, and OSError if a write fails."""
    if path == "-":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # such as `| head`
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = os.path.realpath(path)
    if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        with _created(path, target, "wb") as out:
            yield out
        return
    if os.path.exists(target) and not force:
        raise CannotCreate(f"{path} exists; --force replaces it")
    stops = [number for number in STOPS if signal.getsignal(number) != signal.SIG_IGN]  # nohup
    for number in stops:
        signal.signal(number, _stop)
    part = f"{target}.{os.getpid()}.part"
    try:
        with _created(path, part, "xb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        for number in stops:
            signal.signal(number, signal.SIG_IGN)
        os.replace(part, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)


def _created(path, name, mode):
    try:
        return open(name, mode)
    except OSError as error:
        raise CannotCreate(f"{path}: {error.strerror}") from error

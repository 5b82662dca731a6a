"""Worker processes of a task: they answer the queries of a batch at the same time.

Python runs one thread at a time, so K oracle calls at once need K processes. Each has an object of
its own, made by the same calls. All get the whole batch, and each takes the next query that none
has taken, so examples that take long keep no other worker waiting. A query is answered alone by any
of them, so the answers are the same bytes for any K. In training the worker also computes psi and
the loss of its answer, which the host asks for next. The processes are started by exec, so threads
of the host do not matter.
"""

import fcntl
import os
import select
import signal
import subprocess
import sys
import time

import numpy

from . import _abi, _messages
from ._errors import HostError, TaskError
from ._worker_answers import Found, from_blocks
from ._worker_board import Board

_POLL_SECONDS = 0.05
_WARN_SECONDS = 10.0
_WARN_OF_STOP_SECONDS = 2.0
_PIPE_BYTES = 1 << 20  # so that answers are written at once
_MOST_PSI_BYTES = 16 << 20  # of the psi of a batch, together


class Workers:
    """`count` processes for the task of a file. `seconds`: the most for one example, or None.
    is_cancelled() and log(severity, text) are services of the host."""

    def __init__(self, count: int, seconds, is_cancelled, log):
        self.count, self.seconds = count, seconds
        self.is_cancelled, self._log = is_cancelled, log
        self.process_id = os.getpid()
        self.board = Board.create()
        self._stamp = 0
        self._processes = [self._start(number) for number in range(count)]

    def _start(self, number: int) -> subprocess.Popen:
        program = os.path.join(os.path.dirname(__file__), "_worker_process.py")
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        memory = self.board.descriptor
        process = subprocess.Popen([_python(), "-B", program, str(number), str(memory)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
                                   pass_fds=[memory],
                                   start_new_session=True)  # interrupts of a terminal are ours
        try:
            fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        except OSError:
            pass  # beyond the user's limit: the pipe stays small
        return process

    def is_usable(self) -> bool:
        """False in a process that was forked from the one that started them."""
        return os.getpid() == self.process_id and bool(self._processes)

    def tell(self, header: dict, *blocks: bytes):
        """Sends a message to all. Errors of the call show when a query is answered."""
        for process in self._processes:
            _send(process, header, *blocks)

    def close(self):
        """Ends all processes. Harmless in a forked process, which does not own them."""
        processes, self._processes = self._processes, []
        self.board.close()
        if os.getpid() != self.process_id:
            return
        for process in processes:
            process.kill()
            process.stdin.close()
            process.stdout.close()
            process.wait()

    def ask(self, queries: list, stamp: int, method: str, where, with_psi: bool,
            with_loss: bool) -> list[Found]:
        """What was found for each query, in their order. Errors have an attribute `failed`: the
        query that causes them. It is the first such query, as all before it were taken before.

        stamp   of the weights
        method  argmax, or argmax_batch, which gets parts of the batch: the same for any order of
                the workers, because a product of matrices may depend on their shapes
        where   the text for messages of a method
        with_psi, with_loss  what shall be computed, too
        """
        self._share(queries[0].weights, stamp)
        part = 1 if method == "argmax" else -(-len(queries) // (2 * self.count))
        busy = self._processes[:-(-len(queries) // part)]
        self.board.begin()
        header = {"do": "answer", "loss_weight": queries[0].loss_weight, "method": method,
                  "part": part, "psi_bytes": _MOST_PSI_BYTES // len(busy) if with_psi else 0,
                  "with_loss": with_loss}
        blocks = _blocks_of(queries)
        for process in busy:
            _send(process, header, *blocks)
        found, errors = [], []
        for header, blocks in self._gather(busy, queries, where):
            if "status" in header:
                errors.append(header)
            else:
                found += from_blocks(blocks)
        if errors:
            raise _error_of(min(errors, key=lambda header: header["failed"]))
        return sorted(found, key=lambda one: one.query)

    def _share(self, weights: numpy.ndarray, stamp: int):
        if weights.size != self.board.weights.size:
            self.board.resize(weights.size)
            self.tell({"do": "weights"})
            self._stamp = 0
        if stamp != self._stamp:
            self.board.weights[:] = weights
            self._stamp = stamp

    def _gather(self, busy: list, queries: list, where) -> list[tuple[dict, list[bytes]]]:
        """The message of each of the processes."""
        waiting = {process.stdout: number for number, process in enumerate(busy)}
        messages = []
        watch = _Watch(self, queries, where)
        while waiting:
            ready, _, _ = select.select(list(waiting), [], [], _POLL_SECONDS)
            for stream in ready:
                number = waiting.pop(stream)
                try:
                    messages.append(_messages.receive(stream))
                except EOFError:
                    raise watch.ended(number, busy[number]) from None
            if not ready:
                watch.look(waiting.values())
        if watch.is_stopping:
            raise HostError(_abi.CANCELLED, "")
        return messages


def _blocks_of(queries: list) -> tuple:
    """Examples, seeds, sizes of the truths (-1: none), and the truths."""
    truths = [query.truth for query in queries]
    return (numpy.array([query.example for query in queries], numpy.int64).tobytes(),
            numpy.array([query.seed for query in queries], numpy.uint64).tobytes(),
            numpy.array([-1 if y is None else y.size for y in truths], numpy.int64).tobytes(),
            b"".join(y.tobytes() for y in truths if y is not None))


def _send(process, header: dict, *blocks: bytes):
    try:
        _messages.send(process.stdin, header, *blocks)
    except BrokenPipeError:
        pass  # who waits for its answer sees how it ended


def _error_of(header: dict) -> TaskError:
    error = TaskError.of_status(header["status"], header["text"])
    if header["failed"] >= 0:
        error.failed = header["failed"]
    return error


class _Watch:
    """Notices workers that ended or that do not come back, and the user's wish to stop."""

    def __init__(self, workers: Workers, queries: list, where):
        self.workers, self.queries, self.where = workers, queries, where
        now = time.monotonic()
        self.since = [(None, now)] * workers.count  # the query of each worker, and since when
        self.warn_after = _WARN_SECONDS
        self.is_stopping = False

    def name(self, number: int) -> str:
        return f"worker {number + 1} of {self.workers.count}"

    def error(self, number: int, what: str) -> TaskError:
        place = self.workers.board.place(number)
        self.workers.close()
        if place is None:
            return TaskError(f"{self.name(number)} {what} before its first example")
        query, method = place
        error = TaskError(f"{self.name(number)} {what} in {self.where(method)}")
        error.failed = query
        return error

    def ended(self, number: int, process) -> TaskError:
        code = process.wait()
        how = (f"was killed by {signal.Signals(-code).name}" if code < 0
               else f"ended with exit code {code}")
        return self.error(number, how)

    def look(self, numbers):
        """Called while nothing comes from the workers with these numbers."""
        now = time.monotonic()
        if not self.is_stopping and self.workers.is_cancelled():
            self.is_stopping = True
            self.workers.board.stop()
            self.since = [(query, now) for query, _ in self.since]
            self.warn_after = _WARN_OF_STOP_SECONDS
        for number in numbers:
            place = self.workers.board.place(number)
            query = None if place is None else place[0]
            known, begin = self.since[number]
            if query != known:
                self.since[number] = query, now
            elif place is not None and (self.workers.seconds is not None
                                        and now - begin > self.workers.seconds):
                raise self.error(number, f"took more than {self.workers.seconds:g} seconds for one "
                                 "example (worker_seconds)")
            elif now - begin > self.warn_after:
                self.warn_after *= 2
                self.warn(number, place, now - begin)

    def warn(self, number: int, place: "tuple[int, str] | None", seconds: float):
        at = "before its first example" if place is None else (
            f"in {self.where(place[1])}, example {self.queries[place[0]].example}")
        advice = "; a second interrupt ends the run at once" if self.is_stopping else ""
        self.workers._log(_abi.LOG_WARNING, f"waiting for {self.name(number)}: {seconds:.0f} "
                          f"seconds {at}{advice}")


def _python() -> str:
    """The program of the interpreter of this process, also where it is embedded."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (sys.executable, os.path.join(sys.exec_prefix, "bin", name)):
        if path and os.path.basename(path).startswith("python") and os.access(path, os.X_OK):
            return path
    raise TaskError(f"workers need the program {name} in {sys.exec_prefix}/bin, which is missing "
                    f"(Debian: {name})")

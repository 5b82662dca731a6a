"""Worker processes of a task: they answer the queries of a batch at the same time.

Python runs one thread at a time, so K oracle calls at once need K processes. Each has an object of
its own, made by the same calls. A query is answered alone by any of them, so the answers are the
same bytes for any K. The processes are started by exec, so threads of the host do not matter.
"""

import mmap
import os
import select
import signal
import subprocess
import sys
import time

import numpy

from . import _abi, _messages
from ._errors import HostError, TaskError

# The shared memory begins with int64[_PLACES]: the query that each worker works on, and last
# whether they shall stop after it. The weights follow.
_PLACES = 512
_OFFSET = 8 * _PLACES
_POLL_SECONDS = 0.05
_WARN_SECONDS = 10.0
_WARN_OF_STOP_SECONDS = 2.0


class Workers:
    """`count` processes for the task of a file. `seconds`: the most for one example, or None.
    is_cancelled() and log(severity, text) are services of the host."""

    def __init__(self, count: int, seconds, is_cancelled, log):
        self.count, self.seconds = count, seconds
        self.is_cancelled, self._log = is_cancelled, log
        self.process_id = os.getpid()
        self._memory = os.memfd_create("sculpt-weights")
        os.ftruncate(self._memory, _OFFSET)
        self._map()
        self._stamp, self._dimension = 0, 0
        self._processes = [self._start(number) for number in range(count)]

    def _start(self, number: int) -> subprocess.Popen:
        program = os.path.join(os.path.dirname(__file__), "_worker_process.py")
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        return subprocess.Popen([_python(), "-B", program, str(number), str(self._memory)],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
                                pass_fds=[self._memory],
                                start_new_session=True)  # interrupts of a terminal are the host's

    def _map(self):
        self._mapped = mmap.mmap(self._memory, 0)
        self._places = numpy.frombuffer(self._mapped, numpy.int64, _PLACES)

    def is_usable(self) -> bool:
        """False in a process that was forked from the one that started them."""
        return os.getpid() == self.process_id and bool(self._processes)

    def tell(self, header: dict, *blocks: bytes):
        """Sends a message to all. Errors of the call show when a query is answered."""
        for process in self._processes:
            try:
                _messages.send(process.stdin, header, *blocks)
            except BrokenPipeError:
                pass  # ask() says how it ended

    def close(self):
        """Ends all processes. Harmless in a forked process, which does not own them."""
        processes, self._processes = self._processes, []
        if os.getpid() != self.process_id:
            return
        for process in processes:
            process.kill()
            process.stdin.close()
            process.stdout.close()
            process.wait()

    def ask(self, queries: list, stamp: int, where: str) -> list:
        """The answers as Instance.answers() gives them. `stamp`: of the weights. `where`: the
        method, for messages. Errors have an attribute `failed`: the query that causes them."""
        self._share(queries[0].weights, stamp)
        share = -(-len(queries) // self.count)
        begins = range(0, len(queries), share)
        self._places[-1] = 0
        for process, begin in zip(self._processes, begins):
            self._places[self._processes.index(process)] = begin
            self._send(process, queries[begin:begin + share], begin)
        answers, errors = self._gather(len(begins), queries, where)
        for number, begin in enumerate(begins):
            header = errors.get(number)
            if header is not None:
                error = TaskError.of_status(header["status"], header["text"])
                if header["failed"] >= 0:
                    error.failed = begin + header["failed"]
                raise error
        return [answer for number in range(len(begins)) for answer in answers[number]]

    def _share(self, weights: numpy.ndarray, stamp: int):
        if weights.size != self._dimension:
            os.ftruncate(self._memory, _OFFSET + 8 * weights.size)
            self._map()
            self._dimension = weights.size
            self.tell({"do": "weights", "offset": _OFFSET, "size": weights.size})
            self._stamp = 0
        if stamp != self._stamp:
            numpy.frombuffer(self._mapped, numpy.float64, weights.size, _OFFSET)[:] = weights
            self._stamp = stamp

    def _send(self, process, queries: list, first: int):
        truths = [query.truth for query in queries]
        try:
            _messages.send(
                process.stdin, {"do": "answer", "loss_weight": queries[0].loss_weight,
                                "first": first},
                numpy.array([query.example for query in queries], numpy.int64).tobytes(),
                numpy.array([query.seed for query in queries], numpy.uint64).tobytes(),
                numpy.array([-1 if y is None else y.size for y in truths], numpy.int64).tobytes(),
                b"".join(y.tobytes() for y in truths if y is not None))
        except BrokenPipeError:
            pass  # _gather() says how it ended

    def _gather(self, busy: int, queries: list, where: str) -> tuple[dict, dict]:
        """Answers and headers of errors, by the number of the worker."""
        waiting = {self._processes[number].stdout: number for number in range(busy)}
        answers, errors = {}, {}
        watch = _Watch(self, queries, where)
        while waiting:
            ready, _, _ = select.select(list(waiting), [], [], _POLL_SECONDS)
            for stream in ready:
                number = waiting.pop(stream)
                try:
                    header, blocks = _messages.receive(stream)
                except EOFError:
                    raise watch.ended(number, self._processes[number]) from None
                if "status" in header:
                    errors[number] = header
                else:
                    answers[number] = _answers_of(blocks)
            if not ready:
                watch.look(waiting.values())
        if watch.is_stopping:
            raise HostError(_abi.CANCELLED, "")
        return answers, errors


class _Watch:
    """Notices workers that ended or that do not come back, and the user's wish to stop."""

    def __init__(self, workers: Workers, queries: list, where: str):
        self.workers, self.queries, self.where = workers, queries, where
        self.since = [(int(place), time.monotonic()) for place in
                      workers._places[:workers.count]]
        self.warn_after = _WARN_SECONDS
        self.is_stopping = False

    def error(self, number: int, what: str) -> TaskError:
        query = int(self.workers._places[number])
        error = TaskError(f"worker {number + 1} of {self.workers.count} {what} in {self.where}")
        error.failed = query
        self.workers.close()
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
            self.workers._places[-1] = 1
            self.since = [(place, now) for place, _ in self.since]
            self.warn_after = _WARN_OF_STOP_SECONDS
        for number in numbers:
            place, begin = self.since[number]
            if place != self.workers._places[number]:
                self.since[number] = int(self.workers._places[number]), now
                continue
            if self.workers.seconds is not None and now - begin > self.workers.seconds:
                raise self.error(number, f"took more than {self.workers.seconds:g} seconds for one "
                                 "example (worker_seconds)")
            if now - begin > self.warn_after:
                self.warn_after *= 2
                advice = "; a second interrupt ends the run at once" if self.is_stopping else ""
                self.workers._log(
                    _abi.LOG_WARNING, f"waiting for worker {number + 1} of {self.workers.count}: "
                    f"{now - begin:.0f} seconds in {self.where}, example "
                    f"{self.queries[place].example}{advice}")


def _answers_of(blocks: list[bytes]) -> list:
    flags, sizes = (numpy.frombuffer(blocks[k], numpy.int64) for k in (0, 2))
    values = numpy.frombuffer(blocks[1], numpy.float64).reshape(-1, 2)
    labels = numpy.frombuffer(blocks[3], numpy.int32)
    answers, begin = [], 0
    for k, size in enumerate(sizes.tolist()):
        y = None if size < 0 else labels[begin:begin + size]
        begin += max(size, 0)
        bound = None if numpy.isnan(values[k, 1]) else float(values[k, 1])
        answers.append((int(flags[k]), y, float(values[k, 0]), bound))
    return answers


def _python() -> str:
    """The program of the interpreter of this process, also where it is embedded."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (sys.executable, os.path.join(sys.exec_prefix, "bin", name)):
        if path and os.path.basename(path).startswith("python") and os.access(path, os.X_OK):
            return path
    raise TaskError(f"workers need the program {name} in {sys.exec_prefix}/bin, which is missing "
                    f"(Debian: {name})")

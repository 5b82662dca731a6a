"""The program of a worker process: an object of the task of its own, which answers queries.

_workers.py starts it, with the number of the worker and of the shared memory. It repeats the calls
that made the object in the host (create, restore, load, seal), so both are equal. Then it answers
queries of each batch, and computes what the host asks for next, psi and the loss of the answer. It
notes in the shared memory what it works on.
"""

import faulthandler
import os
import sys
import threading
from queue import SimpleQueue

# In place of the folder of this file, so that a task imports no file of this package by chance.
sys.path[0] = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))

import numpy  # noqa: E402

from sculpt._task import _messages, _source, _state  # noqa: E402
from sculpt._task._errors import describe  # noqa: E402
from sculpt._task._instance import Instance  # noqa: E402
from sculpt._task._lent import Query  # noqa: E402
from sculpt._task._task_class import from_file  # noqa: E402
from sculpt._task._worker_answers import Found, to_blocks  # noqa: E402
from sculpt._task._worker_board import METHODS, Board  # noqa: E402


class Queries:
    """The queries of a message (_workers.py), made when they are taken."""

    def __init__(self, blocks: list[bytes], weights: numpy.ndarray, loss_weight: float):
        self.examples, self.seeds, self.sizes, self.truths = map(numpy.frombuffer, blocks, (
            numpy.int64, numpy.uint64, numpy.int64, numpy.int32))
        self.ends = numpy.maximum(self.sizes, 0).cumsum()
        self.weights, self.loss_weight = weights, loss_weight

    def __len__(self):
        return len(self.examples)

    def part(self, first: int, size: int) -> list[Query]:
        return [self.query(k) for k in range(first, min(first + size, len(self)))]

    def query(self, k: int) -> Query:
        size, end = self.sizes[k], self.ends[k]
        return Query(int(self.examples[k]), self.weights,
                     None if size < 0 else self.truths[end - size:end], self.loss_weight,
                     int(self.seeds[k]))


class Worker:
    def __init__(self, number: int, memory: int):
        self.number, self.board = number, Board(memory)
        self.instance = None

    def do(self, header: dict, blocks: list[bytes]):
        """Does what a message says. Returns the header and the blocks of the answer, or None."""
        name = header["do"]
        if name == "create":
            self.instance = Instance(from_file(header["path"], header["class"]), header["values"])
        elif name == "restore":
            self.instance.call("restore", _state.from_bytes(blocks[0]).contents)
        elif name == "load":
            self.instance.load(header["split"], _source.of_memory(blocks[0], header["path"]))
        elif name == "seal":
            self.instance.seal()
        elif name == "weights":
            self.board.map()
            self.board.weights.flags.writeable = False
        else:
            return self.answer(header, blocks)
        return None

    def answer(self, header: dict, blocks: list[bytes]):
        """Takes queries until none is left."""
        queries = Queries(blocks, self.board.weights, header["loss_weight"])
        method, size, room = METHODS.index(header["method"]), header["part"], header["psi_bytes"]
        found = []
        while (first := self.board.take(size)) < len(queries):
            part = queries.part(first, size)
            for k, answer in enumerate(self.answers(first, part, method, len(queries))):
                psi, loss = self.prepare(first + k, part[k], answer, room > 0, header["with_loss"])
                if psi is not None:
                    room -= psi[0].nbytes + psi[1].nbytes
                found.append(Found(first + k, answer, psi if room >= 0 else None, loss))
        return {"count": len(found)}, *to_blocks(found)

    def answers(self, first: int, part: list, method: int, count: int) -> list:
        """The answers to the queries from `first` on, a part of a batch of `count`."""
        def begin(k: int):
            if self.board.is_stopping():
                raise KeyboardInterrupt
            self.board.note(self.number, first + k, method)

        begin(0)
        try:
            return self.instance.answers(part, begin)
        except Exception as error:
            if hasattr(error, "failed"):
                error.failed += first
            self.board.take(count)  # the others end, too
            raise

    def prepare(self, number: int, query: Query, answer: tuple, with_psi: bool,
                with_loss: bool) -> tuple:
        """psi and loss of an answer; None: not wanted, or the class has no such method. Both are
        None if a method fails. Then the host calls it itself, and reports what is wrong."""
        if answer[1] is None:
            return None, None
        y = answer[1].view()
        y.flags.writeable = False
        psi = loss = None
        try:
            if with_psi and self.instance.has("features"):
                self.board.note(self.number, number, METHODS.index("features"))
                psi = self.instance.entries(query.example, y, query.weights.size)
            if with_loss and self.instance.has("loss"):
                self.board.note(self.number, number, METHODS.index("loss"))
                loss = self.instance.loss(query.example, query.truth, y)
        except BaseException:
            return None, None
        return psi, loss


def main():
    number, memory = int(sys.argv[1]), int(sys.argv[2])
    faulthandler.enable()
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a task prints is no answer
    messages = SimpleQueue()
    threading.Thread(target=read, args=(messages,), daemon=True).start()
    worker, failure = Worker(number, memory), None
    while True:
        header, blocks = messages.get()
        try:
            if failure is not None and header["do"] == "answer":
                raise failure
            result = worker.do(header, blocks)
        except BaseException as error:
            if header["do"] != "answer":
                failure = error  # the host meets it too, and is the first to report it
                continue
            where = worker.instance.where() if worker.instance else "the task"
            status, text = describe(error, where)
            result = ({"status": status, "text": text, "failed": getattr(error, "failed", -1)},)
        if result is not None:
            _messages.send(results, *result)


def read(messages: SimpleQueue):
    """Ends the process as soon as the host has ended, also while the task computes."""
    try:
        while True:
            messages.put(_messages.receive(sys.stdin.buffer))
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main()

"""The program of a worker process: an object of the task of its own, which answers queries.

_workers.py starts it, with the number of the worker and of the shared memory. It repeats the calls
that made the object in the host (create, restore, load, seal), so both are equal. Then it answers:
it writes the number of the query that it works on to its place in the shared memory.
"""

import faulthandler
import mmap
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


STOP = 511  # the place in the shared memory that asks all workers to stop (_workers.py)


class Worker:
    def __init__(self, number: int, memory: int):
        self.number, self.memory = number, memory
        self.instance = None
        self.mapped = mmap.mmap(memory, 0)
        self.places = numpy.frombuffer(self.mapped, numpy.int64)
        self.weights = None

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
            self.mapped = mmap.mmap(self.memory, 0)  # it has grown
            self.places = numpy.frombuffer(self.mapped, numpy.int64)
            self.weights = numpy.frombuffer(self.mapped, numpy.float64, header["size"],
                                            header["offset"])
            self.weights.flags.writeable = False
        else:
            return self.answer(header, blocks)
        return None

    def answer(self, header: dict, blocks: list[bytes]):
        examples, seeds, sizes = (numpy.frombuffer(block, dtype) for block, dtype in zip(
            blocks, (numpy.int64, numpy.uint64, numpy.int64)))
        truths = numpy.split(numpy.frombuffer(blocks[3], numpy.int32), sizes.cumsum()[:-1])
        queries = [Query(int(example), self.weights, truths[k] if sizes[k] >= 0 else None,
                         header["loss_weight"], int(seeds[k]))
                   for k, example in enumerate(examples)]

        def begin(k):
            if self.places[STOP]:
                raise KeyboardInterrupt
            self.places[self.number] = header["first"] + k

        answers = self.instance.answers(queries, begin)
        labels = [numpy.zeros(0, numpy.int32) if y is None else y for _, y, _, _ in answers]
        return ({"count": len(answers)},
                numpy.array([flags for flags, _, _, _ in answers], numpy.int64).tobytes(),
                numpy.array([[value, numpy.nan if bound is None else bound]
                             for _, _, value, bound in answers]).tobytes(),
                numpy.array([-1 if y is None else y.size for _, y, _, _ in answers],
                            numpy.int64).tobytes(),
                b"".join(y.tobytes() for y in labels))


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

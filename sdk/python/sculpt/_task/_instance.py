"""A live task: the object of the user's class, and the calls of the host on it.

The methods here take what the ABI has, call the method of the task, check what it returns, and
write it to where the host wants it. The object is shared by the components of an experiment.
"""

from itertools import islice
from time import monotonic

import numpy

from . import _abi, _lent, _results, _source
from ._errors import (DataError, HostError, MissingError, ParameterError, ResultError,
                      exception_text, frames_of)
from ._output_shape import OutputShape
from ._parameters import make_object
from ._prepared import Prepared
from ._task_class import TaskClass


_LOOK_SECONDS = 0.01


class Batch:
    """Queries of one call of argmax_batch(): the same weights and loss_weight for all.

    examples  int64[n]       truths  list of n outputs, or None in prediction       seeds  list
    Iterating gives the queries one by one.
    """

    def __init__(self, queries: list):
        self.queries = queries
        self.examples = numpy.array([query.example for query in queries], numpy.int64)
        self.weights, self.loss_weight = queries[0].weights, queries[0].loss_weight
        self.truths = None if queries[0].truth is None else [query.truth for query in queries]
        self.seeds = [query.seed for query in queries]

    def __len__(self):
        return len(self.queries)

    def __iter__(self):
        return iter(self.queries)


class Instance:
    """The object of a task class with these values of its parameters.

    is_cancelled  whether the user asked to stop, for loops over many queries; or None
    workers       processes that answer batches of queries (Workers), or None. They repeat the
                  calls that change the object
    add_dense     how a dense psi is added to a sum (_lent.dense_adder)
    """

    def __init__(self, task_class: TaskClass, values: dict, is_cancelled=None, workers=None,
                 add_dense=_lent.add_dense):
        self.task_class, self.values, self.workers = task_class, values, workers
        self._is_cancelled, self._add_dense = is_cancelled, add_dense
        self.activity = "__init__"  # the method that runs, for messages
        self.task = task = make_object(task_class.cls, values, task_class.owner)
        self._features = getattr(task, "features", None)
        self._loss = getattr(task, "loss", None)
        self._loss_has_example = task_class.loss_has_example
        self._argmax = getattr(task, "argmax", None)
        self._argmax_batch = getattr(task, "argmax_batch", None)
        self._looks_at = 0.0  # when to ask next whether the user wants to stop
        self._answer = None  # the last answer of argmax(), for messages
        self.interrupt: "BaseException | None" = None  # met where it could not be reported
        self._prepared = None if workers is None else Prepared()
        self._splits: dict[str, tuple[int, int]] = {}
        self._truths: dict[int, numpy.ndarray | None] = {}
        self._states: dict[int, numpy.ndarray] = {}

    def has(self, method: str) -> bool:
        return self.task_class.has(method)

    def offers(self, method: str) -> bool:
        """The same, and argmax() makes an argmax_batch(): many queries in one call cost less."""
        return self.has(method) or (method == "argmax_batch" and self.has("argmax"))

    def where(self, method: str = "") -> str:
        """ "task.py: Month.argmax": for messages."""
        return f"{self.task_class.owner}.{method or self.activity}"

    def advice(self, problem: BaseException) -> str:
        """What else an exception may come from, or "": an output that lost its second label."""
        is_apt = (self.activity in ("features", "loss", "format")
                  and isinstance(problem, (IndexError, ValueError))
                  and _results.may_be_output(self._answer))
        return f"; argmax returned {self._answer}: {_results.PAIR}" if is_apt else ""

    def call(self, method: str, *arguments):
        self.activity = method
        return getattr(self.task, method)(*arguments)

    def create_workers(self):
        if self.workers is not None:
            self.workers.tell({"do": "create", "path": self.task_class.path,
                               "class": self.task_class.name, "values": self.values})

    def restore(self, contents, data: bytes):
        """`data`: the bytes of the state, for the workers."""
        if self.workers is not None:
            self.workers.tell({"do": "restore"}, data)
        self.call("restore", contents)

    def seal(self):
        if self.workers is not None:
            self.workers.tell({"do": "seal"})
        if self.has("seal"):
            self.call("seal")

    def close(self):
        if self.workers is not None:
            self.workers.close()

    # Dataset.

    def load(self, split: str, source: "_source.Source | _source.Given"):
        is_given = isinstance(source, _source.Given)
        if self.workers is not None:
            if is_given:
                raise ParameterError(f'"workers" needs files: worker processes load "{split}" '
                                     "themselves, and it is an object of this process")
            self.workers.tell({"do": "load", "split": split, "path": source.path}, source.bytes())
        begin = self.count() if self._splits else 0
        try:
            self.call("load", split, source.value if is_given else source)
        except ValueError as error:  # mostly what was read, so the file and line come first
            raise source.error(f"{self.task_class.owner}.load: {exception_text(error)}"
                               f"{frames_of(error)}") from error
        except OSError as error:
            if error.filename is None:
                raise
            raise MissingError(f"{error.filename}: {error.strerror} ({self.task_class.owner}.load)"
                               ) from error
        self._splits[split] = begin, self.count()

    def count(self) -> int:
        return _results.integer(self.call("count"), "the number of examples")

    def split(self, name: str) -> tuple[int, int]:
        if not self.has("split"):
            return self._splits.get(name, (0, 0))
        begin, end = self.call("split", name) or (0, 0)
        return int(begin), int(end)

    def truth(self, example: int):
        """int32[...] that lives as long as the task, or None."""
        if example not in self._truths:
            value = self.call("truth", example)
            self._truths[example] = None if value is None else _results.labels(
                value, "int32 labels, or None if the example has none").copy()
        return self._truths[example]

    # Features and loss.

    def dimension(self) -> int:
        return _results.integer(self.call("dimension"), "the number of features")

    def _psi(self, example: int, y: numpy.ndarray, dimension: int) -> tuple:
        """(None, float64[dimension]), or (indices, values)."""
        self.activity = "features"
        return _results.features(self._features(example, y), dimension)

    def entries(self, example: int, y: numpy.ndarray, dimension: int) -> tuple:
        """int32[n] and float64[n], as they are added to a sum: psi of a worker's answer. Copies, as
        the task may use its arrays again."""
        index, value = self._psi(example, y, dimension)
        index, value = _lent.nonzero(value) if index is None else (index, value.copy())
        return index.astype(numpy.int32), value

    def _raise_interrupt(self):
        interrupt, self.interrupt = self.interrupt, None
        if interrupt is not None:
            raise interrupt

    def add_features_of(self, examples: list[int], outputs: list, sums: list[int]):
        """add_features() of many outputs."""
        for example, y, sum_ in zip(examples, outputs, sums):
            if monotonic() >= self._looks_at:
                self._stop_if_cancelled()
            self.add_features(example, y, 1.0, sum_)

    def write_losses(self, examples: list[int], truths: list, guesses: list, address: int):
        """loss() of many outputs, written to float64[n] of the host."""
        losses = []
        for example, truth, guess in zip(examples, truths, guesses):
            if monotonic() >= self._looks_at:
                self._stop_if_cancelled()
            losses.append(self.loss(example, truth, guess))
        _lent.write_reals[address, len(losses)][:] = losses

    def add_features(self, example: int, y: numpy.ndarray, scale: float, sum_: int):
        if self.interrupt is not None:
            self._raise_interrupt()
        accumulator = _lent.accumulator[sum_, 0]
        known = None if self._prepared is None else self._prepared.psi(example, y)
        index, value = known or self._psi(example, y, accumulator.dimension)
        if index is None:
            self._add_dense(sum_, accumulator, value, scale)
        else:
            _lent.add_sparse(sum_, accumulator, index, value, scale)

    def loss(self, example: int, truth: numpy.ndarray, guess: numpy.ndarray) -> float:
        if self.interrupt is not None:
            self._raise_interrupt()
        known = None if self._prepared is None else self._prepared.loss(example, truth, guess)
        if known is not None:
            return known
        self.activity = "loss"
        found = (self._loss(example, truth, guess) if self._loss_has_example else
                 self._loss(truth, guess))
        return found if type(found) is float or type(found) is int else _results.loss(found)

    # Oracle.

    def argmax(self, query: int, answer: int):
        question = _lent.read_query(query)
        if self._argmax is None:
            self.activity = "argmax_batch"
            found = self._ask_batch([question])[0]
        else:
            self.activity = "argmax"
            found = self._argmax(question)
        self._answer = found
        self._write(question, found, answer)

    def argmax_batch(self, queries: list[int], answers: list[int]):
        """Raises an error that has an attribute `failed` if one of the queries causes it."""
        questions = _lent.read_queries(queries)
        if self.workers is not None and self.workers.is_usable():
            found = self._ask_workers(questions, _lent.stamp_of(queries[0]))
        elif self._argmax_batch is None:
            return self._answer_each(questions, answers)
        else:
            found = self.answers(questions, self._stop_if_cancelled)
        for k, (flags, y, value, bound) in enumerate(found):
            try:
                _lent.write_answer(answers[k], y, value, bound, flags)
            except HostError as error:
                error.failed = k
                raise

    def _answer_each(self, questions: list, answers: list[int]):
        """As answers(), by argmax(), to the sculpt_answers at these addresses. They are written
        together: after other work, each of these steps takes three times as long."""
        self.activity = "argmax"
        argmax, packed, found = self._argmax, _lent.packed, []
        for k, question in enumerate(questions):
            if monotonic() >= self._looks_at:
                self._stop_if_cancelled()
            try:
                self._answer = one = argmax(question)
                pair = packed(one)  # a copy: the task may use its list or array again
                if pair is None:
                    self._write(question, one, answers[k])
                found.append(pair)
            except Exception as error:
                error.failed = k
                self._write_all(answers, found)  # an error of an earlier query comes first
                raise
        self._write_all(answers, found)

    @staticmethod
    def _write_all(answers: list[int], found: list):
        """Writes what packed() gave, up to the first that cannot be written."""
        for k, pair in enumerate(found):
            try:
                if pair is not None:
                    _lent.write_packed(answers[k], *pair)
            except HostError as error:
                error.failed = k
                raise

    def _write(self, question: _lent.Query, found, answer: int):
        """Writes anything that argmax() returned to a sculpt_answer."""
        flags, y, value, bound = self._checked(question, found)
        _lent.write_answer(answer, y, value, bound, flags)

    def _ask_workers(self, questions: list, stamp: int) -> list[tuple]:
        """As answers(). Keeps psi and losses for the calls of the host that follow."""
        first, prepared = questions[0], self._prepared
        prepared.forget()
        is_training = first.loss_weight > 0 and first.truth is not None
        found = self.workers.ask(
            questions, stamp, "argmax_batch" if self._argmax_batch else "argmax", self.where,
            is_training and prepared.psis.is_wanted, is_training and prepared.losses.is_wanted)
        for question, one in zip(questions, found):
            prepared.keep(question, one)
        return [one.answer for one in found]

    def _stop_if_cancelled(self, _: int = 0):
        self._looks_at = monotonic() + _LOOK_SECONDS
        if self._is_cancelled is not None and self._is_cancelled():
            raise HostError(_abi.CANCELLED, "")

    def answers(self, questions: list, begin) -> list[tuple]:
        """(flags, labels or None, value, bound or None) for each query. begin(k) is called before
        the work on query k."""
        answers, found = [], None
        if self._argmax_batch is not None:
            self.activity = "argmax_batch"
            found = self._ask_batch(questions)
        for k, question in enumerate(questions):
            begin(k)
            try:
                self.activity = "argmax" if found is None else "argmax_batch"
                one = self._argmax(question) if found is None else found[k]
                self._answer = one
                flags, y, value, bound = self._checked(question, one)
                if y is not None:
                    y = y.copy()  # the task may use its array again
                answers.append((flags, y, value, bound))
            except Exception as error:
                error.failed = k
                raise
        return answers

    def _ask_batch(self, questions: list) -> list:
        found = self._argmax_batch(Batch(questions))
        try:
            count = len(found)
        except TypeError:
            count = -1
        if count != len(questions):
            raise ResultError(f"returned {_results.shown(found)}; it must return a list of "
                              f"{len(questions)} answers, one for each query")
        return found

    def _checked(self, query: _lent.Query, found) -> tuple:
        """(flags, labels or None, value, bound or None) of what argmax() returned."""
        y, value, details = _results.answer(found)
        flags, bound = _abi.ANSWER_EXACT, None
        if details is not None:
            if not details.has_output:
                return _abi.ANSWER_NO_OUTPUT, None, 0.0, None
            flags = ((_abi.ANSWER_EXACT if details.exact else 0)
                     | (_abi.ANSWER_TRUTH_OUTSIDE if details.truth_outside else 0))
            bound = None if details.bound is None else _results.real(details.bound,
                                                                     "a number as bound")
        if value is None:
            value = self.value_of(query, y)
        return flags, y, value, bound

    def value_of(self, query: _lent.Query, y: numpy.ndarray) -> float:
        """<w, psi(x, y)> + loss_weight * Delta(truth, y), by features() and loss() of the task."""
        if self._features is None or (query.loss_weight > 0 and self._loss is None):
            raise ResultError("returned labels alone; this class has no features and loss to "
                              "compute their value with, so return (labels, value)")
        index, psi = self._psi(query.example, y, query.weights.size)
        weights = query.weights if index is None else query.weights[index]
        value = float(weights @ psi)
        if query.loss_weight > 0:
            value += query.loss_weight * self.loss(query.example, query.truth, y)
        return value

    # Extensions.

    def output_shape(self, example: int) -> tuple:
        """(flags, smallest size, largest size, address of the states or 0, number of states)."""
        shape = self.call("output_shape", example)
        if not isinstance(shape, OutputShape):
            raise ResultError(f"returned {_results.shown(shape)}; it must return a "
                              "sculpt.OutputShape, such as OutputShape(1, states=3)")
        flags = ((_abi.SHAPE_COMPLETE if shape.complete else 0)
                 | (_abi.SHAPE_SAME if shape.same else 0))
        largest = shape.size if shape.max_size is None else shape.max_size
        if shape.states is None or isinstance(shape.states, (int, numpy.integer)):
            return flags, int(shape.size), int(largest), 0, int(shape.states or 0)
        states = _results.labels(shape.states, "int32 numbers of states")
        if states.size != largest:
            raise ResultError(f"returned {states.size} numbers of states for outputs of "
                              f"{largest} labels")
        if states.size == 0:
            return flags, int(shape.size), int(largest), 0, 0
        kept = self._states.setdefault(example, states.copy())
        if kept.size != states.size:
            raise ResultError("returned another shape than before for the same example")
        kept[:] = states
        return flags, int(shape.size), int(largest), kept.ctypes.data, 0

    def outputs(self, example: int, limit: int) -> list[numpy.ndarray]:
        """All outputs of an example, or limit + 1 of them if there are more."""
        self.activity = "enumerate"
        found = islice(self.task.enumerate(example), limit + 1)
        return [_results.labels(y, "int32 labels of each output") for y in found]

    def format(self, example: int, y: numpy.ndarray) -> bytes:
        return _results.text(self.call("format", example, y))

    def parse(self, example: int, text: str) -> numpy.ndarray:
        try:
            return _results.labels(self.call("parse", example, text))
        except ValueError as error:
            raise DataError(str(error)) from error

    def weight_name(self, weight: int) -> bytes:
        return _results.text(self.call("weight_name", weight))

"""Training and models: what the program does, in this process."""

import ctypes
import json
import os
import pathlib
from ctypes import byref, c_char_p, c_int64, pointer
from typing import Callable, NamedTuple

import numpy as np

from ._host import _arguments, _library, _run_events, _running, _wording
from ._host._experiment import Prepared, data_of
from ._host._library import Handle, call, library
from ._host._memory import copied
from ._host._session import Session, is_shown, shown_on_stderr, warn_caller
from ._host._task_session import TaskSession, refuse_in_task
from ._task._tasks import Tasks
from .arrays import Arrays


class Pass(NamedTuple):
    """The report of one pass. Numbers that are not known are NaN."""
    number: int
    oracle_calls: int
    primal: float
    dual: float
    gap: float
    relative_gap: float
    certified: bool
    seconds: float


class Scored(NamedTuple):
    """An output with its score, and its probability if the model has any (else None)."""
    output: "np.ndarray | str"
    score: float
    probability: "float | None"


class Joined(NamedTuple):
    """Numbers of many examples in one array, one example behind the other."""
    values: np.ndarray
    begin: np.ndarray
    """int64[examples + 1]: values[begin[i]:begin[i + 1]] are those of example i"""


def train(config=None, *, task=None, train=None, validation=None, test=None, parameters=None,
          output=None, resume: bool = False, force: bool = False, threads: int = 0,
          guard: bool = False, plugin_path=(), verbose: "bool | None" = None,
          on_pass: "Callable[[Pass], object] | None" = None, **changes) -> "Model":
    """Trains the experiment and returns its model.

    config    the path of an experiment, or a dict. In a dict a class may take the place of a name
    task      a class (task.py), or an object of one: all components that config leaves out
    train, validation, test
              the splits of the dataset: paths, `Arrays` or `Text`. A task gets any other object
              as the source of its load()
    parameters  of the task, {"name": value}
    output    the run folder, as the program leaves it. None: nothing is left on the disk
    resume    continue the run in `output`;  force: replace it
    verbose   show what the program prints; None: on a terminal and in a notebook
    on_pass   called after each pass; if it returns a true value, the run ends with the model so far
    changes   keys of the experiment, with `__` for a dot: solver={"use": "n_slack"}, solver__C=10

    Ctrl-C ends the run: with `output` it leaves a checkpoint, and raises KeyboardInterrupt.
    Raises SculptError.
    """
    refuse_in_task("sculpt.train")
    prepared = Prepared(config, changes, task=task, parameters=parameters, train=train,
                        validation=validation, test=test)
    options = _library.TrainingOptions(is_guarded=int(bool(guard)))
    _arguments.function_or_none(on_pass, "on_pass")
    _arguments.resume_or_force(resume, force)
    plugin_path = _arguments.folders(plugin_path, "plugin_path")
    options.path, options.json = prepared.path, prepared.json
    options.set, options.set_count = _library.texts(prepared.changes)
    options.existing = (_library.RUN_RESUME if resume
                        else _library.RUN_REPLACE if force else _library.RUN_REFUSE)
    if output is not None:
        options.output = _arguments.path_bytes(output, "output")
    prepared.lend_to(options)
    session = TaskSession(prepared.tasks, threads, plugin_path,
                          shown_on_stderr if is_shown(verbose) else None, json=prepared.json)
    passes = []
    options.pass_done = _library.PASS_DONE(_pass_reader(session, passes, on_pass))
    handle = Handle("sculpt_model_free")
    code = session.run("sculpt_train", session.handle, byref(options), handle.out())
    return Model(handle, passes=passes, folder=None if output is None else os.fsdecode(output),
                 reached=code == _library.REACHED, summary="".join(session.results),
                 plugin_path=plugin_path, classes=prepared.tasks.types())


def _pass_reader(session: Session, passes: "list[Pass]", on_pass):
    """The function that C calls after each pass: it adds to `passes` and calls on_pass()."""
    process = os.getpid()

    def pass_done(_user, report):
        error = None
        one = report.contents
        passes.append(Pass(one.pass_, one.oracle_calls, one.primal, one.dual, one.gap,
                           one.relative_gap, bool(one.is_certified), one.seconds))
        try:
            if on_pass is not None and on_pass(passes[-1]):
                session.stop()
        except BaseException as raised:  # it cannot pass through C
            error = raised
            session.keep_error(error)
        if os.getpid() != process:
            _running.end_forked_child(error)

    return pass_done


def load(path, *, task=None, plugin_path=()) -> "Model":
    """The model of a run folder or a model file. `task`: its class, or a list of its classes, if
    they are not in a file on the search path. Raises SculptError."""
    plugin_path = _arguments.folders(plugin_path, "plugin_path")
    handle = Handle("sculpt_model_free")
    try:
        call("sculpt_model_open", _arguments.path_bytes(path, "path"), handle.out())
    except _library.SculptError as error:
        error.args = (_wording.for_python(str(error)),)
        raise
    folder = os.fsdecode(path) if os.path.isdir(path) else None
    passes, reached = ([], None) if folder is None else _run_events.story_of(folder)
    return Model(handle, passes=[Pass(*one) for one in passes], folder=folder, reached=reached,
                 plugin_path=plugin_path, classes=Tasks.of(task).types())


class Model:
    """A trained model. It does not change, and can be pickled.

    passes     the reports of the run; empty if load() read a model file and not a run folder
    reached    whether the run reached its target; None if load() read a model file
    summary    what the program prints at the end of a run; empty if load() made this object
    folder     the run folder, or None
    """

    def __init__(self, handle: Handle, *, passes=(), folder=None, reached=None, summary="",
                 plugin_path=(), classes=()):
        self._owner = handle
        self._classes = tuple(classes)  # of tasks in this process
        self._plugin_path = tuple(_arguments.folders(plugin_path, "plugin_path"))
        self.passes = list(passes)
        self.folder = None if folder is None else pathlib.Path(folder)
        self.reached = reached
        self.summary = summary

    def __repr__(self) -> str:
        header = self.header
        names = ", ".join(one["id"].split(".")[-1] for one in header["components"])
        parts = [names, f"{header['examples']} examples"]
        found = header["certificate"]
        if found["primal"] is not None:
            parts.append(f"primal {found['primal']:.6g}")
        if found["relative_gap"] is not None:
            kind = "certified" if found["certified"] else "not certified"
            parts.append(f"relative gap {found['relative_gap']:.3g} ({kind})")
        return f"<sculpt.Model: {'; '.join(parts)}>"

    @property
    def _handle(self):
        return self._owner.raw

    @classmethod
    def from_bytes(cls, data: bytes, *, task=None, plugin_path=()) -> "Model":
        """The model of the bytes of a model file, or of another buffer of bytes."""
        if not isinstance(data, bytes):
            data = _arguments.buffer_bytes(data, "data")
        handle = Handle("sculpt_model_free")
        call("sculpt_model_from_bytes", data, len(data), handle.out())
        return cls(handle, plugin_path=plugin_path, classes=Tasks.of(task).types())

    def __bytes__(self) -> bytes:
        size = c_int64()
        begin = library().sculpt_model_bytes(self._handle, byref(size))
        return ctypes.string_at(begin, size.value)

    def __reduce__(self):
        return _unpickled, (bytes(self), self._plugin_path, self.passes, self.reached, self.summary,
                            self._classes)

    def save(self, path) -> None:
        """Writes a model file."""
        call("sculpt_model_save", self._handle, _arguments.path_bytes(path, "path"))

    @property
    def header(self) -> dict:
        """The experiment ("config"), the certificate, the components and their versions."""
        return json.loads(library().sculpt_model_header(self._handle))

    @property
    def weights(self) -> np.ndarray:
        """w, a copy. With a kernel: the coefficients of its support atoms."""
        size = c_int64()
        begin = library().sculpt_model_weights(self._handle, byref(size))
        return copied(begin, size.value, np.float64)

    def weight_names(self) -> "list[str]":
        """The name of each weight."""
        names = c_char_p()
        session = self._session(1, Tasks(self._classes))
        call("sculpt_model_weight_names", session.handle, self._handle, byref(names))
        return names.value.decode().splitlines()

    def events(self) -> "list[dict]":
        """The events of the run folder: started, each pass, finished."""
        if self.folder is None:
            raise ValueError("this model has no run folder; give train() an output, or load a "
                             "folder")
        return _run_events.events_of(self.folder)

    def predict(self, data, *, text: bool = False, decode: str = "max-product",
                given: bool = False, threads: int = 0) -> list:
        """The output of each example: int32 arrays, or with `text` as the program prints them.
        None for an example without any output.

        data      a path, `Text` or `Arrays`; of a task also any object, which its load() gets
        decode    "max-product": the best output; "max-marginal": the most probable label of each
                  position
        given     keep the labels that the data have
        """
        best = self._scored(data, threads, "sculpt_predict", (), text, decode, given)
        return [outputs[0].output if outputs else None for outputs in best]

    def predict_joined(self, data, *, decode: str = "max-product", given: bool = False,
                       threads: int = 0) -> Joined:
        """The labels of predict() in one int32 array, without a Python object for each example."""
        examples = _Examples(self, data, threads)
        found = _library.Outputs()
        examples.run("sculpt_predict", byref(self._options(False, decode, given)), byref(found))
        first = copied(found.first_output, found.example_count + 1, np.int64)
        label_from = copied(found.first_label, int(first[-1]) + 1, np.int64)
        return Joined(copied(found.label, int(label_from[-1]), np.int32), label_from[first])

    def scores_joined(self, data, *, threads: int = 0) -> Joined:
        """The numbers of scores() in one float64 array, row after row."""
        values, value_from, first = self._row_arrays(data, threads, "sculpt_predict_scores")
        return Joined(values, value_from[first])

    def marginals_joined(self, data, *, threads: int = 0) -> Joined:
        """The numbers of marginals() in one float64 array, position after position."""
        values, value_from, first = self._row_arrays(data, threads, "sculpt_predict_marginals")
        return Joined(values, value_from[first])

    def nbest(self, data, count: int, *, text: bool = False, given: bool = False,
              threads: int = 0) -> "list[list[Scored]]":
        """The `count` best outputs of each example, with scores."""
        count = _arguments.integer(count, "count", 1)
        return self._scored(data, threads, "sculpt_predict_best", (count,), text, given=given)

    def sample(self, data, count: int, *, seed: int = 1, text: bool = False, given: bool = False,
               threads: int = 0) -> "list[list[Scored]]":
        """`count` outputs of each example, drawn by their probability."""
        count = _arguments.integer(count, "count", 1)
        seed = _arguments.integer(seed, "seed", 0, 2**64 - 1)
        return self._scored(data, threads, "sculpt_predict_sample", (count, seed), text,
                            given=given)

    def scores(self, data, *, threads: int = 0) -> "list[np.ndarray]":
        """The scores that outputs are chosen by: float64[rows, columns] for each example."""
        return [np.array(rows) for rows in self._rows(data, threads, "sculpt_predict_scores")]

    def marginals(self, data, *, threads: int = 0) -> "list[list[np.ndarray]]":
        """The probability of each label: for each example one array a position."""
        return self._rows(data, threads, "sculpt_predict_marginals")

    def evaluate(self, data, *, decode: str = "max-product", threads: int = 0) -> dict:
        """The metrics on labelled data, as of `sculpt evaluate --json`."""
        examples = _Examples(self, data, threads)
        options = self._options(decode=decode)
        text = c_char_p()
        examples.run("sculpt_evaluate", byref(options), byref(text))
        return json.loads(text.value)

    def _session(self, threads: int, tasks: Tasks, show=None) -> Session:
        return TaskSession(tasks, threads, self._plugin_path, show)

    @staticmethod
    def _options(text=False, decode="max-product", given=False):
        choices = {"max-product": 0, "max-marginal": 1}
        if decode not in choices:
            raise ValueError(f"decode is {decode!r}; it must be one of {list(choices)}")
        return _library.PredictOptions(choice=choices[decode], keeps_given=int(given),
                                       has_text=int(text))

    def _scored(self, data, threads, function, counts, text, decode="max-product", given=False):
        examples = _Examples(self, data, threads)
        options = self._options(text, decode, given)
        found = _library.Outputs()
        examples.run(function, *counts, byref(options), byref(found))
        first = copied(found.first_output, found.example_count + 1, np.int64)
        count = int(first[-1])
        label_from = copied(found.first_label, count + 1, np.int64)
        labels = copied(found.label, int(label_from[-1]), np.int32)
        scores = copied(found.score, count, np.float64) if found.score else np.full(count, np.nan)
        probabilities = copied(found.probability, count, np.float64) if found.probability else None

        def output(k):
            if text:
                return found.text[k].decode()
            return labels[label_from[k]:label_from[k + 1]]

        return [[Scored(output(k), float(scores[k]),
                        None if probabilities is None else float(probabilities[k]))
                 for k in range(begin, end)] for begin, end in zip(first[:-1], first[1:])]

    def _rows(self, data, threads, function):
        values, value_from, first = self._row_arrays(data, threads, function)
        return [[values[value_from[r]:value_from[r + 1]] for r in range(begin, end)]
                for begin, end in zip(first[:-1], first[1:])]

    def _row_arrays(self, data, threads, function):
        """All values, where each row begins among them, and the first row of each example."""
        examples = _Examples(self, data, threads)
        found = _library.Rows()
        examples.run(function, byref(found))
        first = copied(found.first_row, found.example_count + 1, np.int64)
        value_from = copied(found.first_value, int(first[-1]) + 1, np.int64)
        return copied(found.value, int(value_from[-1]), np.float64), value_from, first


def _unpickled(data, plugin_path, passes, reached, summary, classes=()) -> Model:
    model = Model.from_bytes(data, task=classes, plugin_path=plugin_path)
    model.passes, model.reached, model.summary = passes, reached, summary
    return model


class _Examples:
    """Examples that were read for a model."""

    def __init__(self, model: Model, data, threads: int):
        self._messages = []
        tasks = Tasks(model._classes)
        self._session = model._session(threads, tasks, self._messages.append)
        source = _library.ExamplesSource()
        is_task = bool(tasks.classes) and model.header["config"]["dataset"]["use"] == "python"
        if isinstance(data, Arrays) and not is_task:
            source.rows = pointer(data.record)
        else:
            found = data_of("predict", data, is_task, tasks, "data")
            if isinstance(found, dict):
                encoded = _arguments.utf8(found["text"], "data")
                source.text, source.text_size = encoded, len(encoded)
            else:
                source.path = _arguments.path_bytes(found, "data")
        self._owner = Handle("sculpt_examples_free")
        self._owner.kept = (self._session, data)  # its tasks, and arrays that the host borrows
        self._session.run("sculpt_examples_read", self._session.handle, model._handle,
                          byref(source), self._owner.out())
        warn_caller(self._messages)

    def run(self, function: str, *arguments) -> None:
        self._session.run(function, self._owner.raw, *arguments)
        warn_caller(self._messages)


def command(*words, plugin_path=()) -> str:
    """Runs a command of the program in this process, such as command("describe", "viterbi").
    Returns what it prints. Raises SculptError."""
    if not words:
        raise ValueError('words is empty; give a command, such as command("describe")')
    session = Session(0, plugin_path)
    array, count = _library.texts([_arguments.path_bytes(word, f"words[{k}]")
                                   for k, word in enumerate(words)])
    session.run("sculpt_run_command", session.handle, array, count)
    return "".join(session.results)


def describe(name=None, *, plugin_path=()) -> dict:
    """What a component, library, model or run is, as of `sculpt describe --json`."""
    words = ["describe", "--json"] + ([] if name is None else [os.fspath(name)])
    return json.loads(command(*words, plugin_path=plugin_path))


def version() -> str:
    """The version of the host."""
    return library().sculpt_version_text().decode()

"""Experiments with classes, arrays, text and objects of this process in place of names."""

import os
from ctypes import POINTER, cast, pointer

from .._task import _abi
from .._task._errors import UnsupportedError
from .._task._source import Given
from .._task._task_class import TaskClass
from .._task._tasks import Tasks, is_task
from ..arrays import Arrays
from . import _arguments
from ._library import LentRows

SPLITS = ("train", "validation", "test")
_KINDS = {"dataset": _abi.DATASET, "features": _abi.FEATURES, "loss": _abi.LOSS,
          "oracle": _abi.ORACLE}


class Text(str):
    """Data as text in the format of the dataset, in place of a file."""


class Prepared:
    """An experiment as the host takes it.

    path, config  one of them: a file, or a dict
    json          the dict as JSON, or None
    written       the same as a file for another process has it (_child.py)
    name          of the experiment: its own, or that of the class
    changes       as of --set
    lent          Arrays by the names that the experiment has for them
    tasks         the classes of this process that it uses
    """

    def __init__(self, config, changes: dict, *, task=None, parameters=None, **splits):
        self.tasks = Tasks()
        self.lent: list[tuple[str, Arrays]] = []
        self.path, self.config, self.json, self.written = None, None, None, None
        splits = {split: value for split, value in splits.items() if value is not None}
        if not isinstance(config, dict) and (config is not None or task is None):
            self.path = _arguments.path_bytes(
                config, "config", "the path of an experiment or a dict, or give a task")
            if task is not None or parameters is not None or splits:
                raise TypeError("config is a path, so task, parameters and data cannot be given; "
                                "write the experiment as a dict, or change it: dataset__train=PATH")
        else:
            whole = {key: changes.pop(key) for key in list(changes) if "__" not in key}
            self.config = self._resolved({**(config or {}), **whole}, task, parameters, splits)
            self.json = _arguments.json_text(self.config, "the experiment").encode()
        self.changes = as_changes(changes)

    @property
    def name(self) -> str:
        given = (self.config or {}).get("name")
        return given if isinstance(given, str) else next(iter(self.tasks.classes), "experiment")

    def lend_to(self, options) -> None:
        """Sets the arrays in a record of options, which then refers to their table, but not to the
        arrays: keep `self.lent` as long as the host uses them."""
        rows = (LentRows * len(self.lent))(*[LentRows(name.encode(), pointer(arrays.record))
                                             for name, arrays in self.lent])
        options.lent, options.lent_count = cast(rows, POINTER(LentRows)), len(rows)

    def _resolved(self, config: dict, task, parameters, splits: dict) -> dict:
        if task is not None:
            config = _with_task(config, task, parameters, self.tasks.add(task))
        elif parameters is not None:
            raise TypeError("parameters are those of a task; give one")
        for key in (*_KINDS, "kernel", "predict_with", "audit_with"):
            if key in config:
                config = {**config, key: _without_classes(config[key], self.tasks)}
        dataset = config.get("dataset")
        if isinstance(dataset, str) and splits:
            dataset = {"use": dataset}
        if not isinstance(dataset, dict):
            return config
        dataset = dict(dataset)
        may_be_any = dataset.get("class") in self.tasks.classes
        for split in SPLITS:
            if split in splits or not isinstance(dataset.get(split, {}), dict):
                value = splits.get(split, dataset.get(split))
                dataset[split] = self._data(split, value, may_be_any)
        return {**config, "dataset": dataset}

    def _data(self, split: str, value, may_be_any: bool):
        if isinstance(value, Arrays) and not may_be_any:
            self.lent.append((split, value))
            return {"memory": split}
        return data_of(split, value, may_be_any, self.tasks)


def as_changes(changes: dict) -> "list[bytes]":
    """{"solver__C": 10} as [b"solver.C=10"]."""
    return [_arguments.utf8(f"{key.replace('__', '.')}={_arguments.json_text(value, key)}", key)
            for key, value in changes.items()]


def data_of(split: str, value, may_be_any: bool, tasks: Tasks, name: str = ""):
    """What an experiment has for a path, for `Text` or, if `may_be_any`, for any object, which is
    added to `tasks`. `name`: of the argument, if it is not the split. Raises TypeError."""
    if isinstance(value, Text):
        return {"text": str(value)}
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsdecode(value)
    if may_be_any:
        given = tasks.given[split] = Given(split, value)
        return {"text": given.text()}
    raise TypeError(f"{name or split} is an object of the type {type(value).__name__}; it must be "
                    "a path, sculpt.Text or sculpt.Arrays (others need a task that reads them)")


def _with_task(config: dict, task, parameters: "dict | None", task_class: TaskClass) -> dict:
    """The experiment, with the task as each component that it leaves out. A dataset without "use"
    is the task, too. Raises UnsupportedError if the class has not the methods of one."""
    filled = dict(config)
    own = {"use": task} if parameters is None else {"use": task, "with": parameters}
    for key, kind in _KINDS.items():
        section = filled.get(key)
        is_open = key == "dataset" and isinstance(section, dict) and "use" not in section
        if section is not None and not is_open:
            continue
        try:
            task_class.require_kind(kind)
        except UnsupportedError as error:
            raise UnsupportedError(f'{error}, or give another "{key}"') from None
        filled[key] = {**own, **(section or {})}
        own = {"use": task_class.cls}  # the others share its object
    return filled


def _without_classes(value, tasks: Tasks):
    """A section with names in place of classes and objects, which are added to `tasks`."""
    if isinstance(value, (list, tuple)):
        return [_without_classes(one, tasks) for one in value]
    if not isinstance(value, dict):
        return tasks.section(value) if is_task(value) else value
    section = {key: _without_classes(one, tasks) if key == "members" else one
               for key, one in value.items()}
    if is_task(section.get("use")):
        own = tasks.section(section["use"])
        parameters = {**own.get("with", {}), **(section.get("with") or {})}
        section = {**section, **own, **({"with": parameters} if parameters else {})}
    return section

"""The task classes that a session knows: what the parameters "file" and "class" mean.

Classes of this process need no file. Everything else is as with a file: the experiment names the
class and, if it has one, its file. So the program can use the run of a class that is in a file.
"""

import inspect

from ._errors import MissingError, ParameterError, UnsupportedError
from ._source import Given
from ._task_class import METHODS, TaskClass, find_file, from_file, of_process

_JSON_TYPES = (str, int, float, bool, dict, list, tuple, type(None))


def class_of(task) -> type:
    """The class of a task, which is given as a class or as an object of it."""
    return task if inspect.isclass(task) else type(task)


def is_task(value) -> bool:
    """Whether a value is a class with methods of a task, or an object of one."""
    cls = class_of(value)
    return cls not in _JSON_TYPES and any(callable(getattr(cls, name, None)) for name in METHODS)


class Tasks:
    """Classes of this process by their names.

    given    Given by split: objects that load() gets in place of a file
    problem  the exception of the method that failed last, or None
    """

    def __init__(self, classes=()):
        self.classes: dict[str, TaskClass] = {}
        self.given: dict[str, Given] = {}
        self.problem = None
        for cls in classes:
            self.add(cls)

    def keep(self, problem: BaseException):
        """Keeps the exception of a method, for a session with classes of this process."""
        if self.classes:
            self.problem = problem

    @classmethod
    def of(cls, task) -> "Tasks":
        """A class, a list of classes, or None."""
        return cls(() if task is None else task if isinstance(task, (list, tuple)) else (task,))

    def add(self, task) -> TaskClass:
        """Adds a class, or that of an object."""
        cls = class_of(task)
        if not is_task(task):
            raise ParameterError(f"{cls.__name__} is no task: it has none of the methods "
                                 f"{', '.join(METHODS)}")
        known = self.classes.get(cls.__name__)
        if known is None:
            known = self.classes[cls.__name__] = of_process(cls)
        if known.cls is not cls:
            raise ParameterError(f"two classes of this call are called {cls.__name__}; rename one")
        return known

    def types(self) -> "tuple[type, ...]":
        return tuple(task.cls for task in self.classes.values())

    def files(self) -> "list[str]":
        """The names of the files of the classes, each once."""
        return sorted({task.file for task in self.classes.values() if task.file})

    def section(self, task) -> dict:
        """The component of an experiment that is this task. An object gives its parameters."""
        added = self.add(task)
        section = {"use": "python", "class": added.name}
        if added.path:
            section["file"] = added.path
        if not inspect.isclass(task):
            section["with"] = {declared.name: getattr(task, declared.name)
                               for declared in added.parameters}
        return section

    def chosen(self, path: "str | None", name: "str | None") -> "TaskClass | None":
        """The class that the parameters "file" and "class" of a component mean. None: that of
        another component, or of the model."""
        found = self.classes.get(name or "")
        if found is not None and (not path or found.path == path):
            return found
        return from_file(path, name or "") if path else None

    def of_model(self, file: str, name: str) -> TaskClass:
        """The class that the state of a model names."""
        if name in self.classes:
            return self.classes[name]
        others = f"; task= gives {', '.join(self.classes)}" if self.classes else ""
        if not file:
            raise UnsupportedError(
                f"the model needs the class {name}, which has no file (it was made in a notebook, "
                f"a terminal or a function); load it in Python: sculpt.load(path, task={name})"
                f"{others}")
        try:
            return from_file(find_file(file, name), name)
        except MissingError as error:
            raise MissingError(f"{error}{others}") from error

"""A class of a task: where it comes from, which methods it has, its parameters."""

import difflib
import hashlib
import inspect
import linecache
import os
import sys
import threading
import types
import weakref

from . import _abi
from ._errors import (MissingError, ParameterError, TaskError, UnsupportedError, exception_text,
                      frames_of)
from ._parameters import declared_by

# The methods that a component of each kind needs.
_REQUIRED = {_abi.DATASET: ("load(split, source)", "count()", "truth(example)"),
             _abi.FEATURES: ("dimension()", "features(example, y)"),
             _abi.LOSS: ("loss(truth, guess)",),
             _abi.ORACLE: ("argmax(query)",),
             _abi.KERNEL: ("kernel(row, other)",)}
# A method that takes the place of a required one.
_INSTEAD = {"argmax": "argmax_batch", "kernel": "kernel_rows"}
METHODS = ("load", "count", "truth", "dimension", "features", "loss", "argmax", "argmax_batch",
           "kernel", "kernel_rows")
_WORDS = {_abi.DATASET: "a dataset", _abi.FEATURES: "features", _abi.LOSS: "a loss",
          _abi.ORACLE: "an oracle", _abi.KERNEL: "a kernel"}


class TaskClass:
    """A Python class with the methods of a task.

    cls         the class
    file        the name of its source file, without the folder; "" if there is none (a notebook)
    path        the whole path, or ""
    source      the SHA-256 of the source, of the file or of the class
    parameters  list of Declared
    """

    def __init__(self, cls: type, path: str, source: str):
        if not inspect.isclass(cls):
            raise ParameterError(f"{cls!r} is not a class; pass the class of the task, and its "
                                 "parameters beside it")
        self.cls, self.path, self.file = cls, path, os.path.basename(path)
        self.name = cls.__name__
        self.owner = f"{self.file}: {self.name}" if self.file else self.name
        self.source = source
        self.parameters = declared_by(cls, self.owner)
        self.loss_has_example = self.has("loss") and _required_arguments(cls.loss) == 4

    def has(self, method: str) -> bool:
        return callable(getattr(self.cls, method, None))

    def summary(self) -> str:
        """The first line of its docstring, or its name."""
        lines = (inspect.getdoc(self.cls) or "").splitlines()
        return lines[0] if lines and lines[0] else self.name

    def _missing_method(self, kind: int) -> str | None:
        for method in _REQUIRED[kind]:
            name = method.split("(")[0]
            if not self.has(name) and not self.has(_INSTEAD.get(name, name)):
                return method
        return None

    def require_kind(self, kind: int):
        """Raises UnsupportedError unless the class has the methods of this kind of component."""
        method = self._missing_method(kind)
        if method is None:
            return
        name = method.split("(")[0]
        own = [other for other in vars(self.cls) if callable(getattr(self.cls, other))
               and other not in METHODS]
        near = difflib.get_close_matches(name, own, 1, 0.7)
        advice = f"did you mean {near[0]}?" if near else f"write def {_with_self(method)}"
        raise UnsupportedError(f"{self.owner} has no method {name}, so it cannot be "
                               f"{_WORDS[kind]}; {advice}")


def _required_arguments(function) -> int:
    """4 for loss(self, example, truth, guess), 3 for loss(self, truth, guess)."""
    parameters = inspect.signature(function).parameters.values()
    return sum(parameter.default is parameter.empty
               and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
               for parameter in parameters)


def _with_self(method: str) -> str:
    name, arguments = method.split("(")
    return f"{name}(self{'' if arguments == ')' else ', '}{arguments}"


# Python before 3.11.5 fails if two threads parse source at once: "AST constructor recursion depth
# mismatch". inspect.getsource() of a class parses.
_parsing = threading.Lock()


def _source_of(cls: type) -> str:
    """The hash of the text of a class, or of its name where there is no text."""
    try:
        with _parsing:
            text = inspect.getsource(cls)
    except (OSError, TypeError):
        text = cls.__qualname__
    return hashlib.sha256(text.encode()).hexdigest()


_modules: dict[tuple[str, str], types.ModuleType] = {}


def _module_of(path: str) -> tuple[types.ModuleType, str]:
    """The module of a file and its hash. A file that did not change is run once in a process."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise MissingError(f"{path}: {error.strerror}") from None
    source = hashlib.sha256(data).hexdigest()
    key = (os.path.realpath(path), source)
    if key in _modules:
        return _modules[key], source
    name = os.path.splitext(os.path.basename(path))[0]
    module = types.ModuleType(f"sculpt_task_{len(_modules)}_{name}")
    module.__file__ = path
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)  # for what the file imports
    linecache.checkcache(path)
    sys.modules[module.__name__] = module  # dataclasses and annotations look there
    try:
        exec(compile(data, path, "exec"), module.__dict__)
    except BaseException as error:
        del sys.modules[module.__name__]
        raise _import_error(path, error) from error
    _modules[key] = module
    return module, source


def _import_error(path: str, error: BaseException) -> TaskError:
    if isinstance(error, TaskError):
        return error
    if isinstance(error, SyntaxError) and error.filename == path:
        column = f":{error.offset}" if error.offset else ""
        line = f": {error.text.strip()}" if error.text else ""
        kind = type(error).__name__
        return TaskError(f"{path}:{error.lineno}{column}: {kind}: {error.msg}{line}")
    if isinstance(error, ValueError) and "null bytes" in str(error):
        return TaskError(f"{path}: is no Python source, it holds zero bytes")
    return TaskError(f"{path}: {exception_text(error)}{frames_of(error)}")


def _classes_of(module: types.ModuleType) -> list[str]:
    return [name for name, value in vars(module).items()
            if inspect.isclass(value) and value.__module__ == module.__name__]


def from_file(path: str, class_name: str = "") -> TaskClass:
    """The class of a file. Without a name: the only one that has methods of a task."""
    module, source = _module_of(path)
    names = _classes_of(module)
    tasks = [name for name in names if not name.startswith("_") and any(
        callable(getattr(module.__dict__[name], method, None)) for method in METHODS)]
    if not class_name:
        if len(tasks) == 1:
            class_name = tasks[0]
        elif not tasks:
            raise ParameterError(f"{path} has no class with methods of a task (argmax, features, "
                                 "loss, load, kernel)")
        else:
            raise ParameterError(f"{path} has several tasks ({', '.join(tasks)}); name one by "
                                 "\"class\"")
    found = getattr(module, class_name, None)
    if not inspect.isclass(found):
        near = difflib.get_close_matches(class_name, names, 1)
        advice = (f"did you mean {near[0]}?" if near else
                  f"it has {', '.join(names)}" if names else "it has no class")
        raise ParameterError(f"{path} has no class {class_name}; {advice}")
    return TaskClass(found, path, source)


# The path and the hash of each class of this process, as of its first use. The lock: inspect reads
# classes by ast, which two threads of Python 3.11 cannot use at once.
_places: "weakref.WeakKeyDictionary[type, tuple[str, str]]" = weakref.WeakKeyDictionary()
_places_lock = threading.Lock()


def of_process(cls: type) -> TaskClass:
    """A class of this process. It has a file if another process finds it there by its name."""
    with _places_lock:
        if cls not in _places:
            _places[cls] = _place_of(cls)
        return TaskClass(cls, *_places[cls])


def _place_of(cls: type) -> tuple[str, str]:
    path = ""
    is_importable = cls.__qualname__ == cls.__name__ and getattr(
        sys.modules.get(cls.__module__), cls.__name__, None) is cls
    if is_importable:
        try:
            path = os.path.abspath(inspect.getsourcefile(cls) or "")
        except (OSError, TypeError):  # of a notebook, a terminal or python -c
            pass
    if not path.endswith(".py") or not os.path.isfile(path):
        return "", _source_of(cls)
    with open(path, "rb") as file:
        return path, hashlib.sha256(file.read()).hexdigest()


def find_file(file: str, class_name: str) -> str:
    """The path of the source file that a model names, on the user's search path for plugins.

    A model holds no paths, and never makes the host run a file that the user did not put there.
    """
    if not file or os.path.basename(file) != file or not file.endswith(".py"):
        raise UnsupportedError(f"the model names the source {file!r}, which is no file name of "
                               "Python")
    folders = [folder for folder in os.environ.get("SCULPT_PLUGIN_PATH", "").split(":") if folder]
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local/share")
    folders.append(os.path.join(data, "sculpt/plugins"))
    for folder in folders:
        path = os.path.join(os.path.abspath(folder), file)
        if os.path.isfile(path):
            return path
    raise MissingError(f"{file}, the source of the task, was not found in {', '.join(folders)}; "
                       "set SCULPT_PLUGIN_PATH to the folder that has it (a model holds no "
                       f"paths, and no code). In Python, sculpt.load(path, task={class_name}) "
                       "needs no file")

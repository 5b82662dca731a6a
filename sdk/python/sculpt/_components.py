"""Components of the plugin ABI made of Python classes.

`of_files()` is what the library python.so forwards to: the class comes from the parameters "file",
"class" and "with". `of_class(MyTask)` is the catalogue of one class, with its own parameters; a
program that holds the host registers it. Nothing here knows who asks.
"""

import ctypes
import json
import re

from . import _abi
from ._callbacks import APIS, EXTENSIONS, destroy, extension, fail, guarded, make_table
from ._errors import ParameterError, UnsupportedError
from ._parameters import Declared
from ._part import Choice, Part, parts
from ._task_class import TaskClass, from_file

_KINDS = (_abi.DATASET, _abi.FEATURES, _abi.LOSS, _abi.ORACLE)


class _FileOrigin:
    """The class comes from the parameters of the component."""

    parameters = [
        Declared("file", _abi.TYPE_PATH, is_optional=True,
                 summary="the Python file; without it, the task of the dataset or the features"),
        Declared("class", _abi.TYPE_TEXT, is_optional=True,
                 summary="the class; without it, the only one that has methods of a task"),
        Declared("with", _abi.TYPE_JSON, is_optional=True,
                 summary="the parameters of the class, {\"name\": value}"),
        Declared("workers", _abi.TYPE_INT, lower=1, upper=256, default=1, has_default=True,
                 summary="processes that answer queries of the oracle at the same time"),
        Declared("worker_seconds", _abi.TYPE_REAL, lower=0, is_optional=True, needs="workers",
                 unit="seconds", summary="the most that a worker may take for one example"),
    ]

    def read(self, values) -> Choice:
        path, name, text = (value.text and value.text.decode("utf-8", "surrogateescape")
                            for value in values[:3])
        given = json.loads(text) if text else None
        if given is not None and not isinstance(given, dict):
            raise ParameterError('"with" must be an object, {"name": value}, of parameters of the '
                                 f"class, not {json.dumps(given)}")
        return Choice(from_file(path, name or "") if path else None, given, values[3].integer,
                      None if values[4].is_default else values[4].real)


class _ClassOrigin:
    """The class is known, and its parameters are those of the component."""

    def __init__(self, cls: type):
        self.task_class = TaskClass(cls)
        self.parameters = self.task_class.parameters

    def read(self, values) -> Choice:
        given = {declared.name: _python_value(declared, values[k])
                 for k, declared in enumerate(self.parameters) if not values[k].is_default}
        return Choice(self.task_class, given)


def _python_value(declared: Declared, value: _abi.Value):
    if declared.is_list and value.items:
        return [_python_item(declared.type, item) for item in value.items[:value.item_count]]
    return [] if declared.is_list else _python_item(declared.type, value)


def _python_item(kind: int, value: _abi.Value):
    if kind == _abi.TYPE_BOOL:
        return bool(value.integer)
    if kind == _abi.TYPE_INT:
        return value.integer
    if kind == _abi.TYPE_REAL:
        return value.real
    text = value.text.decode()
    return json.loads(text) if kind == _abi.TYPE_JSON else text


def _creator(kind: int, origin):
    def create(host, values, out, error):
        try:
            table = ctypes.cast(values, ctypes.POINTER(_abi.Value)) if values else []
            part = Part(kind, host, origin.read(table))
            parts[part.address] = part
            out[0] = part.address
            return _abi.OK
        except BaseException as problem:
            return fail(error, problem, None)
    return create


def _bind(part, bindings):
    part.bind(_abi.Bindings.from_address(bindings))


def _seal(part):
    part.seal()


def _parameter_table(parameters: list[Declared]):
    return (_abi.Parameter * len(parameters))(*(
        _abi.Parameter(
            type=declared.type | (_abi.TYPE_LIST if declared.is_list else 0),
            name=declared.name.encode(), fallback=_fallback(declared), lower=declared.lower,
            upper=declared.upper, choices="|".join(declared.choices).encode() or None,
            unit=declared.unit.encode() or None,
            summary=(declared.summary or declared.name).encode(),
            needs=declared.needs.encode() or None)
        for declared in parameters))


def _fallback(declared: Declared) -> bytes | None:
    if declared.is_optional and declared.default is None:
        return b"null"
    if not declared.has_default:
        return None
    return json.dumps("inf" if declared.default == float("inf") else declared.default).encode()


class Catalogue:
    """A sculpt_plugin with its components. It must live as long as the host uses it.

    address     of the sculpt_plugin
    components  list of _abi.Component: dataset, features, loss, oracle
    """

    def __init__(self, origin, name: str, summary: str, kinds=_KINDS):
        parameters = _parameter_table(origin.parameters)
        self._kept = [origin, parameters]
        self.components = [self._component(kind, origin, parameters, name, summary)
                           for kind in kinds]
        pointers = (ctypes.POINTER(_abi.Component) * len(kinds))(
            *map(ctypes.pointer, self.components))
        version = _abi.Version(_abi.ABI_MAJOR, _abi.ABI_MINOR)
        self.plugin = _abi.Plugin(ctypes.sizeof(_abi.Plugin), version, name.encode(), b"1.0.0",
                                  version, b"Apache-2.0", pointers, len(kinds), None, 0)
        self.address = ctypes.addressof(self.plugin)

    def _component(self, kind, origin, parameters, name, summary):
        life = make_table(_abi.Life, create=_creator(kind, origin), destroy=destroy,
                          bind=guarded(_bind), seal=guarded(_seal), extension=extension)
        names = [table.ID for table, _ in EXTENSIONS[kind]]
        extensions = (ctypes.c_char_p * len(names))(*names)
        self._kept += [life, extensions]
        return _abi.Component(
            ctypes.sizeof(_abi.Component), kind, _abi.TRAIT_SERIAL, f"org.sculpt.{name}".encode(),
            b"1.0.0", summary.encode(), None, parameters, len(parameters), extensions, len(names),
            ctypes.pointer(life), ctypes.addressof(APIS[kind]))


_of_files: list[Catalogue] = []


def of_files() -> Catalogue:
    """The components whose class is a parameter, one catalogue for the process."""
    if not _of_files:
        _of_files.append(Catalogue(_FileOrigin(), "python", "a task written in Python"))
    return _of_files[0]


def component_address(kind: int) -> int:
    """The address of a sculpt_component of `of_files()`: for python.so."""
    return ctypes.addressof(of_files().components[kind - 1])


def of_class(cls: type) -> Catalogue:
    """The components of one class: those kinds for which it has the methods."""
    origin = _ClassOrigin(cls)
    name = re.sub(r"[^a-z0-9_]", "_", origin.task_class.name.lower())
    kinds = [kind for kind in _KINDS if _has_kind(origin.task_class, kind)]
    if not kinds:
        origin.task_class.require_kind(_abi.ORACLE)
    return Catalogue(origin, name, origin.task_class.summary(), tuple(kinds))


def _has_kind(task_class: TaskClass, kind: int) -> bool:
    try:
        task_class.require_kind(kind)
        return True
    except UnsupportedError:
        return False

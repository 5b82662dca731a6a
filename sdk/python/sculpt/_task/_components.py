"""Components of the plugin ABI made of Python classes.

The class comes from the parameters "file", "class" and "with". `of_files()` is what the library
python.so forwards to. A session of Python makes a catalogue that also finds classes of its process
(../_host/_task_session.py).
"""

import ctypes
import json

from . import _abi
from ._callbacks import APIS, EXTENSIONS, destroy, extension, fail, guarded, make_table
from ._errors import ParameterError
from ._parameters import Declared
from ._part import Choice, Part, parts
from ._tasks import Tasks

_KINDS = (_abi.DATASET, _abi.FEATURES, _abi.LOSS, _abi.ORACLE, _abi.KERNEL)

_PARAMETERS = [
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
_KERNEL_PARAMETERS = _PARAMETERS[:3]  # workers answer queries of oracles


def _choice(kind: int, tasks: Tasks, values) -> Choice:
    path, name, text = (value.text and value.text.decode("utf-8", "surrogateescape")
                        for value in values[:3])
    given = json.loads(text) if text else None
    if given is not None and not isinstance(given, dict):
        raise ParameterError('"with" must be an object, {"name": value}, of parameters of the '
                             f"class, not {json.dumps(given)}")
    if kind == _abi.KERNEL:
        return Choice(tasks, tasks.chosen(path, name), given)
    return Choice(tasks, tasks.chosen(path, name), given, values[3].integer,
                  None if values[4].is_default else values[4].real)


def _creator(kind: int, tasks: Tasks):
    def create(host, values, out, error):
        try:
            given = ctypes.cast(values, ctypes.POINTER(_abi.Value))
            part = Part(kind, host, _choice(kind, tasks, given))
            parts[part.address] = part
            out[0] = part.address
            return _abi.OK
        except BaseException as problem:
            tasks.keep(problem)
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

    tasks       the classes of this process that it finds
    address     of the sculpt_plugin
    components  list of _abi.Component: dataset, features, loss, oracle, kernel
    """

    def __init__(self, tasks: Tasks):
        parameters, of_kernel = map(_parameter_table, (_PARAMETERS, _KERNEL_PARAMETERS))
        self._kept = [parameters, of_kernel]
        self.components = [
            self._component(kind, tasks, of_kernel if kind == _abi.KERNEL else parameters)
            for kind in _KINDS]
        pointers = (ctypes.POINTER(_abi.Component) * len(_KINDS))(
            *map(ctypes.pointer, self.components))
        version = _abi.Version(_abi.ABI_MAJOR, _abi.ABI_MINOR)
        self.plugin = _abi.Plugin(ctypes.sizeof(_abi.Plugin), version, b"python", b"1.0.0",
                                  version, b"Apache-2.0", pointers, len(_KINDS), None, 0)
        self.address = ctypes.addressof(self.plugin)

    def _component(self, kind, tasks, parameters):
        life = make_table(_abi.Life, create=_creator(kind, tasks), destroy=destroy,
                          bind=guarded(_bind), seal=guarded(_seal), extension=extension)
        names = [table.ID for table, _ in EXTENSIONS[kind]]
        if kind == _abi.KERNEL:
            names.append(_abi.KERNEL_ID)
        extensions = (ctypes.c_char_p * len(names))(*names)
        self._kept += [life, extensions]
        return _abi.Component(
            ctypes.sizeof(_abi.Component), kind, _abi.TRAIT_SERIAL, b"org.sculpt.python",
            b"1.0.0", b"a task written in Python", None, parameters, len(parameters), extensions,
            len(names), ctypes.pointer(life), ctypes.addressof(APIS[kind]))


_of_files: list[Catalogue] = []


def of_files() -> Catalogue:
    """The components whose class is in a file, one catalogue for the process."""
    if not _of_files:
        _of_files.append(Catalogue(Tasks()))
    return _of_files[0]


def component_address(kind: int) -> int:
    """The address of a sculpt_component of `of_files()`: for python.so."""
    return ctypes.addressof(of_files().components[_KINDS.index(kind)])

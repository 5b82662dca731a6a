"""The parameters of a task: annotations of its class, as sculpt_parameter and as checked values.

    class Month:
        months: int = 12                                            # a default
        decay: Annotated[float, Range(0, 1), "how fast it forgets"] = 0.5
        distance: Literal["shortest", "forward"] = "shortest"
        widths: list[float] = [1, 2]
        seed: int                                                   # required

Names that begin with "_" and ClassVar are no parameters. The values are attributes of the object
before its __init__ runs.
"""

import dataclasses
import difflib
import inspect
import json
import math
import types
import typing
from dataclasses import dataclass

from . import _abi
from ._errors import ParameterError

_ANY_NUMBER = (-math.inf, math.inf)
_TYPES = {bool: _abi.TYPE_BOOL, int: _abi.TYPE_INT, float: _abi.TYPE_REAL, str: _abi.TYPE_TEXT,
          dict: _abi.TYPE_JSON, typing.Any: _abi.TYPE_JSON, object: _abi.TYPE_JSON}
_WORDS = {_abi.TYPE_BOOL: "true or false", _abi.TYPE_INT: "an integer", _abi.TYPE_REAL: "a number",
          _abi.TYPE_TEXT: "a text", _abi.TYPE_JSON: "any JSON value"}


@dataclass(frozen=True)
class Range:
    """The closed range of a number: Annotated[float, Range(0, 1)]."""
    lower: float = -math.inf
    upper: float = math.inf


@dataclass(frozen=True)
class Unit:
    """The unit of a number: Annotated[float, Unit("seconds")]."""
    text: str


@dataclass
class Declared:
    """One parameter. default: a Python value; has_default: False if the experiment must set it."""
    name: str
    type: int
    is_list: bool = False
    lower: float = -math.inf
    upper: float = math.inf
    choices: tuple = ()
    unit: str = ""
    summary: str = ""
    default: object = None
    has_default: bool = False
    is_optional: bool = False
    needs: str = ""

    def expected(self) -> str:
        """ "an integer from 2 to 1000", for messages."""
        if self.type == _abi.TYPE_CHOICE:
            text = "one of " + ", ".join(json.dumps(choice) for choice in self.choices)
        else:
            text = _WORDS[self.type]
            if (self.lower, self.upper) != _ANY_NUMBER:
                text += (f" at least {self.lower:g}" if self.upper == math.inf else
                         f" at most {self.upper:g}" if self.lower == -math.inf else
                         f" from {self.lower:g} to {self.upper:g}")
        return f"a list, each item {text}" if self.is_list else text

    def checked(self, value):
        """The value as Python has it. Raises ValueError if it is not one."""
        if value is None and self.is_optional:
            return None
        if not self.is_list:
            return self._checked_item(value)
        if not isinstance(value, (list, tuple)):
            raise ValueError
        return [self._checked_item(item) for item in value]

    def _checked_item(self, value):
        if self.type == _abi.TYPE_JSON:
            return value
        if self.type == _abi.TYPE_BOOL:
            return self._require(isinstance(value, bool), value)
        if self.type == _abi.TYPE_TEXT:
            return self._require(isinstance(value, str), value)
        if self.type == _abi.TYPE_CHOICE:
            return self._require(value in self.choices, value)
        if self.type == _abi.TYPE_REAL and value == "inf" and self.upper == math.inf:
            return math.inf
        self._require(isinstance(value, (int, float)) and not isinstance(value, bool), value)
        if self.type == _abi.TYPE_INT:
            self._require(math.isfinite(value) and value == int(value), value)
        self._require(self.lower <= value <= self.upper, value)
        return int(value) if self.type == _abi.TYPE_INT else float(value)

    @staticmethod
    def _require(is_right: bool, value):
        if not is_right:
            raise ValueError
        return value


def _of_annotation(name: str, annotation, owner: str) -> Declared:
    """The parameter without its default."""
    metadata = ()
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *metadata = typing.get_args(annotation)
    declared = Declared(name, 0)
    inner = annotation
    if typing.get_origin(inner) in (typing.Union, types.UnionType):
        rest = [part for part in typing.get_args(inner) if part is not type(None)]
        declared.is_optional = len(rest) == 1
        inner = rest[0] if declared.is_optional else inner
    if inner is list or typing.get_origin(inner) is list:
        declared.is_list = True
        inner = (typing.get_args(inner) or (typing.Any,))[0]
    if typing.get_origin(inner) is typing.Literal:
        declared.type, declared.choices = _abi.TYPE_CHOICE, typing.get_args(inner)
        is_known = all(isinstance(choice, str) for choice in declared.choices)
    else:
        key = typing.get_origin(inner) or inner
        is_known = key in _TYPES
        declared.type = _TYPES.get(key, 0)
    if not is_known:
        shown = getattr(inner, "__name__", str(inner))
        raise ParameterError(
            f"{owner}: the annotation of {name} is {shown}, which is no type of parameters (bool, "
            "int, float, str, Literal of texts, list of these, dict, and each of them | None); if "
            f"it is not a parameter, name it _{name} or annotate it as ClassVar")
    for item in metadata:
        if isinstance(item, Range):
            declared.lower, declared.upper = item.lower, item.upper
        elif isinstance(item, Unit):
            declared.unit = item.text
        elif isinstance(item, str):
            declared.summary = item
    return declared


def declared_by(cls: type, owner: str) -> list[Declared]:
    """The parameters of a class, in the order of their annotations, base classes first."""
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except Exception as error:
        raise ParameterError(f"{owner}: its annotations cannot be read: {error}") from error
    names = []
    for base in reversed(cls.__mro__):
        names += [name for name in base.__dict__.get("__annotations__", {}) if name not in names]
    parameters = []
    for name in names:
        annotation = hints[name]
        if name.startswith("_") or annotation is typing.ClassVar or (
                typing.get_origin(annotation) is typing.ClassVar):
            continue
        declared = _of_annotation(name, annotation, owner)
        factory = getattr(getattr(cls, "__dataclass_fields__", {}).get(name), "default_factory",
                          dataclasses.MISSING)
        if factory is not dataclasses.MISSING:
            _set_default(declared, factory(), owner)
        elif hasattr(cls, name):
            _set_default(declared, getattr(cls, name), owner)
        parameters.append(declared)
    return parameters


def _set_default(declared: Declared, default, owner: str):
    try:
        declared.default = declared.checked(default)
    except ValueError:
        raise ParameterError(f"{owner}: the default of {declared.name} is {default!r}; it must be "
                             f"{declared.expected()}") from None
    declared.has_default = True


def checked_values(parameters: list[Declared], given: dict, owner: str) -> dict:
    """The value of each parameter by name. Raises ParameterError for what is wrong."""
    known = [parameter.name for parameter in parameters]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            advice = (f"did you mean {json.dumps(near[0])}?" if near else
                      "known: " + ", ".join(map(json.dumps, known)) if known else
                      "it declares none")
            raise ParameterError(f"{owner}: unknown parameter {json.dumps(name)}, {advice}")
    values = {}
    for parameter in parameters:
        if parameter.name not in given:
            if not parameter.has_default and not parameter.is_optional:
                summary = f": {parameter.summary}" if parameter.summary else ""
                raise ParameterError(f"{owner}: the parameter {json.dumps(parameter.name)} is "
                                     f"missing, it must be {parameter.expected()}{summary}")
            values[parameter.name] = parameter.default
            continue
        value = given[parameter.name]
        try:
            values[parameter.name] = parameter.checked(value)
        except ValueError:
            raise ParameterError(f"{owner}: {json.dumps(parameter.name)} must be "
                                 f"{parameter.expected()}, not {json.dumps(value)}") from None
    return values


def make_object(cls: type, values: dict, owner: str):
    """The object of a class: its parameters are attributes before __init__ runs, and arguments of
    an __init__ that has their names, as that of a dataclass."""
    task = cls.__new__(cls)
    for name, value in values.items():
        object.__setattr__(task, name, value.copy() if isinstance(value, list) else value)
    if cls.__init__ is object.__init__:
        return task
    arguments = {}
    for name, parameter in list(inspect.signature(cls.__init__).parameters.items())[1:]:
        if name in values:
            arguments[name] = values[name]
        elif parameter.default is parameter.empty and parameter.kind in (
                parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY, parameter.POSITIONAL_ONLY):
            raise ParameterError(f"{owner}: __init__ asks for {name}, which is no parameter of the "
                                 f"class; declare it there, such as {name}: float = 0.5")
    task.__init__(**arguments)
    return task

"""Arguments of the package as C wants them. What C cannot take is refused with its name."""

import json
import operator
import os
import pathlib

import numpy as np


def path_bytes(value, name: str, wanted: str = "a path") -> bytes:
    """A path, also one that is no UTF-8. Raises TypeError, ValueError."""
    try:
        return without_zero(os.fsencode(value), name)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; it must be {wanted}") from None


def without_zero(data: bytes, name: str) -> bytes:
    """C would end the string at a zero byte."""
    if b"\0" in data:
        raise ValueError(f"{name} has a zero byte at {data.index(0)}: {data!r}")
    return data


def utf8(value: str, name: str) -> bytes:
    """Raises ValueError for half a surrogate pair."""
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} has a character at {error.start} that UTF-8 cannot hold: "
                         f"{value[error.start]!r}") from None


def buffer_bytes(value, name: str) -> bytes:
    """The bytes of a bytearray, a memoryview or an array."""
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; it must be bytes") from None


def folders(value, name: str) -> "list[bytes]":
    """A list of folders; a single path is a list of one."""
    if isinstance(value, (str, bytes, os.PathLike)):
        value = [value]
    try:
        return [path_bytes(folder, f"{name}[{k}]") for k, folder in enumerate(value)]
    except TypeError as error:
        if str(error).startswith(name):
            raise
        raise TypeError(f"{name} is {shown(value)}; it must be a list of folders") from None


def names(value, name: str) -> "list[str]":
    """A list of texts; a single text is a list of one."""
    found = [value] if isinstance(value, str) else value
    try:
        found = list(found)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; it must be a list of names") from None
    for k, one in enumerate(found):
        if not isinstance(one, str):
            raise TypeError(f"{name}[{k}] is {shown(one)}; it must be a name")
    return found


def integer(value, name: str, least: int, most: int = 2**63 - 1, meaning: str = "") -> int:
    """`meaning`: of `least`, for the message, such as " (all cores)"."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; it must be an integer") from None
    if not least <= number <= most:
        range_text = (f"at least {least}{meaning}" if most >= 2**31 - 1 else
                      f"from {least}{meaning} to {most}")
        raise ValueError(f"{name} is {number}; it must be {range_text}")
    return number


def resume_or_force(resume, force) -> None:
    """Raises ValueError for both."""
    if resume and force:
        raise ValueError("resume=True continues what is in output, and force=True replaces it; "
                         "give one of them")


def function_or_none(value, name: str):
    if value is not None and not callable(value):
        raise TypeError(f"{name} is {shown(value)}; it must be a function")
    return value


def json_text(value, name: str) -> str:
    """JSON of Python's and numpy's values and of paths."""
    def converted(one):
        if isinstance(one, (np.generic, np.ndarray)) and one.dtype.kind in "biuf":
            return one.tolist()
        if isinstance(one, pathlib.PurePath):
            return str(one)
        advice = ('; arrays are a split of its dataset, such as "train"'
                  if type(one).__name__ == "Arrays" else "")
        raise TypeError(f"{name} has {shown(one)}, which JSON cannot hold{advice}")

    try:
        return json.dumps(value, default=converted)
    except ValueError as error:  # it refers to itself
        raise ValueError(f"{name}: {error}") from None


def shown(value) -> str:
    """ "3" or "an object of the type Model"."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        text = repr(value)
        return text if len(text) <= 60 else text[:57] + "..."
    return f"an object of the type {type(value).__name__}"

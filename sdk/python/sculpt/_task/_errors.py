"""Errors of tasks, and their texts.

A task raises one of the classes below to say what kind of error it is. Any other exception is a
fault of the task: its text is the class and method, the exception, and the traceback. All of it is
one line, because hosts and their logs show messages as one.
"""

import os
import traceback

from .._own_files import is_own_file
from . import _abi


class TaskError(Exception):
    """An error with a status of the ABI. The text says what is wrong, then what to do."""
    status = _abi.INTERNAL

    @classmethod
    def of_status(cls, status: int, text: str) -> "TaskError":
        error = cls(text)
        error.status = status
        return error


class DataError(TaskError):
    """A file or an example is malformed."""
    status = _abi.DATA


class MissingError(TaskError):
    """A file does not exist or cannot be read."""
    status = _abi.MISSING


class ParameterError(TaskError):
    """The value of a parameter is refused."""
    status = _abi.PARAMETER


class UnsupportedError(TaskError):
    """These components cannot work together."""
    status = _abi.UNSUPPORTED


class ResultError(TaskError):
    """A method of the task returned something else than it must."""


class HostError(Exception):
    """A function of the host failed, with this status and text. They are passed on as they are."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


def frames_of(error: BaseException) -> str:
    """ " [task.py:40 in argmax: return 1 / 0]" for each line of the traceback, outermost first.
    Those of this package are left out."""
    frames = traceback.extract_tb(error.__traceback__)
    return "".join(f" [{os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}: "
                   f"{frame.line}]" for frame in frames
                   if not is_own_file(frame.filename))


def exception_text(error: BaseException) -> str:
    """ "ZeroDivisionError: division by zero", on one line."""
    text = " ".join(str(error).split("\n"))
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def describe(error: BaseException, where: str) -> tuple[int, str]:
    """Status and text of an exception. `where`: "task.py: Month.argmax"."""
    if isinstance(error, HostError):
        return error.status, str(error)
    if isinstance(error, ResultError):
        return error.status, f"{where} {error}"
    if isinstance(error, TaskError):
        return error.status, str(error)
    if isinstance(error, MemoryError):
        return _abi.MEMORY, f"{where}: out of memory"
    return _abi.INTERNAL, f"{where}: {exception_text(error)}{frames_of(error)}"

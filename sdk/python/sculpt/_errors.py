"""Errors of tasks, and their texts.

A task raises one of the classes below to say what kind of error it is. Any other exception is a
fault of the task: its text is the class and method, the exception and the lines of the traceback.
"""

import os
import traceback

from . import _abi

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


class TaskError(Exception):
    """An error with a status of the ABI. The text says what is wrong, then what to do."""
    status = _abi.INTERNAL


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
    """The lines of the traceback in the user's code, or "". Those of this package are left out."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if os.path.dirname(frame.filename) != _PACKAGE]
    return "".join(traceback.format_list(frames)).rstrip("\n")


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
    lines = [f"{where}: {''.join(traceback.format_exception_only(error)).rstrip()}"]
    frames = frames_of(error)
    return _abi.INTERNAL, "\n".join(lines + [frames] if frames else lines)

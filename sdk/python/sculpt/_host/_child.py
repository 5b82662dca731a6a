"""Commands in a process of their own, and experiments as files for them."""

import contextlib
import os
import subprocess
import sys
import tempfile

from .._own_files import PACKAGE
from .._task._errors import UnsupportedError
from . import _library, _wording
from ._arguments import folders as folders_of
from ._arguments import json_text
from ._arrays_json import arrays_json, number_count
from ._experiment import Prepared

# JSON has some ten bytes for a number, and each run keeps a copy.
_MOST_NUMBERS = 2_000_000


@contextlib.contextmanager
def experiment_file(prepared: Prepared, function: str):
    """The path of a file with the experiment, in the working folder, to which its paths refer. It
    is removed at the end. Raises UnsupportedError for what only this process has."""
    if prepared.path is not None:
        yield os.fsdecode(prepared.path)
        return
    _refuse_what_is_here_alone(prepared, function)
    config = {"name": prepared.name, **prepared.config}
    splits = {split: {"arrays": arrays_json(arrays)} for split, arrays in prepared.lent}
    if splits:
        config["dataset"] = {**config["dataset"], **splits}
    with tempfile.NamedTemporaryFile("w", dir=os.getcwd(), prefix=".sculpt-", suffix=".json",
                                     encoding="utf-8") as file:
        prepared.written = json_text(config, "the experiment")
        file.write(prepared.written)
        file.flush()
        yield file.name


def _refuse_what_is_here_alone(prepared: Prepared, function: str) -> None:
    for task in prepared.tasks.classes.values():
        if not task.path:
            raise UnsupportedError(
                f"{function} runs in processes of its own, which cannot import {task.name}: it has "
                "no file; put the class in a module")
    for split, given in prepared.tasks.given.items():
        raise UnsupportedError(
            f"{function} runs in processes of its own, which do not have {split} "
            f"({given.described()}); write it to a file, and give its path")
    numbers = sum(number_count(arrays) for _, arrays in prepared.lent)
    if numbers > _MOST_NUMBERS:
        raise UnsupportedError(
            f"{function} runs in processes of its own, and writes arrays to a file for them; these "
            f"have {numbers} numbers, more than {_MOST_NUMBERS}; write a file in a format of "
            "another dataset, and give its path")


def run_in_process(words: list, plugin_path, is_shown: bool = False) -> "tuple[int, str, str]":
    """Runs a command of the program in a process that finds the modules of this one. Returns its
    exit code, what it prints as a result, and its messages. These are printed if `is_shown`."""
    folders = [os.path.abspath(os.fsdecode(folder)) for folder in folders_of(plugin_path,
                                                                             "plugin_path")]
    folders.append(os.environ.get("SCULPT_PLUGIN_PATH", ""))
    modules = [os.path.dirname(os.path.abspath(PACKAGE))]
    modules += [os.path.abspath(folder) for folder in sys.path if folder]
    environment = dict(os.environ, SCULPT_PLUGIN_PATH=":".join(filter(None, folders)),
                       PYTHONPATH=":".join(modules))
    with subprocess.Popen([sys.executable, "-m", "sculpt", *map(_word, words)], env=environment,
                          stdout=subprocess.PIPE, stderr=None if is_shown else subprocess.PIPE,
                          encoding="utf-8", errors="backslashreplace") as process:
        try:
            printed, said = process.communicate()
        except BaseException:
            process.terminate()  # it leaves a checkpoint
            raise
    return process.returncode, printed, said or ""


def _word(value) -> "str | bytes":
    return value if isinstance(value, (str, bytes)) else str(value)


def failure_of(code: int, said: str, prepared: Prepared, file: str) -> _library.SculptError:
    """The failure of a command, from its messages. `file`: its experiment."""
    text = said.strip().removeprefix("sculpt: ") or f"the command ended with {code}"
    if prepared.path is None:
        text = _wording.for_python(text, file, prepared.written)
        text = _wording.without_file(text, file, "the experiment")
    else:
        text = _wording.for_python(text)
    return _library.SculptError(text, code)

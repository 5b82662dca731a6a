"""Messages of the program in the words of this package: keywords for options, keys for positions.

    give another folder with --output, or --force to replace it
    give another folder with output=, or force=True to replace it

Called where a call of libsculpt or a process of the program fails. sculpt.command() has options, so
its messages stay as they are.
"""

import json
import os
import re

# The options that are keywords of train(), sweep(), check() and verify(), and those that are true
# or false there.
_VALUES = ("output", "folds", "hold-out", "groups", "best", "predict-with", "audit-with", "seed",
           "threads", "level", "only", "time-limit", "probes", "example")
_FLAGS = ("force", "resume", "cold")
_OTHER_NAMES = {"example": "examples"}
_OPTION = re.compile(rf"(?<![\w./-])--({'|'.join((*_VALUES, *_FLAGS))})(?![\w-])( DIR)?")
_CHANGE = re.compile(r"(?<![\w./-])--set (?=[\w.]+=)")
_TRAIN = re.compile(r"\btrain --resume\b")
# What the program leaves open because each experiment file has it.
_NO_SOLVER = re.compile(r'(the key "solver" of the experiment is missing)[^;]*')
_FILE = 'the file that "dataset.file" names'
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def for_python(text: str, name: str = "", written: "str | None" = None) -> str:
    """A message of the program. `written`: the JSON of the experiment, where it was no file
    of the user; `name`: of this text in the message."""
    if written is not None:
        text = re.sub(rf"{re.escape(name)}:1:(\d+): ",
                      lambda found: f"the experiment: {_place(written, int(found[1]))}", text)
        text = _NO_SOLVER.sub(r'\1; give one, such as solver={"use": "n_slack", "C": 1}', text)
    text = _TRAIN.sub("sculpt.train(..., resume=True)", text)
    return _CHANGE.sub("", _OPTION.sub(_keyword, text))


def without_file(text: str, file: str, name: str) -> str:
    """A text with `name` for each path or name of a temporary file."""
    stem = os.path.splitext(os.path.basename(file))[0]
    return text.replace(file, name).replace(f"{stem}.json", name).replace(stem, name)


def with_class_file(text: str, files: "list[str]") -> str:
    """A text with the name of the file of a task, if there is but one, for the key that has it."""
    return text.replace(_FILE, files[0]) if len(files) == 1 else text


def _keyword(option: "re.Match") -> str:
    name = _OTHER_NAMES.get(option[1], option[1].replace("-", "_"))
    return f"{name}=True" if name in _FLAGS else f"{name}="


def _place(written: str, column: int) -> str:
    """ "solver.C: ", the key at a column of one line of JSON, from 1; "" for the whole of it."""
    path = _key_path(written, column)
    return f"{path}: " if path else ""


def _key_path(written: str, column: int) -> str:
    """ "solver.C" or "oracle.members.1", of valid JSON."""
    path, keys = [], []  # of the open braces; whether each is an object whose key comes next
    for token in _TOKEN.finditer(written):
        word, is_here = token[0], token.start() <= column - 1 < token.end()
        if word == ",":
            if keys[-1] is None:
                path[-1] += 1
            else:
                keys[-1] = True
        elif word in "}]":
            path.pop()
            keys.pop()
        elif word != ":" and keys and keys[-1] and not is_here:
            path[-1], keys[-1] = json.loads(word), False
        elif is_here:
            if keys and keys[-1]:
                path[-1] = json.loads(word)
            return ".".join(str(one) for one in path if one is not None)
        if word in "{[":
            path.append(None if word == "{" else 0)
            keys.append(True if word == "{" else None)
    return ""

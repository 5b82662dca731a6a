"""Training with many settings, as the command sweep does, and its results as a table."""

import json
import pathlib
import tempfile
from collections.abc import Iterable

from ._host import _arguments, _library
from ._host._child import experiment_file, failure_of, run_in_process
from ._host._experiment import Prepared
from ._host._task_session import refuse_in_task
from .host import Model, load


class Sweep(list):
    """A list of dicts, one for each combination of settings: pandas.DataFrame(sweep).

    Numbers are means over the folds; "primal.standard_error" is the standard error of "primal".
    folder  of the sweep, or None
    cells   a list of dicts, one for each run
    """

    def __init__(self, rows, cells, folder):
        super().__init__(rows)
        self.cells, self.folder = cells, folder

    def best(self, *, task=None) -> Model:
        """The model of the best settings, which a sweep with `best` trains on all of train."""
        if self.folder is None:
            raise ValueError("the sweep left no folder; give it an output")
        return load(self.folder / "best", task=task)


def sweep(config=None, grid=None, *, task=None, train=None, validation=None, test=None,
          parameters=None, folds: "int | None" = None, hold_out: "float | None" = None,
          groups=None, seed: int = 0, best: "str | None" = None, predict_with=(),
          audit_with: "str | None" = None, output=None, resume: bool = False, force: bool = False,
          cold: bool = False, threads: int = 0, plugin_path=(), verbose: bool = False,
          **changes) -> Sweep:
    """Trains every combination of the values in `grid`, with each fold held out once.

    config, task, train, validation, test, parameters, changes   as of train()
    grid       {"solver.C": [0.1, 1, 10], "oracle.use": ["viterbi", "icm"]}
    folds      divide train into so many parts, and hold out each part once
    hold_out   hold out this fraction of train
    groups     a file with a line for each example: equal lines are in the same fold
    best       a metric, such as "error": train again on all of train with the best settings
    predict_with, audit_with   oracles that measure each model, too
    output     the folder of the sweep, as the program leaves it. None: nothing is left
    cold       start every run without the planes of another one

    The runs are processes of the program `sculpt`, so a task must be in a file. Raises SculptError
    if a run fails, UnsupportedError.
    """
    refuse_in_task("sculpt.sweep")
    settings = [_setting_of(key, values) for key, values in _dict_or_none(grid).items()]
    predict_with = _arguments.names(predict_with, "predict_with")
    _arguments.resume_or_force(resume, force)
    prepared = Prepared(config, changes, task=task, parameters=parameters, train=train,
                        validation=validation, test=test)
    with experiment_file(prepared, "sculpt.sweep") as file, tempfile.TemporaryDirectory() as spare:
        folder = pathlib.Path(spare) / "sweep" if output is None else pathlib.Path(output)
        words = ["sweep", file, "--output", str(folder), "--threads", str(threads),
                 *([] if verbose else ["--quiet"])]
        for setting in settings:
            words += ["--set", setting]
        for change in prepared.changes:
            words += ["--set", change]
        for option, value in (("--folds", folds), ("--hold-out", hold_out),
                              ("--seed", seed or None), ("--groups", groups),
                              ("--predict-with", ",".join(predict_with)), ("--best", best),
                              ("--audit-with", audit_with)):
            words += [] if value in (None, "") else [option, str(value)]
        for option, is_set in (("--resume", resume), ("--force", force), ("--cold", cold)):
            words += [option] if is_set else []
        code, _, said = run_in_process(words, plugin_path, verbose)
        if code not in (_library.REACHED, _library.NOT_REACHED):
            raise failure_of(code, said, prepared, file)
        points = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
    return _table(points, None if output is None else folder)


def _dict_or_none(grid) -> dict:
    if grid is not None and not isinstance(grid, dict):
        raise TypeError(f"grid is {_arguments.shown(grid)}; it must be a dict, such as "
                        '{"solver.C": [0.1, 1]}')
    return grid or {}


def _setting_of(key, values) -> str:
    """The option --set with all values of a key."""
    name = f"grid[{key!r}]"
    if isinstance(values, (str, bytes, dict)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {_arguments.shown(values)}; it must be a list of values")
    return f"{key}=" + ",".join(_arguments.json_text(value, name) for value in values)


def _table(points: list, folder: "pathlib.Path | None") -> Sweep:
    rows, cells = [], []
    for point in points:
        settings = dict(map(_setting, point["settings"]))
        for cell in point.pop("cells"):
            cells.append({**settings, **_flat(cell)})
        rows.append({**settings, **_flat({key: value for key, value in point.items()
                                          if key != "settings"})})
    return Sweep(rows, cells, folder)


def _setting(text: str) -> tuple:
    """("solver.C", 0.1) of "solver.C=0.1"."""
    key, _, value = text.partition("=")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _flat(values: dict, prefix: str = "") -> dict:
    """{"validation": {"error": {"mean": 1, "standard_error": 0}}} as {"validation.error": 1,
    "validation.error.standard_error": 0}."""
    flat = {}
    for key, value in values.items():
        if not isinstance(value, dict):
            flat[prefix + key] = value
        elif "mean" in value:  # one fold has no standard error
            flat[prefix + key] = value["mean"]
            if "standard_error" in value:
                flat[f"{prefix}{key}.standard_error"] = value["standard_error"]
        else:
            flat.update(_flat(value, f"{prefix}{key}."))
    return flat

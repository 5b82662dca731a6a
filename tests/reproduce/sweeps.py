"""Runs sweeps and chooses the best row on held-out data. Used by the scripts in this folder."""

import json
import pathlib
import tempfile

import runs


def sweep(sculpt, experiment, settings, options=()):
    """Returns the rows of sweep.json, one for each combination of the values in `settings`."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "sweep"
        command = [str(sculpt), "sweep", runs.file_of(experiment, scratch), "--output", str(folder),
                   *map(str, options), *runs.options_of(settings)]
        runs.Finished(command).require(0, 3)
        return json.loads((folder / "sweep.json").read_text(encoding="utf-8"))


def held_out(row, metric):
    """Returns the mean of a metric over the folds, or on the held-out part."""
    return row["validation"][metric]["mean"]


def best(rows, metric, choose):
    """Returns the row with the best held-out metric, the first of equal rows. `choose` is min or
    max."""
    return choose(rows, key=lambda row: held_out(row, metric))


def value_of(row, key):
    """Returns the value of a setting in a row, as text."""
    return dict(setting.split("=", 1) for setting in row["settings"])[key]


def best_C(sculpt, experiment, settings, options, metric, choose):
    """Returns the best of the values that `settings` has for solver.C."""
    rows = sweep(sculpt, experiment, settings, options)
    return value_of(best(rows, metric, choose), "solver.C")


def best_run(sculpt, experiment, candidates, metric, choose):
    """Runs each of the settings in `candidates`. Returns the Run with the best metric on the split
    validation, and its settings. Of equal runs the first."""
    done = [(runs.Run(sculpt, experiment, settings), settings) for settings in candidates]
    return choose(done, key=lambda one: one[0].finished["validation"][metric])
